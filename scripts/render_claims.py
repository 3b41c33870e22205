#!/usr/bin/python3
"""docs/claims.md from docs/claims.yaml: scripts/render_claims.py [--check]. tests/lint/claims.py says what must hold."""

import pathlib
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAPERS = {
    "newton": "Non-smooth Newton methods (Macklin et al. 2019; thesis, chapter 4)",
    "cones": "Friction cones with structure (thesis, chapter 3)",
    "duals": "Primal/dual descent methods (Macklin et al. 2020; thesis, chapter 5)",
    "fields": "Local optimisation on signed distance fields (thesis, chapter 6)",
    "systems": "Systems (thesis, chapter 7)",
    "smooth": "Fully implicit smooth friction (Larionov et al. 2021)",
    "notes": "Notes on implicit integration",
}
STATES = ("confirmed", "refuted", "mixed", "open")
HEAD = """# Claims

Every quantitative or comparative claim of the five papers, and what decides it: an expectation of a study
([studies](studies.md), run by `scripts/reproduce.sh`) or of a case ([scenes](scenes.md#expectations), run by
`build/clarke run`), or a test. What is open waits for a part that Clarke has not got. This page is made of
`docs/claims.yaml` by `scripts/render_claims.py`.
"""


def read_claims():
    return yaml.safe_load((ROOT / "docs" / "claims.yaml").read_text(encoding="utf-8"))["claims"]


def cell(text):
    return str(text).replace("|", "\\|")


def link(place):
    kind, _, name = place.partition(" ")
    if kind == "test":
        return f"test `{name}`"
    holder, expectation = place.split("/")
    folder = "cases/studies" if (ROOT / "cases" / "studies" / f"{holder}.yaml").exists() else "cases"
    return f"[{holder}](../{folder}/{holder}.yaml) `{expectation}`"


def count_table(claims):
    lines = ["| | " + " | ".join(STATES) + " | all |", "|---" * (len(STATES) + 2) + "|"]
    for paper, title in PAPERS.items():
        own = [c for c in claims if c["paper"] == paper]
        lines.append(f"| {title} | " + " | ".join(str(sum(c["state"] == s for c in own)) for s in STATES) + f" | {len(own)} |")
    lines.append("| all | " + " | ".join(str(sum(c["state"] == s for c in claims)) for s in STATES) + f" | {len(claims)} |")
    return lines


def render(claims):
    lines = [HEAD, *count_table(claims)]
    for paper, title in PAPERS.items():
        own = [c for c in claims if c["paper"] == paper]
        decided, still_open = [c for c in own if c["state"] != "open"], [c for c in own if c["state"] == "open"]
        lines += ["", f"## {title}", ""]
        if decided:
            lines += ["| claim | place | state | measured | decided by |", "|---|---|---|---|---|"]
            lines += [f"| {cell(c['says'])} | {cell(c['at'])} | **{c['state']}** | {cell(c['figure'])} | "
                      f"{', '.join(link(place) for place in c['by'])} |" for c in decided]
        why = [c for c in decided if "why" in c]
        if why:
            lines += ["", "Why not as the paper has it:", ""]
            lines += [f"- {c['says']} {c['why']}" for c in why]
        if still_open:
            lines += ["", "| open | place | needs |", "|---|---|---|"]
            lines += [f"| {cell(c['says'])} | {cell(c['at'])} | {cell(c['needs'])} |" for c in still_open]
    return "\n".join(lines) + "\n"


def main():
    text, page = render(read_claims()), ROOT / "docs" / "claims.md"
    if "--check" in sys.argv[1:]:
        return 0 if page.exists() and page.read_text(encoding="utf-8") == text else 1
    page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
