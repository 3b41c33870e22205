#include "scene/meshes/mesh_file.hpp"

#include "framework/error.hpp"

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkPLYReader.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace clarke {
namespace {

void require(bool good, const std::string& place, const std::string& expected) {
  if (!good) throw InputError(place + ": " + expected);
}

/// Runs a VTK reader; its complaints become the exception's.
template <class Reader>
MeshFile mesh_of(const std::string& path, const std::string& place) {
  vtkNew<Reader> reader;
  std::string complaint;
  vtkNew<vtkCallbackCommand> listen;
  listen->SetClientData(&complaint);
  listen->SetCallback([](vtkObject*, unsigned long, void* to, void* text) {
    *static_cast<std::string*>(to) = text ? static_cast<const char*>(text) : "error";
  });
  for (const char* event : {"ErrorEvent", "WarningEvent"}) {
    reader->AddObserver(event, listen);
    reader->GetExecutive()->AddObserver(event, listen);
  }
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkPolyData* data = reader->GetOutput();
  const vtkIdType count = data ? data->GetNumberOfPoints() : 0;
  require(count > 0, place, "mesh '" + path + "' has no points" + (complaint.empty() ? "" : ": " + complaint));
  MeshFile mesh;
  for (vtkIdType i = 0; i < count; ++i) {
    std::array<double, 3> x{};
    data->GetPoint(i, x.data());
    require(std::isfinite(x[0] + x[1] + x[2]), place, "mesh '" + path + "' has points that are not finite");
    mesh.points.push_back({x[0], x[1], x[2]});
  }
  vtkCellArray* polygons = data->GetPolys();
  for (vtkIdType cell = 0; polygons && cell < polygons->GetNumberOfCells(); ++cell) {
    vtkIdType corners = 0;
    const vtkIdType* corner = nullptr;
    polygons->GetCellAtId(cell, corners, corner);
    for (vtkIdType k = 1; k + 1 < corners; ++k) {
      mesh.triangles.push_back(
          {static_cast<int>(corner[0]), static_cast<int>(corner[k]), static_cast<int>(corner[k + 1])});
      mesh.piece.push_back(static_cast<int>(cell));  // the polygon, until its piece is known
    }
  }
  return mesh;
}

/// Piece of every polygon of an OBJ file, in the order of its `f` lines. (VTK's reader does not hand on the names.)
std::vector<int> obj_pieces(const std::string& path, int& pieces) {
  std::ifstream stream(path);
  std::vector<int> piece;
  bool begun = false;  // a face since the last `g` or `o`
  pieces = 1;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "f") {
      piece.push_back(pieces - 1);
      begun = true;
    } else if ((word == "g" || word == "o") && begun) {
      ++pieces;
      begun = false;
    }
  }
  if (!begun && pieces > 1) --pieces;
  return piece;
}

}  // namespace

MeshFile read_mesh(const std::string& path, const std::string& place) {
  require(std::filesystem::is_regular_file(path), place, "mesh '" + path + "' is not a file");
  std::string type = std::filesystem::path(path).extension().string();
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (type != ".stl" && type != ".obj" && type != ".ply")
    throw InputError(place + ": mesh '" + path + "' is neither STL, OBJ nor PLY");
  MeshFile mesh = type == ".stl"   ? mesh_of<vtkSTLReader>(path, place)
                  : type == ".obj" ? mesh_of<vtkOBJReader>(path, place)
                                   : mesh_of<vtkPLYReader>(path, place);
  const std::vector<int> polygon = std::move(mesh.piece);
  mesh.piece.assign(polygon.size(), 0);
  if (type != ".obj") return mesh;
  const std::vector<int> piece = obj_pieces(path, mesh.pieces);
  for (std::size_t t = 0; t < polygon.size(); ++t) {
    require(polygon[t] < static_cast<int>(piece.size()), place, "mesh '" + path + "' has other polygons than faces");
    mesh.piece[t] = piece[polygon[t]];
  }
  return mesh;
}

std::vector<Vec3> read_mesh_points(const std::string& path, const std::string& place) {
  std::vector<Vec3> points;
  std::set<std::array<double, 3>> seen;
  for (const Vec3& p : read_mesh(path, place).points)
    if (seen.insert({p.x, p.y, p.z}).second) points.push_back(p);
  return points;
}

NumberTable read_table(const std::string& path, const std::string& place) {
  std::ifstream stream(path);
  require(std::filesystem::is_regular_file(path) && stream, place, "'" + path + "' cannot be read");
  NumberTable table;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::string here = path + ":" + std::to_string(number);
    line = line.substr(0, line.find('#'));
    for (char& c : line)
      if (c == ',' || c == ';') c = ' ';
    std::istringstream words(line);
    int columns = 0;
    for (std::string word; words >> word; ++columns) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      require(*end == '\0' && std::isfinite(value), here, "expected numbers, got '" + word + "'");
      table.values.push_back(value);
    }
    if (columns == 0) continue;
    if (table.rows == 0) table.columns = columns;
    require(
        columns == table.columns, here,
        "expected " + std::to_string(table.columns) + " numbers as in the first row, got " + std::to_string(columns));
    ++table.rows;
  }
  require(table.rows > 0, place, "'" + path + "' holds no numbers");
  return table;
}

}  // namespace clarke
