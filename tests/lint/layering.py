"""The walls between the folders, and the few rules on names and sizes that keep them walls.

framework <- {physics, ncp, linear, integrators} <- verdict <- measure <- scene <- assembly <- app, and
postprocess sees framework only; the four in braces never see each other, and the verdict sees none of them. Inside a layer, folders
have arrows of their own (INNER). CMake cannot enforce this alone, because all folders share one include root.
"""

import os
import re
import sys

LAYERS = {  # folder: the folders it may include
    "framework": set(),
    "physics": {"framework"},
    "ncp": {"framework"},
    "linear": {"framework"},
    "integrators": {"framework"},
    "postprocess": {"framework"},
    "verdict": {"framework"},  # nothing of what it judges
    "measure": {"framework", "physics"},
    "scene": {"framework", "physics", "measure"},
    "assembly": {"framework", "physics", "ncp", "linear", "integrators", "verdict", "measure", "scene"},
}
LAYERS["app"] = set(LAYERS) - {"app"}
LAYERS["tests"] = set(LAYERS) - {"tests"}
# Inside a layer: the folders that files of a folder may include; "" are the files beside the folders. What registers
# (register.*) sees all of its layer.
INNER = {
    "framework": {"math": set(), "sets": {"math"}, "": {"math", "sets"}},
    "physics": {
        "description": set(),  # what a scene consists of: plain data
        "rigid": {"description"},
        "constraints": {"description"},  # pure elements
        "joints": {"description", "constraints"},
        "attachments": {"description", "constraints", "joints"},
        "collision": {"description"},  # geometry and detection: no row, no friction
        "friction": {"description", "collision"},
        "contact": {"description", "collision", "friction"},  # rows
        "soft": {"description", "rigid"},
        "cloth": {"description", "constraints", "joints", "soft"},
        "materials": {"description", "soft", "cloth"},
        "volumes": {"description", "soft", "cloth"},
        "matrix_problem": set(),
        "": set(),
    },
    "ncp": {
        "functions": set(),
        "friction_maps": set(),
        "r_factors": set(),
        "contact_laws": {"functions", "friction_maps", "r_factors"},
        "joint_laws": {"functions"},
        "strategies": set(),
    },
    "scene": {
        "": set(),  # what a scene is, and the interface its keys are declared to
        "meshes": {""},
        "builders": {"", "meshes"},
        "reader": {"", "meshes", "builders"},
        "urdf": {"", "meshes", "reader"},
    },
    "linear": {"operators": {""}, "factorisations": set(), "krylov": {"", "operators"}, "preconditioners": {"", "operators", "krylov"}, "": set()},
}
GENERATED = {"clarke_version.hpp"}
FOLDERS = sorted(LAYERS) + ["cmake", "docs", "scripts"]
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "misc"}
MAX_LINES = 400
MAX_COLUMNS = 120  # as in .clang-format; characters, not bytes

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
BAD_CLASS = re.compile(r"\b(?:class|struct)\s+(\w*(?:Manager|Handler|Engine))\b")


def project_files(root):
    """Every file below the project's folders, as a path from the root with forward slashes."""
    for folder in FOLDERS:
        for directory, subfolders, names in os.walk(os.path.join(root, folder)):
            subfolders[:] = sorted(d for d in subfolders if d != "__pycache__")
            for name in sorted(names):
                yield os.path.relpath(os.path.join(directory, name), root).replace(os.sep, "/")


def check_include(root, path, number, quote, target):
    """The complaint about one #include line, or None."""
    layer, first = path.split("/")[0], target.split("/")[0]
    where = f"{path}:{number}"
    if target in GENERATED:
        return None
    if first not in LAYERS:
        if quote == '"':
            return f'{where}: "{target}" is not a path from the repository root (other libraries take <...>)'
        return None
    if quote == "<":
        return f'{where}: <{target}> is ours and takes "..."'
    if first != layer and first not in LAYERS[layer]:
        allowed = ", ".join(sorted(LAYERS[layer] | {layer}))
        return f"{where}: {layer} must not include {target} (it may include: {allowed})"
    if complaint := check_inner(path, target):
        return f"{where}: {complaint}"
    # tests/main.cpp asks with __has_include, so a missing header is legal only where it is asked for.
    if not os.path.exists(os.path.join(root, target)) and layer != "tests":
        return f"{where}: {target} does not exist"
    return None


def check_inner(path, target):
    """The complaint about an include within a layer, or None."""
    layer = path.split("/")[0]
    if layer not in INNER or target.split("/")[0] != layer or path.split("/")[1].startswith("register."):
        return None
    here, there = (p.split("/")[1] if p.count("/") > 1 else "" for p in (path, target))
    if here not in INNER[layer]:
        return f"{layer}/{here}/ has no line in tests/lint/layering.py: which folders may it include?"
    if here == there or there in INNER[layer][here]:
        return None
    allowed = ", ".join(f"{layer}/{name}" for name in sorted(INNER[layer][here])) or "nothing else of its layer"
    return f"{layer}/{here} must not include {target} (it may include: {allowed})"


def long_files(root):
    """Paths allowed to be long, with the reason; and complaints about the list itself."""
    allowed, problems = {}, []
    listing = "tests/lint/long_files.txt"
    with open(os.path.join(root, listing), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            path, _, reason = line.partition(":")
            if not reason.strip():
                problems.append(f"{listing}:{number}: no reason given for {path}")
            elif not os.path.exists(os.path.join(root, path.strip())):
                problems.append(f"{listing}:{number}: {path} does not exist")
            allowed[path.strip()] = reason.strip()
    return allowed, problems


def check_source(root, path, allowed_long):
    problems = []
    with open(os.path.join(root, path), encoding="utf-8") as source:
        lines = source.read().splitlines()
    if len(lines) > MAX_LINES and path not in allowed_long:
        problems.append(f"{path}: {len(lines)} lines, more than {MAX_LINES} (split it, or give a reason in "
                        "tests/lint/long_files.txt)")
    if len(lines) <= MAX_LINES and path in allowed_long:
        problems.append(f"{path}: {len(lines)} lines only, remove it from tests/lint/long_files.txt")
    if path.endswith(".py"):
        return problems
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            problems.append(f"{path}:{number}: {len(line)} columns, more than {MAX_COLUMNS} (clang-format -i, or break it)")
        if include := INCLUDE.match(line):
            complaint = check_include(root, path, number, include[1], include[2])
            if complaint:
                problems.append(complaint)
        code = line.split("//")[0]
        if bad := BAD_CLASS.search(code):
            problems.append(f"{path}:{number}: {bad[1]}: say what it is; Manager, Handler and Engine do not")
    return problems


def main():
    root = sys.argv[1]
    allowed_long, problems = long_files(root)
    checked = 0
    for path in project_files(root):
        parts = path.split("/")
        for part in parts:
            if part.split(".")[0].lower() in FORBIDDEN_NAMES:
                problems.append(f"{path}: '{part}' says nothing about what is inside")
        if path.endswith((".cpp", ".hpp", ".py")):
            problems += check_source(root, path, allowed_long)
            checked += 1
    for problem in problems:
        print(problem)
    print(f"layering: {checked} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
