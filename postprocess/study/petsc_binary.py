"""Vectors and matrices of a PETSc binary file (`-..._view binary:FILE`), big-endian, in the order in which they were written."""

import numpy as np

VECTOR, MATRIX, DENSE = 1211214, 1211216, -1


def read_objects(path):
    """A list of arrays with one or two dimensions; an object that is cut off ends the list."""
    with open(path, "rb") as file:
        data = file.read()
    objects, at = [], 0

    def take(kind, count):
        nonlocal at
        values = np.frombuffer(data, kind, count, at)
        at += values.nbytes
        return values

    try:
        while at < len(data):
            kind = int(take(">i4", 1)[0])
            if kind == VECTOR:
                objects.append(take(">f8", int(take(">i4", 1)[0])).astype(float))
            elif kind == MATRIX:
                rows, columns, entries = (int(n) for n in take(">i4", 3))
                if entries == DENSE:
                    objects.append(take(">f8", rows * columns).astype(float).reshape(rows, columns))
                    continue
                lengths, column, value = take(">i4", rows), take(">i4", entries), take(">f8", entries)
                matrix = np.zeros((rows, columns))
                matrix[np.repeat(np.arange(rows), lengths), column] = value
                objects.append(matrix)
            else:
                break
    except ValueError:
        pass
    return objects
