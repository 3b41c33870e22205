// Readers of volume meshes: the same two tetrahedra in every format; what is refused with which words; what each repair
// does.

#include "framework/error.hpp"
#include "scene/meshes/tet_mesh_file.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(mesh_readers)

namespace {

/// A file that is gone afterwards.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& ending, const std::string& bytes, const std::string& stem = "") {
    static int count = 0;
    name_ = stem.empty() ? "clarke_volume_" + std::to_string(getpid()) + "_" + std::to_string(++count) : stem;
    path_ = (std::filesystem::temp_directory_path() / (name_ + ending)).string();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  const std::string& stem() const { return name_; }

 private:
  std::string name_, path_;
};

/// Numbers as bytes.
class Bytes {
 public:
  template <class T>
  Bytes& put(std::initializer_list<T> values) {
    for (const T value : values) {
      char raw[sizeof(T)];
      std::memcpy(raw, &value, sizeof(T));
      text.append(raw, sizeof(T));
    }
    return *this;
  }
  Bytes& put(const std::string& words) {
    text += words;
    return *this;
  }
  std::string text;
};

// Two tetrahedra on a common face, nodes 10 to 14, elements 7 and 8, each a physical group; a triangle of the boundary
// beside them.
const std::string kNodes2 = "$Nodes\n5\n10 0 0 0\n11 1 0 0\n12 0 1 0\n13 0 0 1\n14 1 1 1\n$EndNodes\n";
const std::string kNames = "$PhysicalNames\n3\n2 1 \"skin\"\n3 1 \"soft part\"\n3 2 \"hard\"\n$EndPhysicalNames\n";
const std::string kGmsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + kNames + kNodes2 +
    "$Elements\n3\n6 2 2 1 1 10 12 11\n7 4 2 1 1 10 11 12 13\n8 4 2 2 2 11 14 12 13\n$EndElements\n";
const std::string kGmsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + kNames +
    "$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 1 1 1 0\n1 0 0 0 1 1 1 1 1 1 1\n2 0 0 0 1 1 1 1 2 1 1\n$EndEntities\n"
    "$Nodes\n2 5 10 14\n0 1 0 1\n10\n0 0 0\n2 1 1 4\n11\n12\n13\n14\n1 0 0 .5 .5\n0 1 0 .5 .5\n0 0 1 0 0\n1 1 1 0 "
    "0\n$EndNodes\n"
    "$Elements\n3 3 6 8\n2 1 2 1\n6 10 12 11\n3 1 4 1\n7 10 11 12 13\n3 2 4 1\n8 11 14 12 13\n$EndElements\n"
    "$Surface\n1\n1 2 3\n$EndSurface\n";

std::string gmsh2_binary() {
  Bytes b;
  b.put("$MeshFormat\n2.2 1 8\n").put({1}).put("\n$EndMeshFormat\n").put(kNames).put("$Nodes\n5\n");
  const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  for (int n = 0; n < 5; ++n) b.put({10 + n}).put({x[n][0], x[n][1], x[n][2]});
  b.put("\n$EndNodes\n$Elements\n3\n").put({2, 1, 2}).put({6, 1, 1, 10, 12, 11});
  b.put({4, 2, 2}).put({7, 1, 1, 10, 11, 12, 13}).put({8, 2, 2, 11, 14, 12, 13}).put("\n$EndElements\n");
  return b.text;
}

std::string gmsh4_binary() {
  using Size = std::size_t;
  Bytes b;
  b.put("$MeshFormat\n4.1 1 8\n").put({1}).put("\n$EndMeshFormat\n").put(kNames);
  b.put("$Entities\n").put<Size>({0, 0, 0, 2});
  for (const int volume : {1, 2})
    b.put({volume}).put({0., 0., 0., 1., 1., 1.}).put<Size>({1}).put({volume}).put<Size>({1}).put({1});
  b.put("\n$EndEntities\n$Nodes\n").put<Size>({1, 5, 10, 14}).put({3, 1, 0}).put<Size>({5});
  b.put<Size>({10, 11, 12, 13, 14}).put({0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.});
  b.put("\n$EndNodes\n$Elements\n").put<Size>({3, 3, 6, 8}).put({2, 1, 2}).put<Size>({1, 6, 10, 12, 11});
  b.put({3, 1, 4}).put<Size>({1, 7, 10, 11, 12, 13}).put({3, 2, 4}).put<Size>({1, 8, 11, 14, 12, 13});
  b.put("\n$EndElements\n");
  return b.text;
}

std::string legacy(const std::string& cells) {
  return "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
         "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n" +
         cells;
}
const std::string kLegacy = legacy(
    "CELLS 3 14\n3 0 2 1\n4 0 1 2 3\n4 1 4 2 3\nCELL_TYPES 3\n5\n10\n10\n"
    "CELL_DATA 3\nSCALARS part int 1\nLOOKUP_TABLE default\n0\n1\n2\n");
std::string vtu(const std::string& types) {
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
         "format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1 1 1 1</DataArray></Points><CellData><DataArray type=\"Int32\" "
         "Name=\"part\" format=\"ascii\">1 2</DataArray></CellData><Cells><DataArray type=\"Int32\" "
         "Name=\"connectivity\" format=\"ascii\">0 1 2 3 1 4 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" "
         "format=\"ascii\">4 8</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" +
         types + "</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

VolumeMeshFile read_text(const std::string& ending, const std::string& bytes) {
  const TemporaryFile file(ending, bytes);
  return read_volume_mesh(file.path());
}

void check_two(const VolumeMeshFile& mesh, long long first_node, long long first_element) {
  BOOST_REQUIRE(mesh.nodes.size() == 5U);
  BOOST_TEST(mesh.nodes[4].x + mesh.nodes[4].y + mesh.nodes[4].z == 3);
  BOOST_TEST(mesh.nodes[3].z == 1);
  BOOST_TEST(mesh.node_number[0] == first_node);
  BOOST_REQUIRE(mesh.tetrahedra.size() == 2U);
  BOOST_TEST((mesh.tetrahedra[0] == std::array{0, 1, 2, 3}));
  BOOST_TEST((mesh.tetrahedra[1] == std::array{1, 4, 2, 3}));
  BOOST_TEST(mesh.element_number[0] == first_element);
}

TetMesh read_mesh_text(const std::string& ending, const std::string& bytes, const std::set<std::string>& repair = {},
                       std::vector<std::string>* said = nullptr, double distance = 0,
                       const std::vector<std::string>& groups = {}) {
  const TemporaryFile file(ending, bytes);
  std::vector<std::string> repairs;
  const TetMesh mesh = read_tet_mesh({file.path(), 1, groups, repair, distance}, repairs);
  if (said) *said = repairs;
  check_tet_mesh(mesh, "after reading");  // whatever is let through is a mesh for a soft body
  return mesh;
}

template <class Read>
void refused(const Read& read, const std::string& words) {
  BOOST_CHECK_EXCEPTION(read(), InputError, [&](const InputError& e) {
    const std::string what = e.what();
    BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
    return true;
  });
}

/// Format 2.2 with these nodes (numbers from 1) and tetrahedra (numbers from 1).
std::string gmsh_of(const std::vector<Vec3>& nodes, const std::vector<std::array<int, 4>>& tetrahedra) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(nodes.size()) + "\n";
  for (std::size_t n = 0; n < nodes.size(); ++n)
    text += std::to_string(n + 1) + " " + std::to_string(nodes[n].x) + " " + std::to_string(nodes[n].y) + " " +
            std::to_string(nodes[n].z) + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(tetrahedra.size()) + "\n";
  for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
    text += std::to_string(e + 1) + " 4 0";
    for (const int n : tetrahedra[e]) text += " " + std::to_string(n);
    text += "\n";
  }
  return text + "$EndElements\n";
}
const std::vector<Vec3> kFive{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

BOOST_AUTO_TEST_CASE(gmsh_formats_hold_the_same) {
  for (const std::string& bytes : {kGmsh2, kGmsh4, gmsh2_binary(), gmsh4_binary()}) {
    const VolumeMeshFile mesh = read_text(".msh", bytes);
    check_two(mesh, 10, 7);
    BOOST_TEST(mesh.triangles.size() == 1U);
    BOOST_REQUIRE(mesh.groups.size() == 2U);
    BOOST_TEST((mesh.groups.at("soft part") == std::vector{0}));
    BOOST_TEST((mesh.groups.at("hard") == std::vector{1}));
  }
}

BOOST_AUTO_TEST_CASE(vtk_formats_hold_the_same) {
  check_two(read_text(".vtk", kLegacy), 0, 1);
  BOOST_TEST((read_text(".vtk", kLegacy).groups.at("part_2") == std::vector{1}));
  check_two(read_text(".vtu", vtu("10 10")), 0, 0);
  BOOST_TEST((read_text(".vtu", vtu("10 10")).groups.at("part_1") == std::vector{0}));
}

BOOST_AUTO_TEST_CASE(tetgen_numbers_from_zero_or_one) {
  for (const int first : {0, 1}) {
    const auto number = [first](int k) { return std::to_string(first + k) + " "; };
    const TemporaryFile nodes(".node", "# made by hand\n\n5 3 0 0 # points\n" + number(0) + "0 0 0\n" + number(1) +
                                           "1 0 0\n" + number(2) + "0 1 0\n" + number(3) + "0 0 1\n" + number(4) +
                                           "1 1 1\n");
    const TemporaryFile elements(".ele",
                                 "2 4 1\n" + number(0) + number(0) + number(1) + number(2) + number(3) + "1\n" +
                                     number(1) + number(1) + number(4) + number(2) + number(3) + "-2\n# end\n",
                                 nodes.stem());
    for (const std::string& path : {nodes.path(), elements.path()}) {
      const VolumeMeshFile mesh = read_volume_mesh(path);
      check_two(mesh, first, first);
      BOOST_TEST((mesh.groups.at("region_-2") == std::vector{1}));
    }
  }
  const TemporaryFile zero(".node", std::string("1 3 0 0\n0 0 0 1\0x\n", 19));
  refused([&] { read_volume_mesh(zero.path()); }, ":2: expected z, got '1");
}

BOOST_AUTO_TEST_CASE(every_beginning_of_a_file_is_refused) {
  for (const std::string& whole : {kGmsh2, kGmsh4, gmsh2_binary(), gmsh4_binary()}) {
    const std::size_t end = whole.find("$EndElements");  // sections behind it are passed over
    for (std::size_t length = 0; length < end + 4; length += 3)
      BOOST_CHECK_THROW(read_text(".msh", whole.substr(0, length)), InputError);
  }
  for (std::size_t length = 0; length < vtu("10 10").size() - 14; length += 40)
    BOOST_CHECK_THROW(read_text(".vtu", vtu("10 10").substr(0, length)), InputError);
  refused([] { read_text(".msh", kGmsh4.substr(0, kGmsh4.find("7 10 11 12"))); },
          ":36: expected 1 elements, for which the file is too short");
}

BOOST_AUTO_TEST_CASE(wrong_gmsh_files) {
  const auto wrong = [](const std::string& text, const std::string& words) {
    refused([&] { read_text(".msh", text); }, words);
  };
  wrong("solid x\n", "not a Gmsh mesh");
  wrong(replaced(kGmsh2, "2.2 0 8", "4 0 8"), ":2: format 4: expected 2.2 or 4.1");
  wrong(replaced(kGmsh2, "$Nodes\n5", "$Nodes\n900000000"), "for which the file is too short");
  wrong(replaced(kGmsh2, "14 1 1 1", "13 1 1 1"), "node 13 twice");
  wrong(replaced(kGmsh2, "11 14 12 13", "11 99 12 13"), "element 8: there is no node 99");
  wrong(replaced(kGmsh2, "10 0 0 0", "10 0 zero 0"), ":12: expected a coordinate, got 'zero'");
  wrong(replaced(kGmsh2, "8 4 2", "8 999 2"), "element 8: its type 999 is not known here");
  wrong(replaced(kGmsh2, "8 4 2", "8 4294967300 2"), "expected a type of elements, got '4294967300'");  // 2^32 + 4
  wrong(replaced(kGmsh2, "10 0 0 0", "10 0 " + std::string("7\0x", 3) + " 0"), ":12: expected a coordinate, got '7");
  wrong(replaced(kGmsh4, "2 5 10 14", "2 -5 10 14"), "expected a number of nodes, got '-5'");
  wrong(replaced(kGmsh4, "2 5 10 14", "2 6 10 14"), "announces 6 nodes and has 5");
  Bytes swapped;
  swapped.put("$MeshFormat\n2.2 1 8\n").put({1 << 24}).put("\n$EndMeshFormat\n");
  wrong(swapped.text, "other order of bytes");
  refused([] { read_text(".step", "x"); }, "expected a mesh of tetrahedra as .msh");
  refused([] { read_text(".stl", "x"); }, "this is a surface");
}

BOOST_AUTO_TEST_CASE(other_elements_are_refused_by_number) {
  // Ten nodes make a second-order tetrahedron.
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  for (int n = 1; n <= 10; ++n) text += std::to_string(n) + " " + std::to_string(n * n) + " 0 0\n";
  text += "$EndNodes\n$Elements\n1\n42 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  refused([&] { read_mesh_text(".msh", text); }, "element 42 is one of 1 second-order tetrahedra");
  refused([&] { read_mesh_text(".vtk", legacy("CELLS 1 6\n5 0 1 2 3 4\nCELL_TYPES 1\n14\n")); },
          "element 0 is one of 1 pyramids");
  refused([&] { read_mesh_text(".vtk", legacy("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n")); },
          "1 triangles and no tetrahedra: a surface");
  const std::string surface =
      replaced(replaced(replaced(kGmsh2, "7 4 2 1 1 10 11 12 13\n", ""), "8 4 2 2 2 11 14 12 13\n", ""), "$Elements\n3",
               "$Elements\n1");
  refused([&] { read_mesh_text(".msh", surface); }, "a surface");
}

BOOST_AUTO_TEST_CASE(arrays_have_a_value_for_each) {
  const std::string field = "FIELD f 1\npart 1 3 int\n3 3 3\n";
  const std::string cells = "CELLS 2 10\n4 0 1 2 3\n4 1 4 2 3\nCELL_TYPES 2\n10\n10\n";
  refused([&] { read_text(".vtk", legacy(cells + "CELL_DATA 2\n" + field)); }, "array 'part' has 3 values for 2 cells");
  const TemporaryFile file(".vtk", legacy(cells + "POINT_DATA 5\n" + field));
  refused([&] { read_vtk_point_array(file.path(), "part"); }, "array 'part' has 3 values for 5 points");
}

BOOST_AUTO_TEST_CASE(repairs) {
  std::vector<std::string> said;
  const auto wrong = [](const std::string& text, const std::string& words) {
    refused([&] { read_mesh_text(".msh", text); }, words);
  };
  const std::string inverted = gmsh_of(kFive, {{1, 2, 3, 4}, {5, 2, 3, 4}});
  wrong(inverted, "element 2 is inverted (repair: flip)");
  BOOST_TEST(read_mesh_text(".msh", inverted, {"flip"}, &said).tetrahedra.size() == 2U);
  BOOST_TEST(said.at(0) == "1 elements flipped");

  const std::string loose = gmsh_of({{9, 9, 9}, kFive[0], kFive[1], kFive[2], kFive[3]}, {{2, 3, 4, 5}});
  wrong(loose, "node 1 belongs to no element (repair: drop_unreferenced)");
  BOOST_TEST(read_mesh_text(".msh", loose, {"drop_unreferenced"}, &said).nodes.size() == 4U);
  BOOST_TEST(said.at(0) == "1 nodes of no element dropped");

  // The face of the two tetrahedra has its own nodes in each.
  const std::string apart =
      gmsh_of({kFive[0], kFive[1], kFive[2], kFive[3], kFive[4], kFive[1], kFive[2], {0, 0, 1.0005}},
              {{1, 2, 3, 4}, {6, 5, 7, 8}});
  wrong(apart, "node 2 and node 6 are at the same place (repair: merge_nodes)");
  BOOST_TEST(read_mesh_text(".msh", apart, {"merge_nodes"}, &said).nodes.size() == 6U);
  BOOST_TEST(said.at(0) == "2 nodes merged");
  BOOST_TEST(read_mesh_text(".msh", apart, {"merge_nodes"}, &said, 0.001).nodes.size() == 5U);
  BOOST_TEST(said.at(0) == "3 nodes merged");

  const std::string flat = gmsh_of({kFive[0], kFive[1], kFive[2], kFive[3], {1, 1, 0}}, {{1, 2, 3, 4}, {1, 2, 5, 3}});
  wrong(flat, "element 2 is flat (repair: drop_degenerate)");
  refused([&] { read_mesh_text(".msh", flat, {"drop_degenerate"}); }, "node 5 belongs to no element");
  BOOST_TEST(read_mesh_text(".msh", flat, {"drop_degenerate", "drop_unreferenced"}, &said).tetrahedra.size() == 1U);
  BOOST_TEST(said.size() == 2U);

  const std::string twice = gmsh_of(kFive, {{1, 2, 3, 4}, {2, 5, 3, 4}, {2, 3, 1, 4}});
  wrong(twice, "element 1 and element 3 have the same nodes (repair: drop_duplicates)");
  BOOST_TEST(read_mesh_text(".msh", twice, {"drop_duplicates"}, &said).tetrahedra.size() == 2U);

  wrong(replaced(gmsh_of(kFive, {{1, 2, 3, 4}, {2, 5, 3, 4}}), "5 1.0", "5 nan 1.0"), "");
  wrong(gmsh_of({kFive[0], kFive[1], kFive[2], kFive[3], kFive[4], {2, 2, 2}},
                {{1, 2, 3, 4}, {2, 5, 3, 4}, {2, 6, 3, 4}}),
        "element 3 is the third on the face of node 2, node 3 and node 4");
}

BOOST_AUTO_TEST_CASE(groups_choose) {
  const TetMesh hard = read_mesh_text(".msh", kGmsh4, {}, nullptr, 0, {"hard"});
  BOOST_TEST(hard.tetrahedra.size() == 1U);
  BOOST_TEST(hard.nodes.size() == 4U);  // the node of the other one is gone without a repair
  BOOST_TEST((hard.regions.at("hard") == std::vector{0}));
  BOOST_TEST(hard.regions.count("soft part") == 0U);
  refused([] { read_mesh_text(".msh", kGmsh4, {}, nullptr, 0, {"herd"}); },
          "there is no group 'herd' of tetrahedra; did you mean 'hard'?");
}

BOOST_AUTO_TEST_CASE(surfaces) {
  const TemporaryFile msh(".msh", kGmsh2), obj(".obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  BOOST_TEST(read_surface(msh.path(), 2).nodes.at(2).x == 2);  // in the order in which triangles use them
  const SurfaceMesh square = read_surface(obj.path(), 1);
  BOOST_TEST(square.nodes.size() == 4U);
  BOOST_TEST(square.triangles.size() == 2U);
  const TemporaryFile line(".obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  refused([&] { read_surface(line.path(), 1); }, "triangle 0 has no area");
}

BOOST_AUTO_TEST_CASE(arrays_on_points) {
  const TemporaryFile file(
      ".vtk",
      "# vtk DataFile Version 3.0\nleaf\nASCII\nDATASET POLYDATA\nPOINTS 3 double\n0 0 0 1 0 0 0 1 0\n"
      "POLYGONS 1 4\n3 0 1 2\nPOINT_DATA 3\nVECTORS grain double\n1 0 0 0 1 0 0 0 2\n"
      "SCALARS wear double 1\nLOOKUP_TABLE default\n1 2.5 3\n");
  const PointArray grain = read_vtk_point_array(file.path(), "grain"), wear = read_vtk_point_array(file.path(), "wear");
  BOOST_TEST((grain.components == 3 && grain.values == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 2}));
  BOOST_TEST((wear.components == 1 && wear.values == std::vector<double>{1, 2.5, 3}));
  refused([&] { read_vtk_point_array(file.path(), "grian"); }, "'grain'");
}

BOOST_AUTO_TEST_SUITE_END()
