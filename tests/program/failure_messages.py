"""What is refused is refused in one line with exit code 2, and docs/failures.md has that line with what to do next.

Usage: failure_messages.py PROGRAM SOURCE_DIR SCRATCH_DIR

Of every message the words that do not change are asked for twice: in what the program says, and in the document. A message that is
reworded, or a kind of damage that is no longer noticed, fails here. tests/program/restart.py and tests/robustness/hard_ends.py make
those that need a killed run or a full disk; `DOCUMENTED` has their words.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
document = re.sub(r"\s+", " ", (source / "docs" / "failures.md").read_text(encoding="utf-8"))
problems = []

# Made elsewhere (restart.py, hard_ends.py, blas_kernels.py).
DOCUMENTED = ["interrupted by SIGTERM after step", "go on with: clarke run -restart", "no checkpoint: FILE: cannot be written",
              "out of memory after step", "is no checkpoint of clarke", "another HDF5 file", "is a damaged checkpoint: it has",
              "its checksum differs", "it holds what no checkpoint of clarke does",
              "newer than format 1", "older than format 1", "belongs to another scene", "is missing: it was written for another",
              "-time_step: was", "nothing is left to do", "from here on it is another run", "but perhaps not with the same bits",
              "is in use by process", "has no locks", "is not what the checkpoint was written beside", "Permission denied",
              "No space left on device", "the same command goes on from here", "knows the steps from"]

BODY = "case: probe\ntime: {step: 0.01, end: 0.01}\nmaterials: {m: {density: 1000, friction: 0.5}}\n"


def scene(body, head=BODY):
    return head + "bodies:\n  - {name: b, material: m, " + body + "}\n"


def soft(mesh):
    return BODY + "soft:\n  - {name: s, material: m, model: neo_hookean, young: 1e5, poisson: 0.3, mesh: " + mesh + "}\n"


def cloth(mesh):
    return BODY + "cloth:\n  - {name: c, material: m, model: neo_hookean, young: 1e5, poisson: 0.3, thickness: 0.001, mesh: " + mesh + "}\n"


def check(what, words, text, files=None, command="check", name="scene.yaml", documented=None):
    """`text` as a scene with `files` beside it: refused, with `words` in the line and in the document."""
    folder = scratch / re.sub(r"\W+", "_", what)
    folder.mkdir()
    for file, content in (files or {}).items():
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    result = subprocess.run([program, command, str(folder / name)], capture_output=True, text=True, timeout=60, check=False)
    lines = [line for line in result.stderr.splitlines() if line.startswith("clarke:")]
    said = lines[-1] if lines else result.stderr.strip()
    if result.returncode != 2 or len(result.stderr.splitlines()) != 1:
        problems.append(f"{what}: exit code {result.returncode}, {len(result.stderr.splitlines())} lines: {result.stderr.strip()[:300]}")
    elif words not in said:
        problems.append(f"{what}: expected '{words}' in '{said}'")
    if (documented or words) not in document:
        problems.append(f"{what}: docs/failures.md does not have '{documented or words}'; the program says '{said[-160:]}'")


def mesh_of(kind, content, what, words, documented=None):
    check(what, words, scene(f"shape: {{mesh: {{file: damaged.{kind}}}}}, mass: 1"), {f"damaged.{kind}": content}, documented=documented)


def stl(facets, kept):
    return b"binary".ljust(80) + struct.pack("<I", facets) + b"".join(
        struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, k, 0) for k in range(kept))


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"


PICTURE = BODY.replace("friction: 0.5", "friction: 0.5, cone: {ellipse: {along: 0.5, across: 0.2}}, structure: {image: {file: h.png}}") + "bodies: []\n"


def png(cut=0, wrong=False):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ wrong)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(b"\0\1\2" * 2)) + chunk(b"IEND", b"")
    return whole[:len(whole) - cut]


VTK = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
GMSH = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"

for words in DOCUMENTED:
    if words not in document:
        problems.append(f"docs/failures.md does not have '{words}'")

# Section 1 of what must not be lost: memory is estimated before it is taken.
check("height field", "needs about", scene("static: true, shape: {height_field: {columns: 100000, rows: 100000, spacing: 0.1, expression: \"0*x\"}}"))
check("cloth", "needs about", cloth("{sheet: {size: [1, 1], cells: [1000000, 1000000]}}"))
check("soft", "needs about", soft("{box: {size: [1, 1, 1], cells: [1000, 1000, 1000]}}"))

# What must not get in.
check("size without distance", "the distance between them is not finite; a position or a size is too large",
      scene("mass: 1, shape: {sphere: {radius: 1e308}}}\n  - {name: c, material: m, mass: 1, shape: {sphere: {radius: 1}}"))
mesh_of("stl", stl(6, 3), "stl cut", "is a binary STL file of 6 facets, which take 384 bytes, and has")
mesh_of("obj", OBJ + "f 1//9 2//9 3//9\n", "obj normal", "there is no normal 9: so far there are 0")
mesh_of("obj", OBJ + "f 1/9 2/9 3/9\n", "obj texture", "there is no texture", documented="there is no normal 9")
mesh_of("obj", OBJ + "f 1 2 99\n", "obj vertex", "there is no vertex 99", documented="(vertex, texture)")
mesh_of("obj", OBJ.replace("v 1 ", "v 1x ") + "f 1 2 3\n", "obj 1x", "as a number, got '1x'")
mesh_of("obj", OBJ.replace("v 1 ", "v nan ") + "f 1 2 3\n", "obj nan", "as a number, got 'nan'", documented="(`nan`)")
mesh_of("ply", "ply\nformat ascii 1.0\nelement vertex 100\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n0 0 0\n", "ply short", "elements 'vertex', for which the file is too short")
check("png cut", "it is cut off", PICTURE, {"h.png": png(cut=20)})
check("png damaged", "it is damaged", PICTURE, {"h.png": png(wrong=True)})
check("png other", "it does not begin as one", PICTURE, {"h.png": b"GIF89a"})
check("vtk cell", "there is no point 99", soft("{file: {path: m.vtk}}"), {"m.vtk": VTK + "CELLS 1 5\n4 0 1 2 99\nCELL_TYPES 1\n10\n"})
check("vtk cut", "cannot be read", soft("{file: {path: m.vtk}}"), {"m.vtk": VTK.replace("POINTS 4", "POINTS 400")})
check("vtk count", "VTK finds no points in it", soft("{file: {path: m.vtk}}"), {"m.vtk": VTK.replace("POINTS 4", "POINTS 2000000000")})
check("vtu", "VTK cannot read it: Error parsing XML", soft("{file: {path: m.vtu}}"), {"m.vtu": "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece"})
check("gmsh end", "the file ends where $EndElements is expected", soft("{file: {path: m.msh}}"), {"m.msh": GMSH + "$Elements\n1\n1 4 2 0 1 1 2 3 4\n"})
check("gmsh count", "for which the file is too short", soft("{file: {path: m.msh}}"),
      {"m.msh": GMSH.replace("$Nodes\n4", "$Nodes\n2000000000") + "$Elements\n0\n$EndElements\n"})
check("gmsh node", "element 1: there is no node 9", soft("{file: {path: m.msh}}"), {"m.msh": GMSH + "$Elements\n1\n1 4 2 0 1 1 2 3 9\n$EndElements\n"})
check("tetgen", "cannot be read", soft("{file: {path: m.node}}"), {"m.node": "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"})
check("empty mesh", "has no points", scene("shape: {mesh: {file: damaged.obj}}, mass: 1"), {"damaged.obj": ""})

BOMB = "options: {a: &a [x, x, x, x, x, x, x, x, x]" + "".join(
    f", {chr(98 + k)}: &{chr(98 + k)} [" + ", ".join([f"*{chr(97 + k)}"] * 9) + "]" for k in range(9)) + "}\n"
check("alias bomb", "aliases stand for more than", BODY + BOMB)
check("nesting", "nested deeper than 100 levels", BODY + "bodies: " + "[" * 3000 + "]" * 3000 + "\n")
check("no text", "is no text: expected UTF-8 without control characters", BODY.encode() + b"bodies: \xff\xfe\0\n")
check("control", "\\x1b", scene("shape: {sphere: {radius: \"\\e[31mred\"}}"))
check("trailing", "belongs to nothing before it", 
      (source / "tests" / "fuzz" / "regressions" / "scene" / "colon_that_belongs_to_nothing.yaml").read_bytes())
check("syntax", "YAML syntax:", BODY + "bodies: [1]]\n")
AXES = "".join(f"  p{k}: [{', '.join(str(i) for i in range(50))}]\n" for k in range(8))
check("quick runs", "runs; expected at most", "study: s\nquestion: q\nscenes: [scene.yaml]\nquick: {repetitions: 99999999999999999999}\n",
      {"scene.yaml": BODY}, command="study", name="study.yaml")
check("sweep", "variants; expected at most", "study: s\nquestion: q\nscenes: [scene.yaml]\nsweep:\n product:\n" + AXES, {"scene.yaml": BODY}, command="study", name="study.yaml")

print("\n".join(problems) or "every message is said, and documented")
sys.exit(1 if problems else 0)
