#!/usr/bin/env python3
"""Writes anew what the documentation takes from the program: docs/options.md, and the tables of docs/compatibility.md.

    scripts/renew_docs.py [PROGRAM] [--check]

PROGRAM is build/clarke unless given. A generated part of a page stands between two comments, `<!-- generated: clarke list
--compatibility -->` and `<!-- end of generated -->`. With --check nothing is written: exit code 1 and one line for each
page that is not what the program says.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
END = "<!-- end of generated -->\n"


def said(program, *words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=True).stdout


def with_part(page, words, text):
    """The page with what stands after the comment of the command replaced."""
    begin = f"<!-- generated: clarke {words} -->\n"
    if page.count(begin) != 1 or END not in page.split(begin)[1]:
        raise ValueError(f"expected one '{begin.strip()}' with '{END.strip()}' behind it")
    before, rest = page.split(begin)
    return before + begin + "\n" + text + "\n" + END + rest.split(END, 1)[1]


def pages(program):
    """(path, what it should be), the quick one first."""
    yield ROOT / "docs" / "options.md", said(program, "options", "--markdown")
    path = ROOT / "docs" / "compatibility.md"
    yield path, with_part(path.read_text(), "list --compatibility", said(program, "list", "--compatibility"))


def first_difference(old, new):
    old, new = old.splitlines(), new.splitlines()
    return next((k for k, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", nargs="?", default=str(ROOT / "build" / "clarke"), metavar="PROGRAM")
    parser.add_argument("--check", action="store_true", help="say what is not current, write nothing")
    arguments = parser.parse_args()
    stale = 0
    try:
        for path, text in pages(arguments.program):
            old = path.read_text() if path.exists() else ""
            name = path.relative_to(ROOT)
            if old == text:
                continue
            stale += 1
            if arguments.check:
                print(f"{name}:{first_difference(old, text) + 1}: not what the program says; scripts/renew_docs.py writes it anew")
            else:
                path.write_text(text)
                print(f"{name} written anew")
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"renew_docs.py: {error}", file=sys.stderr)
        return 2
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
