"""What a file uses of ours it includes, itself or through what it includes.

Most builds compile files in batches, in which one file's includes serve the next; nvcc and -DCLARKE_BATCHES=OFF compile
each alone, and there a name is then unknown. Looked for are names at namespace scope that one header alone declares:
types, constants, templates, functions.

Usage: includes.py SOURCE_DIR
"""
import pathlib
import re
import sys

from device_lambdas import without_comments

FOLDERS = ("framework", "physics", "ncp", "linear", "integrators", "verdict", "measure", "scene", "assembly", "app",
           "postprocess", "tests")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
TYPE = re.compile(r"^(?:template\s*<[^;{]*?>\s*)?(?:struct|class|enum class|enum)\s+(\w+)\b[^;()]*?\{", re.M | re.S)
ALIAS = re.compile(r"^(?:template\s*<[^;{]*?>\s*)?using\s+(\w+)\s*=", re.M)
CONSTANT = re.compile(r"^inline\s+constexpr\s+[\w:<>, *]+?\b(k[A-Z]\w*)", re.M)
FUNCTION = re.compile(r"^(?![ \t#}]|(?:return|using|namespace|struct|class|enum|typedef)\b)[\w:<>,&* ]+?[\s&*>](\w+)\s*\(", re.M)


def declared(text):
    """Names at namespace scope of a header, whose contents are not indented."""
    names = set()
    for pattern in (TYPE, ALIAS, CONSTANT, FUNCTION):
        names.update(pattern.findall(text))
    return {n for n in names if len(n) > 3}


def own_names(text):
    """What is declared inside something, whose names may be those of others, and what is announced alone."""
    names = set(re.findall(r"^[ \t]+(?:[\w:<>,&*~]+[ \t&*]+)+(\w+)\s*[({;=]", text, re.M))
    names.update(re.findall(r"\b(?:struct|class|typename|using\s+std::)\s*(\w+)\b", text))
    names.update(re.findall(r"[\w>&*]\s+[&*]?(\w+)\s*[,)]", text))  # parameters
    for constants in re.findall(r"\bconst(?:expr)?\b[^;(]*[;(]", text):
        names.update(re.findall(r"\b(k[A-Z]\w*)\s*[={\[]", constants))
    return names | declared(text)


def used(text):
    """{name: line}: what stands in a file and is no member of something; of functions, those that are called."""
    names = {}
    for match in re.finditer(r"(?<![\w.:>~])(?:clarke::)?(?:([A-Z]\w{3,}|k[A-Z]\w+)\b|([a-z]\w{3,})\s*(?=[(<]))", text):
        names.setdefault(match[1] or match[2], text.count("\n", 0, match.start()) + 1)
    return names


def closure(path, includes, known):
    if path in known:
        return known[path]
    known[path] = {path}  # headers that include each other end here
    reached = {path}
    for header in includes.get(path, ()):
        reached |= closure(header, includes, known)
    known[path] = reached
    return reached


def findings(sources):
    """Of {path: text}: (path, line, name, header), for what some file that is compiled sees."""
    includes = {path: [h for h in INCLUDE.findall(text) if h in sources] for path, text in sources.items()}
    plain = {path: without_comments(text) for path, text in sources.items()}
    home = {}
    for path, text in plain.items():
        if path.endswith(".hpp") and not path.startswith("tests/"):
            for name in declared(text):
                home.setdefault(name, set()).add(path)
    own = {path: own_names(text) for path, text in plain.items()}
    needs = {path: [(name, line, next(iter(home[name]))) for name, line in used(text).items()
                    if len(home.get(name, ())) == 1 and name not in own[path]]
             for path, text in plain.items()}
    known, found = {}, set()
    for compiled in sorted(p for p in sources if p.endswith(".cpp")):
        reached = closure(compiled, includes, known)
        for path in reached:
            for name, line, header in needs[path]:
                if header not in reached and not any(name in own[other] for other in reached):
                    found.add((path, line, name, header))
    return sorted(found)


def main():
    root = pathlib.Path(sys.argv[1])
    sources = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            sources[str(file.relative_to(root))] = file.read_text()
    found = list(findings(sources))
    for path, line, name, header in found:
        print(f"{path}:{line}: {name} is of {header}, which is not included here")
    print(f"includes: {len(sources)} files, {len(found)} problems")
    bare = {path: INCLUDE.sub("", text) if path.endswith(".cpp") else text for path, text in sources.items()}
    blind = len(findings(bare))
    if blind < 1000:
        print(f"without any include in a .cpp only {blind} problems are found: does this lint still read the sources?")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
