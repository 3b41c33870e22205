#include "scene/meshes/mesh_file.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/meshes/surface_readers.hpp"

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

}  // namespace

MeshFile read_mesh(const std::string& path, const std::string& place) {
  require(std::filesystem::is_regular_file(path), place, "mesh '" + path + "' is not a file");
  std::string type = std::filesystem::path(path).extension().string();
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (type != ".stl" && type != ".obj" && type != ".ply")
    throw InputError(place + ": mesh '" + path + "' is neither STL, OBJ nor PLY");
  MeshFile mesh;
  try {
    mesh = type == ".stl" ? read_stl(path) : type == ".obj" ? read_obj(path) : read_ply(path);
  } catch (const InputError& error) {
    throw InputError(place == path ? error.what() : place + ": " + error.what());
  }
  require(!mesh.points.empty(), place, "mesh '" + path + "' has no points");
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
      const std::optional<double> value = parse_real(word);
      require(value.has_value(), here, "expected numbers, got '" + word + "'");
      table.values.push_back(*value);
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
