#!/usr/bin/env python3
"""Runs that come to a hard end: nothing half-written, one line, the right exit code.

    tests/robustness/hard_ends.py PROGRAM SOURCE_DIR SCRATCH_DIR

A full disk (a small file system where the system lets us mount one, and a limit of the size of files), also of a study, a directory that may
not be written, too little memory, two runs in one directory, SIGHUP, a terminal that goes away, a reader that goes away.
"""

import csv
import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under nohup, and inherited
program, source, scratch = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
PILE = [str(program), "run", str(source / "cases" / "box_pile.yaml"), "-box_pile_count", "30", "-check_expectations", "false",
        "-output_every", "1", "-checkpoint_every", "5"]


def run(words, output, **how):
    return subprocess.run([*words, "-output_dir", str(output)], capture_output=True, text=True, timeout=300, env=ENVIRONMENT,
                          check=False, **how)


def errors(text):
    return [line for line in text.splitlines() if line.startswith("clarke:") and "warning" not in line and "about" not in line]


def nothing_half(output):
    """Whole rows, whole frames, no leftovers; every frame that a list names is there."""
    for table in output.glob("*.csv"):
        text = table.read_text()
        assert text == "" or text.endswith("\n"), f"{table}: a torn row"
        assert len({len(row) for row in csv.reader(text.splitlines())}) <= 1, f"{table}: a torn row"
    for frame in output.glob("*.vtp"):
        assert frame.read_bytes().rstrip().endswith(b"</VTKFile>"), f"{frame} is cut"
    for name in output.glob("*.pvd"):
        for line in name.read_text().splitlines():
            if 'file="' in line:
                assert (output / line.split('file="')[1].split('"')[0]).exists(), f"{name}: {line}"
    assert not list(output.glob("*.partial")), "leftovers"
    for record in output.glob("summary.json"):
        json.loads(record.read_text())
    assert not (output / ".clarke.lock").exists(), "the lock is left"


def goes_on(output):
    """The run ends well from the checkpoint that is there."""
    done = run([str(program), "run", "-restart", str(output / "checkpoint.hdf5"), "-progress", "none", "-time_end", "0.2"], output)
    assert done.returncode == 0, (done.returncode, done.stderr)


def full_disk_by_limit():
    """Files may not grow any more: from a moment on, because starting MPI takes large ones."""
    output = scratch / "limit"
    process = subprocess.Popen([*PILE, "-time_end", "100", "-progress", "none", "-output_every", "0", "-output_dir", str(output)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    deadline = time.monotonic() + 200
    while not (output / "checkpoint.hdf5").exists():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    size = (output / "steps.csv").stat().st_size
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size + 2000, size + 2000))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1 and len(errors(err)) == 1 and "cannot be extended" in err, (process.returncode, err)
    nothing_half(output)


def on_a_small_disk(name, words, kilobytes):
    """What becomes of `words`, which write into `out` on a file system of so many kilobytes, and that folder; None where no such
    file system can be mounted."""
    output, keep = scratch / name, scratch / (name + "_kept")
    output.mkdir()
    words = " ".join([*words, "-output_dir", str(output / "out")])
    done = subprocess.run(["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size={kilobytes}k none {output} || exit 77; {words}; "
                           f"code=$?; cp -a {output}/out {keep}; exit $code"], capture_output=True, text=True, timeout=300,
                          env=ENVIRONMENT)
    if done.returncode == 77 or "unshare" in done.stderr:
        print(f"no small file system could be mounted: {name} was not tried")
        return None, keep
    return done, keep


def study_on_a_full_disk():
    study = scratch / "study.yaml"
    study.write_text(f"study: full\nquestion: q\nscenes: [{source}/cases/box_pile.yaml]\noptions: {{time_end: 0.2, output_every: 1}}\n"
                     "sweep: {product: {snes_max_it: [3, 4, 5]}}\njobs: 1\n")
    for kilobytes in (20, 300):  # for its own first files; for the frames of a run
        done, _ = on_a_small_disk(f"study_{kilobytes}", [str(program), "study", str(study)], kilobytes)
        if done is None:
            return
        said = errors(done.stderr)
        assert done.returncode == 1 and len(said) == 1 and "No space left on device" in said[0], (done.returncode, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr


def full_disk_by_mount():
    done, keep = on_a_small_disk("small", [*PILE, "-time_end", "5", "-progress", "none"], 600)
    if done is None:
        return
    assert done.returncode == 1 and len(errors(done.stderr)) == 1 and "No space left" in done.stderr, (done.returncode, done.stderr)
    nothing_half(keep)


def read_only():
    output = scratch / "readonly" / "out"
    output.parent.mkdir()
    output.parent.chmod(0o555)
    how = {}
    if os.getuid() == 0:  # root may write anywhere: as somebody else
        how = {"user": 65534, "group": 65534}
        if not os.access("/proc/self/exe", os.X_OK):
            return
    done = run([*PILE, "-time_end", "0.05", "-progress", "none"], output, **how)
    output.parent.chmod(0o755)
    assert done.returncode == 2 and "ermission denied" in done.stderr and len(errors(done.stderr)) == 1, (done.returncode, done.stderr)


def memory():
    output = scratch / "memory"

    def prepare():
        resource.setrlimit(resource.RLIMIT_AS, (700_000_000, 700_000_000))

    words = [str(program), "run", str(source / "cases" / "box_pile.yaml"), "-box_pile_count", "20000", "-time_end", "0.05",
             "-progress", "none", "-check_expectations", "false"]
    done = run(words, output, preexec_fn=prepare)
    assert done.returncode in (0, 1, 2), (done.returncode, done.stderr)
    assert done.returncode == 0 or len(errors(done.stderr)) >= 1, done.stderr
    if output.exists():
        nothing_half(output)
    scene = scratch / "huge.yaml"
    for what, text, reason in (
            ("height field", "bodies: [{name: g, static: true, shape: {height_field: {columns: 100000, rows: 100000, spacing: 1, "
             "expression: \"0\"}}}]", "a height field of 100000 x 100000"),
            ("cloth", "cloth: [{name: c, mesh: {sheet: {cells: [1000000, 1000000]}}}]", "a sheet of"),
            ("soft", "soft: [{name: s, mesh: {box: {cells: [1000, 1000, 1000]}}}]", "tetrahedra")):
        scene.write_text("time: {step: 0.01, end: 0.01}\n" + text + "\n")
        done = run([str(program), "run", str(scene)], scratch / "huge")
        assert done.returncode == 2 and reason in done.stderr and "of memory, and there are" in done.stderr, (what, done.stderr)


def hangup(how):
    output = scratch / how
    words = [*PILE, "-time_end", "100", "-output_dir", str(output)]
    if how == "terminal":  # the far side of the terminal goes: SIGHUP, and errors on what is printed
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(words[0], words, ENVIRONMENT)
    else:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        pid = process.pid
    deadline = time.monotonic() + 200
    while not (output / "checkpoint.hdf5").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    if how == "terminal":
        os.close(terminal)
    elif how == "reader":
        process.stdout.close()
        process.send_signal(signal.SIGPIPE)
    else:
        process.send_signal(signal.SIGHUP)
    _, status = os.waitpid(pid, 0)
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 1, (how, status)
    nothing_half(output)
    goes_on_from = output / "checkpoint.hdf5"
    assert goes_on_from.exists() and json.loads((output / "summary.json").read_text())["interrupted"]


full_disk_by_limit()
full_disk_by_mount()
study_on_a_full_disk()
read_only()
memory()
for how in ("terminal", "reader", "hangup"):
    hangup(how)
print("eight hard ends: nothing half-written, one line, the right exit code")
