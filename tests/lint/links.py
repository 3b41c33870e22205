"""Documents hold together: every relative link and anchor in a Markdown file leads somewhere, and the README stays short."""

import os
import re
import sys

README_LINES = 100
SKIPPED = {".git", "build", "out", "node_modules"}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)


def markdown_files(root):
    for directory, subfolders, names in os.walk(root):
        subfolders[:] = sorted(d for d in subfolders if d not in SKIPPED and not d.startswith(("build", ".")))
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.join(directory, name)


def anchors_of(path, known):
    """The anchors of a file's headings, as web sites for repositories make them."""
    if path not in known:
        with open(path, encoding="utf-8") as file:
            text = FENCE.sub("", file.read())
        found = {}
        for heading in re.findall(r"^#+\s+(.*?)\s*#*$", text, re.M):
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
            slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            if count:
                found[f"{slug}-{count}"] = 1
        known[path] = set(found)
    return known[path]


def main():
    root = os.path.abspath(sys.argv[1])
    problems, checked, known = [], 0, {}
    for path in markdown_files(root):
        shown = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for target in LINK.findall(FENCE.sub("", text)):
            if re.match(r"[a-z]+:", target):
                continue
            checked += 1
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(file):
                problems.append(f"{shown}: {target} does not exist")
            elif anchor and file.endswith(".md") and anchor not in anchors_of(file, known):
                problems.append(f"{shown}: {target}: no such heading")
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        lines = len(file.read().splitlines())
    if lines > README_LINES:
        problems.append(f"README.md: {lines} lines, more than {README_LINES}")
    for problem in problems:
        print(problem)
    print(f"links: {checked} links, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
