"""Cases: every expected number says where it is from, and no case rests on recorded numbers alone.

Usage: expectations.py SOURCE_DIR
"""

import pathlib
import sys

import yaml

root = pathlib.Path(sys.argv[1]).resolve()
problems, counts = [], {}
for path in sorted((root / "cases").rglob("*.yaml")):
    if "studies" in path.parts:
        continue
    expect = yaml.safe_load(path.read_text(encoding="utf-8")).get("expect") or []
    name = path.relative_to(root)
    for e in expect:
        if "equals" in e and "basis" not in e:
            problems.append(f"{name}: {e['quantity']} equals {e['equals']}: expected a basis (docs/scenes.md)")
        if "basis" in e:
            counts[e["basis"]] = counts.get(e["basis"], 0) + 1
    if expect and all(e.get("basis") == "recorded" for e in expect):
        problems.append(f"{name}: all that it expects are recorded numbers")
for problem in problems:
    print(f"expectations: {problem}")
print("expectations: " + ", ".join(f"{n} {basis}" for basis, n in sorted(counts.items())) + f"; {len(problems)} problems")
sys.exit(1 if problems else 0)
