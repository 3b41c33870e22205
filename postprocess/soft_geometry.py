"""Soft bodies of a frame as surfaces, and their colours: by body, or by a field over a scale that the picture shows."""

import matplotlib
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkCellDataToPointData
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

BODIES = np.array([(122, 160, 178), (196, 146, 124), (148, 168, 132), (170, 146, 176)], float)
# Field -> (title, unit); a field that is not listed goes by its own name.
TITLES = {"von_mises": ("von Mises stress", "Pa"), "volumetric_strain": ("volumetric strain", ""), "quality": ("element quality", ""),
          "displacement": ("displacement", "m"), "velocity": ("speed", "m/s")}
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "\u00b5"))


class Scale:
    """Values to colours; `low`, `high` are its ends."""

    def __init__(self, field, values):
        finite = values[np.isfinite(values)]
        self.field = field
        self.low, self.high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        if self.low < 0 < self.high:  # zero in the middle
            self.high = max(self.high, -self.low)
            self.low = -self.high
            self.map = matplotlib.colormaps["RdBu_r"]
        else:
            self.map = matplotlib.colormaps["viridis"]

    def colours(self, values):
        span = self.high - self.low
        share = (values - self.low) / span if span > 0 else np.zeros_like(values)
        return 255 * self.map(np.nan_to_num(share))[:, :3]

    def texts(self):
        """Title, and the two ends with the unit."""
        title, unit = TITLES.get(self.field, (self.field.replace("_", " "), ""))
        largest = max(abs(self.low), abs(self.high))
        factor, prefix = next(((f, p) for f, p in PREFIXES if unit and largest >= f), (1, ""))
        end = f" {prefix}{unit}" if unit else ""
        return title, f"{self.low / factor:.3g}", f"{self.high / factor:.3g}{end}"


def fields_of(grid):
    """Names of the fields a picture can be coloured by."""
    names = []
    for data in (grid.GetCellData(), grid.GetPointData()):
        names += [data.GetArrayName(i) for i in range(data.GetNumberOfArrays()) if data.GetArray(i) is not None]
    return [name for name in names if name != "body"]


def read_soft(path, field=None):
    """The surface of the soft bodies with cell data `colour`, and the Scale where a field was asked for."""
    if path is None:
        return vtkPolyData(), None
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    if reader.GetErrorCode() != 0:
        raise OSError(f"{path} cannot be read")
    grid = reader.GetOutput()
    if field is not None and field not in fields_of(grid):
        raise ValueError(f"{path}: has no field '{field}'; it has {', '.join(fields_of(grid))}")
    at_nodes = vtkCellDataToPointData()  # a field that jumps from element to element is shown by its mean at the nodes
    at_nodes.PassCellDataOn()
    at_nodes.SetInputData(grid)
    surface = vtkGeometryFilter()
    surface.SetInputConnection(at_nodes.GetOutputPort())
    surface.Update()
    model = surface.GetOutput()
    if field is None:
        body = vtk_to_numpy(model.GetCellData().GetArray("body"))
        colour, scale, data = BODIES[body % len(BODIES)], None, model.GetCellData()
    else:
        values = vtk_to_numpy(model.GetPointData().GetArray(field)).astype(float)
        values = np.linalg.norm(values, axis=1) if values.ndim == 2 else values
        scale, data = Scale(field, values), model.GetPointData()
        colour = scale.colours(values)
    array = numpy_to_vtk(np.clip(colour, 0, 255).astype(np.uint8), deep=1)
    array.SetName("colour")
    data.AddArray(array)
    return model, scale
