"""Steps of a run become problem files that FCLIB's own reader reads, and their solutions solve them. `clarke solve` and, where it is
installed, Siconos find the run's velocities again from nothing, and its impulses up to what no velocity sees.

Usage: captured_problems.py PROGRAM SOURCE_DIR SCRATCH_DIR

FCLIB's reader is fclib_reader beside the program (tests/fclib_reader/); without it, or without h5py, what needs it is skipped.
"""

import json
import pathlib
import shutil
import subprocess
import sys

try:
    import h5py
    import numpy
except ImportError:
    print("h5py is missing: scripts/setup.sh installs it")
    sys.exit(77)
try:
    import siconos.numerics as siconos
except ImportError:
    siconos = None

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
reader = pathlib.Path(program).parent / "fclib_reader"

# A door that falls onto a sill and a ball on a spring: contacts, bilateral rows, a limit, compliance.
JOINTS = """case: trap
time: {step: 0.01, end: 0.6}
materials: {wood: {density: 600, friction: 0.4}, rubber: {density: 900, friction: 0.8, contact_stiffness: 2e4, contact_damping: 20}}
bodies:
  - {name: ground, shape: {plane: {}}, static: true, material: wood}
  - {name: door, shape: {box: {half: [0.5, 0.3, 0.03]}}, position: [0.5, 0, 0.5], material: wood}
  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0.8, 0, 0.64], material: rubber}
  - {name: tyre, shape: {sphere: {radius: 0.1}}, position: [-0.8, 0, 0.12], velocity: [0.4, 0, 0], material: rubber}
joints:
  - hinge: {name: post, bodies: [door, world], anchor: [0, 0, 0.5], axis: [0, 1, 0], limits: {lower: -1, upper: 0.45}}
"""
EXACT = ["-preset", "interactive", "-snes_max_it", "60", "-ksp_type", "preonly", "-pc_type", "lu", "-snes_atol", "1e-11", "-contact_law", "soc_fischer_burmeister"]
SHIFT = ["-regularisation_rule", "residual", "-regularisation_gain", "0.3", "-regularisation_min", "1e-9", "-regularisation_max", "1e-2"]
failures = []


def require(good, text):
    if not good:
        failures.append(text)
        print(text)


def run(scene, directory, *options):
    result = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "0", "-check_expectations", "false",
                             "-output_dir", str(directory), *options], capture_output=True, text=True, timeout=250)
    require(result.returncode == 0, f"{directory.name}: exit code {result.returncode}: {result.stderr}")
    summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    files = sorted((directory / "problems").glob("*"))
    require(sorted(summary.get("problems", [])) == [str(f) for f in files], f"{directory.name}: {files} are not those of the summary")
    return files


def read(file, tolerance):
    """What FCLIB's reader makes of a file: the solution solves the problem but for what FCLIB knows nothing of."""
    if not reader.exists():
        return None
    local = file.stem.endswith("-local")
    result = subprocess.run([str(reader), "local" if local else "global", str(file)], capture_output=True, text=True, timeout=60)
    require(result.returncode == 0 and result.stdout, f"{file.name}: FCLIB: {result.stdout}{result.stderr}")
    if result.returncode or not result.stdout:
        return None
    words = result.stdout.split()
    momentum, velocity, joint, cone = map(float, words[4:])
    for what, value in (("momentum", momentum), ("velocity", velocity), ("joint", joint), ("cone", cone)):
        require(value <= tolerance[what], f"{file.name}: {what} is off by {value:.1e}, expected at most {tolerance[what]:.0e}")
    return [int(word) for word in words[1:4]]


def matrix(group):
    """Dense, of the compressed columns that Clarke writes."""
    out = numpy.zeros([group["m"][0], group["n"][0]])
    for column, (a, b) in enumerate(zip(group["p"][:-1], group["p"][1:])):
        out[group["i"][a:b], column] = group["x"][a:b]
    return out


def effect(problem, solution):
    """Velocities, and what the impulses do to them: all that a solution is unique in when contacts are redundant. With the sizes
    that errors are measured by: of contacts that all stick, or all are open, what would be without impulses counts."""
    if "fclib_global" in problem:
        group, velocity = problem["fclib_global"], solution["v"][()]
        of_contacts, of_joints = matrix(group["H"]), matrix(group["G"]) if "G" in group else None
    else:
        group, velocity = problem["fclib_local"], solution["u"][()]
        of_contacts, of_joints = matrix(group["W"]), matrix(group["V"]) if "V" in group else None
    impulse = of_contacts @ solution["r"][()]
    if of_joints is not None and "l" in solution:
        impulse += of_joints @ solution["l"][()]
    local = "W" in group
    without = (group["vectors/q"][()], group["vectors/q"][()]) if local else (velocity, group["vectors/f"][()])
    return [(x, max(numpy.abs(x).max(), numpy.abs(least).max())) for x, least in zip((velocity, impulse), without)]


def difference(found, expected):
    return [numpy.abs(a - b).max() / size for (a, _), (b, size) in zip(found, expected)]


def require_same(file, who, found, expected, tolerance):
    for what, error in zip(("velocities", "J' Lambda"), difference(found, expected)):
        require(error <= tolerance, f"{file.name}: {who}: {what} are off by {error:.1e}, expected at most {tolerance:.0e}")


# The run and both solvers end at residuals of 1e-10 and better; stiff piles turn them into a thousand times that.
SAME = 1e-7


def solve_again(file):
    """From a cold start: the file's solution is not looked at."""
    out = file.parent.parent / "solved" / file.name
    result = subprocess.run([program, "solve", str(file), "-o", str(out), "-solve_measure", "scaled", "-solve_tolerance", "1e-11"],
                            capture_output=True, text=True, timeout=250)
    require(result.returncode == 0, f"{file.name}: clarke solve: exit code {result.returncode}: {result.stdout}{result.stderr}")
    if result.returncode == 0:
        with h5py.File(file, "r") as problem, h5py.File(out, "r") as solved:
            require_same(file, "clarke solve", effect(problem, solved["solution"]), effect(problem, problem["solution"]), SAME)


def siconos_again(file):
    """Siconos on a local problem. It knows no bilateral rows beside contacts: those are eliminated, which is exact."""
    with h5py.File(file, "r") as problem:
        group, solution = problem["fclib_local"], problem["solution"]
        W, q, mu = matrix(group["W"]), group["vectors/q"][()], group["vectors/mu"][()]
        V = R = None
        if "V" in group:
            V, R, s = matrix(group["V"]), matrix(group["R"]), group["vectors/s"][()]
            W, q = W - V @ numpy.linalg.solve(R, V.T), q - V @ numpy.linalg.solve(R, s)
        expected = effect(problem, solution)
        # Siconos' Newton on Alart and Curnier's function, and its Gauss-Seidel where that fails.
        best = numpy.inf
        for solver, iterations in (("NSN_AC", 1000), ("NSGS", 200000)):
            options = siconos.SolverOptions(getattr(siconos, "SICONOS_FRICTION_3D_" + solver))
            options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = iterations
            options.dparam[siconos.SICONOS_DPARAM_TOL] = 1e-12
            r, u = numpy.zeros(len(q)), numpy.zeros(len(q))
            siconos.fc3d_driver(siconos.FrictionContactProblem(3, len(mu), 0.5 * (W + W.T), q, mu), r, u, options)
            u = W @ r + q
            impulse = matrix(group["W"]) @ r
            if V is not None:
                impulse -= V @ numpy.linalg.solve(R, V.T @ r + s)
            best = min(best, max(difference([(u, 0), (impulse, 0)], expected)))
            if best <= SAME:
                return
        require(False, f"{file.name}: Siconos: velocities or W Lambda are off by {best:.1e}, expected at most {SAME:.0e}")


def again(files):
    for file in files:
        solve_again(file)
        if siconos is not None and file.stem.endswith("-local"):
            siconos_again(file)


# Solved to 1e-11 m/s; FCLIB's relative figures divide by forces and speeds of 0.01 to 1, so 1e-7 leaves two digits.
tight = {"momentum": 1e-7, "velocity": 1e-7, "joint": 1e-7, "cone": 1e-7}
anything = float("inf")
loose = dict.fromkeys(tight, anything)  # the hardest steps are often those that did not converge

pile = scratch / "pile"
files = run(source / "cases" / "box_pile.yaml", pile, "-box_pile_count", "12", "-time_end", "0.5", "-capture_problems", "2",
            "-capture_local", "true", *EXACT)
require(len(files) == 4, f"two steps in two forms, got {files}")
for file in files:
    with h5py.File(file, "r") as problem:
        group = problem["fclib_local" if "-local" in file.stem else "fclib_global"]
        contacts = len(group["vectors/mu"])
        provenance = json.loads(problem["clarke/provenance"][()])
        sizes = read(file, tight if provenance["step"]["reason"] == "converged" else loose)
        require(contacts > 0 and len(problem["clarke/contact_names"]) == contacts, f"{file.name}: {contacts} contacts without names")
        require(sizes is None or sizes[1] == contacts, f"{file.name}: FCLIB reads {sizes}")
        require(provenance["step"]["newton_iterations"] > 0 and "git_hash" in provenance, f"{file.name}: provenance {provenance}")

# The hardest are the hardest: no other step took more iterations.
iterations = numpy.genfromtxt(pile / "steps.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")["newton_iterations"]
captured = sorted(int(file.name.split("-step")[1][:6]) for file in files if "-local" not in file.stem)
least = min(iterations[step - 1] for step in captured)
others = [count for step, count in enumerate(iterations, 1) if step not in captured]
require(max(others) <= least, f"steps {captured} took {least} iterations or more, others {max(others)}")

# Another run into the same folder takes the old files away; -capture_step keeps that one.
files = run(source / "cases" / "box_pile.yaml", pile, "-box_pile_count", "12", "-time_end", "0.3", "-capture_step", "25", *EXACT)
require(len(files) == 1 and "-step000025-" in files[0].name, f"one step, 25, got {files}")
read(files[0], tight)

# The pile when it lies (some steps before are too hard for the solvers with full steps), and a door that has fallen onto the floor with a ball on it: hard contacts, compliant ones, bilateral rows.
again(run(source / "cases" / "box_pile.yaml", scratch / "lying", "-box_pile_count", "8", "-time_end", "0.5", "-capture_step", "54",
          "-capture_local", "true", *EXACT, "-snes_max_it", "200", "-newton_start_sweeps", "100", *SHIFT))
scene = scratch / "door.yaml"
scene.write_text(JOINTS.replace(", limits: {lower: -1, upper: 0.45}", "").replace("case: trap", "case: door"), encoding="utf-8")
again(run(scene, scratch / "door", "-capture_step", "45", "-capture_local", "true", *EXACT))

scene = scratch / "trap.yaml"
scene.write_text(JOINTS, encoding="utf-8")
files = run(scene, scratch / "slow", "-capture_problems", "3", "-capture_by", "seconds", *EXACT)
require(len(files) == 3, f"the three slowest steps, got {files}")
files = run(scene, scratch / "trap", "-capture_problems", "3", "-capture_local", "true", *EXACT)
require(len(files) == 6, f"three steps in two forms, got {files}")
for file in files:
    with h5py.File(file, "r") as problem:
        ours, local = problem["clarke"], "-local" in file.stem
        compliant = "contact_compliance" in ours
        bounded = "joint_lower" in ours
        require(bounded and len(ours["joint_lower"]) == len(ours["joint_row_names"]) == len(problem["solution/l"]),
                f"{file.name}: bounds of the rows of G")
        require(any(b"post" in name for name in ours["joint_row_names"][()]), f"{file.name}: no row is of the hinge")
        inactive = bounded and any(abs(l) < 1e-14 and abs(b) == numpy.inf for l, b in zip(problem["solution/l"], ours["joint_upper"]))
        # In the local form compliance is in W; as equalities the open limits do not hold, and FCLIB does not know better.
        read(file, {**tight, "velocity": anything if compliant and not local else 1e-7, "joint": anything if inactive else 1e-7})
        if not local:  # the whole statement, with what FCLIB has no place for
            group, solution = problem["fclib_global"], problem["solution"]
            v, u, r = (solution[name][()] for name in "vur")
            h = group["H"]
            product = numpy.array([h["x"][a:b] @ v[h["i"][a:b]] for a, b in zip(h["p"][:-1], h["p"][1:])])
            gamma = ours["contact_compliance"][()] if compliant else 0
            error = numpy.abs(product + group["vectors/w"][()] + gamma * r - u).max()
            require(error <= 1e-10, f"{file.name}: v = J u + w + compliance r is off by {error:.1e} m/s")

# Limits are bounded rows of G, which only Clarke knows.
for file in files:
    with h5py.File(file, "r") as problem:
        converged = json.loads(problem["clarke/provenance"][()])["step"]["reason"] == "converged"
    if converged:
        solve_again(file)

# A problem file knows discs only: what is none is refused, never written as one.
asymmetric = subprocess.run([program, "run", str(source / "cases" / "ratchet.yaml"), "-capture_step", "1", "-output_dir", str(scratch / "ratchet")],
                            capture_output=True, text=True, check=False)
require(asymmetric.returncode == 2 and "no other friction cones" in asymmetric.stderr,
        f"an asymmetric cone is captured: exit code {asymmetric.returncode}, {asymmetric.stderr}")

print("FCLIB's reader was not there" if not reader.exists() else "read by FCLIB")
print("Siconos was not there" if siconos is None else "solved by Siconos")
sys.exit(1 if failures else 0)
