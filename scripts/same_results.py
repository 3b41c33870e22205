#!/usr/bin/env python3
"""Whether two runs wrote the same tables, byte for byte but for the columns of seconds.

    scripts/same_results.py DIR DIR
"""
import csv
import pathlib
import sys


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in csv.DictReader(file)]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    one, two = (pathlib.Path(name) for name in sys.argv[1:])
    names = sorted({p.name for folder in (one, two) for p in folder.glob("*.csv")})
    if not names:
        sys.exit(f"{one}: no tables")
    different = 0
    for name in names:
        if not (one / name).exists() or not (two / name).exists():
            print(f"{name} is in one of the two only")
            different = 1
            continue
        a, b = table(one / name), table(two / name)
        if a == b:
            continue
        different = 1
        row = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        print(f"{one}/{name} and {two}/{name} differ from row {row + 1} on ({len(a)} and {len(b)} rows)")
    return different


if __name__ == "__main__":
    sys.exit(main())
