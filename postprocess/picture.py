"""How a frame looks: colours, light, shadows, arrows, text. The geometry comes from frame_geometry.py, the command line
is in render.py."""

import matplotlib.font_manager
import numpy as np
import vtkmodules.vtkRenderingFreeType  # noqa: F401  registers the text renderer
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  registers the graphics backend
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_FONT_FILE
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkPolyDataNormals
from vtkmodules.vtkFiltersExtraction import vtkExtractEdges
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import (vtkActor, vtkActor2D, vtkLight, vtkPolyDataMapper, vtkPolyDataMapper2D,
                                         vtkRenderer, vtkRenderWindow, vtkTextActor, vtkWindowToImageFilter)

from force_arrows import ForceArrows, force_text
from frame_geometry import array, cells_of, corner_table, fit_camera, point_set, polygon_planes
from ground import grid_spacing, ground_actors, shadow_actors
from sight import in_the_way

WIDTH, HEIGHT = 1600, 1000
SCALE = 2  # drawn this much larger and averaged: smooth edges without help of the graphics driver
OPENING = np.radians(24)  # of the camera

STONES = np.array([(201, 190, 170), (186, 176, 160), (212, 203, 186), (176, 170, 160), (194, 180, 158), (167, 162, 155),
                   (205, 197, 183), (184, 171, 149)], float)
STANDING = (0.66, 0.68, 0.71)
GLASS = 0.10  # opacity of what stands in the way
PARTICLE = (0.42, 0.52, 0.60)
EDGE = (0.30, 0.28, 0.26)
BACKGROUND_BOTTOM, BACKGROUND_TOP = (0.985, 0.985, 0.98), (0.80, 0.845, 0.89)
TEXT, TEXT_SOFT = (0.16, 0.17, 0.19), (0.36, 0.38, 0.41)


def surface_actor(model, colour=None, flat_angle=35):
    """Curved surfaces smooth, edges sharper than `flat_angle` [deg] sharp. Without a colour: that of the cells."""
    normals = vtkPolyDataNormals()
    normals.SetInputData(model)
    normals.SetFeatureAngle(flat_angle)
    normals.ConsistencyOff()
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(normals.GetOutputPort())
    # Edges lie in the surfaces: these are pushed back by a hair.
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(-2, -1)
    actor = vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetAmbient(0.24)
    look.SetDiffuse(0.84)
    look.SetSpecular(0.04)
    look.SetSpecularPower(12)
    if colour is None:
        mapper.SetScalarModeToUseCellFieldData()
        mapper.SelectColorArray("colour")
    else:
        mapper.ScalarVisibilityOff()
        look.SetColor(colour)
    return actor


def edge_actor(model, camera):
    """Sharp edges and outlines. Only of the faces turned to the camera: the edges on a body's far side would shine
    through where it is thin."""
    point, normal = polygon_planes(*corner_table(model))
    edges = vtkFeatureEdges()
    edges.SetInputData(cells_of(model, ((camera - point) * normal).sum(axis=1) > 0))
    edges.SetFeatureAngle(28)
    edges.FeatureEdgesOn()
    edges.BoundaryEdgesOn()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.ColoringOff()
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(edges.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(EDGE)
    actor.GetProperty().SetLineWidth(1.3 * SCALE)
    actor.GetProperty().LightingOff()
    return actor


def soft_actors(geometry):
    """The surface in its colours, and the mesh on it as hair lines, which show how it is deformed."""
    surface = surface_actor(geometry.soft)
    if geometry.scale:
        surface.GetMapper().SetScalarModeToUsePointFieldData()
    edges = vtkExtractEdges()
    edges.SetInputData(geometry.soft)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(edges.GetOutputPort())
    mapper.ScalarVisibilityOff()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(-4, -4)
    lines = vtkActor()
    lines.SetMapper(mapper)
    look = lines.GetProperty()
    look.SetColor(EDGE)
    look.SetOpacity(0.45)
    look.SetLineWidth(0.7 * SCALE)
    look.LightingOff()
    return surface, lines


def scale_actors(scale, x, y, width=220, height=14):
    """A bar of the scale's colours with its ends, right end at x [pixels of the final picture], and its title."""
    title, low, high = scale.texts()
    steps = 64
    model = point_set([((x - width + width * i / steps) * SCALE, (y + height * side) * SCALE, 0)
                       for i in range(steps + 1) for side in (0, 1)])
    cells = vtkCellArray()
    for i in range(steps):
        cells.InsertNextCell(4, (2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1))
    model.SetPolys(cells)
    values = np.repeat(scale.low + (scale.high - scale.low) * np.linspace(0, 1, steps + 1), 2)
    model.GetPointData().SetScalars(numpy_to_vtk(np.clip(scale.colours(values), 0, 255).astype(np.uint8), deep=1))
    mapper = vtkPolyDataMapper2D()
    mapper.SetInputData(model)
    bar = vtkActor2D()
    bar.SetMapper(mapper)
    return (bar, text_actor(title, x, y + 26, 19, TEXT_SOFT, right=True), text_actor(low, x - width, y - 24, 16, TEXT_SOFT),
            text_actor(high, x, y - 24, 16, TEXT_SOFT, right=True))


def paint_stones(model, paleness):
    """A colour per body that does not change from frame to frame: neighbours in number differ, none stands out."""
    if not model.GetNumberOfCells():
        return
    body = array(model.GetCellData(), "body").astype(float)
    colour = STONES[(body * 0.6180339887 % 1 * len(STONES)).astype(int)]
    colour *= (1 + 0.05 * (2 * (body * 0.7548776662 % 1) - 1))[:, None]
    colour += paleness * (255 - colour)
    values = numpy_to_vtk(np.clip(colour, 0, 255).astype(np.uint8), deep=1)
    values.SetName("colour")
    model.GetCellData().AddArray(values)


def text_actor(text, x, y, size, colour, bold=False, right=False):
    """Text at x, y [pixels of the final picture] from the lower left corner; x is its right end where `right`."""
    weight = "bold" if bold else "normal"
    actor = vtkTextActor()
    actor.SetInput(text)
    look = actor.GetTextProperty()
    look.SetFontFamily(VTK_FONT_FILE)
    look.SetFontFile(matplotlib.font_manager.findfont(
        matplotlib.font_manager.FontProperties(family="DejaVu Sans", weight=weight)))
    look.SetFontSize(size * SCALE)
    look.SetColor(colour)
    if right:
        look.SetJustificationToRight()
    actor.SetPosition(x * SCALE, y * SCALE)
    return actor




def add_lights(renderer, light, right, up, view):
    """Key, fill, rim, and what the ground throws back; directions are from the model to the light."""
    renderer.AutomaticLightCreationOff()
    for direction, intensity, colour in ((light, 0.92, (1.0, 0.985, 0.95)),
                                         (0.7 * right + 0.1 * up + 0.8 * view, 0.42, (0.90, 0.94, 1.0)),
                                         (0.2 * right + 0.6 * up - view, 0.20, (1.0, 1.0, 1.0)),
                                         (np.array([0, 0, -1.0]), 0.16, (1.0, 0.98, 0.95))):
        lamp = vtkLight()
        lamp.SetLightTypeToSceneLight()
        lamp.PositionalOff()
        lamp.SetFocalPoint(0, 0, 0)
        lamp.SetPosition(direction)
        lamp.SetIntensity(intensity)
        lamp.SetColor(colour)
        renderer.AddLight(lamp)


def save(window, path):
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.ShouldRerenderOff()
    grab.Update()
    large = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).astype(float)
    small = large.reshape(HEIGHT, SCALE, WIDTH, SCALE, 3).mean(axis=(1, 3))
    image = vtkImageData()
    image.SetDimensions(WIDTH, HEIGHT, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(np.rint(small).astype(np.uint8).reshape(-1, 3), deep=1))
    writer = vtkPNGWriter()
    writer.SetInputData(image)
    writer.SetFileName(path)
    writer.Write()
    if writer.GetErrorCode() != 0:
        raise OSError(f"{path} cannot be written")


def caption_strip():
    """A veil along the lower border, so that the text can be read over any model."""
    height = 150 * SCALE
    model = point_set([(0, 0, 0), (WIDTH * SCALE, 0, 0), (WIDTH * SCALE, height, 0), (0, height, 0)])
    cells = vtkCellArray()
    cells.InsertNextCell(4, range(4))
    model.SetPolys(cells)
    colour = [int(255 * c) for c in BACKGROUND_BOTTOM]
    model.GetPointData().SetScalars(numpy_to_vtk(
        np.array([colour + [alpha] for alpha in (225, 225, 0, 0)], np.uint8), deep=1))
    mapper = vtkPolyDataMapper2D()
    mapper.SetInputData(model)
    actor = vtkActor2D()
    actor.SetMapper(mapper)
    return actor


def add_caption(renderer, title, caption, forces):
    renderer.AddActor2D(caption_strip())
    renderer.AddActor2D(text_actor(title, 40, 68, 30, TEXT, bold=True))
    renderer.AddActor2D(text_actor(caption, 40, 36, 19, TEXT_SOFT))
    if forces is None:
        return
    x = WIDTH - 40
    for text, colour in reversed(forces.legend):
        renderer.AddActor2D(text_actor(text, x, 36, 19, colour, right=True))
        x -= 26 + 11.4 * len(text)
    if forces.longest > 0:
        text = f"contact forces, longest arrow {force_text(forces.longest)}"
        renderer.AddActor2D(text_actor(text, WIDTH - 40, 68, 19, TEXT_SOFT, right=True))


def split_glass(geometry, camera, opaque):
    """What stands, and what of it stands between the camera and what moves: that is drawn as glass."""
    standing = geometry.standing
    if opaque or not standing.GetNumberOfCells():
        return standing, None
    body = array(standing.GetCellData(), "body")
    glass = np.isin(body, in_the_way(*corner_table(standing), body, geometry.focus, camera))
    if not glass.any():
        return standing, None
    return (cells_of(standing, ~glass) if not glass.all() else None), cells_of(standing, glass)


def draw(geometry, with_forces, title, caption, path, opaque=False):
    view = geometry.view_direction()
    forces = ForceArrows(geometry) if with_forces else None
    shown = np.vstack([geometry.surroundings] + ([forces.reach] if forces else []))
    few = geometry.body_count + geometry.particle_count + geometry.soft_count <= 3  # then what they stand on tells more than their faces
    margins = (0.24, 0.24, 0.26, 0.22) if few else (0.09, 0.09, 0.16, 0.09)
    position, focal_point, right, up = fit_camera(shown, view, OPENING, WIDTH / HEIGHT, margins)
    light = -0.60 * right + 0.55 * view + np.array([0, 0, 0.80])
    light /= np.linalg.norm(light)

    model = vtkRenderer()
    model.GradientBackgroundOn()
    model.SetBackground(BACKGROUND_BOTTOM)
    model.SetBackground2(BACKGROUND_TOP)
    add_lights(model, light, right, up, view)
    paint_stones(geometry.moving, 0.35 if with_forces else 0.0)
    standing, glass = split_glass(geometry, position, opaque)
    for surface, colour, edged in ((geometry.moving, None, True), (standing, STANDING, True),
                                   (geometry.particles, PARTICLE, False)):
        if surface and surface.GetNumberOfCells():
            model.AddActor(surface_actor(surface, colour))
            if edged:
                model.AddActor(edge_actor(surface, position))
    if geometry.soft_count:
        for actor in soft_actors(geometry):
            model.AddActor(actor)
    # What is translucent is drawn in this order.
    for point, normal in geometry.grounds:
        if (position - point) @ normal <= 0:
            continue  # from behind it would hide the model
        for actor in ground_actors(geometry, point, normal, light, 1.2 * SCALE):
            model.AddActor(actor)
    for actor in shadow_actors(geometry, light):
        model.AddActor(actor)
    if glass:
        pane = surface_actor(glass, STANDING)
        pane.GetProperty().SetOpacity(GLASS)
        model.AddActor(pane)
        model.AddActor(edge_actor(glass, position))

    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(WIDTH * SCALE, HEIGHT * SCALE)
    window.AddRenderer(model)
    camera = model.GetActiveCamera()
    camera.SetPosition(position)
    camera.SetFocalPoint(focal_point)
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(np.degrees(OPENING))
    model.ResetCameraClippingRange()
    # The ground passes below the camera, bodies may have flown off: planes set for those would leave too few bits of
    # depth for the edges.
    near, far = camera.GetClippingRange()
    distance = np.linalg.norm(position - focal_point)
    camera.SetClippingRange(max(near, 0.25 * distance), min(far, 20 * distance))

    # Forces and text lie over the model, in a layer of their own: contacts are inside, where bodies touch.
    overlay = vtkRenderer()
    window.SetNumberOfLayers(2)
    overlay.SetLayer(1)
    overlay.SetActiveCamera(camera)
    add_lights(overlay, light, right, up, view)
    window.AddRenderer(overlay)
    for actor in forces.actors if forces else ():
        overlay.AddActor(actor)
    if geometry.grounds:
        caption += f"   \u00b7   grid {grid_spacing(geometry.size):g} m"
    add_caption(overlay, title, caption, forces)
    if geometry.scale:  # above the forces' legend where there is one
        for actor in scale_actors(geometry.scale, WIDTH - 40, 130 if forces else 60):
            overlay.AddActor2D(actor)
    window.Render()
    save(window, path)
