"""Takes the worked examples from CONTRIBUTING.md: their files, and register.cpp files with their lines in them.

Usage: worked_examples.py SOURCE_DIR OUTPUT_DIR
       writes OUTPUT_DIR/<path> for every "**The file**, `path`" and "**The line**, in `path`" of the text; a file that is the same
       is left alone. Prints the paths. What a reader has put into the tree already, a file or its line, is taken from there.
"""

import pathlib
import re
import sys


class TextError(Exception):
    """What CONTRIBUTING.md should say and does not."""


def blocks(text):
    """(kind, path, code) of every file and line of the examples, in their order."""
    pattern = re.compile(r"\*\*The (file|line)\*\*,(?: in)? `([^`]+)`.*?```cpp\n(.*?)```", re.S)
    found = [match.groups() for match in pattern.finditer(text)]
    if not found:
        raise TextError("no worked examples")
    return found


def with_lines(register, code, path):
    """The text of a register.cpp with the #include and the call of an example."""
    include, separator, call = code.partition("…\n")
    if not separator or not include.startswith("#include"):
        raise TextError(f"{path}: an example's line is an #include, a line with …, and the call")
    if include in register:  # a reader has followed the text
        return register
    first = register.index("#include")
    end = register.index("\n", first) + 1  # its own header
    register = register[:end] + include + register[end:]
    last = re.search(r"^void register_\w+\(\) \{\n", register, re.M)
    if not last:
        raise TextError(f"{path}: no function register_…()")
    close = register.index("\n}\n", last.end()) + 1
    return register[:close] + call + register[close:]


def main():
    source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = {}
    try:
        for kind, path, code in blocks((source / "CONTRIBUTING.md").read_text(encoding="utf-8")):
            if kind == "file":
                if (source / path).exists():
                    (out / path).unlink(missing_ok=True)
                else:
                    files[path] = code
            else:
                files[path] = with_lines(files.get(path) or (source / path).read_text(encoding="utf-8"), code, path)
    except TextError as error:
        sys.exit(f"CONTRIBUTING.md: {error}")
    for path, text in files.items():
        place = out / path
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
