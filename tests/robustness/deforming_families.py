"""Families of random scenes with what deforms, and with ground that is no plane; as scene_families.py, with names of their own."""

import math

from scene_families import gap, layers, links, masses, start, upright

G = 9.81  # m/s²
FASTEST = 5e3  # m/s, of sound: of steel


def drawn(d, area, length, volume):
    """(density, mass, strain, most): of something of that volume, and the mass [kg] that compresses or stretches `length` of it by
    that strain where it strikes with d.speed, and sound is as fast as in steel."""
    density = d.log(20, 8000)
    strain = max(d.log(1e-4, 0.3), d.speed / FASTEST, (density * volume * G / area / (FASTEST**2 * density)))
    return density, density * volume, strain, FASTEST**2 * density / stiffness(d, 1.0, area, length, strain)


def stiffness(d, mass, area, length, strain):
    """Young's modulus [Pa] with which what strikes with d.speed strains that length so far: E A l ε²/2 = m (v²/2 + g l ε)."""
    return mass * (d.speed**2 + 2 * G * length * strain) / (area * length * strain**2)


def solid(d, length):
    """(mesh, half of its height, least area that carries, volume) of a soft body about as large as a cube of `length`."""
    kind, n = d.integer(0, 4), d.integer(1, 3)
    if kind == 0:
        r = length / 2
        return {"sphere": {"radius": r, "layers": d.integer(1, 3)}}, r, math.pi * r**2 / 4, 4 / 3 * math.pi * r**3
    if kind == 1:
        r = length / 4
        mesh = {"rod": {"radius": r, "length": 2 * length, "layers": d.integer(1, 2), "segments": d.integer(3, 8)}}
        return mesh, r, length * r, math.pi * r**2 * 2 * length
    if kind == 2:
        ring, tube = length / 2, length / 6
        mesh = {"torus": {"ring_radius": ring, "tube_radius": tube, "layers": 1, "segments": d.integer(8, 20)}}
        return mesh, tube, math.pi * ring * tube, 2 * math.pi**2 * ring * tube**2
    if kind == 3:
        size = [2 * length, length, length / d.real(3, 10)]
        return {"box": {"size": size, "cells": [2 * n, n, 1]}}, size[2] / 2, size[0] * size[1] / 2, math.prod(size)
    size = [length * d.real(0.6, 1) for _ in range(3)]
    return {"box": {"size": size, "cells": [n, d.integer(1, 3), n]}}, size[2] / 2, size[0] * size[1] / 2, math.prod(size)


MODELS = ["stable_neo_hookean", "stable_neo_hookean", "stable_neo_hookean_log", "corotational", "neo_hookean"]


def soft_body(d, s, name, part, z, carried):
    """A soft body that stands on z, and on which `carried` [kg] falls. Returns its top."""
    (mesh, half, area, volume), (density, mass, strain, _) = part
    keys = {"damping": d.log(0.01, 1) * s.h} if d.chance(0.3) else {}
    s.soft.append({"name": name, "mesh": mesh, "model": d.one_of(MODELS), "material": "stuff", "density": density,
                   "young": stiffness(d, mass + carried, area, 2 * half, strain), "poisson": d.one_of([0.0, 0.3, 0.45, 0.49]),
                   "position": [0.0, 0.0, z + half * 1.0001], "velocity": [0.0, 0.0, -d.speed], **keys})
    return z + 2 * half * 1.0002


def parts(d, count, length):
    """Of as many soft bodies: what solid() and drawn() say."""
    solids = [solid(d, length) for _ in range(count)]
    return [(one, drawn(d, one[2], 2 * one[1], one[3])) for one in solids]


def soft(name):
    """Soft bodies and rigid ones by turns on each other, on a floor, the rigid ones as heavy as the soft ones can carry."""
    d, s = start(name)
    count = d.integer(1, 3)
    pieces, heavy, carried = parts(d, count, d.length), masses(d, count), [0.0] * (count + 1)
    for k in reversed(range(count)):
        own, most = pieces[k][1][1], pieces[k][1][3]
        heavy[k] = min(heavy[k] / d.mass * own, max(most - own - carried[k + 1], 0.01 * own))
        carried[k] = carried[k + 1] + own + heavy[k]
    s.floor()
    z = 0.0
    for k in range(count):
        z = soft_body(d, s, f"s{k}", pieces[k], z + gap(d, s), heavy[k] + carried[k + 1])
        z += gap(d, s) + d.length / 2
        s.body(f"b{k}", upright(d, d.length / 2), [d.real(-0.1, 0.1) * d.length, d.real(-0.1, 0.1) * d.length, z],
               mass=heavy[k], velocity=[d.real(-1, 1) * d.speed * 0.3, 0.0, -d.speed])
        z += d.length / 2
    return d, s


def soft_pile(name):
    """Rigid bodies of all shapes in a bin, soft ones on them."""
    d, s = start(name)
    columns = d.integer(1, 3)
    pieces = parts(d, d.integer(1, 3), d.length * 0.9)
    d.mass = pieces[0][1][1] / d.ratio ** d.real(0, 1)
    top, width = layers(d, s, columns, 1, masses(d, columns**2))
    s.bin(-0.15 * d.length, max(width, 2 * d.length) + 0.15 * d.length)
    for k, piece in enumerate(pieces):
        top = soft_body(d, s, f"s{k}", piece, top + gap(d, s), sum(other[1][1] for other in pieces[k + 1:]))
        s.soft[-1]["position"][0] = s.soft[-1]["position"][1] = max(width, 2 * d.length) / 2
    return d, s


def cloth(name):
    """A sheet that catches bodies, held at two sides or four corners, or falls onto one."""
    d, s = start(name)
    cells = [d.integer(2, 10), d.integer(2, 10)]
    size = [d.length, d.length * d.real(0.5, 1)]
    bodies = d.integer(1, 3)
    heavy = masses(d, bodies)
    thickness = d.length * d.log(1e-3, 1e-2)
    falls = d.chance(0.4)
    carries = d.mass if falls else sum(heavy)
    young = stiffness(d, carries, thickness * size[1], size[0], d.log(1e-3, 0.3))
    a = 0.12 * d.length
    fixed = [] if falls else d.one_of([["x_min", "x_max"], ["x_min y_min", "x_max y_min", "x_min y_max", "x_max y_max"]])
    s.cloth.append({"name": "sheet", "mesh": {"sheet": {"size": size, "cells": cells}}, "young": young,
                    "poisson": d.one_of([0.0, 0.3]), "thickness": thickness, "density": d.mass / (size[0] * size[1]),
                    "bending_stiffness": young * thickness**3 * d.log(1e-3, 0.1), "material": "stuff",
                    "velocity": [0.0, 0.0, -d.speed] if falls else [0.0, 0.0, 0.0], "fixed": fixed})
    z = thickness / 2
    for k in range(bodies):
        if falls:
            s.fixed(f"b{k}", upright(d, a), [(k - 0.5 * (bodies - 1)) * 2.2 * a, d.real(-1, 1) * a, -z - a - gap(d, s)])
        else:
            z += a + gap(d, s)
            s.body(f"b{k}", upright(d, a), [d.real(-0.1, 0.1) * a, d.real(-0.1, 0.1) * a, z], mass=heavy[k],
                   velocity=[0.0, 0.0, -d.speed])
            z += a
    if falls:
        s.floor(-4 * a)
    return d, s


def terrain(name):
    """Bodies of all shapes, turned anyhow, fall onto bumps of triangles; some of them are chained."""
    d, s = start(name)
    columns = d.integer(1, 4)
    count = columns**2
    heavy = masses(d, count)
    a = d.length / 2
    bump, wave = a * d.log(0.05, 1), d.length * d.real(0.7, 4)
    points = d.integer(9, 41)
    spacing = 3.0 * d.length * columns / (points - 1)
    s.fixed("ground", {"height_field": {"columns": points, "rows": points, "spacing": spacing, "expression":
                                        f'"{bump:.6g}*sin({2 * math.pi / wave:.6g}*x+1)*cos({2 * math.pi / wave:.6g}*y)"'}})
    chained = d.chance(0.3)
    if chained:
        bars = d.integer(2, 5)
        links(d, s, "l", [-bars * a, 0.0, bump + 0.1 * d.length + gap(d, s)], 0.0, masses(d, bars),
              d.one_of([["ball"], ["hinge"], ["hinge", "universal", "slider"]]), False)
    high = bump + a * 1.8 + (0.3 * d.length if chained else 0.0) + gap(d, s)
    for k in range(count):
        at = [2.2 * d.length * (k % columns - (columns - 1) / 2) * 0.9, 2.2 * d.length * (k // columns - (columns - 1) / 2) * 0.9, high]
        s.body(f"b{k}", upright(d, a), at, mass=heavy[k], velocity=[d.real(-1, 1) * d.speed, d.real(-1, 1) * d.speed, -d.speed],
               orientation={"axis": d.direction(), "angle_deg": d.real(0, 360)})
    return d, s


def attached(name):
    """A soft bar tied to a rigid body at its end, and to another or the world at the other one, above a floor."""
    d, s = start(name)
    length, thick = 2 * d.length, d.length * d.log(0.05, 0.5)
    cells = [d.integer(2, 10), d.integer(1, 2), d.integer(1, 2)]
    density, own, strain, most = drawn(d, thick**2, length, length * thick**2)
    heavy = [min(m / d.mass * own, max(most - own, 0.01 * own)) for m in masses(d, 2)]
    young = stiffness(d, max(heavy) + own, thick**2, length, strain)
    half, held = 0.6 * thick, d.chance(0.5)
    falls = None if held else [0.0, 0.0, -d.speed]
    s.soft.append({"name": "bar", "mesh": {"bar": {"size": [length, thick, thick], "cells": cells}}, "model": d.one_of(MODELS),
                   "young": young, "poisson": d.one_of([0.0, 0.3, 0.45]), "density": density, "material": "stuff",
                   "velocity": falls or [0.0, 0.0, 0.0], "fixed": ["x_min"] if held else []})
    ends = [("right", length + half, heavy[1], length)] + ([] if held else [("left", -half, heavy[0], 0.0)])
    for end, x, mass, at in ends:
        s.body(end, {"box": {"half": [half, half, half]}}, [x, 0.0, 0.0], mass=mass, velocity=falls)
        keys = {"compliance": d.log(1e-6, 1e-3) * length / (mass * G)} if d.chance(0.3) else {}
        s.attachments.append({"name": f"tie_{end}", "between": ["bar", end],
                              "box": {"low": [at - 1e-6, -thick, -thick], "high": [at + 1e-6, thick, thick]}, **keys})
    s.floor(-half - gap(d, s) - (0.0 if not held or d.chance(0.5) else d.length * d.real(0, 0.2)))
    return d, s


def balloon(name):
    """A closed skin with gas in it between a floor and a weight."""
    d, s = start(name)
    r = d.length / 2
    thickness = r * d.log(1e-3, 2e-2)
    pressure = d.log(10, 1e4)
    weight = pressure * r**2 * d.log(0.01, 0.5) / G
    young = pressure * r / (2 * thickness) / d.log(1e-3, 0.2)
    s.cloth.append({"name": "skin", "mesh": {"sphere": {"radius": r, "refinements": d.integer(1, 2)}}, "model": "neo_hookean",
                    "young": young, "poisson": d.one_of([0.3, 0.45]), "thickness": thickness, "density": d.log(0.05, 2),
                    "bending_stiffness": young * thickness**3 * 0.08, "material": "stuff", "velocity": [0.0, 0.0, -d.speed]})
    s.volumes.append({"name": "air", "of": "skin", "law": "ideal_gas", "gauge_pressure": pressure})
    s.floor(-r - thickness / 2 - gap(d, s))
    if d.chance(0.7):
        s.body("weight", {"box": {"half": [r, r, r / 4]}}, [0.0, 0.0, 1.25 * r + thickness / 2 + gap(d, s)], mass=weight,
               velocity=[0.0, 0.0, -d.speed])
    return d, s


DEFORMING = {f.__name__: f for f in (soft, soft_pile, cloth, terrain, attached, balloon)}
