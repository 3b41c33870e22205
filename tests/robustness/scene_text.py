"""A scene as a user would write it, put together piece by piece: `Scene.text()` is the YAML that docs/scenes.md describes."""

import math


class Draw:
    """Random numbers of a seed, the same with every Python: only random() and strings as seeds are kept by its versions."""

    def __init__(self, seed):
        import random

        self.source = random.Random(seed)

    def real(self, low, high):
        return low + (high - low) * self.source.random()

    def log(self, low, high):
        return math.exp(self.real(math.log(low), math.log(high)))

    def integer(self, low, high):
        """Both ends included."""
        return min(high, low + int((high - low + 1) * self.source.random()))

    def size(self, low, high):
        """An integer as likely in [1, 10] as in [10, 100]."""
        return min(high, int(self.log(low, high + 1)))

    def chance(self, share):
        return self.source.random() < share

    def one_of(self, values):
        return values[self.integer(0, len(values) - 1)]

    def direction(self):
        while True:
            v = [self.real(-1, 1) for _ in range(3)]
            if 0.1 < norm(v) < 1:
                return scaled(v, 1 / norm(v))


def norm(v):
    return math.sqrt(sum(x * x for x in v))


def scaled(v, s):
    return [s * x for x in v]


def added(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def perpendicular(v):
    """A unit vector at right angles to v."""
    least = min(range(3), key=lambda k: abs(v[k]))
    e = [float(k == least) for k in range(3)]
    c = [v[1] * e[2] - v[2] * e[1], v[2] * e[0] - v[0] * e[2], v[0] * e[1] - v[1] * e[0]]
    return scaled(c, 1 / norm(c))


def flow(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value + 0.0:.12g}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(x)}" for key, x in value.items() if x is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    return str(value)


def half_extents(shape):
    """The smallest of each of its parts; a plane has none."""
    (kind, keys), = shape.items()
    if kind == "compound":
        return [x for part in keys for x in half_extents(part)]
    if kind == "convex":
        return [max(abs(x) for point in keys["points"] for x in point)]
    sizes = keys.get("half", [keys[key] for key in ("radius", "half_height") if key in keys])
    return [min(sizes)] if sizes else []


class Scene:
    """h: step [s]. `steps` of them are run; `facts` say what was drawn: μ, h, ratio of masses."""

    def __init__(self, name, h, mu):
        self.name, self.h, self.mu, self.steps = name, h, mu, 12
        self.materials = {"stuff": {"friction": mu}}
        self.bodies, self.builders, self.joints, self.ignore = [], [], [], []
        self.soft, self.cloth, self.volumes, self.attachments = [], [], [], []

    def body(self, name, shape, position, **keys):
        keys.setdefault("material", "stuff")
        self.bodies.append({"name": name, "shape": shape, "position": position, **keys})
        return name

    def fixed(self, name, shape, position=(0.0, 0.0, 0.0), **keys):
        return self.body(name, shape, list(position), static=True, **keys)

    def floor(self, z=0.0):
        return self.fixed("floor", {"plane": {"normal": [0.0, 0.0, 1.0], "offset": z}})

    def wall(self, name, normal, point):
        """A plane through the point, solid behind it."""
        unit = scaled(normal, 1 / norm(normal))
        return self.fixed(name, {"plane": {"normal": unit, "offset": sum(n * p for n, p in zip(unit, point))}})

    def bin(self, low, high):
        """A floor at z = 0 and four walls around [low, high]²."""
        self.floor()
        for name, normal, at in (("left", [1.0, 0.0, 0.0], low), ("right", [-1.0, 0.0, 0.0], high),
                                 ("front", [0.0, 1.0, 0.0], low), ("back", [0.0, -1.0, 0.0], high)):
            self.wall(name, normal, [at, at, 0.0])

    def motion(self):
        """How far the fastest body goes in a step, or falls in the first one, over the smallest half-extent; NaN without bodies."""
        sizes = [x for body in self.bodies for x in half_extents(body["shape"])]
        speed = max([9.81 * self.h] + [norm(body["velocity"]) for body in self.bodies if body.get("velocity")])
        return speed * self.h / min(sizes) if sizes else math.nan

    def joint(self, kind, name, ends, **keys):
        self.joints.append({kind: {"name": name, "bodies": list(ends), **keys}})
        return name

    def text(self, comment=""):
        lines = [f"# {line}" for line in comment.splitlines()]
        lines += ["version: 1", f"case: {self.name}", f"time: {flow({'step': self.h, 'end': self.h * (self.steps - 0.5)})}",
                  f"materials: {flow(self.materials)}"]
        for key, entries in (("bodies", self.bodies), ("soft", self.soft), ("cloth", self.cloth), ("volumes", self.volumes),
                             ("build", self.builders), ("joints", self.joints), ("attachments", self.attachments)):
            if entries:
                lines += [f"{key}:"] + [f"  - {flow(entry)}" for entry in entries]
        if self.ignore:
            lines.append(f"collisions: {flow({'ignore': self.ignore})}")
        return "\n".join(lines) + "\n"
