// Unstructured grids of VTK, read by VTK, after a child process has done so without harm (framework/rehearsal.hpp).

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/meshes/volume_mesh_file.hpp"
#include "framework/rehearsal.hpp"

#include <vtkCallbackCommand.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetReader.h>
#include <vtkExecutive.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cmath>
#include <filesystem>
#include <set>

namespace clarke {
namespace {

/// Every index within what it points into: VTK's readers do not look.
void check_cells(const std::string& path, vtkDataSet& data) {
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
    data.GetCellPoints(c, ids);
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k)
      if (ids->GetId(k) < 0 || ids->GetId(k) >= data.GetNumberOfPoints())
        throw InputError(path + ": cell " + std::to_string(c) + ": there is no point " + std::to_string(ids->GetId(k)) +
                         " of " + std::to_string(data.GetNumberOfPoints()));
    if (data.GetCellType(c) == VTK_TETRA && ids->GetNumberOfIds() != 4)
      throw InputError(path + ": cell " + std::to_string(c) + " is a tetrahedron of " +
                       std::to_string(ids->GetNumberOfIds()) + " points");
  }
}

/// Runs a reader and calls use(data set); what VTK complains about is an error.
template <class Reader, class Use>
void read_with(const std::string& path, const Use& use) {
  vtkNew<Reader> reader;
  std::string complaint;
  vtkNew<vtkCallbackCommand> listen;
  listen->SetClientData(&complaint);
  listen->SetCallback([](vtkObject*, unsigned long, void* to, void* text) {
    auto& said = *static_cast<std::string*>(to);
    if (said.empty()) said = text ? static_cast<const char*>(text) : "error";
  });
  for (const char* event : {"ErrorEvent", "WarningEvent"}) {
    reader->AddObserver(event, listen);
    reader->GetExecutive()->AddObserver(event, listen);
    if constexpr (requires { reader->GetReaderErrorObserver(); }) {
      reader->SetReaderErrorObserver(listen);
      reader->SetParserErrorObserver(listen);
    }
  }
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkDataSet* data = reader->GetOutput();
  if (!complaint.empty()) {
    // "ERROR: In file, line n\nname (address): what is wrong": only what is wrong is about this file.
    while (!complaint.empty() && std::isspace(static_cast<unsigned char>(complaint.back()))) complaint.pop_back();
    complaint = complaint.substr(complaint.rfind('\n') + 1);
    if (const auto address = complaint.find("): "); complaint.starts_with("vtk") && address != std::string::npos)
      complaint = complaint.substr(address + 3);
    throw InputError(path + ": VTK cannot read it: " + complaint);
  }
  if (!data || data->GetNumberOfPoints() == 0) throw InputError(path + ": VTK finds no points in it");
  check_cells(path, *data);
  use(*data);
}

const char* solid_name(int type) {
  switch (type) {
    case VTK_HEXAHEDRON:
    case VTK_VOXEL:
      return "hexahedra";
    case VTK_WEDGE:
      return "prisms";
    case VTK_PYRAMID:
      return "pyramids";
    case VTK_QUADRATIC_TETRA:
      return "second-order tetrahedra";
    case VTK_LAGRANGE_TETRAHEDRON:
      return "tetrahedra of higher order";
    case VTK_POLYHEDRON:
      return "polyhedra";
    default:
      return "solids of another kind";
  }
}

void take_cells(vtkDataSet& data, VolumeMeshFile& out, std::vector<int>& tetrahedron_of) {
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
    const int type = data.GetCellType(c);
    data.GetCellPoints(c, ids);
    const auto corner = [&ids](vtkIdType k) { return static_cast<int>(ids->GetId(k)); };
    int tetrahedron = -1;
    if (type == VTK_TETRA) {
      tetrahedron = static_cast<int>(out.tetrahedra.size());
      out.tetrahedra.push_back({corner(0), corner(1), corner(2), corner(3)});
      out.element_number.push_back(c);
    } else if (type == VTK_TRIANGLE || type == VTK_QUAD || type == VTK_POLYGON) {
      for (vtkIdType k = 1; k + 1 < ids->GetNumberOfIds(); ++k)
        out.triangles.push_back({corner(0), corner(k), corner(k + 1)});
    } else if (data.GetCell(c)->GetCellDimension() == 3) {
      VolumeMeshFile::Others& others = out.solids[solid_name(type)];
      if (others.count++ == 0) others.first = c;
    }
    tetrahedron_of.push_back(tetrahedron);
  }
}

/// Fields of the legacy format say themselves how many values they have.
void check_count(const std::string& path, vtkDataArray& array, vtkIdType expected, const char* of) {
  if (array.GetNumberOfTuples() != expected)
    throw InputError(path + ": array '" + (array.GetName() ? array.GetName() : "") + "' has " +
                     std::to_string(array.GetNumberOfTuples()) + " values for " + std::to_string(expected) + of);
}

/// Arrays of whole numbers with one component; one of many values is no choice of regions.
void take_groups(const std::string& path, vtkDataSet& data, const std::vector<int>& tetrahedron_of,
                 VolumeMeshFile& out) {
  constexpr std::size_t kMostValues = 1000;
  for (int a = 0; a < data.GetCellData()->GetNumberOfArrays(); ++a) {
    vtkDataArray* array = data.GetCellData()->GetArray(a);
    if (!array || !array->GetName() || array->GetNumberOfComponents() != 1) continue;
    check_count(path, *array, data.GetNumberOfCells(), " cells");
    std::map<double, std::vector<int>> by_value;
    bool whole = true;
    for (vtkIdType c = 0; c < array->GetNumberOfTuples() && whole; ++c) {
      const double value = array->GetComponent(c, 0);
      whole = value == std::floor(value) && by_value.size() <= kMostValues;
      if (whole && tetrahedron_of[c] >= 0) by_value[value].push_back(tetrahedron_of[c]);
    }
    if (!whole) continue;
    for (auto& [value, elements] : by_value)
      out.groups[std::string(array->GetName()) + "_" + format_real(value)] = std::move(elements);
  }
}

/// By the reader of the file's kind.
template <class Use>
void read_grid(const std::string& path, const Use& use) {
  if (lower_case(std::filesystem::path(path).extension().string()) == ".vtu")
    read_with<vtkXMLUnstructuredGridReader>(path, use);
  else
    read_with<vtkDataSetReader>(path, use);
}

}  // namespace

VolumeMeshFile read_vtk_volume(const std::string& path) {
  VolumeMeshFile out;
  const auto take = [&out, &path](vtkDataSet& data) {
    for (vtkIdType n = 0; n < data.GetNumberOfPoints(); ++n) {
      std::array<double, 3> x{};
      data.GetPoint(n, x.data());
      out.nodes.push_back({x[0], x[1], x[2]});
      out.node_number.push_back(n);
    }
    std::vector<int> tetrahedron_of;  // per cell, -1: another
    take_cells(data, out, tetrahedron_of);
    take_groups(path, data, tetrahedron_of, out);
  };
  rehearse(path, [&] { read_grid(path, take); });
  read_grid(path, take);
  return out;
}

PointArray read_vtk_point_array(const std::string& path, const std::string& name) {
  PointArray out;
  const auto take = [&](vtkDataSet& data) {
    vtkPointData* points = data.GetPointData();
    vtkDataArray* array = points->GetArray(name.c_str());
    if (!array) {
      std::vector<std::string> known;
      for (int k = 0; k < points->GetNumberOfArrays(); ++k)
        if (const char* other = points->GetArrayName(k)) known.emplace_back(other);
      throw InputError(path + ": has no array '" + name + "' on its points" + suggestion(name, known));
    }
    check_count(path, *array, data.GetNumberOfPoints(), " points");
    out.components = array->GetNumberOfComponents();
    for (vtkIdType n = 0; n < array->GetNumberOfTuples(); ++n)
      for (int k = 0; k < out.components; ++k) out.values.push_back(array->GetComponent(n, k));
  };
  rehearse(path, [&] { read_grid(path, take); });
  read_grid(path, take);
  return out;
}

}  // namespace clarke
