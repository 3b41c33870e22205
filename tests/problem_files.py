"""Contact problems as files in the layout of FCLIB, written with h5py: for tests that need good and bad ones.

local(path, W, q, mu) and global_(path, M, H, f, w, mu, ...) write one; `pile` makes small ones of ours. As a program it makes those of
cases/problems/, which cases/studies/conditioning.yaml solves:

    python3 tests/problem_files.py cases/problems
"""

import pathlib
import sys

import h5py
import numpy as np


def write_matrix(group, name, a, storage=-1):
    """Dense `a` as compressed columns (-1), compressed rows (-2) or triplets (0), with nzmax larger than need be."""
    a = np.asarray(a, dtype=float)
    m = group.create_group(name)
    if storage == 0:
        rows, columns = np.nonzero(a)
        pointer, index, values, nz = columns, rows, a[rows, columns], len(rows)
        pad = 3
        pointer, index = (np.concatenate([x, np.full(pad, -7)]) for x in (pointer, index))
        values = np.concatenate([values, np.full(pad, np.nan)])  # nobody may look at them
    else:
        lines = a.T if storage == -1 else a
        index = np.concatenate([np.nonzero(line)[0] for line in lines]) if a.size else np.zeros(0, int)
        values = np.concatenate([line[np.nonzero(line)[0]] for line in lines]) if a.size else np.zeros(0)
        pointer, nz = np.concatenate([[0], np.cumsum([np.count_nonzero(line) for line in lines])]), storage
    for key, value in (("m", a.shape[0]), ("n", a.shape[1]), ("nz", nz), ("nzmax", len(values))):
        m[key] = np.array([value], dtype=np.int32)
    m["p"], m["i"], m["x"] = np.asarray(pointer, np.int32), np.asarray(index, np.int32), values
    return m


def _head(root, title):
    root["spacedim"] = np.array([3], dtype=np.int32)
    root["info/title"] = title
    root["info/description"] = "made by tests/problem_files.py"
    root["info/math_info"] = ""


def local(path, W, q, mu, storage=-1, guess=None):
    with h5py.File(path, "w") as f:
        root = f.create_group("fclib_local")
        _head(root, "local")
        write_matrix(root, "W", W, storage)
        root["vectors/q"], root["vectors/mu"] = np.asarray(q, float), np.asarray(mu, float)
        if guess is not None:
            f["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
            f["guesses/1/r"] = np.asarray(guess, float)
    return path


def global_(path, M, H, f, w, mu, G=None, b=None, storage=0, more=None):
    """`more`: data sets of the group clarke."""
    with h5py.File(path, "w") as out:
        root = out.create_group("fclib_global")
        _head(root, "global")
        write_matrix(root, "M", M, storage)
        write_matrix(root, "H", H, storage)
        for name, value in (("f", f), ("w", w), ("mu", mu)):
            root["vectors/" + name] = np.asarray(value, float)
        if G is not None:
            write_matrix(root, "G", G, storage)
            root["vectors/b"] = np.asarray(b, float)
        for name, value in (more or {}).items():
            out["clarke/" + name] = value
    return path


def pile(columns=4, layers=3, mu=0.6, seed=1, heavier=1.0):
    """M, H, f, w, mu of a pile of unit spheres in a slightly uneven grid: gravity for a hundredth of a second, and a push.
    `heavier`: how many times the mass of a sphere the one above it has."""
    rng = np.random.default_rng(seed)
    x = np.array([[i + 0.02 * rng.standard_normal(), 0, k + 0.5] for k in range(layers) for i in range(columns)], float)
    n = len(x)
    mass = (1 + 4 * rng.random(n)) * heavier ** (x[:, 2] - 0.5)
    M = np.zeros((6 * n, 6 * n))
    for b in range(n):
        M[6 * b:6 * b + 3, 6 * b:6 * b + 3] = mass[b] * np.eye(3)
        M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6] = 0.1 * mass[b] * np.eye(3)
    f = np.zeros(6 * n)
    f[2::6] = -0.0981 * mass
    f[0::6] = 0.03 * rng.standard_normal(n)
    pairs = [(b, -1, np.array([0.0, 0, 1])) for b in range(n) if b < columns]
    pairs += [(b, a, (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])) for b in range(n) for a in range(b)
              if np.linalg.norm(x[b] - x[a]) < 1.1]
    H = np.zeros((6 * n, 3 * len(pairs)))
    for c, (b, a, normal) in enumerate(pairs):
        t1 = np.cross(normal, [0, 1, 0.0])
        t1 /= np.linalg.norm(t1)
        for r, d in enumerate((normal, t1, np.cross(normal, t1))):
            H[6 * b:6 * b + 3, 3 * c + r] = d
            H[6 * b + 3:6 * b + 6, 3 * c + r] = np.cross(-0.5 * normal, d)
            if a >= 0:
                H[6 * a:6 * a + 3, 3 * c + r] = -d
                H[6 * a + 3:6 * a + 6, 3 * c + r] = np.cross(-0.5 * normal, d)
    return M, H, f, np.zeros(3 * len(pairs)), np.full(len(pairs), mu)


def condense(M, H, f, w, mu):
    """W, q, mu of the same contacts."""
    X = np.linalg.solve(M, H)
    W = H.T @ X
    return 0.5 * (W + W.T), X.T @ f + w, mu


def shipped(directory):
    """A few problems of ours, for those who have none at hand."""
    files = []
    for name, problem in (("row", pile(5, 1)), ("wall", pile(4, 3)), ("tower", pile(2, 6, mu=0.9, seed=3))):
        files.append(global_(str(directory / f"{name}_global.hdf5"), *problem))
        files.append(local(str(directory / f"{name}_local.hdf5"), *condense(*problem)))
    return files


def studied(directory):
    """From easy to hard: more layers, and heavy on light. The same every time."""
    for layers in (1, 2, 4, 8):
        for heavier in (1.0, 3.0) if layers > 1 else (1.0,):
            name = f"pile_{layers}_layers_mass_{heavier ** (layers - 1):.0f}"
            global_(str(directory / f"{name}.hdf5"), *pile(3, layers, 0.7, 10 + layers, heavier), storage=-1)


if __name__ == "__main__":
    studied(pathlib.Path(sys.argv[1]))
