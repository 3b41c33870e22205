"""How robust is a setting of `clarke solve`? Ninety variants of the harder problems of a directory, and how many are solved.

Usage: problem_variants.py PROGRAM DIRECTORY SCRATCH_DIR [--all] [-option value ...]

DIRECTORY holds problem files (FCLIB's collection, or captured steps). Each makes nine variants: noise of 3 % and 30 % of the largest entry on q
or f, twice each; mu halved, raised by half up to 1.2, or drawn from 0 to 1 for each contact; the units changed, twice. Random
numbers are the same every time. Without --all, only problems of nine contacts and more take part: of the 16 that docs/problems.md
speaks of, these are ten. All further words are options of `clarke solve`.

Exit code: that of `clarke solve`, 0 when all variants are solved.
"""

import pathlib
import shutil
import subprocess
import sys

import h5py
import numpy as np

LEAST_CONTACTS = 9
MOST_FRICTION = 1.2


def noise(share):
    def change(root, local, random):
        vector = root["vectors/q" if local else "vectors/f"]
        values = vector[()]
        vector[...] = values + share * np.abs(values).max() * random.standard_normal(values.shape)

    return change


def friction(factor):
    def change(root, local, random):
        root["vectors/mu"][...] = np.minimum(root["vectors/mu"][()] * factor, MOST_FRICTION)

    return change


def any_friction(root, local, random):
    root["vectors/mu"][...] = random.uniform(0, 1, root["vectors/mu"].shape)


def units(per_mass, velocity):
    """1/mass times per_mass, velocities times velocity."""

    def change(root, local, random):
        if local:
            root["W/x"][...] = root["W/x"][()] * per_mass
            root["vectors/q"][...] = root["vectors/q"][()] * velocity
        else:
            root["M/x"][...] = root["M/x"][()] / per_mass
            root["vectors/f"][...] = root["vectors/f"][()] * velocity / per_mass
            root["vectors/w"][...] = root["vectors/w"][()] * velocity

    return change


VARIANTS = [("noise3_0", noise(0.03)), ("noise30_0", noise(0.3)), ("noise3_1", noise(0.03)), ("noise30_1", noise(0.3)),
            ("mu_half", friction(0.5)), ("mu_more", friction(1.5)), ("mu_any", any_friction),
            ("units_small", units(1e6, 1e-3)), ("units_large", units(1e-6, 1e3))]


def make(directory, scratch, everything):
    random = np.random.default_rng(7)
    files = []
    for path in sorted(directory.glob("*.hdf5")):
        with h5py.File(path, "r") as file:
            root = file["fclib_global" if "fclib_global" in file else "fclib_local"]
            if not everything and len(root["vectors/mu"]) < LEAST_CONTACTS:
                continue
        for name, change in VARIANTS:
            files.append(scratch / f"{path.stem}_{name}.hdf5")
            shutil.copyfile(path, files[-1])
            with h5py.File(files[-1], "r+") as file:
                local = "fclib_global" not in file
                change(file["fclib_local" if local else "fclib_global"], local, random)
    return files


def main():
    program, directory, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    options = [word for word in sys.argv[4:] if word != "--all"]
    scratch.mkdir(parents=True, exist_ok=True)
    files = make(directory, scratch, "--all" in sys.argv[4:])
    if not files:
        print(f"{directory}: no problems of {LEAST_CONTACTS} contacts and more")
        return 2
    return subprocess.run([program, "solve", *map(str, files), *options]).returncode


if __name__ == "__main__":
    sys.exit(main())
