"""docs/claims.yaml: every claim is whole, what decides it exists, and docs/claims.md is made of it.

Usage: claims.py SOURCE_DIR

A decided claim names expectations of studies (STUDY/NAME) or of cases (CASE/NAME) that are there, or a test; what is not confirmed
says why, what is open says what it needs.
"""

import pathlib
import re
import sys

import yaml

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "scripts"))
import render_claims  # noqa: E402

problems = []
KEYS = {"id", "paper", "at", "says", "state", "by", "figure", "why", "needs"}


def names_in(path):
    scene = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {e["name"] for e in scene.get("expect", []) if "name" in e}


def tests():
    found = set()
    for path in (root / "tests").glob("*/*_test.cpp"):
        found.add(f"{path.parent.name}.{path.stem.removesuffix('_test')}")
    return found


def check_place(claim, place, known_tests):
    if place.startswith("test "):
        if place[5:] not in known_tests:
            problems.append(f"{claim}: no test {place[5:]}")
        return
    if not re.fullmatch(r"[a-z0-9_]+/[a-z0-9_]+", place):
        problems.append(f"{claim}: '{place}' is no STUDY/EXPECTATION")
        return
    holder, name = place.split("/")
    files = [root / "cases" / "studies" / f"{holder}.yaml", root / "cases" / f"{holder}.yaml"]
    existing = [file for file in files if file.exists()]
    if not existing:
        problems.append(f"{claim}: no study or case {holder}")
    elif not any(name in names_in(file) for file in existing):
        problems.append(f"{claim}: {holder} has no expectation {name}")


claims, known_tests = render_claims.read_claims(), tests()
ids = [claim.get("id", "?") for claim in claims]
problems += [f"{one}: used twice" for one in sorted(set(ids)) if ids.count(one) > 1]
for claim in claims:
    name = claim.get("id", "?")
    problems += [f"{name}: unknown key {key}" for key in set(claim) - KEYS]
    wanted = {"id", "paper", "at", "says", "state"} | ({"needs"} if claim.get("state") == "open" else {"by", "figure"})
    if claim.get("state") in ("refuted", "mixed"):
        wanted.add("why")
    problems += [f"{name}: no {key}" for key in sorted(wanted - set(claim))]
    if claim.get("state") not in render_claims.STATES or claim.get("paper") not in render_claims.PAPERS:
        problems.append(f"{name}: unknown state or paper")
    if "see the study" in claim.get("figure", "") or "see the case" in claim.get("figure", ""):
        problems.append(f"{name}: figure says nothing")
    for place in claim.get("by", []):
        check_place(name, place, known_tests)
if not problems:
    try:
        if (root / "docs" / "claims.md").read_text(encoding="utf-8") != render_claims.render(claims):
            problems.append("docs/claims.md is not what scripts/render_claims.py makes of docs/claims.yaml")
    except OSError:
        problems.append("no docs/claims.md")
for problem in problems:
    print(f"claims: {problem}")
print(f"claims: {len(claims)} claims, {len(problems)} problems")
sys.exit(1 if problems else 0)
