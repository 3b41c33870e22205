"""The arch of 25 stones that others meshed stands: as rigid bodies, and as soft ones whose sag falls with Young's modulus. For half a
second each; `scripts/arch_of_stones.py` watches for four (docs/verification/meshes.md). Skipped where the files are absent.

Usage: arch_of_stones.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(source / "scripts"))
import arch_of_stones  # noqa: E402

if not arch_of_stones.STONES.is_dir():
    print(f"skipped: {arch_of_stones.STONES} is absent")
    sys.exit(77)
scratch.mkdir(parents=True, exist_ok=True)

sag = {}
for young in (None, 1e9, 1e10):
    row = arch_of_stones.stand(program, scratch, young, end=0.5)
    assert not row["failed"], (young, row["said"])
    print(arch_of_stones.line(row))
    assert arch_of_stones.stands(row), (young, max(row["sag"]))
    sag[young] = max(row["sag"])
# Rigid stones hardly move, whatever gapes; the elastic sag is some millimetres at 1 GPa, and in inverse
# proportion to the modulus but for the joints that open on the way.
assert sag[None] < 1e-4, sag
assert 5e-4 < sag[1e9] < 5e-3, sag
assert 5 < sag[1e9] / sag[1e10] < 20, sag
