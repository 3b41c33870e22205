"""Bad input ends with exit code 2 and one line that says where and what; a step that fails ends with 1 and a name.

Usage: exit_codes.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)

SCENE = """version: 1
case: probe
time: {step: 0.01, end: 0.05}
materials: {stone: {density: 1000, friction: 0.5}}
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, static: true, material: stone}
  - {name: b1, shape: {box: {half: [0.5, 0.5, 0.5]}}, mass: 10, position: [0, 0, 0.5], material: stone}
"""

# (what, replacement in the scene, options, exit code, texts that the error must hold)
CASES = [
    ("fine", None, [], 0, []),
    ("misspelt key", ("mass:", "masss:"), [], 2, [":7:", "masss", "did you mean 'mass'"]),
    ("a key of no map", ("static: true", "fixed: true"), [], 2, [":6:", "'fixed'", "its keys are", "static"]),
    ("a shape of no kind", ("{box: {half: [0.5, 0.5, 0.5]}}", "{cube: {half: 1}}"), [], 2, [":7:", "'cube'", "sphere, capsule"]),
    ("a joint written flat", ("case: probe", "case: probe\njoints: [{type: hinge, bodies: [floor, b1]}]"), [], 2,
     [":3:", "exactly one of ball", "inside it", "got type, bodies"]),
    ("negative mass", ("mass: 10", "mass: -1"), [], 2, [":7:", "mass", "above 0"]),
    ("NaN mass", ("mass: 10", "mass: .nan"), [], 2, [":7:", "mass", "number"]),
    ("zero quaternion", ("mass: 10", "mass: 10, orientation: [0, 0, 0, 0]"), [], 2, [":7:", "orientation"]),
    ("unknown material", ("0.5], material: stone", "0.5], material: ston"), [], 2, [":7:", "ston", "'stone'"]),
    ("two of one name", ("name: b1", "name: floor"), [], 2, [":7:", "floor", "twice"]),
    ("list length", ("position: [0, 0, 0.5]", "position: [0, 0]"), [], 2, [":7:", "position", "3"]),
    ("word for a number", ("mass: 10", "mass: ten"), [], 2, [":7:", "mass", "'ten'"]),
    ("YAML syntax", ("bodies:", "bodies: ["), [], 2, [".yaml:"]),
    ("a study", ("case: probe", "case: probe\nstudy: probe"), [], 2, [":1:", "is a study", "clarke study"]),
    ("step of zero", ("step: 0.01", "step: 0"), [], 2, [":3:", "step"]),
    ("number overflow", ("mass: 10", "mass: 1e999"), [], 2, [":7:", "mass", "1e999"]),
    ("unknown solver", None, ["-ksp_type", "pcrr"], 2, ["-ksp_type", "'pcr'"]),
    ("unknown preconditioner", None, ["-pc_type", "choleski"], 2, ["-pc_type", "'cholesky'"]),
    ("unknown SNES", None, ["-snes_type", "newtonlss"], 2, ["-snes_type", "'newtonls'"]),
    ("unknown package", None, ["-ksp_type", "preonly", "-pc_type", "lu", "-pc_factor_mat_solver_type", "mumsp"], 2,
     ["mumsp", "'mumps'"]),
    ("unknown option", None, ["-newton_dampng", "1"], 2, ["'-newton_damping'"]),
    ("option value", None, ["-ksp_max_it", "abc"], 2, ["-ksp_max_it", "'abc'"]),
    ("option out of range", None, ["-newton_damping", "2"], 2, ["-newton_damping"]),
    ("misspelt option of PETSc", None, ["-ksp_typ", "gmres"], 2, ["-ksp_typ", "'-ksp_type'"]),
    ("unknown value in the scene", ("case: probe", "case: probe\noptions: {ksp_type: pcrr}"), [], 2, [":3: -ksp_type", "'pcr'"]),
    ("misspelt option in the scene", ("case: probe", "case: probe\noptions:\n  snes_max_it: 3\n  ksp_typ: gmres"), [], 2,
     [":5: -ksp_typ", "'-ksp_type'"]),
    ("what the scene asks for cannot work", ("case: probe", "case: probe\noptions: {preset: interactive, ksp_type: cr, system_form: saddle}"), [], 2,
     [":3: -ksp_type cr", "saddle"]),
    ("overridden by the command line", ("case: probe", "case: probe\noptions: {ksp_type: pcr}"), ["-ksp_type", "pcrr"], 2,
     ["clarke: -ksp_type", "'pcr'"]),
    ("restitution", ("friction: 0.5", "friction: 0.5, restitution: 0.3"), [], 2, [":4: material 'stone'", "moreau_jean"]),
    ("unknown choice", None, ["-ncp_function", "minimum_mapp"], 2, ["minimum_map"]),
    ("cr on the saddle form", None, ["-preset", "interactive", "-ksp_type", "cr", "-system_form", "saddle"], 2, ["-ksp_type cr", "saddle"]),
    ("cg on an unsymmetric law", None, ["-ksp_type", "cg", "-contact_law", "soc_fischer_burmeister"], 2,
     ["-ksp_type cg", "symmetric"]),
    ("matrix needed", None, ["-pc_type", "ilu", "-system_assembled", "false"], 2, ["-pc_type ilu", "-system_assembled"]),
    ("two dashes", None, ["--time_end", "0.02"], 2, ["-time_end 0.02"]),
    ("an equals sign", None, ["-time_end=0.02"], 2, ["-time_end 0.02"]),
    ("expression", ("case: probe", "case: probe\ngravity: [0, 0, -9.81 * s]"), [], 2, [":3:", "gravity[2]", '"s"']),
    ("a function that ends", ("case: probe", "case: probe\ngravity: [0, 0, -sqrt(0.025 - t)]"), [], 1,
     ["step 3", "sqrt(0.025 - t)", "t = 0.03 s"]),
    ("unconverged and accepted", None, ["-snes_max_it", "1", "-snes_atol", "0"], 0, []),
    ("unconverged and refused", None, ["-snes_max_it", "1", "-snes_atol", "0", "-fail_unconverged", "true"], 1,
     ["-fail_unconverged", "of 5 steps did not converge"]),
    ("unconverged against what is expected", ("case: probe", "case: probe\nexpect: [{quantity: unconverged_steps, max: 0}]"),
     ["-snes_max_it", "1", "-snes_atol", "0"], 1, ["unconverged_steps", "5"]),
    ("the recipe that advice names, with a joint", ("case: probe",
     "case: probe\njoints: [{ball: {name: hang, bodies: [b1, world], anchor: [0, 0, 1]}}]"), ["-recipe", "schur_lu"], 0, []),
    ("overflowing state", ("position: [0, 0, 0.5]", "position: [0, 0, 0.5], velocity: [0, 0, -1e200]"), [], 1, ["b1"]),
]


def check_alone(what, scene, options):
    """Whatever run refuses, check refuses, in the same words."""
    results = [subprocess.run([program, command, str(scene), *options], capture_output=True, text=True, timeout=120)
               for command in ("check", "run")]
    same = results[0].returncode == 2 and results[0].stderr == results[1].stderr
    if not same:
        print(f"check, {what}: exit code {results[0].returncode}\n  stderr: {results[0].stderr.strip()}\n"
              f"  run says: {results[1].stderr.strip()}")
    return same


def check(what, scene, options, code, texts):
    output = scratch / "out"
    for old in output.glob("*"):
        old.unlink()
    result = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_dir", str(output), *options],
                            capture_output=True, text=True, timeout=120)
    problems = []
    if result.returncode != code:
        problems.append(f"exit code {result.returncode}, expected {code}")
    errors = [line for line in result.stderr.splitlines() if line.startswith("clarke:") and "warning" not in line]
    if code == 2 and len(result.stderr.splitlines()) != 1:
        problems.append(f"{len(result.stderr.splitlines())} lines of errors, expected one")
    if code != 0 and not errors:
        problems.append("no error")
    problems += [f"no '{text}' in the error" for text in texts if not any(text in line for line in errors)]
    if code != 0 and (output / "summary.json").exists() and code == 2:
        problems.append("a result was written")
    for problem in problems:
        print(f"{what}: {problem}\n  stderr: {result.stderr.strip()}")
    return not problems


good = True
for what, replacement, options, code, texts in CASES:
    scene = scratch / "probe.yaml"
    text = SCENE if replacement is None else SCENE.replace(*replacement)
    assert replacement is None or text != SCENE, what
    scene.write_text(text)
    good &= check(what, scene, options, code, texts)
    if code == 2:
        good &= check_alone(what, scene, options)

# PETSc shows nothing of a KSP inside a preconditioner: ours has to.
(scratch / "probe.yaml").write_text(SCENE)
for option, text in (("-ksp_view", "type: pcr"), ("-pc_view", "type: jacobi")):
    shown = subprocess.run([program, "run", str(scratch / "probe.yaml"), "-preset", "interactive", "-progress", "none", "-output_dir",
                            str(scratch / "out"), option],
                           capture_output=True, text=True, timeout=120)
    if shown.returncode or text not in shown.stdout:
        print(f"{option}: exit code {shown.returncode}, no '{text}' in what it prints")
        good = False

# Joints that contradict each other make the first matrix singular, which is not what is wrong with the scene.
(scratch / "probe.yaml").write_text(SCENE + """  - {name: left, shape: {sphere: {radius: 0.1}}, prescribed: true, velocity: [1, 0, 0], position: [-1, 0, 3], material: stone}
  - {name: right, shape: {sphere: {radius: 0.1}}, prescribed: true, velocity: [-1, 0, 0], position: [1, 0, 3], material: stone}
  - {name: rod, shape: {sphere: {radius: 0.1}}, mass: 1, position: [0, 0, 3], material: stone}
joints:
  - ball: {name: a, bodies: [left, rod], anchor: [-0.5, 0, 3]}
  - ball: {name: b, bodies: [rod, right], anchor: [0.5, 0, 3]}
""")
said = subprocess.run([program, "check", str(scratch / "probe.yaml")], capture_output=True, text=True, timeout=120)
words = said.stdout + said.stderr
if said.returncode != 1 or "PETSc" in words or "no motion satisfies ball a, ball b, motion of left, motion of right" not in words:
    print(f"check of a contradiction: exit code {said.returncode}: {words.strip()}")
    good = False

# Words in the wrong place are answered with the right one.
for words, text in (((str(scratch / "probe.yaml"),), "to run a scene: clarke run"),
                    (("run", str(scratch / "probe.yaml"), "time_end", "1"), "an option begins with '-'"),
                    (("run", str(scratch / "probe.yaml"), "time_end=1"), "an option begins with '-'")):
    said = subprocess.run([program, *words], capture_output=True, text=True, timeout=120)
    if said.returncode != 2 or text not in said.stderr or len(said.stderr.splitlines()) != 1:
        print(f"{words}: exit code {said.returncode}: {said.stderr.strip()}")
        good = False

(scratch / "empty.yaml").write_text("\n")
good &= check("empty scene", scratch / "empty.yaml", [], 2, ["empty.yaml:1"])
good &= check("missing file", scratch / "missing.yaml", [], 2, ["missing.yaml"])
sys.exit(0 if good else 1)
