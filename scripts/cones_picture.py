#!/usr/bin/python3
"""Paths of point masses under four friction cones, as one picture with the bias of the polygons.

Usage: build/clarke run docs/tutorials/cones.yaml && scripts/cones_picture.py out/cones out/cones.png
"""

import csv
import math
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HEADING = math.radians(30)
LABELS = {"disc": "disc", "square": "polygon of 4", "octagon": "polygon of 8", "ellipse": "ellipse"}


def main():
    directory, picture = pathlib.Path(sys.argv[1]), sys.argv[2]
    with open(directory / "sensors.csv", newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for name, label in LABELS.items():
        x = [0.0] + [float(row[f"{name}_x"]) for row in rows]
        y = [0.0] + [float(row[f"{name}_y"]) for row in rows]
        turned = math.degrees(math.atan2(y[-1], x[-1]) - HEADING)
        print(f"{label}: stops at ({x[-1]:.4f}, {y[-1]:.4f}) m, {turned:+.2f} degrees beside its heading, after {math.hypot(x[-1], y[-1]):.4f} m")
        axes.plot(x, y, label=f"{label}: {turned:+.1f}° beside, {math.hypot(x[-1], y[-1]):.3f} m")
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.02, 0.5))
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
