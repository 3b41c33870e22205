"""`clarke study`: runs that crash, hang or are refused are results; a killed study loses no finished run; bad files are refused.

Usage: study.py PROGRAM SOURCE_DIR SCRATCH_DIR

Crashes and hangs are those of a stand-in for the program, that behaves as its option -behave says.
"""

import collections
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import h5py

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
package = source / "postprocess" / "study"
problems = []

STAND_IN = """#!/usr/bin/python3
import os, signal, subprocess, sys, time
words = dict(zip(sys.argv[3::2], sys.argv[4::2]))
output, behave = words["-output_dir"], words.get("-behave", "ok")
with open(os.path.join(os.path.dirname(sys.argv[0]), "journal"), "a") as file:
    file.write(f"{words.get('-number', behave)} {os.getpid()}\\n")
time.sleep(float(words.get("-sleep", 0)))
if behave == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if behave == "hang":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "1000"])
    with open(os.path.join(output, "child"), "w") as file:
        file.write(str(child.pid))
    time.sleep(1000)
if behave == "memory":
    try:
        bytearray(4_000_000_000)
    except MemoryError:
        sys.exit("terminate called after throwing an instance of 'std::bad_alloc'")
if behave == "bad":
    print("clarke: refused", file=sys.stderr)
    sys.exit(2)
failure = '"failure": {"reason": "diverged"}, ' if behave == "fail" else ""
with open(os.path.join(output, "summary.json"), "w") as file:
    file.write('{%s"steps": 2, "newton_iterations_mean": 1.5}' % failure)
with open(os.path.join(output, "steps.csv"), "w") as file:
    file.write("step,contacts,newton_iterations,reason\\n1,4,1,converged\\n2,4,2,converged\\n")
with open(os.path.join(output, "newton.csv"), "w") as file:
    file.write("step,iteration,velocity_error\\n1,0,1\\n1,1,1e-9\\n2,0,1\\n2,1,.1\\n2,2,1e-9\\n")
sys.exit(1 if behave == "fail" else 0)
"""


def check(good, text):
    if not good:
        problems.append(text)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(pid, seconds=10):
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def start(stand_in, study, output, *words):
    return subprocess.Popen(["/usr/bin/python3", package, "--program", stand_in, study, "-output_dir", output, *words],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(stand_in, study, output, *words):
    process = start(stand_in, study, output, *words)
    text, _ = process.communicate(timeout=120)
    return process.returncode, text


def rows(output):
    if not (output / "runs.csv").exists():
        return collections.defaultdict(lambda: collections.defaultdict(str))
    with open(output / "runs.csv", encoding="utf-8") as file:
        return {row["run"]: row for row in csv.DictReader(file)}


def journal(folder):
    path = folder / "journal"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def workplace(name, study):
    folder = scratch / name
    folder.mkdir()
    stand_in = folder / "program"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    (folder / "scene.yaml").write_text("case: probe\n")
    (folder / "study.yaml").write_text(study)
    return folder, stand_in


# 1. Every way to end is a result, and the study goes on.
folder, stand_in = workplace("ends", """study: ends
question: How do runs end?
scenes: [scene.yaml]
sweep: {product: {behave: [ok, fail, bad, crash, hang, memory]}}
limits: {seconds: 3, memory: 2000}
measures: [converged_share, "max:contacts"]
plots: [residual_history, convergence_table]
""")
began = time.monotonic()
code, text = run(stand_in, folder / "study.yaml", folder / "out", "-study_jobs", "3")
check(code == 0, f"ends: exit code {code}: {text}")
found = rows(folder / "out")
expected = {"ok": "ok", "fail": "failed step", "bad": "bad input", "crash": "crash SIGSEGV", "hang": "time limit",
            "memory": "out of memory"}
for label, outcome in expected.items():
    check(found[label]["outcome"] == outcome, f"ends: {label}: '{found[label]['outcome']}', expected '{outcome}'")
check(found["hang"]["timeout"] == "True" and found["hang"]["signal"] == "SIGKILL", f"ends: hang: {found['hang']}")
check(found["ok"]["converged_share"] == "1" and found["ok"]["max:contacts"] == "4", f"ends: measures: {found['ok']}")
child = int((folder / "out" / "runs" / found["hang"]["directory"] / "child").read_text())
check(gone(child), "ends: what the hanging run had started goes on")
check("<svg" in (folder / "out" / "report.html").read_text(), "ends: no plot in the report")
check("[6/6]" in text and "\033" not in text, f"ends: progress is not in plain lines: {text}")

# ... and a captured problem is a run of `clarke solve`.
(folder / "study.yaml").write_text("study: solve\nquestion: Is it solved?\nproblems: [\"sc*.yaml\"]\n")
code, text = run(stand_in, folder / "study.yaml", folder / "solve")
record = json.loads(next((folder / "solve").glob("runs/*/result.json")).read_text())
check(code == 0 and record["command"][1] == "solve" and record["outcome"] == "ok", f"solve: {code}: {record}: {text}")

# 2. SIGKILL loses no finished run, leaves nothing behind, and the next start goes on.
folder, stand_in = workplace("kill", """study: kill
question: What is left of a killed study?
scenes: [scene.yaml]
options: {sleep: 0.5}
sweep: {product: {number: [1, 2, 3, 4, 5, 6, 7, 8]}}
""")
process = start(stand_in, folder / "study.yaml", folder / "out", "-study_jobs", "2")
records = []
end = time.monotonic() + 60
while len(records) < 3 and time.monotonic() < end:
    records = list((folder / "out").glob("runs/*/result.json"))
    time.sleep(0.01)
process.kill()
process.wait()
before = {json.loads(path.read_text())["key"] for path in (folder / "out").glob("runs/*/result.json")}
check(3 <= len(before) < 8, f"kill: {len(before)} finished runs when it was killed")
check(all(gone(int(pid)) for _, pid in journal(folder)), "kill: runs go on without their study")
code, text = run(stand_in, folder / "study.yaml", folder / "out")
check(code == 0 and f"{len(before)} of them finished before" in text, f"kill: {code}: {text}")
found = rows(folder / "out")
check(all(row["outcome"] == "ok" for row in found.values()) and len(found) == 8, f"kill: {found}")
times = {number: [n for n, _ in journal(folder)].count(number) for number in "12345678"}
for row in found.values():
    if row["key"] in before:
        check(times[row["number"]] == 1, f"kill: finished run {row['number']} was run {times[row['number']]} times")
ran = len(journal(folder))
run(stand_in, folder / "study.yaml", folder / "out")
check(len(journal(folder)) == ran, "kill: finished runs were run again")

# ... and only what has changed is run again: an option of one, the program, the scene.
text = (folder / "study.yaml").read_text()
(folder / "study.yaml").write_text(text.replace("8]", "9]"))
run(stand_in, folder / "study.yaml", folder / "out")
check(len(journal(folder)) == ran + 1, f"kill: {len(journal(folder)) - ran} runs after a change of one option")
ran = len(journal(folder))
for what, path in (("scene", folder / "scene.yaml"), ("program", stand_in)):
    path.write_text(path.read_text() + "# changed\n")
    (folder / "study.yaml").write_text(text.replace("0.5", "0").replace("[1, 2, 3, 4, 5, 6, 7, 8]", "[1, 2]"))
    run(stand_in, folder / "study.yaml", folder / "out")
    check(len(journal(folder)) == ran + 2, f"kill: {len(journal(folder)) - ran} runs after a change of the {what}")
    ran = len(journal(folder))

# ... and an interrupt ends it at once, with what is finished in the tables.
(folder / "study.yaml").write_text(text.replace("sleep: 0.5", "sleep: 30"))
process = start(stand_in, folder / "study.yaml", folder / "out")
while len(journal(folder)) < ran + 1:
    time.sleep(0.02)
process.send_signal(signal.SIGTERM)
text, _ = process.communicate(timeout=30)
check(process.returncode == 1 and "interrupted" in text, f"interrupt: {process.returncode}: {text}")
check(all(gone(int(pid)) for _, pid in journal(folder)), "interrupt: runs go on without their study")

# 3. Bad study files: exit code 2 and one line with file, line, key and the nearest name.
GOOD = """study: bad
question: Is it refused?
scenes: [scene.yaml]
sweep:
  list:
    - {label: one, options: {ksp_type: pcr}}
    - {label: two}
limits: {seconds: 5}
measures: [penetration_max]
plots:
  - residual_history: {per: newton}
"""
BAD = [
    ("misspelt key", ("question:", "questoin:"), [":2:", "questoin", "did you mean 'question'"]),
    ("missing question", ("question: Is it refused?\n", ""), [":1:", "question"]),
    ("missing scene", ("scene.yaml", "scen.yaml"), [":3:", "scen.yaml"]),
    ("unknown plot", ("residual_history:", "residual_histroy:"), [":11:", "did you mean 'residual_history'"]),
    ("unknown parameter", ("{per:", "{pre:"), [":11:", "did you mean 'per'"]),
    ("unknown run in a plot", ("{per: newton}", "{runs: [thre]}"), [":11:", "thre", "one, two"]),
    ("unknown measure", ("penetration_max", "penetration_mx"), [":9:", "did you mean 'penetration_max'"]),
    ("two of one label", ("label: two", "label: one"), ["'one'"]),
    ("a word for a number", ("seconds: 5", "seconds: five"), [":8:", "seconds", "'five'"]),
    ("a dash in an option", ("{ksp_type", "{-ksp_type"), [":6:", "-ksp_type"]),
    ("key given twice", ("plots:", "question: twice\nplots:"), [":10:", "question", "twice"]),
    ("baseline that is no run", ("plots:", "baseline: tow\nplots:"), [":10:", "tow", "did you mean 'two'"]),
    ("timing without baseline", ("plots:", "timing: true\nplots:"), [":10:", "timing", "baseline"]),
    ("YAML syntax", ("scenes: [", "scenes: [["), [".yaml:"]),
    ("a scene", (GOOD, "case: fall\ntime: {step: 0.01, end: 1}\n"), ["is a scene", "clarke run"]),
    ("name with a slash", ("study: bad", "study: ../bad"), [":1:", "study"]),
]
folder, stand_in = workplace("bad", GOOD)
for what, (old, new), texts in BAD:
    assert old in GOOD, what
    (folder / "study.yaml").write_text(GOOD.replace(old, new, 1))
    code, text = run(stand_in, folder / "study.yaml", folder / "out")
    check(code == 2 and len(text.splitlines()) == 1 and text.startswith("clarke: "), f"{what}: {code}: {text}")
    for part in texts:
        check(part in text, f"{what}: no '{part}' in: {text}")
check(not journal(folder), "bad: something was run")

# 3b. What a study expects: held and lost, by a stand-in whose figures are known; the report and the exit code.
# Its median history is 1, 1e-9, 1e-9: of two steps the better one.
EXPECTING = """study: expecting
question: Did it come out?
scenes: [scene.yaml]
sweep: {product: {behave: [ok, fail], number: [1, 2, 4]}}
plots: [residual_history, convergence_table]
expect:
  - {name: mean, quantity: newton_iterations_mean, of: "ok, *", equals: 1.5, tolerance: 1e-12, quick: true}
"""
EXPECTATIONS = [  # an entry, whether it holds, what is said
    ("quantity: newton_iterations_mean, min: 1.6", False, "got 1.5"),
    ("quantity: newton_iterations_mean, min: 1.4, max: 1.6", True, ""),
    ("quantity: velocity_error, at: always, max: 0.2", True, ""),
    ("quantity: velocity_error, at: end, max: 1e-10", False, "1e-09"),
    ("quantity: velocity_error, at: growth, max: 1", True, ""),
    ("quantity: velocity_error, at: 0, equals: 1, tolerance: 0", True, ""),
    ("quantity: velocity_error, reaches: 1e-8, equals: 1, tolerance: 0", True, ""),
    ("quantity: velocity_error, reaches: 1e-12, max: 5", False, "inf"),
    ("quantity: velocity_error, at: always, of: \"ok, number 2\", below: \"ok, number 1\"", False, "ok, number 2"),
    ("quantity: velocity_error, at: always, of: \"ok, number 2\", below: \"ok, number 1\", factor: 1.1", True, ""),
    ("quantity: newton_iterations_mean, of: \"ok, number 2\", above: \"ok, number 1\"", False, "1.5"),
    ("quantity: newton_iterations_mean, of: \"ok, number 2\", over: \"ok, number 1\", equals: 1, tolerance: 0", True, ""),
    ("quantity: newton_iterations_mean, of: \"ok, *\", against: number, equals: 0, tolerance: 1e-12", True, ""),
    ("quantity: newton_iterations_mean, of: \"ok, *\", against: number, min: 0.1", False, "slope"),
    ("outcome: converges_in_all, of: \"ok, *\"", True, ""),
    ("outcome: converges_in_all", False, "fail, number 1"),
    ("outcome: converges_in_all, equals: 3, tolerance: 0", True, ""),
    ("outcome: fails, of: \"fail, *\"", True, ""),
    ("outcome: refused, max: 0", True, ""),
    ("quantity: penetration_max, max: 1", False, "has no penetration_max"),
    ("quantity: newton_iterations, correlates: contacts, min: 0", False, "no three steps"),
    ("quantity: newton_iterations_mean, together: true, min: 1.6", False, "median over 1 cases"),
    ("quantity: newton_iterations_mean, together: true, of: \"ok, number 2\", over: \"ok, number 1\", max: 1", True, ""),
]
folder, stand_in = workplace("expecting", EXPECTING)
lines = [f"  - {{name: e{i}, {entry}}}\n" for i, (entry, _, _) in enumerate(EXPECTATIONS)]
(folder / "study.yaml").write_text(EXPECTING + "".join(lines).replace("newton_iterations, correlates", "\"max:newton_iterations\", correlates"))
code, text = run(stand_in, folder / "study.yaml", folder / "out")
judged = {e["name"]: e for e in json.loads((folder / "out" / "expectations.json").read_text())}
wanted = [held for _, held, _ in EXPECTATIONS]
check(code == 1 and f"{1 + sum(wanted)} of {1 + len(wanted)} expectations held" in text, f"expecting: {code}: {text}")
for i, (entry, held, said) in enumerate(EXPECTATIONS):
    check(judged[f"e{i}"]["held"] == held, f"expecting: {entry}: {judged[f'e{i}']}")
    lost = [line for line in text.splitlines() if f"FAILED: e{i}:" in line]
    check(held or (len(lost) == 1 and said in lost[0]), f"expecting: {entry}: {lost}")
page = (folder / "out" / "report.html").read_text()
check(page.count(">FAILED<") == wanted.count(False) and page.index(">FAILED<") < page.rindex("<h2>"), "expecting: the report")
code, text = run(stand_in, folder / "study.yaml", folder / "quick", "-study_quick")
check(code == 0 and "1 of 1 expectations held" in text, f"expecting, quick: {code}: {text}")

BAD_EXPECTATIONS = [
    ("quantity: newton_iterations_mena, max: 1", ["quantity", "did you mean 'newton_iterations_mean'"]),
    ("quantity: newton_iterations_mean", ["`equals` with `tolerance`, `min` or `max`"]),
    ("quantity: newton_iterations_mean, equals: 1", ["tolerance: missing"]),
    ("quantity: newton_iterations_mean, equals: 1, tolerance: 1, max: 2", ["equals", "not both"]),
    ("quantity: newton_iterations_mean, min: 2, max: 1", ["min: expected at most `max`"]),
    ("quantity: newton_iterations_mean, max: 1, of: \"okk, *\"", ["of: nothing is called 'okk, *'"]),
    ("quantity: newton_iterations_mean, below: \"ok, number 3\"", ["below: nothing is called", "did you mean 'ok, number"]),
    ("quantity: newton_iterations_mean, max: 1, at: end", ["at: is of a history"]),
    ("quantity: velocity_error, max: 1, at: ende", ["at: expected a whole number (an iteration) or one of"]),
    ("quantity: newton_iterations_mean, max: 1, tolerence: 2", ["did you mean 'tolerance'"]),
    ("outcome: convergs_in_all", ["outcome: unknown outcome", "did you mean 'converges_in_all'"]),
    ("max: 1", ["either `quantity` or `outcome`"]),
    ("quantity: newton_iterations_mean, max: 1, beside: nothing", ["beside: nothing is called 'nothing'"]),
    ("quantity: newton_iterations_mean, max: 1, against: numbre", ["did you mean 'number'"]),
    ("quantity: velocity_error, at: always, max: 1, together: true", ["together: does not go with"]),
    ("outcome: ends, together: true", ["together: does not go with `outcome`"]),
]
for entry, texts in BAD_EXPECTATIONS:
    (folder / "study.yaml").write_text(EXPECTING + f"  - {{name: bad, {entry}}}\n")
    code, text = run(stand_in, folder / "study.yaml", folder / "bad")
    check(code == 2 and len(text.splitlines()) == 1 and "study.yaml:8: " in text, f"{entry}: {code}: {text}")
    for part in texts:
        check(part in text, f"{entry}: no '{part}' in: {text}")

# 4. The program itself: a study over a scene, its tables, histories and linear residuals; timings against a baseline.
(scratch / "real").mkdir()
(scratch / "real" / "study.yaml").write_text(f"""study: real
question: Does it work with the program?
scenes:
  - {{scene: {os.path.relpath(source / "cases" / "redundant_box.yaml", scratch / "real")}, label: box}}
options: {{preset: interactive, time_end: 0.025, newton_start: zero, conditioning: true}}
sweep: {{product: {{ksp_type: [pcr, pcg]}}}}
timing: true
baseline: pcr
tables: [steps, newton, linear]
measures: [time_ratio, force_spread]
plots: [residual_history, {{residual_history: {{per: linear}}}}, phase_bars, work_precision, performance_profile, {{conditioning_scatter: {{x: [rank_ratio]}}}}]
""")
result = subprocess.run([program, "study", "study.yaml", "-output_dir", "out", "-study_jobs", "2"], cwd=scratch / "real",
                        capture_output=True, text=True, timeout=120)
check(result.returncode == 0, f"real: exit code {result.returncode}: {result.stderr}")
found = rows(scratch / "real" / "out")
check({row["outcome"] for row in found.values()} <= {"ok", "ended"}, f"real: {found}")
check(found["pcr"]["time_ratio"] == "1" and float(found["pcg"]["time_ratio"]) > 0, f"real: time ratios: {found}")
if not (scratch / "real" / "out" / "linear.csv").exists():
    sys.exit("\n".join([*problems, "real: no linear.csv"]))
with open(scratch / "real" / "out" / "linear.csv", encoding="utf-8") as file:
    linear = [row for row in csv.DictReader(file) if row["run"] == "pcr"]
first = [float(row["residual"]) for row in linear if row["step"] == "1" and row["newton_iteration"] == "0"]
check(len(first) > 1 and all(b <= a * (1 + 1e-12) for a, b in zip(first, first[1:])),  # PCR is monotone; the rest is rounding
      f"real: linear residuals: {first}")
with open(scratch / "real" / "out" / "newton.csv", encoding="utf-8") as file:
    newton = {(row["step"], row["iteration"]): row for row in csv.DictReader(file) if row["run"] == "pcr"}
last = {(row["step"], row["newton_iteration"]): row["iteration"] for row in linear}  # of a solve the last row stays
check(last == {at: row["linear_iterations"] for at, row in newton.items() if row["linear_iterations"] != "0"},
      "real: linear.csv and newton.csv count different linear iterations")
with open(scratch / "real" / "out" / "steps.csv", encoding="utf-8") as file:
    # A box on nine points: 27 rows over six velocities.
    check({(float(row["rank_ratio"]), float(row["contact_density"])) for row in csv.DictReader(file)} == {(6 / 27, 27 / 6)},
          "real: the conditioning card in steps.csv")
with h5py.File(scratch / "real" / "out" / "histories.h5") as file:
    errors = file["box/pcr/1/newton/velocity_error"][...]
    check(file["box/pcr/1"].attrs["-ksp_type"] == "pcr" and len(errors) > 3, "real: histories.h5")
page = "".join(p.read_text() for p in (scratch / "real" / "out").glob("report.html"))
check(page.count("<svg") == 6 and "nothing to plot" not in page, "real: plots are missing in the report")
check(not any(text in page for text in ("<script", "<link", "src=\"http")), "real: the report is not self-contained")
result = subprocess.run([program, "study", "study.yaml", "-study_jbos", "2"], cwd=scratch / "real", capture_output=True, text=True)
check(result.returncode == 2 and "'-study_jobs'" in result.stderr, f"real: unknown option: {result.stderr}")

for problem in problems:
    print(problem)
print(f"{time.monotonic() - began:.1f} s")
sys.exit(1 if problems else 0)
