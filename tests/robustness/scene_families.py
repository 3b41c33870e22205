"""Families of random scenes: each draws one `Scene` that is at, or a few steps from, the moment when all of it touches.

Drawn by all: μ from 0 to 5, steps of 1e-4 to 0.05 s, masses from 1 : 1 to 1 : 10⁶, lengths of centimetres to a
metre, speeds at which things meet. None asks for what cannot be: only weights and motors of a finite effort press, and
walls leave a way out.
"""

import math

from scene_text import Draw, Scene, added, perpendicular, scaled


def start(name):
    """(draw, scene) with what all families have."""
    d = Draw(name)
    mu = 0.0 if d.chance(0.15) else d.real(0.1, 1) if d.chance(0.5) else d.real(1, 5)
    s = Scene(name, d.log(1e-4, 0.05), mu)
    if d.chance(0.1):
        s.materials["stuff"].update(contact_stiffness=d.log(1e4, 1e8), contact_damping=d.log(1, 1e3))
    d.ratio = d.log(1, 1e6)
    d.length = d.log(0.02, 1)
    d.speed = d.log(0.05, 5)
    d.mass = d.log(0.01, 10)
    return d, s


def masses(d, count):
    """From d.mass to d.ratio times that: the heaviest last (on top, at the end), first, or anywhere."""
    m = [d.mass * d.ratio ** (k / max(1, count - 1)) for k in range(count)]
    order = d.integer(0, 2)
    if order == 1:
        m.reverse()
    if order == 2:
        for k in range(count - 1, 0, -1):
            j = d.integer(0, k)
            m[k], m[j] = m[j], m[k]
    return m


def gap(d, s):
    """What closes within two steps; a third of them touch."""
    return 0.0 if d.chance(0.33) else d.speed * s.h * d.real(0, 2)


def upright(d, a):
    """A shape that reaches from -a to a in z, and no further than a in x and y."""
    kind = d.integer(0, 5)
    u, v = d.real(0.5, 0.95), d.real(0.5, 0.95)
    if kind == 0:
        return {"sphere": {"radius": a}}
    if kind == 1:
        return {"cylinder": {"radius": a * u, "half_height": a}}
    if kind == 2:
        return {"capsule": {"radius": a * 0.5 * u, "half_height": a * (1 - 0.5 * u)}}
    if kind == 3:
        w = a * 0.65
        return {"convex": {"points": [[x * w * u, y * w * v, z * a] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
                           + [[x * a * 0.9, 0.0, 0.0] for x in (-1, 1)]}}
    if kind == 4:
        return {"compound": [{"box": {"half": [a * 0.9, a * 0.3 * u, a]}},
                             {"box": {"half": [a * 0.3 * v, a * 0.9, a]}}]}
    return {"box": {"half": [a * u, a * v, a]}}


def layers(d, s, columns, count, masses_of, z=0.0, prefix="b"):
    """columns² × count bodies of all shapes in layers, each layer turned and moved against the one below.
    Returns the top of the last one, and what they cover of x and y."""
    a, k = d.length / 2, 0
    lean = min(0.2, d.speed * s.h / a)
    pitch = 2 * a * (1.025 + 1.4 * lean)
    for layer in range(count):
        tilt = 0.0 if d.chance(0.4) else d.real(0, 1) * lean
        half = a * (1 + 1.4 * tilt)
        z += gap(d, s) + 2 * half
        shift = [d.real(-0.3, 0.3) * a, d.real(-0.3, 0.3) * a]
        for i in range(columns):
            for j in range(columns):
                axis = [math.cos(k * 2.4), math.sin(k * 2.4), 0.0]
                at = [pitch * (i + 0.5) + shift[0], pitch * (j + 0.5) + shift[1], z - half]
                s.body(f"{prefix}{k}", upright(d, a), at, mass=masses_of[k], velocity=[0.0, 0.0, -d.speed],
                       orientation={"axis": axis, "angle_deg": math.degrees(tilt)} if tilt else None)
                k += 1
    return z, columns * pitch


def stack(name):
    d, s = start(name)
    count = d.integer(2, 12)
    s.floor()
    z = 0.0
    for k, m in enumerate(masses(d, count)):
        half = [d.length / 2 * d.real(0.6, 1) for _ in range(3)]
        z += half[2] + gap(d, s)
        shape = {"box": {"half": half}}
        if d.chance(0.2):
            shape = {"cylinder": {"radius": half[0], "half_height": half[2]}}
        s.body(f"b{k}", shape, [d.real(-0.2, 0.2) * half[0], d.real(-0.2, 0.2) * half[1], z], mass=m,
               velocity=[d.real(-1, 1) * d.speed * 0.3, 0.0, -d.speed],
               orientation={"axis": [0.0, 0.0, 1.0], "angle_deg": d.one_of([0.0, 90.0, d.real(0, 90)])})
        z += half[2]
    return d, s


def coordinate(d, s, rotary, force):
    """Limits, a motor, friction, for a joint with one coordinate."""
    keys = {}
    if d.chance(0.5):
        reach = d.log(0.01, 1) * (1 if rotary else d.length)
        keys["limits"] = {"lower": -reach if d.chance(0.7) else None, "upper": reach * d.real(0, 1)}
    motor = d.integer(0, 3)
    effort = force * d.log(0.01, 3)
    if motor == 0:
        keys["drive"] = {"damping": "infinite", "rate": d.real(-3, 3), "effort": effort}
    if motor == 1:
        keys["drive"] = {"stiffness": effort / 0.1, "damping": effort * 0.05, "target": d.real(-0.5, 0.5),
                         "effort": effort}
    if d.chance(0.3):
        keys["friction"] = {"dry": effort * 0.1}
    return keys


KINDS = ["ball", "hinge", "universal", "cylindrical", "slider", "point_on_line", "point_on_plane", "weld"]


def connect(d, s, name, a, b, anchor, kinds, force):
    """A joint of one of the kinds, along any axes. force: what it will carry [N]."""
    kind, axis = d.one_of(kinds), d.direction()
    keys = {"anchor": anchor}
    if kind not in ("ball", "weld"):
        keys["axis"] = axis
    if kind == "universal":
        keys["axis_2"] = perpendicular(axis)
    if kind in ("hinge", "slider"):
        keys.update(coordinate(d, s, kind == "hinge", force * (d.length if kind == "hinge" else 1)))
    if kind in ("ball", "weld") and d.chance(0.3):
        keys.update(compliance=d.log(1e-4, 1) * d.length / force, damping=0.0)
    return s.joint(kind, name, [a, b], **keys)


def links(d, s, prefix, origin, angle, heavy, kinds, hung):
    """Bars end to end, `angle` [rad] below the x axis, joined to each other and to the world if hung."""
    half, thin = d.length / 2, d.length * 0.1
    along = [math.cos(angle), 0.0, -math.sin(angle)]
    force = 9.81 * sum(heavy)
    for k, m in enumerate(heavy):
        at = added(origin, along, half * (2 * k + 1))
        shape = {"box": {"half": [half, thin, thin]}} if d.chance(0.6) else {"box": {"half": [half, 2 * thin, thin]}}
        s.body(f"{prefix}{k}", shape, at, mass=m, velocity=None if hung else [0.0, 0.0, -d.speed],
               orientation={"axis": [0.0, 1.0, 0.0], "angle_deg": math.degrees(angle)} if angle else None)
        if k or hung:
            other = f"{prefix}{k - 1}" if k else "world"
            connect(d, s, f"{prefix}j{k}", f"{prefix}{k}", other, added(origin, along, half * 2 * k), kinds, force)
    s.ignore += [[f"{prefix}{k}", f"{prefix}{k + 2}"] for k in range(len(heavy) - 2)]


def chain(name):
    d, s = start(name)
    count = d.integer(3, 14)
    kinds = d.one_of([["ball"], ["hinge"], ["ball", "universal"], KINDS])
    angle = d.one_of([0.0, math.pi / 2, d.real(0, 1.5)])
    hung = d.chance(0.7)
    on_floor = not hung or (angle == 0.0 and d.chance(0.4))
    links(d, s, "l", [0.0, 0.0, 0.0], 0.0 if on_floor else angle, masses(d, count), kinds, hung)
    if on_floor:
        s.floor(-d.length * 0.1 - gap(d, s))
    return d, s


def weight_on_spheres(name):
    d, s = start(name)
    columns, count = d.size(2, 8), d.integer(1, 3)
    r, uneven = d.length / 4, d.chance(0.3)
    s.bin(-r * 1.001, (2 * columns - 1) * r * 1.001)
    for k in range(columns**2 * count):
        i, j, layer = k % columns, k // columns % columns, k // columns**2
        s.body(f"b{k}", {"sphere": {"radius": r * (1 - d.real(0, 1e-3) * uneven)}},
               [2 * r * i, 2 * r * j, r * (2 * layer + 1)], mass=d.mass)
    size = (columns - 1) * r
    s.body("weight", {"box": {"half": [size + r * 0.9, size + r * 0.9, r]}},
           [size, size, r * (2 * count + 1) + gap(d, s)], mass=d.mass * d.ratio, velocity=[0.0, 0.0, -d.speed])
    return d, s


def pile(name):
    d, s = start(name)
    columns, count = d.integer(1, 5), d.integer(2, 4)
    number = columns**2 * count
    _, width = layers(d, s, columns, count, masses(d, number))
    s.bin(-0.15 * d.length, width + 0.15 * d.length)
    return d, s


def wedged(name):
    """Rows of boxes between a wall, which may lean, and a ram that a motor presses; some of them are joined."""
    d, s = start(name)
    columns, rows, a = d.size(2, 10), d.integer(1, 3), d.length / 2
    heavy = masses(d, columns * rows)
    lean = d.one_of([0.0, d.real(0, 0.3)])
    s.floor()
    s.wall("wall", [math.cos(lean), 0.0, math.sin(lean)], [-a - 2 * rows * a * math.tan(lean), 0.0, 0.0])
    s.wall("front", [0.0, 1.0, 0.0], [0.0, -a - d.log(1e-9, 1e-3), 0.0])
    s.wall("back", [0.0, -1.0, 0.0], [0.0, a + d.log(1e-9, 1e-3), 0.0])
    for k in range(columns * rows):
        i, j = k % columns, k // columns
        shape = {"box": {"half": [a, a, a]}} if d.chance(0.7) else {"cylinder": {"radius": a, "half_height": a}}
        s.body(f"b{k}", shape, [2 * a * i, 0.0, a * (2 * j + 1)], mass=heavy[k])
        if i and d.chance(0.3):
            connect(d, s, f"j{k}", f"b{k}", f"b{k - 1}", [2 * a * i - a, d.real(-a, a), a * (2 * j + 1)],
                    ["ball", "hinge", "slider", "weld", "cylindrical"], heavy[k] * 9.81)
    x = 2 * a * columns + gap(d, s)
    s.body("ram", {"box": {"half": [a, a, a * rows]}}, [x, 0.0, a * rows + a * 0.01], mass=max(heavy))
    s.joint("slider", "press", ["ram", "world"], anchor=[x, 0.0, a * rows], axis=[1.0, 0.0, 0.0],
            drive={"damping": "infinite", "rate": -d.speed, "effort": sum(heavy) * 9.81 * d.log(0.1, 1e3)})
    return d, s


def mechanism_on_pile(name):
    d, s = start(name)
    columns, count = d.integer(2, 4), d.integer(1, 2)
    number, bars = columns**2 * count, d.integer(2, 5)
    heavy = masses(d, number + bars)
    top, width = layers(d, s, columns, count, heavy)
    s.bin(-0.15 * d.length, max(width, bars * d.length) + 0.15 * d.length)
    links(d, s, "l", [0.0, width * d.real(0.3, 0.7), top + 0.1 * d.length + gap(d, s)], 0.0, heavy[number:],
          d.one_of([["ball"], ["hinge"], ["hinge", "universal", "slider"], KINDS]), False)
    return d, s


def loop(name):
    """A ring of bars on hinges with parallel axes, redundant in space, on a floor or on bodies, with a weight on it."""
    d, s = start(name)
    sides, r, thin = d.integer(3, 8), d.length, 0.06 * d.length
    heavy = masses(d, sides + 1)
    kinds = d.one_of(["hinge", "hinge", "ball"])
    z = thin + gap(d, s)
    s.floor()
    corner = [[r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z] for k in range(sides)]
    for k in range(sides):
        a, b = corner[k], corner[(k + 1) % sides]
        half = math.dist(a, b) / 2
        s.body(f"b{k}", {"box": {"half": [half, thin, thin]}}, scaled(added(a, b), 0.5), mass=heavy[k], group="ring",
               velocity=[0.0, 0.0, -d.speed],
               orientation={"axis": [0.0, 0.0, 1.0], "angle_deg": math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))})
    s.ignore.append(["ring", "ring"])
    for k in range(sides):
        keys = {"axis": [0.0, 0.0, 1.0], **coordinate(d, s, True, 9.81 * heavy[k] * r)} if kinds == "hinge" else {}
        s.joint(kinds, f"j{k}", [f"b{k}", f"b{(k + 1) % sides}"], anchor=corner[(k + 1) % sides], **keys)
    s.body("weight", {"box": {"half": [r, r, thin]}}, [0.0, 0.0, z + 2 * thin + gap(d, s)], mass=heavy[-1],
           velocity=[0.0, 0.0, -d.speed])
    return d, s


def rope(name):
    """A rope with a load, over a drum or along a floor."""
    d, s = start(name)
    segments, r = d.integer(6, 40), 0.01 * d.length
    particle = d.mass * 0.1
    span = 2 * d.length
    z = d.length
    weight = particle * d.ratio
    stiff = {} if d.chance(0.5) else {"stiffness": 9.81 * (weight + particle) * d.log(10, 1e5), "damping": 0.01}
    s.builders.append({"rope": {"name": "rope", "from": [0.0, 0.0, z], "to": [span, 0.0, z], "segments": segments,
                                "length": span * d.one_of([1.0, d.real(1, 1.3)]), "linear_density": particle * segments / span,
                                "radius": r, "sag": [0.0, 1.0, 0.0], "slack": d.chance(0.3), "ends": ["world", "load"], **stiff}})
    s.body("load", {"box": {"half": [d.length * 0.2] * 3}}, [span + d.length * 0.2, 0.0, z], mass=weight)
    s.ignore.append(["rope", "load"])
    drop = r + gap(d, s)
    if d.chance(0.5):
        s.fixed("drum", {"cylinder": {"radius": d.length * 0.3, "half_height": d.length}}, [d.length, 0.0, z - d.length * 0.3 - drop],
                orientation={"axis": [1.0, 0.0, 0.0], "angle_deg": 90.0})
    else:
        s.floor(z - d.length * 0.2 - gap(d, s))
    return d, s


def arm(name):
    """An arm with limits and motors pushes a row of blocks along a floor against a wall."""
    d, s = start(name)
    count, blocks, a = d.integer(2, 4), d.integer(1, 6), d.length / 4
    heavy = masses(d, count + blocks)
    z = a
    s.floor()
    for k in range(blocks):
        s.body(f"b{k}", upright(d, a), [2 * a * k, 0.0, a], mass=heavy[k])
    s.wall("wall", [1.0, 0.0, 0.0], [-a - gap(d, s), 0.0, 0.0])
    x = 2 * a * blocks - a + gap(d, s)
    for k in range(count):
        s.body(f"l{k}", {"box": {"half": [2 * a, 0.3 * a, 0.3 * a]}}, [x + 2 * a + 4 * a * k, 0.0, z], mass=heavy[blocks + k])
        force = 9.81 * sum(heavy[blocks:]) * a * 4
        keys = {"axis": d.one_of([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), **coordinate(d, s, True, force)}
        s.joint("hinge", f"j{k}", [f"l{k}", f"l{k + 1}" if k + 1 < count else "rail"], anchor=[x + 4 * a * (k + 1), 0.0, z], **keys)
    s.ignore += [[f"l{k}", f"l{k + 2}"] for k in range(count - 2)] + [["rail", f"l{k}"] for k in range(count)]
    end = x + 4 * a * count
    s.body("rail", {"box": {"half": [0.3 * a, a, 0.3 * a]}}, [end, 0.0, z], mass=heavy[-1])
    s.joint("slider", "track", ["rail", "world"], anchor=[end, 0.0, z], axis=[1.0, 0.0, 0.0],
            drive={"damping": "infinite", "rate": -d.speed, "effort": sum(heavy) * 9.81 * d.log(0.1, 100)})
    return d, s


def built(name):
    """One of the scene format's own builders."""
    d, s = start(name)
    kind = d.one_of(["arch", "card_house", "wall_of_bricks", "domino_run", "spheres_column", "scissor_lift", "redundant_box"])
    keys = {"arch": {"stones": d.integer(5, 30), "span": 8.0, "rise": d.real(2, 8)},
            "card_house": {"levels": d.integer(1, 4), "tilt": d.real(0.2, 0.5)},
            "wall_of_bricks": {"courses": d.integer(4, 8), "bricks": d.integer(2, 6), "distance": d.real(0, 0.05)},
            "domino_run": {"rows": d.integer(1, 4), "count": d.integer(3, 9), "spacing": d.log(0.01, 0.04)},
            "spheres_column": {"count": d.integer(20, 120), "side": d.integer(2, 5), "mass_ratio": d.ratio},
            "scissor_lift": {"stages": d.integer(1, 5), "bar_mass": d.mass, "foot_mass": d.mass, "load": d.mass * d.ratio},
            "redundant_box": {"points": d.integer(2, 12), "mass": d.mass}}[kind]
    if kind != "scissor_lift":
        keys["material"] = "stuff"
    if kind in ("arch", "card_house", "wall_of_bricks", "domino_run", "redundant_box"):
        s.floor()
    s.builders.append({kind: keys})
    return d, s


FAMILIES = {f.__name__: f for f in (stack, chain, weight_on_spheres, pile, wedged, mechanism_on_pile, loop, rope, arm, built)}
