"""docs/failures.md has every message with which a file of somebody else is refused.

Usage: documented_messages.py SOURCE_DIR

Of each refusal in the files below, the longest piece of text that does not change has to stand in the document. Whether
the program says it, and says it in one line, is tests/program/failure_messages.py's to try.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
FILES = [
    *sorted((root / "scene" / "meshes").glob("*_file.cpp")),
    *(root / name for name in (
        "app/checkpoint.cpp", "framework/memory_room.cpp", "framework/state_archive.cpp", "framework/state_archive.hpp",
        "postprocess/atomic_file.cpp", "postprocess/checkpoint_file.cpp", "postprocess/directory_lock.cpp",
        "scene/meshes/byte_cursor.hpp", "scene/meshes/grid_expression.cpp", "scene/meshes/png_guard.cpp",
        "scene/reader/hdf5_reader.cpp", "scene/reader/problem_file.cpp", "scene/reader/yaml_guard.cpp", "framework/rehearsal.cpp",
        "scene/urdf/urdf_file.cpp", "scene/urdf/urdf_tree.cpp", "scene/urdf/xml_guard.cpp")),
]
REFUSAL = re.compile(r"\b(?:fail|refuse|damaged|require|InputError)\(")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
SHORT = 6  # [character] what is shorter may stand anywhere


def without_comments(code):
    return re.sub(r"^\s*//[^\n]*|\s//[^\n]*$", "", code, flags=re.M)


def arguments(code, begin):
    """What is between the bracket before `begin` and its partner; brackets in texts do not count."""
    level, at = 1, begin
    while level > 0:
        text = TEXT.match(code, at)
        if text:
            at = text.end()
            continue
        level += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return code[begin:at - 1]


def longest_text(words):
    """Neighbouring literals are one."""
    joined = re.sub(r'"\s*\n\s*"', "", words)
    return max((text.strip(" ':") for text in TEXT.findall(joined)), key=len, default="").replace('\\"', '"')


def flat(text):
    return re.sub(r"\s+", " ", text.replace("\\|", "|"))


document = flat((root / "docs" / "failures.md").read_text(encoding="utf-8"))
problems, messages = [], 0
for path in FILES:
    code = without_comments(path.read_text(encoding="utf-8"))
    for found in REFUSAL.finditer(code):
        text = longest_text(arguments(code, found.end()))
        if len(text) < SHORT:
            continue
        messages += 1
        if text not in document:
            line = code.count("\n", 0, found.start()) + 1
            problems.append(f"{path.relative_to(root)}:{line}: docs/failures.md does not have '{text}', nor what to do then")
assert messages > 100, f"only {messages} messages found"
print("\n".join(problems))
print(f"documented_messages: {messages} messages, {len(problems)} not in docs/failures.md")
sys.exit(1 if problems else 0)
