"""One frame of a run as VTK data, prepared for a picture: what moves, what stands, the ground, shadows, camera, forces.

Everything here is geometry in the world frame [m]; how it looks is in render.py.
"""

import os
from fnmatch import fnmatch

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_ID_TYPE, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataObject, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkGlyph3D, vtkThreshold
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersSources import vtkSphereSource
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from soft_geometry import read_soft

# A static surface this many times larger than the model that moves is ground: only its part near the model is shown.
GROUND_FACTOR = 3
# Bodies this many times farther from the middle than half of all bodies are left out.
FAR_OFF = 25
OPEN, STICK, SLIP = 0, 1, 2


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    if reader.GetErrorCode() != 0:
        raise OSError(f"{path} cannot be read")
    return reader.GetOutput()


def array(data, name):
    return vtk_to_numpy(data.GetArray(name))


def coordinates(model):
    return vtk_to_numpy(model.GetPoints().GetData()) if model.GetNumberOfPoints() else np.zeros((0, 3))


def cells_of(model, keep):
    """The polygons for which `keep` is true, with their data."""
    keep = np.asarray(keep)
    if keep.all():
        return model
    marked = vtkPolyData()
    marked.ShallowCopy(model)
    flag = numpy_to_vtk(keep.astype(np.int8), deep=1)
    flag.SetName("keep")
    marked.GetCellData().AddArray(flag)
    threshold = vtkThreshold()
    threshold.SetInputData(marked)
    threshold.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "keep")
    threshold.SetUpperThreshold(0.5)
    threshold.SetThresholdFunction(vtkThreshold.THRESHOLD_UPPER)
    surface = vtkGeometryFilter()
    surface.SetInputConnection(threshold.GetOutputPort())
    surface.Update()
    return surface.GetOutput()


def corner_table(model):
    """The corner points of all polygons in a row, and where each polygon starts."""
    cells = model.GetPolys()
    if not cells.GetNumberOfCells():
        return np.zeros((0, 3)), np.zeros(0, int)
    return (coordinates(model)[vtk_to_numpy(cells.GetConnectivityArray())],
            vtk_to_numpy(cells.GetOffsetsArray())[:-1])


def polygons(model):
    """The corner points of each polygon."""
    corners, starts = corner_table(model)
    return np.split(corners, starts[1:]) if len(starts) else []


def polygon_planes(corners, starts):
    """Centroids of the corners and unit normals (Newell's formula, good for any simple polygon)."""
    count = np.diff(np.append(starts, len(corners)))
    following = np.arange(1, len(corners) + 1)
    following[starts + count - 1] = starts
    centroid = np.add.reduceat(corners, starts) / count[:, None]
    local = corners - np.repeat(centroid, count, axis=0)  # far from the origin, products would lose digits
    normal = np.add.reduceat(np.cross(local, local[following]), starts)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return centroid, np.divide(normal, length, out=np.tile([0, 0, 1.0], (len(starts), 1)), where=length > 0)


def polygon_plane(corners):
    centroid, normal = polygon_planes(corners, np.array([0]))
    return centroid[0], normal[0]


def diagonal(points):
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0


def names_of(model):
    texts = model.GetFieldData().GetAbstractArray("names")
    return [texts.GetValue(i) for i in range(texts.GetNumberOfValues())] if texts else []


def read_bodies(path):
    """The surfaces of the bodies; those of a run that wrote poses are put together from surfaces.vtp beside the frame."""
    bodies = read(path)
    if not bodies.GetNumberOfVerts():
        return bodies
    surfaces = read(os.path.join(os.path.dirname(path), "surfaces.vtp"))
    points, starts = corner_table(surfaces)
    starts = np.append(starts, len(points))
    cells = {}  # surface -> its polygons, as slices of `points`
    for cell, surface in enumerate(array(surfaces.GetCellData(), "surface").tolist()):
        cells.setdefault(surface, []).append(cell)
    data = bodies.GetPointData()
    corners, sizes, of_body = [], [], []
    for body, (surface, x, (w, *v)) in enumerate(zip(array(data, "surface").tolist(), coordinates(bodies),
                                                     array(data, "orientation"))):
        for cell in cells.get(surface, []):
            p = points[starts[cell]:starts[cell + 1]]
            t = 2 * np.cross(v, p)
            corners.append(x + p + w * t + np.cross(v, t))  # the turn of a unit quaternion
            sizes.append(len(p))
            of_body.append(body)
    model = point_set(np.vstack(corners)) if corners else vtkPolyData()
    model.SetFieldData(bodies.GetFieldData())
    if not corners:
        return model
    connectivity = numpy_to_vtk(np.arange(sum(sizes)), deep=1, array_type=VTK_ID_TYPE)
    offsets = numpy_to_vtk(np.append(0, np.cumsum(sizes)), deep=1, array_type=VTK_ID_TYPE)
    faces = vtkCellArray()
    faces.SetData(offsets, connectivity)
    model.SetPolys(faces)
    for name in ("body", "mass"):
        values = numpy_to_vtk(array(data, name)[of_body], deep=1)
        values.SetName(name)
        model.GetCellData().AddArray(values)
    return model


class FrameGeometry:
    """moving, standing, particles, soft, contacts: vtkPolyData; grounds: list of (point, unit normal); focus, centre and
    size of what moves; surroundings: the points that the picture should show; scale: of the colours of soft bodies."""

    def __init__(self, bodies_path, particles_path=None, contacts_path=None, soft_path=None, hidden=(), field=None):
        bodies = read_bodies(bodies_path)
        if hidden and bodies.GetNumberOfCells():
            names = names_of(bodies)
            for pattern in hidden:
                if not any(fnmatch(name, pattern) for name in names):
                    raise ValueError(f"--hide {pattern}: no body has such a name; there are {', '.join(names[:8])}"
                                     + (", …" if len(names) > 8 else ""))
            out = [i for i, name in enumerate(names) if any(fnmatch(name, pattern) for pattern in hidden)]
            bodies = cells_of(bodies, ~np.isin(array(bodies.GetCellData(), "body"), out))
        bodies = self._finite(bodies)
        mass = array(bodies.GetCellData(), "mass") if bodies.GetNumberOfCells() else np.zeros(0)
        self.mass_of = dict(zip(array(bodies.GetCellData(), "body").tolist(), mass.tolist())) if len(mass) else {}
        self.body_count, self.particle_count = sum(m > 0 for m in self.mass_of.values()), 0
        self.moving = cells_of(bodies, mass > 0) if (mass > 0).any() else vtkPolyData()
        self.particles = self._particles(particles_path)
        self.soft, self.scale = read_soft(soft_path, field)
        self.soft_count = len(np.unique(array(self.soft.GetCellData(), "body"))) if self.soft.GetNumberOfCells() else 0
        standing = cells_of(bodies, mass <= 0) if (mass <= 0).any() else vtkPolyData()
        moving = np.vstack([self._near(), coordinates(self.soft)])
        self.focus = moving if len(moving) else coordinates(standing)
        if not len(self.focus):
            raise ValueError(f"{bodies_path}: there is nothing to show")
        self.centre = (self.focus.min(axis=0) + self.focus.max(axis=0)) / 2
        self.size = diagonal(self.focus) or 1.0
        self.grounds, self.standing = self._split_ground(standing) if len(moving) else ([], standing)
        self.surroundings = np.vstack([self.focus] + self._smaller_than(2.5 * self.size))
        self.contacts = read(contacts_path) if contacts_path else vtkPolyData()

    @property
    def casting(self):
        """What throws shadows on what stands."""
        return self.moving, self.particles, self.soft

    @staticmethod
    def _finite(model):
        """A diverged run has bodies that are nowhere: they are left out."""
        if not model.GetNumberOfCells() or np.isfinite(coordinates(model)).all():
            return model
        return cells_of(model, [np.isfinite(corners).all() for corners in polygons(model)])

    def _particles(self, path):
        """Spheres; a particle without a radius gets a small one so that it can be seen."""
        if path is None:
            return vtkPolyData()
        points = read(path)
        if not points.GetNumberOfPoints():
            return vtkPolyData()
        self.particle_count = points.GetNumberOfPoints()
        self.mass_of.update(zip(array(points.GetPointData(), "body").tolist(),
                                array(points.GetPointData(), "mass").tolist()))
        diameter = 2 * array(points.GetPointData(), "radius")
        smallest = 0.01 * (diagonal(np.vstack([coordinates(points), coordinates(self.moving)])) or 1.0)
        sizes = numpy_to_vtk(np.where(diameter > 0, diameter, smallest), deep=1)
        sizes.SetName("diameter")
        points.GetPointData().SetScalars(sizes)
        sphere = vtkSphereSource()  # radius 1/2
        fine = self.particle_count < 1000
        sphere.SetThetaResolution(48 if fine else 20)
        sphere.SetPhiResolution(25 if fine else 12)
        glyph = vtkGlyph3D()
        glyph.SetInputData(points)
        glyph.SetSourceConnection(sphere.GetOutputPort())
        glyph.SetScaleModeToScaleByScalar()
        glyph.Update()
        return glyph.GetOutput()

    def _near(self):
        """The points of all that moves. The few bodies that have flown far off are dropped: the picture is of the
        others, and graphics in single precision could not show both."""
        parts = list(coordinates(self.particles).reshape(self.particle_count, -1, 3)) if self.particle_count else []
        body = np.zeros(0, int)
        if self.moving.GetNumberOfCells():
            corners, starts = corner_table(self.moving)
            body = array(self.moving.GetCellData(), "body")
            of_corner = np.repeat(body, np.diff(np.append(starts, len(corners))))
            order = np.argsort(of_corner, kind="stable")
            parts += np.split(corners[order], np.flatnonzero(np.diff(of_corner[order])) + 1)
        if not parts:
            return np.zeros((0, 3))
        centres = np.array([part.mean(axis=0) for part in parts])
        distance = np.linalg.norm(centres - np.median(centres, axis=0), axis=1)
        near = distance <= FAR_OFF * max(np.median(distance), np.median([diagonal(part) for part in parts]))
        if not near.all():
            of_particle, of_body = np.split(near, [self.particle_count])
            if self.particle_count:
                each = self.particles.GetNumberOfCells() // self.particle_count
                self.particles = cells_of(self.particles, np.repeat(of_particle, each))
            if len(body):
                self.moving = cells_of(self.moving, np.isin(body, np.unique(body)[of_body]))
        return np.vstack([part for part, kept in zip(parts, near) if kept])

    def _split_ground(self, standing):
        """Planes of the large static surfaces that face the model, and the rest of the static surfaces."""
        if not standing.GetNumberOfCells():
            return [], standing
        corners, body = polygons(standing), array(standing.GetCellData(), "body")
        large = GROUND_FACTOR * self.size
        grounds, keep = [], np.ones(len(corners), bool)
        for index in np.unique(body):
            mine = np.flatnonzero(body == index)
            points = np.vstack([corners[i] for i in mine])
            if diagonal(points) < large:
                continue
            point, normal = polygon_plane(corners[mine[0]])
            if np.abs((points - point) @ normal).max() < 1e-6 * diagonal(points):  # a plane, in however many pieces
                grounds.append((point, normal))
                keep[mine] = False
                continue
            for i in mine:
                if diagonal(corners[i]) < large:
                    continue
                keep[i] = False
                point, normal = polygon_plane(corners[i])
                if (self.centre - point) @ normal > -0.05 * self.size:
                    grounds.append((point, normal))
        return grounds, cells_of(standing, keep) if keep.any() else vtkPolyData()

    def _smaller_than(self, limit):
        """The points of the static bodies that are no larger."""
        if not self.standing.GetNumberOfCells():
            return []
        corners, body = polygons(self.standing), array(self.standing.GetCellData(), "body")
        parts = [np.vstack([corners[i] for i in np.flatnonzero(body == index)]) for index in np.unique(body)]
        return [part for part in parts if diagonal(part) <= limit]

    def forces(self):
        """Contact points, forces [N], status. The force shown acts on the body that is carried: on the moving one of
        two, else on the one that is pushed upwards."""
        if not self.contacts.GetNumberOfPoints():
            return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, int)
        data = self.contacts.GetPointData()
        points, status = coordinates(self.contacts), array(data, "status")
        force = array(data, "normal_force") + array(data, "friction_force")
        a_moves = np.array([self.mass_of.get(i, 0) > 0 for i in array(data, "body_a").tolist()])
        b_moves = np.array([self.mass_of.get(i, 0) > 0 for i in array(data, "body_b").tolist()])
        turned = np.where(a_moves == b_moves, force[:, 2] < 0, b_moves)
        force = np.where(turned[:, None], -force, force)
        finite = np.isfinite(points).all(axis=1) & np.isfinite(force).all(axis=1)
        return points[finite], force[finite], status[finite]

    def view_direction(self):
        """Unit vector from the model to the camera: broadside for flat structures, and on the open side of slopes and walls, from
        higher up where it has to be; else where it is least behind one of them."""
        spread = (self.focus - self.focus.mean(axis=0))[:, :2]
        variance, axes = np.linalg.eigh(spread.T @ spread)
        flat = variance[1] > 4 * variance[0]
        along = axes[:, 1] if flat else np.array([1.0, 0.0])
        heading = np.arctan2(along[1], along[0])
        # Seen from the side of negative y, or of positive x where the structure runs along y.
        if np.sin(heading - np.pi / 2) > 0.5:
            heading += np.pi
        width, height = np.ptp(self.focus[:, :2], axis=0).max(), np.ptp(self.focus[:, 2])
        elevation = np.radians(13 if height > 0.45 * width and flat else 22)
        turn = np.radians(24 if flat else 33)
        views = [np.array([np.cos(up) * np.cos(angle), np.cos(up) * np.sin(angle), np.sin(up)])
                 for up in (elevation, *np.radians((35, 50, 65)))
                 for angle in (heading - np.pi / 2 + turn, heading - np.pi / 2 - turn,
                               heading + np.pi / 2 + turn, heading + np.pi / 2 - turn)]
        openness = [min((normal @ view for _, normal in self.grounds), default=1) for view in views]
        return next((view for view, open_ in zip(views, openness) if open_ > 0.15), views[int(np.argmax(openness))])


def fit_camera(points, view, angle, aspect, margins):
    """Position and focal point [m] of a camera with vertical opening `angle` [rad], z upwards in the picture, nearest
    to the points such that all are in the picture with `margins` = (left, right, bottom, top) as fractions of it."""
    right = np.cross([0, 0, 1.0], view)
    right /= np.linalg.norm(right)
    up = np.cross(view, right)
    depth = points @ view  # towards the camera
    limit = np.tan(angle / 2)
    bounds = []
    for axis, half, low, high in ((points @ right, limit * aspect, margins[0], margins[1]),
                                  (points @ up, limit, margins[2], margins[3])):
        # In picture units -1 ... 1 a point is at s = (x - c) / (half (d - depth)), c and d of the camera; s must stay
        # in [-1 + 2 low, 1 - 2 high]. Each side gives a line in (c, d); they cross at the nearest d.
        a, b = half * (1 - 2 * high), half * (1 - 2 * low)
        upper, lower = (axis + a * depth).max(), (-axis + b * depth).max()
        bounds.append((a, b, upper, lower, (upper + lower) / (a + b)))
    distance = max(bound[4] for bound in bounds)
    offsets = []
    for a, b, upper, lower, _ in bounds:
        # c between upper - a d and b d - lower: its middle.
        offsets.append((upper - a * distance + b * distance - lower) / 2)
    position = offsets[0] * right + offsets[1] * up + distance * view
    return position, position - view * (distance - depth.mean()), right, up


def projected(model, point, normal, direction, axes):
    """The polygons above the plane as cast on it along `direction`: 2-D corners in the plane's axes, where each polygon
    starts, and the height of each polygon's lowest corner."""
    corners, starts = corner_table(model)
    height = (corners - point) @ normal
    cast = corners - np.outer(height / (direction @ normal), direction) - point
    above = np.maximum.reduceat(height, starts) > 0
    lowest = np.maximum(np.minimum.reduceat(height, starts), 0)
    corners, starts = selected(np.column_stack([cast @ axes[0], cast @ axes[1]]), starts, above)
    return corners, starts, lowest[above]


def selected(corners, starts, keep):
    """The corner table of the polygons for which `keep` is true."""
    count = np.diff(np.append(starts, len(corners)))
    ends = np.cumsum(count[keep])
    return corners[np.repeat(keep, count)], ends - count[keep]


def point_set(points):
    result, container = vtkPolyData(), vtkPoints()
    container.SetData(numpy_to_vtk(np.ascontiguousarray(points, float), deep=1))
    result.SetPoints(container)
    return result
