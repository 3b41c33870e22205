"""A run that is killed at any time goes on from its last checkpoint, and ends with the same bytes as one that was not.

Usage: restart.py PROGRAM SOURCE_DIR SCRATCH_DIR [--kills N] [--seed S]

Six scenes: a pile, a chain, the same in stages and with a formula of two steps, a soft body, a cloth. Each is run in one go, then with SIGKILL and with SIGTERM, and the last
time goes on with two threads. With --kills, N times in all, at random moments, also while files are written.
"""

import csv
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
rest = dict(zip(sys.argv[4::2], sys.argv[5::2]))
kills, seed = int(rest.get("--kills", 0)), int(rest.get("--seed", 1))

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under nohup, and inherited

SCENES = {  # steps are many enough to be killed in, and few enough for every day
    "pile": ["box_pile.yaml", "-box_pile_count", "16", "-preset", "robust", "-time_end", "0.4"],
    "chain": ["chain.yaml", "-time_end", "0.5"],
    "stages": ["chain.yaml", "-time_end", "0.5", "-integrator", "tr_bdf2"],
    "two_steps": ["chain.yaml", "-time_end", "0.5", "-integrator", "bdf2"],
    "soft": ["soft_drop.yaml", "-time_end", "0.15"],
    "cloth": ["sheet_catch.yaml", "-time_end", "0.5"],
}
COMMON = ["-progress", "none", "-check_expectations", "false", "-output_every", "3", "-output_contacts", "true"]


def environment(threads):
    return dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive",
                OPENBLAS_NUM_THREADS="1")


def start(arguments, output, threads=1):
    return subprocess.Popen([program, "run", *arguments, *COMMON, "-checkpoint_every", "4", "-output_dir", str(output)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(threads))


def rows(output):
    try:
        return (output / "steps.csv").read_text().count("\n") - 1
    except FileNotFoundError:
        return 0


def kill_after(run, output, steps, how):
    """Sends the signal once so many steps are done; returns whether the run was still going."""
    deadline = time.monotonic() + 250
    while run.poll() is None and rows(output) < steps:
        assert time.monotonic() < deadline, "the run never got going"
        time.sleep(0.005)
    if run.poll() is not None:
        return False
    run.send_signal(how)
    return True


def columns(path):
    with open(path, newline="") as file:
        return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in csv.DictReader(file)]


def summary(path):
    document = json.loads((path / "summary.json").read_text())
    return {k: v for k, v in document.items() if not k.startswith("seconds") and k != "provenance"}


def names(output):
    return sorted(p.name for p in output.iterdir() if p.name not in ("checkpoint.hdf5", "summary.json"))


def compare(whole, output):
    assert names(whole) == names(output), set(names(whole)) ^ set(names(output))
    for name in names(whole):
        one, two = whole / name, output / name
        assert (columns(one) == columns(two)) if name.endswith(".csv") else one.read_bytes() == two.read_bytes(), f"{two} differs"
    assert summary(whole) == summary(output), f"{output}/summary.json differs"


def go_on(scene, output, threads=1):
    checkpoint = output / "checkpoint.hdf5"
    return start(["-restart", str(checkpoint)] if checkpoint.exists() else scene, output, threads)


LEFT_BEHIND = "bodies_999999.vtp.partial"


def finish(run, output):
    out, err = run.communicate(timeout=250)
    # Killed when all was written, but not yet ended: the comparison tells.
    complete = run.returncode == 2 and "nothing is left to do" in err
    assert run.returncode == 0 or complete, (run.returncode, out, err)
    if complete:
        (output / LEFT_BEHIND).unlink()
        (output / ".clarke.lock").unlink(missing_ok=True)  # held by nobody: the next run in this directory takes it


def interrupted(scene, output, total, rng, moment, tries):
    """One run with `tries` interruptions; `moment` is "rows" or "random". Returns how many there were."""
    shutil.rmtree(output, ignore_errors=True)
    made = 0
    run = start(scene, output)
    for k in range(tries):
        how = signal.SIGTERM if k % 2 else signal.SIGKILL
        if moment == "random":
            time.sleep(rng.random() * total["seconds"])
            going = run.poll() is None
            if going:
                run.send_signal(how)
        else:
            going = kill_after(run, output, rng.randrange(total["steps"]), how)
        if not going:
            break
        made += 1
        out, err = run.communicate(timeout=250)
        if how == signal.SIGTERM and run.returncode >= 0 and rows(output) > 0:
            assert run.returncode in (0, 1), (run.returncode, out, err)
            if run.returncode == 1:
                assert f"go on with: clarke run -restart {output}/checkpoint.hdf5" in out + err, (out, err)
            else:
                return made
        (output / LEFT_BEHIND).write_text("left behind") if output.exists() else None
        run = go_on(scene, output, threads=1 + k % 2)
    if run.poll() is None or run.returncode is not None:
        finish(run, output)
    return made


rng = random.Random(seed)
done = 0
for name, (file, *options) in SCENES.items():
    scene = [str(source / "cases" / file), *options]
    whole = scratch / name / "whole"
    shutil.rmtree(scratch / name, ignore_errors=True)
    began = time.monotonic()
    finish(start(scene, whole), whole)
    total = {"seconds": time.monotonic() - began, "steps": rows(whole)}
    share, mine = kills // len(SCENES) + (1 if list(SCENES).index(name) < kills % len(SCENES) else 0), 0
    while mine < share or (kills == 0 and mine == 0):
        moment = "random" if kills else "rows"
        made = interrupted(scene, scratch / name / "interrupted", total, rng, moment, 2 if kills == 0 else min(3, share - mine))
        compare(whole, scratch / name / "interrupted")
        mine += max(made, 1 if kills == 0 else 0)
    done += mine
    print(f"{name}: {total['steps']} steps, {mine} interruptions, the same bytes", flush=True)

# Nothing of a step that failed stays behind: the run that goes on before it fails in the same way.
output = scratch / "failed"
shutil.rmtree(output, ignore_errors=True)
failing = [*[str(source / "cases" / word) if word.endswith(".yaml") else word for word in SCENES["pile"]],
           "-accept_budget", "false", "-snes_max_it", "40"]
ends = []
for arguments in (failing, ["-restart", str(output / "checkpoint.hdf5")]):
    run = start(arguments, output)
    out, err = run.communicate(timeout=250)
    assert run.returncode == 1 and " failed: " in err, (run.returncode, out, err)
    ends.append((err.splitlines()[-1], out.splitlines()[-1], columns(output / "steps.csv"), columns(output / "newton.csv"), summary(output)))
assert rows(output) > 5, "no step went before the one that failed"
assert ends[0] == ends[1], f"another end after a restart: {ends[0][:2]}, {ends[1][:2]}"

# A second run into a directory that is in use is refused, and the first one does not notice.
output = scratch / "locked"
shutil.rmtree(output, ignore_errors=True)
long_run = [str(source / "cases" / "arch.yaml"), "-time_end", "30"]
first = start(long_run, output)
kill_after_start = kill_after(first, output, 3, 0)
second = start(long_run, output)
out, err = second.communicate(timeout=120)
assert second.returncode == 2 and "is in use by process" in err and len(err.splitlines()) == 1, (second.returncode, err)
assert first.poll() is None
first.send_signal(signal.SIGHUP)
out, err = first.communicate(timeout=120)
assert first.returncode == 1 and "interrupted by SIGHUP" in out + err, (first.returncode, out, err)

# What is no checkpoint, or no longer one, is refused with the reason.
good = (output / "checkpoint.hdf5").read_bytes()
text = good[:512].rstrip(b"\0").decode()


def refused(content, reason, arguments=()):
    path = scratch / "locked" / "probe.hdf5"
    path.write_bytes(content)
    result = subprocess.run([program, "run", "-restart", str(path), "-progress", "none", *arguments], capture_output=True,
                            text=True, timeout=120)
    assert result.returncode == 2 and reason in result.stderr and len(result.stderr.splitlines()) == 1, (reason, result)


refused(b"", "is no checkpoint of clarke")
refused(b"\x89HDF\r\n\x1a\n" + bytes(2000), "another HDF5 file")
refused(good[:-1000], "is a damaged checkpoint: it has")
refused(good[:5000] + bytes([good[5000] ^ 1]) + good[5001:], "its checksum differs")
refused(good.replace(b"format 1", b"format 9"), "newer than format 1")
refused(good.replace(b"format 1", b"format 0"), "older than format 1")
refused(good, "-time_step: was not given", ["-time_step", "0.01"])
refused(good, "nothing is left to do", ["-time_end", "0.01"])
print(f"{done} interruptions; the lock and six kinds of damage are refused")
