#!/usr/bin/env python3
"""Random scenes as files: the same name gives the same scene, on every machine.

Usage: random_scenes.py DIRECTORY NAME ...              by name: family and number, `stack-17`
       random_scenes.py DIRECTORY --count N [--first K] [--families A,B]

The families are the functions of scene_families.py, and of deforming_families.py by their names alone; of N scenes each family has its share, in turn. Run one as a user does:
`clarke run DIRECTORY/stack-17.yaml -preset robust`.
"""

import argparse
import pathlib
import sys

from deforming_families import DEFORMING
from scene_families import FAMILIES

STEPS = 12  # bodies that are two steps from each other meet in the first ones, and impacts come back from walls and layers


def make(name):
    """(text of the scene, what was drawn) of a name."""
    family = name.rpartition("-")[0]
    every = FAMILIES | DEFORMING
    if family not in every or not name.rpartition("-")[2].isdigit():
        raise SystemExit(f"{name}: no name of a scene; families are {', '.join(every)}, and a number follows")
    draw, scene = every[family](name)
    scene.steps = STEPS
    facts = {"mu": scene.mu, "h": scene.h, "ratio": draw.ratio, "steps": scene.steps,
             "motion": scene.motion()}
    comment = (f"A random scene: tests/robustness/random_scenes.py DIRECTORY {name}\n"
               f"friction {scene.mu:.3g}, step {scene.h:.3g} s, masses 1 : {draw.ratio:.3g}")
    return scene.text(comment), facts


def names(count, first=0, families=None):
    chosen = families or list(FAMILIES)
    return [f"{chosen[k % len(chosen)]}-{k // len(chosen)}" for k in range(first, first + count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--families", type=lambda text: text.split(","))
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    for name in arguments.names + names(arguments.count, arguments.first, arguments.families):
        (arguments.directory / f"{name}.yaml").write_text(make(name)[0], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
