#!/usr/bin/env python3
"""Mutants of every kind of input through the program: whatever the file, the outcome is an answer or one line.

    tests/fuzz/mutants.py PROGRAM SOURCE_DIR SCRATCH_DIR [--count N] [--seed S] [--jobs J] [--kinds K,K] [--start fork|process]
    tests/fuzz/mutants.py PROGRAM SOURCE_DIR SCRATCH_DIR --replay FOLDER

For each kind N mutants: bytes changed, cut out, doubled; numbers (also binary ones) replaced by large, negative and
strange ones; words exchanged; files cut off; for most the checksums of the format then renewed. Allowed are exit codes
0, 1 and 2, where 1 is a step, problem or study that was read and not solved, and 2 comes with one line that begins with
"clarke:". Not allowed are signals, more than 10 s of a processor, "std::" in a message (an exception that nobody
foresaw), several lines of errors, control characters in them, and anything that a library says for itself, whether the
file is refused or taken. A file that fails is kept in SCRATCH_DIR/failed.

The program is started once per job and forks for every mutant (clarke_fork_server beside PROGRAM, study_server.py
beside this file): 20 ms each. --start process starts it every time and ends it as usual, five times as slow. SCRATCH_DIR
in memory (/dev/shm) spares the disk.

With --replay the files of FOLDER/KIND are tried instead, as they are (tests/fuzz/regressions: what once ended the
program, hung, or passed): they have to be refused.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import types

from inputs import NODE, SEALS, beside, kinds

SECONDS = 10  # of a processor: more is a hang, also on a busy machine
WAIT = 300  # [s] by the clock, for what hangs without computing
ROOM = 8e9  # [byte] beyond what the program has at its start
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", OMP_PROC_BIND="false", MPLBACKEND="agg")

WORDS = ["0", "-1", "1", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9223372036854775807",
         "18446744073709551615", "1e308", "1e999", "-1e999", "nan", "inf", "1x", "", "0x7fffffff", "99999999999999999999"]
BINARY = [struct.pack(f, v) for f, v in (("<i", -1), ("<I", 0x7FFFFFFF), ("<I", 0xFFFFFFFF), ("<I", 0x80000000), ("<I", 0),
                                         ("<q", -1), ("<q", 2**40), ("<d", float("nan")), ("<d", 1e300), ("<f", float("inf")))]


def mutate(data, other, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):  # of many changes only the first that matters is seen
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(9)
        if what == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif what == 1:
            del data[at:at + 1 + rng.randrange(32)]
        elif what == 2:
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?", bytes(data)))
            if numbers:
                m = rng.choice(numbers)
                data[m.start():m.end()] = rng.choice(WORDS).encode()
        elif what == 3:
            value = rng.choice(BINARY)
            data[at:at + len(value)] = value
        elif what == 4:
            words = list(re.finditer(rb"[A-Za-z_]+", bytes(data)))
            if words:
                one, two = rng.choice(words), rng.choice(words)
                data[one.start():one.end()] = two.group()
        elif what == 5:
            if rng.random() < 0.3:
                del data[at:]
        elif what == 6:
            piece = data[at:at + 1 + rng.randrange(200)]
            data[at:at] = piece * (1 + rng.randrange(3))
        elif what == 7 and len(other) > 0:
            start = rng.randrange(len(other))
            data[at:at] = other[start:start + 1 + rng.randrange(100)]
        elif what == 8 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def judge(done):
    """What is wrong with an outcome, or ""."""
    if done is None or done.returncode == -signal.SIGXCPU:
        return f"takes more than {SECONDS} s"
    code, err = done.returncode, done.stderr
    if code < 0 or code > 2:
        return f"exit code {code}"
    errors = [line for line in err.split(b"\n") if line.startswith(b"clarke:") and not line.startswith(b"clarke: warning")]
    if code == 2 and len(errors) != 1:
        return f"{len(errors)} lines of errors"
    if code == 2 and any(b"std::" in line or b"what()" in line for line in errors):
        return "an exception that nobody foresaw"
    if any(c < 0x20 and c not in b"\n\t" for c in err):
        return "control characters in a message"
    other = [line for line in err.split(b"\n") if line and not line.startswith((b"clarke:", b"warning:", b"  "))]
    if other:
        return f"{'chatter' if code == 2 else 'taken although something complained'}: {other[0][:80]!r}"
    return ""


def write(kind, place, data, name):
    corpus, ending, scene, words = kind
    (place / (name + ending)).write_bytes(data)
    if ending == ".ele":
        (place / (name + ".node")).write_bytes(NODE)
    file = place / (name + ending)
    if scene:
        file = place / (name + "_scene.yaml")
        file.write_text(scene(name + ending))
    return file


class Servers:
    """Processes that fork for every request (fork_server/main.cpp, study_server.py), one of each kind for a thread."""

    def __init__(self, program):
        assert (program.parent / "clarke_fork_server").exists(), f"clarke_fork_server is not beside {program}: build it, or --start process"
        self.commands = {False: [str(program.parent / "clarke_fork_server")],
                         True: ["/usr/bin/python3", str(pathlib.Path(__file__).with_name("study_server.py")), str(program)]}
        self.mine = threading.local()

    def carry_out(self, words, place):
        study = words[0] == "study"
        mine = self.mine.__dict__
        if study not in mine:
            mine[study] = subprocess.Popen(self.commands[study], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
        server = mine[study]
        request = {"folder": str(place), "words": words, "seconds": SECONDS, "wait": WAIT, "bytes": ROOM}
        server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        answer = server.stdout.readline().split()
        assert len(answer) == 2, f"the fork server has ended: {server.wait()}"
        number = int(answer[1])
        if answer[0] == b"signal" and number in (signal.SIGXCPU, signal.SIGALRM):
            return None
        return types.SimpleNamespace(returncode=-number if answer[0] == b"signal" else number,
                                     stderr=(place / "stderr").read_bytes())


class Processes:
    """Starts the program for every request."""

    def __init__(self, program):
        self.program = program

    def carry_out(self, words, place):
        def limit_time():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))

        try:
            return subprocess.run([self.program, *words], capture_output=True, timeout=WAIT, env=ENVIRONMENT, cwd=place, check=False,
                                  preexec_fn=limit_time)
        except subprocess.TimeoutExpired:
            return None


def run_one(starter, kind, place, data, name, whole=False, damaged=False):
    """(exit code or None, what is wrong or "")"""
    file = write(kind, place, data, name)
    words = kind[3]
    more = ["-output_dir", str(place / f"out_{name}"), "-time_end", "0.05", "-progress", "none"] if "-restart" in words else []
    more += ["-output_dir", str(place / f"out_{name}"), "-study_quick", "-study_report"] if words == ["study"] else []
    more += ["-snes_max_it", "3", "-newton_start_sweeps", "0"] if words == ["solve"] else []
    done = starter.carry_out([*words, str(file), *more], place)
    if done is None:
        return None, judge(done)
    if whole and done.returncode == 2:
        return 2, f"refused: {done.stderr.decode(errors='replace')}"
    if damaged and done.returncode != 2:
        return done.returncode, f"exit code {done.returncode} instead of 2"
    return done.returncode, judge(done)


def replay(starter, table, folder, scratch, source):
    """Files that are known to be damaged: each is refused, in one line."""
    failures = files = 0
    for path in sorted(folder.glob("*/*")):
        name = path.parent.name
        place = scratch / f"{name}_{path.stem}"
        place.mkdir()
        _, problem = run_one(starter, table[name], place, beside(path.read_bytes(), source), "input", damaged=True)
        files += 1
        if problem:
            failures += 1
            print(f"{path}: {problem}", flush=True)
    assert files > 0, f"no files in {folder}"
    print(f"{files} files of {folder}: {failures} failed")
    return 1 if failures else 0


def main():
    program, source, scratch = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    rest = dict(zip(sys.argv[4::2], sys.argv[5::2]))
    count, seed, jobs = int(rest.get("--count", 20)), int(rest.get("--seed", 1)), int(rest.get("--jobs", 2))
    start = rest.get("--start", "fork")
    assert start in ("fork", "process"), f"--start {start}: expected fork or process"
    starter = Servers(program) if start == "fork" else Processes(program)
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "failed").mkdir(parents=True)
    table = kinds(source, str(program), scratch)
    if "--replay" in rest:
        return replay(starter, table, pathlib.Path(rest["--replay"]).resolve(), scratch, source)
    wanted = rest.get("--kinds", ",".join(table)).split(",")

    def one(job):
        name, i = job
        rng = random.Random(f"{seed} {name} {i}")
        corpus = table[name][0]
        data = mutate(rng.choice(corpus), rng.choice(corpus), rng)
        if name in SEALS and rng.random() < 0.7:  # the checksum refuses what is not sealed
            data = SEALS[name](data)
        place = scratch / f"{name}_{i}"
        place.mkdir()
        code, problem = run_one(starter, table[name], place, data, "input")
        if problem:
            shutil.copytree(place, scratch / "failed" / f"{name}_{i}", dirs_exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        return code, f"{name} {i}: {problem}" if problem else ""

    for name in table:  # what is not mutated is read
        place = scratch / f"{name}_whole"
        place.mkdir()
        for k, data in enumerate(table[name][0][:3]):
            _, problem = run_one(starter, table[name], place, data, f"input{k}", whole=True)
            assert not problem, f"{name} as it is: {problem}"
        shutil.rmtree(place)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name in wanted:
            began, codes, problems = time.monotonic(), collections.Counter(), 0
            for code, problem in pool.map(one, [(name, i) for i in range(count)]):
                codes[code] += 1
                if problem:
                    problems += 1
                    print(problem, flush=True)
            failures += problems
            print(f"{name:<10} {count} mutants from seed {seed} in {time.monotonic() - began:.0f} s: {codes[2]} refused, {codes[0]} taken, "
                  f"{codes[1]} read and not solved; {problems} failed", flush=True)
    print(f"{count} mutants of each of {len(wanted)} kinds from seed {seed}: {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
