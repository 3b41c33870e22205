"""Which static bodies stand between the camera and what moves: walls of a bin, of which a picture is not about.

A ray from each point of what moves to the camera; a body hides a point when one of its polygons crosses the ray.
"""

import numpy as np

SAMPLES = 500     # points of what moves that are looked at
SHARE = 0.15      # of them, above which a body is in the way
OFF = 1e-3        # of the distance to the camera: a ray starts this far out, so that what a body touches hides nothing


def triangles_of(corners, starts):
    """A fan for each polygon: three arrays of corners, and the polygon of each triangle."""
    count = np.diff(np.append(starts, len(corners)))
    cell = np.repeat(np.arange(len(starts)), count - 2)
    k = np.arange(len(cell)) - np.repeat(np.cumsum(count - 2) - (count - 2), count - 2) + 1
    first = starts[cell]
    return corners[first], corners[first + k], corners[first + k + 1], cell


def crossed(origin, direction, a, b, c):
    """Which of the triangles the segment from `origin` along `direction`, 0 to 1, crosses [Moller Trumbore 1997]."""
    u, v = b - a, c - a
    p = np.cross(direction, v)
    det = (u * p).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = ((origin - a) * p).sum(axis=1) / det
        q = np.cross(origin - a, u)
        t = (q @ direction) / det
        r = (q * v).sum(axis=1) / det
    return (det != 0) & (s >= 0) & (t >= 0) & (s + t <= 1) & (r > OFF) & (r < 1)


def in_the_way(corners, starts, body, points, camera):
    """The bodies of the polygons (`body` per polygon) that hide more than SHARE of the points from the camera."""
    if not len(starts) or not len(points):
        return []
    a, b, c, cell = triangles_of(corners, starts)
    of_triangle = np.asarray(body)[cell]
    seen = points[np.linspace(0, len(points) - 1, min(SAMPLES, len(points))).astype(int)]
    hidden = {}
    for point in seen:
        for number in np.unique(of_triangle[crossed(point, camera - point, a, b, c)]):
            hidden[number] = hidden.get(number, 0) + 1
    return [number for number, count in hidden.items() if count > SHARE * len(seen)]
