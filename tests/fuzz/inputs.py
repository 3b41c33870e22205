"""What tests/fuzz/mutants.py begins with: of every kind of input file a few that are whole, and how the program is given one."""

import hashlib
import re
import struct
import subprocess
import zlib

CHECKPOINTS = ["box_drop", "pendulum_springs", "soft_link"]  # cases: contacts, joints, elements
SCENE_HEAD = "time: {step: 0.01, end: 0.01}\nmaterials: {m: {friction: 0.5}}\nbodies:\n"


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
    for case in CHECKPOINTS:
        subprocess.run([program, "run", str(source / "cases" / f"{case}.yaml"), "-time_end", "0.02", "-checkpoint_every", "1",
                        "-progress", "none", "-check_expectations", "false", "-output_dir", str(scratch / "made" / case)],
                       check=True, capture_output=True)
    checkpoints = [(scratch / "made" / case / "checkpoint.hdf5").read_bytes() for case in CHECKPOINTS]
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
        "png": ([png()], ".png", texture_scene, check),
        "problem": (problems, ".hdf5", None, ["solve"]),
        "checkpoint": (checkpoints, ".hdf5", None, ["run", "-restart"]),
    }


def seal_checkpoint(data):
    """With the length and the SHA-256 of what is there now, as far as its preface is still one."""
    head, image = data[:512], data[512:]
    begin = re.match(rb"clarke checkpoint\n(?:format|program)[^\n]*\n(?:format|program)[^\n]*\n", head)
    if not begin:
        return data
    preface = begin.group() + b"bytes %d\n" % len(image)
    preface += b"sha256 " + hashlib.sha256(preface + image).hexdigest().encode() + b"\n"
    return preface.ljust(512, b"\0")[:512] + image


def seal_png(data):
    """With the checksums of the chunks that are there now."""
    out, at = data[:8], 8
    while at + 12 <= len(data):
        length = struct.unpack(">I", data[at:at + 4])[0]
        if at + 12 + length > len(data):
            break
        body = data[at + 4:at + 8 + length]
        out += data[at:at + 4] + body + struct.pack(">I", zlib.crc32(body))
        at += 12 + length
    return out + data[at:]


SEALS = {"checkpoint": seal_checkpoint, "png": seal_png}
