"""The ground near the model: a disc that fades into the background, with a grid and the shadows of what stands on it.

Shadows are drawn, not simulated: the polygons of the model are cast on the plane along the light, painted into an image
and blurred. A second, wide and faint shadow straight below low parts shows what touches the ground.
"""

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData
from vtkmodules.vtkFiltersSources import vtkPlaneSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from frame_geometry import diagonal, point_set, polygon_plane, polygons, projected, selected

COLOUR = np.array([226, 224, 219], float)
GRID_COLOUR = np.array([120, 118, 114], float)
SHADOW_COLOUR = np.array([40, 42, 50], float)
PIXELS = 1024
REACH = 2.2  # radius of the disc in sizes of the model


def blurred(image, width):
    """Convolution with a Gaussian of the given standard deviation [pixels]."""
    frequency = [np.fft.fftfreq(image.shape[0]), np.fft.rfftfreq(image.shape[1])]
    kernel = [np.exp(-2 * (np.pi * width * f) ** 2) for f in frequency]
    return np.fft.irfft2(np.fft.rfft2(image) * np.outer(*kernel), s=image.shape)


def coverage(corners, starts, radius):
    """How much of each pixel of the square [-radius, radius]^2 the 2-D polygons cover together, 0 ... 1; row 0 at the
    bottom."""
    if not len(starts):
        return np.zeros((PIXELS, PIXELS))
    count = np.diff(np.append(starts, len(corners)))
    # All polygons make one outline, each closed by a vertex of its own. Turned the same way round, they never cancel.
    order = np.arange(len(corners))
    following = order + 1
    following[starts + count - 1] = starts
    area = np.add.reduceat(corners[:, 0] * corners[following, 1] - corners[:, 1] * corners[following, 0], starts)
    mirrored = np.repeat(2 * starts + count - 1, count) - order
    corners = corners[np.where(np.repeat(area < 0, count), mirrored, order)]
    vertices = np.insert(corners, starts + count, corners[starts + count - 1], axis=0)
    codes = np.full(len(vertices), Path.LINETO, np.uint8)
    first = starts + np.arange(len(starts))
    codes[first], codes[first + count] = Path.MOVETO, Path.CLOSEPOLY

    painter = RendererAgg(PIXELS, PIXELS, dpi=72)
    pen = painter.new_gc()
    pen.set_linewidth(0)
    to_pixels = Affine2D().translate(radius, radius).scale(PIXELS / (2 * radius))
    painter.draw_path(pen, Path(vertices, codes), to_pixels, (0, 0, 0))
    return np.asarray(painter.buffer_rgba())[::-1, :, 3] / 255.0


def grid_spacing(size):
    """1, 2 or 5 times a power of ten, about a tenth of `size`."""
    power = 10 ** np.floor(np.log10(size / 10))
    return float(power * min((1, 2, 5, 10), key=lambda step: abs(np.log(step * power * 10 / size))))


def plane_axes(normal):
    """Two unit vectors in the plane; x and y of the world for a level one, so that the grid is the world's."""
    first = np.array([1.0, 0, 0]) - normal[0] * normal
    if np.linalg.norm(first) < 0.1:
        first = np.array([0, 1.0, 0]) - normal[1] * normal
    first /= np.linalg.norm(first)
    return first, np.cross(normal, first)


def shadow(models, size, middle, normal, light, axes, radius):
    """Darkness 0 ... 1 of each pixel of the square around `middle` in the plane."""
    dark = np.zeros((PIXELS, PIXELS))
    pixel = 2 * radius / PIXELS
    if light @ normal <= 0.1:  # grazing light: the shadow would be endless
        return dark
    for model in models:
        if not model.GetNumberOfCells():
            continue
        corners, starts, _ = projected(model, middle, normal, light, axes)
        dark = np.maximum(dark, 0.40 * blurred(coverage(corners, starts, radius), 0.007 * size / pixel))
        corners, starts, lowest = projected(model, middle, normal, normal, axes)
        low = selected(corners, starts, lowest < 0.04 * size)
        dark = 1 - (1 - dark) * (1 - 0.32 * blurred(coverage(*low, radius), 0.025 * size / pixel))
    return np.clip(dark, 0, 1)


def fade(distance):
    """1 near the middle, 0 from distance 1 on, smooth."""
    x = np.clip((1 - distance) / 0.62, 0, 1)
    return x * x * (3 - 2 * x)


def image_actor(image, middle, axes, radius):
    """RGBA values 0 ... 255 on the square around `middle`."""
    data = vtkImageData()
    data.SetDimensions(image.shape[1], image.shape[0], 1)
    data.GetPointData().SetScalars(numpy_to_vtk(np.clip(image, 0, 255).astype(np.uint8).reshape(-1, 4), deep=1))
    texture = vtkTexture()
    texture.SetInputData(data)
    texture.InterpolateOn()
    texture.MipmapOn()
    plane = vtkPlaneSource()
    corner = middle - radius * (axes[0] + axes[1])
    plane.SetOrigin(corner)
    plane.SetPoint1(corner + 2 * radius * axes[0])
    plane.SetPoint2(corner + 2 * radius * axes[1])
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(plane.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.SetTexture(texture)
    actor.GetProperty().LightingOff()
    actor.ForceTranslucentOn()
    return actor


def grid_actor(middle, axes, radius, spacing, line_width, pieces=64):
    """Lines at whole multiples of the spacing, fading like the ground."""
    lines = []
    for along, across in (axes, axes[::-1]):
        first, last = np.ceil((middle @ across - radius) / spacing), np.floor((middle @ across + radius) / spacing)
        for number in np.arange(first, last + 1):
            off = number * spacing - middle @ across
            half = np.sqrt(max(radius**2 - off**2, 0))
            lines.append(middle + off * across + np.linspace(-half, half, pieces + 1)[:, None] * along)
    points = np.vstack(lines)
    model = point_set(points)
    cells = vtkCellArray()
    for start in range(0, len(points), pieces + 1):
        cells.InsertNextCell(pieces + 1, range(start, start + pieces + 1))
    model.SetLines(cells)
    alpha = 90 * fade(np.linalg.norm(points - middle, axis=1) / radius) ** 1.5
    colours = numpy_to_vtk(np.column_stack([np.tile(GRID_COLOUR, (len(points), 1)), alpha]).astype(np.uint8), deep=1)
    model.GetPointData().SetScalars(colours)
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(model)
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(line_width)
    actor.ForceTranslucentOn()
    return actor


def ground_actors(geometry, point, normal, light, line_width):
    axes = plane_axes(normal)
    middle = geometry.centre - ((geometry.centre - point) @ normal) * normal
    radius = REACH * geometry.size
    dark = shadow((*geometry.casting, geometry.standing), geometry.size, middle, normal, light, axes, radius)[..., None]
    across = (np.arange(PIXELS) + 0.5) / PIXELS * 2 - 1
    alpha = 255 * fade(np.hypot(across[:, None], across[None, :]))
    image = np.dstack([COLOUR * (1 - dark) + SHADOW_COLOUR * dark, alpha])
    return [image_actor(image, middle, axes, radius),
            grid_actor(middle, axes, radius, grid_spacing(geometry.size), line_width)]


def shadow_actors(geometry, light, most=12):
    """Shadows of what moves on the larger faces of static bodies: tables, walls, ramps."""
    faces = [(diagonal(corners), corners) for corners in polygons(geometry.standing)]
    faces = sorted((face for face in faces if face[0] > 0.3 * geometry.size), key=lambda face: -face[0])
    actors = []
    for _, corners in faces[:most]:
        point, normal = polygon_plane(corners)
        axes = plane_axes(normal)
        radius = min(np.linalg.norm(corners - point, axis=1).max(), 2 * REACH * geometry.size)
        dark = shadow(geometry.casting, geometry.size, point, normal, light, axes, radius)
        outline = np.column_stack([(corners - point) @ axis for axis in axes])
        alpha = 255 * dark * coverage(outline, np.array([0]), radius)
        if alpha.max() > 2:
            image = np.dstack([np.tile(SHADOW_COLOUR, (PIXELS, PIXELS, 1)), alpha])
            actors.append(image_actor(image, point + 5e-4 * geometry.size * normal, axes, radius))
    return actors
