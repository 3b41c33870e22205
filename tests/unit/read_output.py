"""Reads the frames that output_writer_test.cpp wrote with VTK's own readers and compares them with what went in.

Exit code 0: all as expected; 1: not; 77: this Python has no VTK.
"""

import os
import sys

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkDataArray
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    sys.exit(77)


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def arrays(data):
    numeric = (data.GetArray(i) for i in range(data.GetNumberOfArrays()))  # None for arrays of text
    return {array.GetName(): vtk_to_numpy(array) for array in numeric if array is not None}


def names(model):
    array = model.GetFieldData().GetAbstractArray("names")
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def texts(data, name):
    array = data.GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def check_units(data, model, units):
    """Each array says its unit, and the field array lists them all."""
    for name, unit in units.items():
        assert data.GetAbstractArray(name).GetInformation().Get(vtkDataArray.UNITS_LABEL()) == unit, name
        assert f"{name} [{unit}]" in texts(model.GetFieldData(), "units"), name
    assert not data.GetArray("body_a" if data.HasArray("body_a") else "body").GetInformation().Has(vtkDataArray.UNITS_LABEL())


def check_bodies(model):
    assert (model.GetNumberOfPoints(), model.GetNumberOfPolys()) == (8, 5)
    assert names(model) == ["floor", 'stone "a" & <b>', "marker"]
    assert arrays(model.GetFieldData())["TimeValue"][0] == 2 / 120
    # Half a turn about x, then up by a third: (0, 0, 1) of the tetrahedron.
    assert model.GetPoint(7) == (0, 0, 1 / 3 - 1)
    cells = arrays(model.GetCellData())
    assert cells["body"].tolist() == [0, 1, 1, 1, 1] and cells["body"].dtype == "int32"
    assert cells["velocity"][1].tolist() == [3, 0, 4] and cells["speed"][1] == 5
    assert cells["angular_velocity"][1].tolist() == [0, 0, 2]
    assert cells["mass"].tolist() == [0, 7.5, 7.5, 7.5, 7.5]
    assert texts(model.GetCellData(), "name") == ["floor"] + ['stone "a" & <b>'] * 4
    check_units(model.GetCellData(), model, {"speed": "m/s", "angular_velocity": "rad/s", "mass": "kg"})


def check_particles(model):
    assert (model.GetNumberOfPoints(), model.GetNumberOfVerts(), names(model)) == (1, 1, ["p1"])
    points = arrays(model.GetPointData())
    assert points["body"].tolist() == [3] and points["radius"].tolist() == [0.05]
    assert texts(model.GetPointData(), "name") == ["p1"]
    check_units(model.GetPointData(), model, {"radius": "m", "velocity": "m/s"})


def check_contacts(model):
    assert (model.GetNumberOfPoints(), model.GetNumberOfVerts()) == (2, 2)
    points = arrays(model.GetPointData())
    assert points["normal_force"].tolist() == [[0, 0, 30]] * 2
    assert points["friction_force"].tolist() == [[12, 0, 0]] * 2
    assert points["status"].tolist() == [1, 2] and points["body_a"].tolist() == [1, 1]
    assert points["id"].tolist() == [2**40, 2**40 + 1]
    for name in ("normal", "gap", "slip_velocity", "cone_usage", "residual", "body_b"):
        assert name in points, name
    assert points["geometric_penetration"][0] == 0.25 and points["geometric_penetration"][1] != points["geometric_penetration"][1]
    assert texts(model.GetPointData(), "name_a") == ['stone "a" & <b>'] * 2
    assert texts(model.GetPointData(), "name_b") == ["floor"] * 2
    assert texts(model.GetFieldData(), "overlaps") == ["marker/p1", 'floor/stone "a" & <b>']
    assert arrays(model.GetFieldData())["overlap_depths"].tolist() == [0.5, 0.25]
    check_units(model.GetPointData(), model, {"gap": "m", "geometric_penetration": "m", "normal_force": "N", "residual": "N s"})


directory = sys.argv[1]
check_bodies(read(os.path.join(directory, "bodies_000002.vtp")))
check_particles(read(os.path.join(directory, "particles_000002.vtp")))
check_contacts(read(os.path.join(directory, "contacts_000002.vtp")))
