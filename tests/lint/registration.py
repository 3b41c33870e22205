"""Adding a thing is one file and one line: every file of a folder of exchangeable things has its line.

A file that its layer's register.cpp neither includes nor names is compiled, and can never be selected. Interfaces and
bases need no line of their own: a file counts as registered too when a registered file of the same folder includes it.
A source without a header of its own belongs to the headers of the folder that it includes.
"""

import os
import re
import sys

REGISTERED = {  # folder of things: the list that must name each
    "ncp/functions": "ncp/register.cpp",
    "ncp/friction_maps": "ncp/register.cpp",
    "ncp/r_factors": "ncp/register.cpp",
    "ncp/contact_laws": "ncp/register.cpp",
    "ncp/strategies": "ncp/register.cpp",
    "physics/constraints": "physics/register.cpp",
    "physics/description/polyhedra": "physics/register.cpp",
    "physics/friction/cones": "physics/register.cpp",
    "physics/materials": "physics/register.cpp",
    "physics/volumes/laws": "physics/register.cpp",
    "integrators": "integrators/register.cpp",
    "linear/krylov": "linear/register.cpp",
    "linear/preconditioners": "linear/register.cpp",
}


INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def text_of(path):
    """A source without its comments: a commented-out line registers nothing."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def registered(directory, folder, things, register):
    """The stems of the folder's files that the register names, or that those include in turn."""
    stems = {os.path.splitext(name)[0] for name in things}
    parts = {}  # header's stem: sources that implement it beside its own
    for name in things:
        stem, extension = os.path.splitext(name)
        if extension == ".cpp" and stem + ".hpp" not in things:
            for target in INCLUDE.findall(text_of(os.path.join(directory, name))):
                if os.path.dirname(target) == folder:
                    parts.setdefault(os.path.splitext(os.path.basename(target))[0], set()).add(stem)
    reached, waiting = set(), stems & set(re.findall(r"\w+", text_of(register)))
    while waiting:
        stem = waiting.pop()
        reached.add(stem)
        waiting |= parts.get(stem, set()) - reached
        for name in things:
            if os.path.splitext(name)[0] != stem:
                continue
            for target in INCLUDE.findall(text_of(os.path.join(directory, name))):
                if os.path.dirname(target) == folder:
                    waiting |= {os.path.splitext(os.path.basename(target))[0]} - reached
    return reached


def main():
    root = sys.argv[1]
    problems, checked = [], 0
    for folder, register in REGISTERED.items():
        directory = os.path.join(root, folder)
        if not os.path.isdir(directory):
            continue
        things = sorted(name for name in os.listdir(directory)
                        if name.endswith((".hpp", ".cpp")) and not name.startswith("register."))
        if not things:
            continue
        if not os.path.exists(os.path.join(root, register)):
            problems.append(f"{register} does not exist, but {folder}/ has {len(things)} files")
            continue
        reached = registered(directory, folder, things, os.path.join(root, register))
        for name in things:
            checked += 1
            if os.path.splitext(name)[0] not in reached:
                problems.append(f"{folder}/{name}: no line in {register}")
    for problem in problems:
        print(problem)
    print(f"registration: {checked} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
