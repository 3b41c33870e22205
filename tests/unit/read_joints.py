"""Reads the joints that sensor_output_test.cpp wrote with VTK's own reader and compares them with what went in.

Exit code 0: all as expected; 1: not; 77: this Python has no VTK.
"""

import os
import sys

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    sys.exit(77)

reader = vtkXMLPolyDataReader()
reader.SetFileName(os.path.join(sys.argv[1], "joints_000002.vtp"))
reader.Update()
assert reader.GetErrorCode() == 0
model = reader.GetOutput()


def texts(name):
    array = model.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


points = {name: vtk_to_numpy(model.GetPointData().GetArray(name)).tolist() for name in (
    "type", "body_a", "body_b", "force", "torque", "axis", "violation", "coordinate", "rate", "effort")}
assert (model.GetNumberOfPoints(), model.GetNumberOfVerts()) == (3, 3)
assert vtk_to_numpy(model.GetFieldData().GetArray("TimeValue"))[0] == 2 / 120
assert model.GetPoint(0) == (1, 2, 3)
assert texts("names") == ["knee", "rod", "screw"]
assert texts("types") == ["ball", "cylindrical", "hinge"]
assert [texts("types")[i] for i in points["type"]] == ["hinge", "ball", "cylindrical"]
assert points["body_a"] == [1, 0, 2] and points["body_b"] == [-1, 1, 1]
assert points["force"][0] == [4, 0, 3] and points["torque"][0] == [0, 5, 0] and points["axis"][0] == [0, 1, 0]
assert points["violation"] == [1e-9, 0, 0]
assert points["coordinate"] == [0.5, 0, 7] and points["rate"] == [-2, 0, 8] and points["effort"] == [6, 0, 9]
