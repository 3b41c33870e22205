"""Kernels are where nvcc allows them, so that a build for the host does not let in what nvcc refuses.

A lambda for the device (KOKKOS_LAMBDA) may not stand in a member function that is private or protected, nor in a
constructor or destructor, nor inside another lambda.

Usage: device_lambdas.py SOURCE_DIR
"""
import pathlib
import re
import sys

FOLDERS = ("framework", "physics", "ncp", "linear", "integrators", "verdict", "measure", "scene", "assembly", "app", "tests")
SCOPE = re.compile(r"\b(?P<kind>class|struct)\s+(?P<name>\w+)[^;{()=]*\{|(?P<open>\{)|(?P<close>\})"
                   r"|\b(?P<access>public|private|protected)\s*:(?!:)|(?P<kernel>KOKKOS_LAMBDA)|(?P<called>~?\w+)\s*\(")
DEFINITION = re.compile(r"^(?![ \t#}])[^\n;{}]*?\b(\w+)(?:<[^>\n]*>)?::(~?\w+)\s*\(", re.M)
LAMBDA = re.compile(r"(?:\[[&=\w, *]*\]\s*(?:\([^()]*\)\s*)?(?:mutable\s*)?(?:->\s*[\w:<>]+\s*)?|KOKKOS_LAMBDA\s*\([^()]*\)\s*)\{")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', re.sub(r"//[^\n]*", "", text))


def end_of_block(text, begin):
    """The place after the brace that closes the one at `begin`."""
    depth = 0
    for brace in re.finditer(r"[{}]", text[begin:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return begin + brace.end()
    return len(text)


def walk(text):
    """Yields (place, classes, what) in order: what is a match of SCOPE; classes a list of [name, access, depth]."""
    classes, depth = [], 0
    for match in SCOPE.finditer(text):
        if match["kind"]:
            classes.append([match["name"], "private" if match["kind"] == "class" else "public", depth])
            depth += 1
        elif match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if classes and classes[-1][2] == depth:
                classes.pop()
        elif match["access"]:
            if classes:
                classes[-1][1] = match["access"]
        elif classes:
            yield match, classes[-1], depth


def findings(sources):
    access = {}  # (class, member) -> where it is declared
    for text in sources.values():
        for match, scope, depth in walk(text):
            if match["called"] and depth == scope[2] + 1:
                access.setdefault((scope[0], match["called"]), set()).add(scope[1])
    for path, text in sources.items():
        def place(at):
            return f"{path}:{text[:at].count(chr(10)) + 1}"
        for match, scope, _ in walk(text):
            if match["kernel"] and scope[1] != "public":
                yield f"{place(match.start())}: a kernel in a {scope[1]} member of {scope[0]}: make the member public"
        definitions = [m for m in DEFINITION.finditer(text)]
        ends = [m.start() for m in re.finditer(r"^\}", text, re.M)]
        for kernel in re.finditer("KOKKOS_LAMBDA", text):
            before = [m for m in definitions if m.start() < kernel.start()]
            if not before or any(before[-1].start() < end < kernel.start() for end in ends):
                continue
            owner, member = before[-1].groups()
            if member.lstrip("~") == owner:
                yield f"{place(kernel.start())}: a kernel in a constructor or destructor of {owner}: give it a function"
            elif access.get((owner, member), {"public"}) != {"public"}:
                yield f"{place(kernel.start())}: a kernel in {owner}::{member}, which is not public: nvcc refuses it"
        for outer in LAMBDA.finditer(text):
            begin = outer.end() - 1
            inner = text.find("KOKKOS_LAMBDA", begin, end_of_block(text, begin))
            if inner >= 0:
                yield f"{place(inner)}: a kernel inside another lambda: give it a function"


def main():
    root = pathlib.Path(sys.argv[1])
    sources = {str(path.relative_to(root)): without_comments(path.read_text(encoding="utf-8"))
               for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]pp"))}
    found = sorted(set(findings(sources)))
    print("\n".join(found) or f"{len(sources)} files: every kernel is where nvcc allows it")
    kernels = sum(text.count("KOKKOS_LAMBDA") for text in sources.values())
    if kernels < 100:
        found.append("")
        print(f"only {kernels} kernels found: does this lint still read the sources?")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
