"""Contact forces as arrows, coloured by the status of the contact, and their legend."""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkFiltersCore import vtkAppendPolyData, vtkGlyph3D, vtkTubeFilter
from vtkmodules.vtkFiltersSources import vtkConeSource, vtkLineSource, vtkSphereSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from frame_geometry import OPEN, SLIP, STICK, point_set

STATUS = {
    STICK: ("stick", (0.0, 0.447, 0.698)),
    SLIP: ("slip", (0.835, 0.369, 0.0)),
    OPEN: ("open", (0.52, 0.52, 0.52)),
}
LONGEST = 0.19  # arrow, in sizes of the model
THICKNESS = 0.0055


def solid_actor(output_port, colour):
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(output_port)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(colour)
    actor.GetProperty().SetAmbient(0.45)
    actor.GetProperty().SetDiffuse(0.6)
    return actor


def arrow_actors(points, arrows, thickness, colour):
    """Arrows of one thickness, whatever their length, so that small forces stay visible."""
    shafts, heads = vtkAppendPolyData(), []
    for start, arrow in zip(points, arrows):
        length = np.linalg.norm(arrow)
        head = min(4.2 * thickness, 0.6 * length)
        line = vtkLineSource()
        line.SetPoint1(start)
        line.SetPoint2(start + arrow * (1 - 0.9 * head / length))
        shafts.AddInputConnection(line.GetOutputPort())
        heads.append((start + arrow * (1 - 0.5 * head / length), arrow / length * head))
    tube = vtkTubeFilter()
    tube.SetInputConnection(shafts.GetOutputPort())
    tube.SetRadius(thickness / 2)
    tube.SetNumberOfSides(14)
    tube.CappingOn()
    places = point_set(np.array([place for place, _ in heads]))
    places.GetPointData().SetVectors(numpy_to_vtk(np.array([direction for _, direction in heads]), deep=1))
    cone = vtkConeSource()  # along x, centred, height 1
    cone.SetRadius(0.36)
    cone.SetResolution(20)
    glyph = vtkGlyph3D()
    glyph.SetInputData(places)
    glyph.SetSourceConnection(cone.GetOutputPort())
    glyph.SetScaleModeToScaleByVector()
    glyph.OrientOn()
    return [solid_actor(tube.GetOutputPort(), colour), solid_actor(glyph.GetOutputPort(), colour)]


def dots_actor(points, diameter, colour):
    sphere = vtkSphereSource()
    sphere.SetRadius(diameter / 2)
    sphere.SetThetaResolution(16)
    sphere.SetPhiResolution(10)
    glyph = vtkGlyph3D()
    glyph.SetInputData(point_set(points))
    glyph.SetSourceConnection(sphere.GetOutputPort())
    return solid_actor(glyph.GetOutputPort(), colour)


class ForceArrows:
    """Of one frame: `reach` are the points between which the arrows lie [m]; `actors`; `legend`, a list of (text,
    colour); `longest`, the largest force [N]."""

    def __init__(self, geometry):
        points, forces, status = geometry.forces()
        magnitude = np.linalg.norm(forces, axis=1)
        self.longest = float(magnitude.max()) if len(magnitude) else 0.0
        # Many arrows are drawn smaller, or they would hide the model and each other.
        crowd = min(1.0, (150 / max(1, np.count_nonzero(magnitude))) ** (1 / 3))
        arrows = forces * (crowd * LONGEST * geometry.size / self.longest) if self.longest > 0 else 0 * forces
        self.reach = np.vstack([points, points + arrows])
        self.actors, self.legend = [], []
        thickness = crowd * THICKNESS * geometry.size
        for kind, (name, colour) in STATUS.items():
            mine = status == kind
            if not mine.any():
                continue
            self.legend.append((f"\u25cf {mine.sum()} {name}", colour))
            self.actors.append(dots_actor(points[mine], 1.9 * thickness, colour))
            shown = mine & (magnitude > 0.01 * self.longest)
            if shown.any():
                self.actors += arrow_actors(points[shown], arrows[shown], thickness, colour)


def force_text(force):
    """In the largest unit that leaves a number of at least one."""
    for unit, factor in (("MN", 1e6), ("kN", 1e3)):
        if force >= factor:
            return f"{force / factor:.3g} {unit}"
    return f"{force:.3g} N"
