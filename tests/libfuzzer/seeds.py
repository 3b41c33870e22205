#!/usr/bin/env python3
"""Writes what libFuzzer begins with: a small whole file or two for each reader, and what once was a finding.

    tests/libfuzzer/seeds.py SOURCE_DIR FOLDER
"""

import pathlib
import sys

source, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
sys.path.insert(0, str(source / "tests" / "fuzz"))
import inputs  # noqa: E402

SEEDS = {
    "stl": [inputs.stl_binary(), inputs.stl_text()],
    "obj": [inputs.obj()],
    "ply": [inputs.ply(kind) for kind in ("ascii", "binary_little_endian", "binary_big_endian")],
    "gmsh": [inputs.GMSH],
    "tetgen": [inputs.NODE + b"\0" + inputs.ELE],
    "yaml": [path.read_bytes() for path in sorted((source / "cases").glob("*.yaml"))],
}
FOUND = {"yaml": "scene"}  # reader -> kind of regressions, where the names differ

for reader, seeds in SEEDS.items():
    place = folder / reader
    place.mkdir(parents=True, exist_ok=True)
    found = sorted((source / "tests" / "fuzz" / "regressions" / FOUND.get(reader, reader)).glob("*"))
    for i, data in enumerate([*seeds, *(path.read_bytes() for path in found)]):
        (place / str(i)).write_bytes(data)
