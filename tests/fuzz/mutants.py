#!/usr/bin/env python3
"""Mutants of every kind of input through the program: whatever the file, the outcome is an answer or one line.

    tests/fuzz/mutants.py PROGRAM SOURCE_DIR SCRATCH_DIR [--count N] [--seed S] [--jobs J] [--kinds K,K]
    tests/fuzz/mutants.py PROGRAM SOURCE_DIR SCRATCH_DIR --replay FOLDER

For each kind N mutants: bytes changed, cut out, doubled; numbers (also binary ones) replaced by large, negative and
strange ones; words exchanged; files cut off. Allowed are exit codes 0, 1 and 2, where 1 is a step, problem or study that
was read and not solved, and 2 comes with one line that begins with "clarke:". Not allowed are signals, more than 10 s of a processor,
"std::" in a message (an exception that nobody foresaw), several lines of errors, and control characters in them. A file
that fails is kept in SCRATCH_DIR/failed. With --replay the files of FOLDER/KIND are tried instead, as they are
(tests/fuzz/regressions: what once ended the program, hung, or passed): they have to be refused.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import zlib

SECONDS = 10  # of a processor: more is a hang, also on a busy machine
WAIT = 300  # [s] by the clock, for what hangs without computing

SCENE_HEAD = "time: {step: 0.01, end: 0.01}\nmaterials: {m: {friction: 0.5}}\nbodies:\n"
WORDS = ["0", "-1", "1", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9223372036854775807",
         "18446744073709551615", "1e308", "1e999", "-1e999", "nan", "inf", "1x", "", "0x7fffffff", "99999999999999999999"]
BINARY = [struct.pack(f, v) for f, v in (("<i", -1), ("<I", 0x7FFFFFFF), ("<I", 0xFFFFFFFF), ("<I", 0x80000000), ("<I", 0),
                                         ("<q", -1), ("<q", 2**40), ("<d", float("nan")), ("<d", 1e300), ("<f", float("inf")))]


def tetrahedron():
    return [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


def stl_binary():
    points, faces = tetrahedron()
    out = b"binary".ljust(80) + struct.pack("<I", len(faces))
    for face in faces:
        out += struct.pack("<3f", 0, 0, 1) + b"".join(struct.pack("<3f", *points[k]) for k in face) + b"\0\0"
    return out


def stl_text():
    points, faces = tetrahedron()
    out = "solid t\n"
    for face in faces:
        out += "facet normal 0 0 1\nouter loop\n" + "".join("vertex %g %g %g\n" % points[k] for k in face) + "endloop\nendfacet\n"
    return (out + "endsolid t\n").encode()


def obj():
    points, faces = tetrahedron()
    out = "o t\n" + "".join("v %g %g %g\n" % p for p in points) + "vt 0 0\nvn 0 0 1\n"
    return (out + "".join("f " + " ".join(f"{k + 1}/1/1" for k in face) + "\n" for face in faces)).encode()


def ply(kind):
    points, faces = tetrahedron()
    head = (f"ply\nformat {kind} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 4\nproperty list uchar int vertex_indices\nend_header\n").encode()
    if kind == "ascii":
        return head + ("".join("%g %g %g\n" % p for p in points) + "".join("3 %d %d %d\n" % f for f in faces)).encode()
    order = "<" if "little" in kind else ">"
    return head + b"".join(struct.pack(order + "3f", *p) for p in points) + b"".join(
        struct.pack(order + "B3i", 3, *f) for f in faces)


def vtk(binary):
    head = b"# vtk DataFile Version 3.0\nt\n" + (b"BINARY" if binary else b"ASCII") + b"\nDATASET UNSTRUCTURED_GRID\n"
    points, _ = tetrahedron()
    if binary:
        return (head + b"POINTS 4 double\n" + b"".join(struct.pack(">3d", *p) for p in points) + b"\nCELLS 1 5\n" +
                struct.pack(">5i", 4, 0, 1, 2, 3) + b"\nCELL_TYPES 1\n" + struct.pack(">i", 10) +
                b"\nCELL_DATA 1\nSCALARS part int 1\nLOOKUP_TABLE default\n" + struct.pack(">i", 3) + b"\n")
    return head + ("POINTS 4 double\n" + "".join("%g %g %g\n" % p for p in points) +
                   "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\nCELL_DATA 1\nSCALARS part int 1\nLOOKUP_TABLE default\n3\n").encode()


def vtu():
    return (b'<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid>'
            b'<Piece NumberOfPoints="4" NumberOfCells="1"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">'
            b'0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3'
            b'</DataArray><DataArray type="Int64" Name="offsets" format="ascii">4</DataArray><DataArray type="UInt8" Name="types" '
            b'format="ascii">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n')


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(range(k, k + 12)) for k in range(4))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


GMSH = (b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        b"$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n")
NODE = b"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
ELE = b"1 4 0\n1 1 2 3 4\n"
URDF = (b'<robot name="r"><link name="base"/><link name="arm"><inertial><origin xyz="0 0 1" rpy="0 0 0"/><mass value="1"/>'
        b'<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial><collision><geometry><box size="1 1 1"/></geometry>'
        b'</collision></link><joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>'
        b'<limit lower="-1" upper="1" effort="5" velocity="2"/></joint></robot>\n')


def soft_scene(name):
    return f"time: {{step: 0.01, end: 0.01}}\nsoft: [{{name: s, mesh: {{file: {{path: {name}}}}}}}]\n"


def mesh_scene(name):
    return SCENE_HEAD + (f"  - {{name: b, static: true, shape: {{mesh: {{file: {name}}}}}}}\n"
                         "  - {name: s, mass: 1, shape: {sphere: {radius: 1}}, position: [0, 0, 9]}\n")


def texture_scene(name):
    return ("time: {step: 0.01, end: 0.01}\nmaterials: {m: {friction: 0.5, structure: {image: {file: " + name +
            ", size: [1, 1]}}}}\nbodies:\n  - {name: b, mass: 1, shape: {box: {half: [1, 1, 1]}}, material: m}\n")


def beside(text, source):
    """A study as if it lay in cases/studies, from anywhere."""
    return text.replace(b"../", f"{source}/cases/".encode()).replace(b"scene: scenes/", f"scene: {source}/cases/studies/scenes/".encode())


def kinds(source, program, scratch):
    """name -> (corpus of bytes, ending, scene around it or None, words of the command)"""
    check = ["check"]
    problems = [p.read_bytes() for p in sorted((source / "cases" / "problems").glob("*.hdf5")) if p.stat().st_size < 200000][:4]
    scenes = [p.read_bytes() for p in sorted((source / "cases").glob("*.yaml"))]
    scenes = [text for text in scenes if b"urdf:" not in text and b"file:" not in text]  # those stand beside what they name
    studies = [beside(p.read_bytes(), source) for p in sorted((source / "cases" / "studies").glob("*.yaml"))]
    made = scratch / "made"
    subprocess.run([program, "run", str(source / "cases" / "box_drop.yaml"), "-time_end", "0.02", "-checkpoint_every", "1",
                    "-progress", "none", "-check_expectations", "false", "-output_dir", str(made)], check=True, capture_output=True)
    return {
        "scene": (scenes, ".yaml", None, check),
        "study": (studies, ".yaml", None, ["study"]),
        "urdf": ([URDF], ".urdf", lambda n: f"time: {{step: 0.01, end: 0.01}}\nrobots: [{{urdf: {n}, name: r}}]\n", check),
        "obj": ([obj()], ".obj", mesh_scene, check),
        "stl": ([stl_binary(), stl_text()], ".stl", mesh_scene, check),
        "ply": ([ply("ascii"), ply("binary_little_endian"), ply("binary_big_endian")], ".ply", mesh_scene, check),
        "vtk": ([vtk(True), vtk(False)], ".vtk", soft_scene, check),
        "vtu": ([vtu()], ".vtu", soft_scene, check),
        "gmsh": ([GMSH], ".msh", soft_scene, check),
        "tetgen": ([ELE], ".ele", soft_scene, check),
        "png": ([png()], ".png", None, check),
        "problem": (problems, ".hdf5", None, ["solve"]),
        "checkpoint": ([(made / "checkpoint.hdf5").read_bytes()], ".hdf5", None, ["run", "-restart"]),
    }


def mutate(data, other, rng):
    data = bytearray(data)
    for _ in range(1 + rng.randrange(6)):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(9)
        if what == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif what == 1:
            del data[at:at + 1 + rng.randrange(32)]
        elif what == 2:
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?", bytes(data)))
            if numbers:
                m = rng.choice(numbers)
                data[m.start():m.end()] = rng.choice(WORDS).encode()
        elif what == 3:
            value = rng.choice(BINARY)
            data[at:at + len(value)] = value
        elif what == 4:
            words = list(re.finditer(rb"[A-Za-z_]+", bytes(data)))
            if words:
                one, two = rng.choice(words), rng.choice(words)
                data[one.start():one.end()] = two.group()
        elif what == 5:
            if rng.random() < 0.3:
                del data[at:]
        elif what == 6:
            piece = data[at:at + 1 + rng.randrange(200)]
            data[at:at] = piece * (1 + rng.randrange(3))
        elif what == 7 and len(other) > 0:
            start = rng.randrange(len(other))
            data[at:at] = other[start:start + 1 + rng.randrange(100)]
        elif what == 8 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def judge(done):
    """What is wrong with an outcome, or ""."""
    if done is None or done.returncode == -signal.SIGXCPU:
        return f"takes more than {SECONDS} s"
    code, err = done.returncode, done.stderr
    if code < 0 or code > 2:
        return f"exit code {code}"
    errors = [line for line in err.split(b"\n") if line.startswith(b"clarke:") and b"warning" not in line]
    if code == 2 and len(errors) != 1:
        return f"{len(errors)} lines of errors"
    if code == 2 and any(b"std::" in line or b"what()" in line for line in errors):
        return "an exception that nobody foresaw"
    if any(c < 0x20 and c not in b"\n\t" for c in err):
        return "control characters in a message"
    other = [line for line in err.split(b"\n") if line and not line.startswith((b"clarke:", b"warning:", b"  "))]
    if code == 2 and other:
        return f"chatter: {other[0][:80]!r}"
    return ""


def write(kind, place, data, name):
    corpus, ending, scene, words = kind
    (place / (name + ending)).write_bytes(data)
    if ending == ".ele":
        (place / (name + ".node")).write_bytes(NODE)
    file = place / (name + ending)
    if scene:
        file = place / (name + "_scene.yaml")
        file.write_text(scene(name + ending))
    return file


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def run_one(program, kind, place, data, name, whole=False, damaged=False):
    file = write(kind, place, data, name)
    words = kind[3]
    more = ["-output_dir", str(place / "out"), "-time_end", "0.05"] if "-restart" in words else []
    more += ["-output_dir", str(place / "out"), "-study_quick", "-study_report"] if words == ["study"] else []
    more += ["-snes_max_it", "3", "-newton_start_sweeps", "0"] if words == ["solve"] else []
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        done = subprocess.run([program, *words, str(file), *more], capture_output=True, timeout=WAIT, env=environment,
                              cwd=place, check=False, preexec_fn=limit_time)
    except subprocess.TimeoutExpired:
        return judge(None)
    if whole and done.returncode == 2:
        return f"refused: {done.stderr.decode(errors='replace')}"
    if damaged and done.returncode != 2:
        return f"exit code {done.returncode} instead of 2"
    return judge(done)


def replay(program, table, folder, scratch, source):
    """Files that are known to be damaged: each is refused, in one line."""
    failures = files = 0
    for path in sorted(folder.glob("*/*")):
        name = path.parent.name
        place = scratch / f"{name}_{path.stem}"
        place.mkdir()
        problem = run_one(program, table[name], place, beside(path.read_bytes(), source), "input", damaged=True)
        files += 1
        if problem:
            failures += 1
            print(f"{path}: {problem}", flush=True)
    assert files > 0, f"no files in {folder}"
    print(f"{files} files of {folder}: {failures} failed")
    return 1 if failures else 0


def main():
    program, source, scratch = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    rest = dict(zip(sys.argv[4::2], sys.argv[5::2]))
    count, seed, jobs = int(rest.get("--count", 20)), int(rest.get("--seed", 1)), int(rest.get("--jobs", 2))
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "failed").mkdir(parents=True)
    table = kinds(source, str(program), scratch)
    table["png"] = (*table["png"][:2], texture_scene, table["png"][3])
    if "--replay" in rest:
        return replay(str(program), table, pathlib.Path(rest["--replay"]).resolve(), scratch, source)
    wanted = rest.get("--kinds", ",".join(table)).split(",")

    def one(job):
        name, i = job
        rng = random.Random(f"{seed} {name} {i}")
        corpus = table[name][0]
        data = mutate(rng.choice(corpus), rng.choice(corpus), rng)
        place = scratch / f"{name}_{i}"
        place.mkdir()
        problem = run_one(str(program), table[name], place, data, "input")
        if problem:
            shutil.copytree(place, scratch / "failed" / f"{name}_{i}", dirs_exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        return f"{name} {i}: {problem}" if problem else ""

    for name in table:  # what is not mutated is read
        place = scratch / f"{name}_whole"
        place.mkdir()
        for k, data in enumerate(table[name][0][:3]):
            problem = run_one(str(program), table[name], place, data, f"input{k}", whole=True)
            assert not problem, f"{name} as it is: {problem}"
        shutil.rmtree(place)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for problem in pool.map(one, [(name, i) for i in range(count) for name in wanted]):
            if problem:
                failures += 1
                print(problem, flush=True)
    print(f"{count} mutants of each of {len(wanted)} kinds from seed {seed}: {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
