#!/usr/bin/env python3
"""Writes what libFuzzer begins with: a small whole file or two for each reader, and what once was a finding.

    tests/libfuzzer/seeds.py SOURCE_DIR FOLDER
"""

import pathlib
import sys

source, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
sys.path.insert(0, str(source / "tests" / "fuzz"))
import inputs  # noqa: E402

# A preface without what it promises: its checksum is right, HDF5 refuses the rest.
CHECKPOINT = b"clarke checkpoint\nformat 1\nprogram clarke 0.1\n".ljust(512, b"\0") + b"\x89HDF\r\n\x1a\n".ljust(256, b"\0")
SEEDS = {
    "stl": [inputs.stl_binary(), inputs.stl_text()],
    "obj": [inputs.obj()],
    "ply": [inputs.ply(kind) for kind in ("ascii", "binary_little_endian", "binary_big_endian")],
    "gmsh": [inputs.GMSH],
    "tetgen": [inputs.NODE + b"\0" + inputs.ELE],
    "table": [b"# heights\n0, 1, 2\n3; 4 5e-1\n"],
    "yaml": [path.read_bytes() for path in sorted((source / "cases").glob("*.yaml"))],
    "png": [inputs.png()],
    "urdf": [inputs.URDF],
    "checkpoint": [inputs.seal_checkpoint(CHECKPOINT)],
}
FOUND = {"yaml": "scene"}  # reader -> kind of regressions, where the names differ

for reader, seeds in SEEDS.items():
    place = folder / reader
    place.mkdir(parents=True, exist_ok=True)
    found = sorted((source / "tests" / "fuzz" / "regressions" / FOUND.get(reader, reader)).glob("*"))
    for i, data in enumerate([*seeds, *(path.read_bytes() for path in found)]):
        (place / str(i)).write_bytes(data)
