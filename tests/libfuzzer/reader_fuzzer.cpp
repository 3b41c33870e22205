// Targets of libFuzzer for the readers that are our own: whatever the bytes, the outcome is what the file holds, or an
// InputError. One program per reader, CLARKE_READER:
//
//   stl obj ply gmsh tetgen    meshes                       table    heights
//   yaml    what is asked of scenes and studies before YAML-CPP reads them
//   png     what is asked of a picture before libpng reads it
//   urdf    what is asked of a robot before TinyXML and urdfdom read it, and those two, which read in our process
//   checkpoint    the preface, which has to be whole before HDF5 reads the rest
//
// What is left of VTK, VTU, PNG and HDF5 problems is libraries' work in a child process (framework/rehearsal.hpp),
// where libFuzzer does not see: these files go through the program (tests/fuzz/mutants.py), as whole scenes and studies
// do.
//
//   scripts/nightly.sh libfuzzer      builds them with clang++ and runs each for FUZZ_SECONDS

#include "framework/error.hpp"
#include "postprocess/checkpoint_file.hpp"
#include "scene/meshes/mesh_file.hpp"
#include "scene/meshes/png_guard.hpp"
#include "scene/meshes/surface_readers.hpp"
#include "scene/meshes/volume_mesh_file.hpp"
#include "scene/reader/yaml_guard.hpp"
#include "scene/urdf/urdf_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

enum Reader { stl, obj, ply, gmsh, tetgen, table, yaml, png, urdf, checkpoint };
constexpr Reader kReader = CLARKE_READER;

/// A folder of this process in memory, where the system has one.
class Folder {
 public:
  Folder() : path_("/dev/shm/clarke_fuzz_" + std::to_string(getpid())) { std::filesystem::create_directories(path_); }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// Every corner of every triangle is a point of the mesh.
void check(const clarke::MeshFile& mesh) {
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= static_cast<int>(mesh.points.size())) abort();
  if (mesh.piece.size() != mesh.triangles.size()) abort();
  for (const int piece : mesh.piece)
    if (piece < 0 || piece >= mesh.pieces) abort();
}

void check(const clarke::VolumeMeshFile& mesh) {
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (const int corner : tetrahedron)
      if (corner < 0 || corner >= static_cast<int>(mesh.nodes.size())) abort();
  for (const auto& [name, elements] : mesh.groups)
    for (const int element : elements)
      if (element < 0 || element >= static_cast<int>(mesh.tetrahedra.size())) abort();
}

void check(const clarke::NumberTable& table) {
  if (table.values.size() != static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns)) abort();
  for (const double value : table.values)
    if (!std::isfinite(value)) abort();
}

/// Every link and joint has a line, and every joint that moves a place among the others.
void check(const clarke::UrdfFile& robot) {
  for (const auto& [name, link] : robot.model().links_)
    if (!link || robot.link_place(name).empty()) abort();
  for (const std::string& name : robot.free_joints())
    if (robot.model().joints_.count(name) == 0 || robot.joint_order(name) < 1) abort();
  (void)robot.ignored().lines();
}

void read(const Folder& folder, const std::string& bytes) {
  if constexpr (kReader == stl) check(clarke::read_stl(folder.write("a.stl", bytes)));
  if constexpr (kReader == obj) check(clarke::read_obj(folder.write("a.obj", bytes)));
  if constexpr (kReader == ply) check(clarke::read_ply(folder.write("a.ply", bytes)));
  if constexpr (kReader == gmsh) check(clarke::read_gmsh(folder.write("a.msh", bytes)));
  if constexpr (kReader == table) check(clarke::read_table(folder.write("a.csv", bytes), "file"));
  if constexpr (kReader == yaml) clarke::check_yaml("a.yaml", bytes);
  if constexpr (kReader == png) clarke::check_png(folder.write("a.png", bytes), "file");
  if constexpr (kReader == urdf) check(clarke::UrdfFile(folder.write("a.urdf", bytes)));
  if constexpr (kReader == checkpoint) (void)clarke::read_checkpoint(folder.write("a.hdf5", bytes));
  if constexpr (kReader == tetgen) {  // two files, with a zero between them
    const std::size_t end = bytes.find('\0');
    (void)folder.write("a.node", bytes.substr(0, end));
    check(clarke::read_tetgen(folder.write("a.ele", end == std::string::npos ? "" : bytes.substr(end + 1))));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  try {
    read(folder, std::string(reinterpret_cast<const char*>(data), size));
  } catch (const clarke::InputError&) {}
  return 0;
}
