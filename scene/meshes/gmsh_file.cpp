// Gmsh's .msh files. Sections between $Name and $EndName; of those read here the two formats say, in this order:
//
//   2.2  $Nodes      count, then per node: number x y z
//        $Elements   ASCII: count, then per element: number type tags tag… node…
//                    binary: blocks of (type, how many, tags), then per element: number tag… node…
//        the first tag of an element is its physical group
//   4.1  $Entities   points, curves, surfaces, volumes with their physical groups
//        $Nodes      blocks of an entity: all numbers, then all places (with parameters u, v, w, if parametric)
//        $Elements   blocks of an entity: number node…
//
// In binary files counts and numbers of format 4.1 are 64 bit and all else is 32 bit. Source: Gmsh reference manual,
// "MSH file format". Other sections are passed over.

#include "scene/meshes/byte_cursor.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <unordered_map>

namespace clarke {
namespace {

struct ElementKind {
  int nodes;
  int dimension;
  const char* name;  // of solids
};

/// Gmsh's numbers of element types.
const std::map<int, ElementKind>& kinds() {
  static const std::map<int, ElementKind> all{{1, {2, 1, ""}},
                                              {2, {3, 2, ""}},
                                              {3, {4, 2, ""}},
                                              {4, {4, 3, "tetrahedra"}},
                                              {5, {8, 3, "hexahedra"}},
                                              {6, {6, 3, "prisms"}},
                                              {7, {5, 3, "pyramids"}},
                                              {8, {3, 1, ""}},
                                              {9, {6, 2, ""}},
                                              {10, {9, 2, ""}},
                                              {11, {10, 3, "second-order tetrahedra"}},
                                              {12, {27, 3, "second-order hexahedra"}},
                                              {13, {18, 3, "second-order prisms"}},
                                              {14, {14, 3, "second-order pyramids"}},
                                              {15, {1, 0, ""}},
                                              {16, {8, 2, ""}},
                                              {17, {20, 3, "second-order hexahedra"}},
                                              {18, {15, 3, "second-order prisms"}},
                                              {19, {13, 3, "second-order pyramids"}},
                                              {20, {9, 2, ""}},
                                              {21, {10, 2, ""}},
                                              {22, {12, 2, ""}},
                                              {23, {15, 2, ""}},
                                              {24, {15, 2, ""}},
                                              {25, {21, 2, ""}},
                                              {26, {4, 1, ""}},
                                              {27, {5, 1, ""}},
                                              {28, {6, 1, ""}},
                                              {29, {20, 3, "third-order tetrahedra"}},
                                              {30, {35, 3, "fourth-order tetrahedra"}},
                                              {31, {56, 3, "fifth-order tetrahedra"}}};
  return all;
}

class GmshReader {
 public:
  explicit GmshReader(const std::string& path) : cursor_(path) { read(); }
  VolumeMeshFile out;

 private:
  using Groups = std::vector<int>;  // physical groups, by number

  void read() {
    if (cursor_.line() != "$MeshFormat") cursor_.fail("expected $MeshFormat: not a Gmsh mesh");
    bool nodes = false, elements = false;
    format();
    while (!cursor_.at_end()) {
      const std::string section = cursor_.line();
      if (section.empty()) continue;
      if (section[0] != '$') cursor_.fail("expected a section $Name, got '" + section.substr(0, 40) + "'");
      const std::string name = section.substr(1);
      cursor_.set_binary(binary_);
      if (name == "PhysicalNames") {
        physical_names();
      } else if (name == "Entities" && four_) {
        entities();
      } else if (name == "Nodes") {
        four_ ? nodes_4() : nodes_2();
        nodes = true;
      } else if (name == "Elements") {
        if (!nodes) cursor_.fail("$Elements before $Nodes");
        four_ ? elements_4() : elements_2();
        elements = true;
      } else {
        pass_over(name);
        continue;
      }
      cursor_.set_binary(false);
      const std::string_view end = cursor_.word("$End" + name);
      if (end != "$End" + name) cursor_.fail("expected $End" + name + ", got '" + std::string(end.substr(0, 40)) + "'");
      cursor_.line();
    }
    if (!nodes || !elements) cursor_.fail(std::string("the file ends without $") + (nodes ? "Elements" : "Nodes"));
    name_groups();
  }

  void format() {
    const std::string version(cursor_.word("a version"));
    const long long type = cursor_.integer<int>("file type 0 (ASCII) or 1 (binary)");
    const long long size = cursor_.integer<int>("size of a number");
    if (version != "2.2" && version != "4.1")
      cursor_.fail("format " + version + ": expected 2.2 or 4.1, in which Gmsh writes with -format msh22 or msh41");
    if ((type != 0 && type != 1) || size != 8) cursor_.fail("expected file type 0 or 1 and numbers of 8 bytes");
    four_ = version == "4.1";
    binary_ = type == 1;
    cursor_.line();
    if (binary_) {
      cursor_.set_binary(true);
      if (cursor_.integer<int>("the number 1") != 1) cursor_.fail("written by a machine with the other order of bytes");
      cursor_.set_binary(false);
      cursor_.line();
    }
    if (cursor_.line() != "$EndMeshFormat") cursor_.fail("expected $EndMeshFormat");
  }

  void pass_over(const std::string& name) {
    if (!cursor_.skip_behind("$End" + name)) cursor_.fail("the file ends inside $" + name);
    cursor_.set_binary(false);
    cursor_.line();
  }

  void physical_names() {
    cursor_.set_binary(false);  // always text
    const long long count = cursor_.integer<int>("a number of names");
    cursor_.expect_room(count, 4, "names");
    for (long long k = 0; k < count; ++k) {
      const long long dimension = cursor_.integer<int>("a dimension");
      const long long number = cursor_.integer<int>("a number of a physical group");
      std::string name = cursor_.line();
      if (name.size() < 2 || name.front() != '"' || name.back() != '"') cursor_.fail("expected a name in quotes");
      if (dimension == 3) names_[static_cast<int>(number)] = name.substr(1, name.size() - 2);
    }
  }

  void entities() {
    long long counts[4];
    for (long long& c : counts) c = cursor_.integer<std::size_t>("a number of entities");
    for (int dimension = 0; dimension < 4; ++dimension) {
      cursor_.expect_room(counts[dimension], 8, "entities");
      for (long long k = 0; k < counts[dimension]; ++k) {
        const int tag = static_cast<int>(cursor_.integer<int>("a number of an entity"));
        for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c) cursor_.real("a bound of an entity");
        Groups groups;
        const long long physical = cursor_.integer<std::size_t>("a number of physical groups");
        cursor_.expect_room(physical, 2, "physical groups");
        for (long long g = 0; g < physical; ++g)
          groups.push_back(static_cast<int>(cursor_.integer<int>("a physical group")));
        if (dimension == 3) volumes_[tag] = groups;
        if (dimension == 0) continue;
        const long long bounding = cursor_.integer<std::size_t>("a number of bounding entities");
        cursor_.expect_room(bounding, 2, "bounding entities");
        for (long long g = 0; g < bounding; ++g) cursor_.integer<int>("a bounding entity");
      }
    }
  }

  void add_node(long long number) {
    if (!index_.try_emplace(number, static_cast<int>(out.node_number.size())).second)
      cursor_.fail("node " + std::to_string(number) + " twice");
    out.node_number.push_back(number);
  }
  Vec3 place() {
    const std::string what = "a coordinate";
    const double x = cursor_.real(what), y = cursor_.real(what), z = cursor_.real(what);
    return {x, y, z};
  }

  void nodes_2() {
    cursor_.set_binary(false);
    const long long count = cursor_.integer<int>("a number of nodes");
    cursor_.line();
    cursor_.set_binary(binary_);
    cursor_.expect_room(count, 7, "nodes");
    for (long long k = 0; k < count; ++k) {
      add_node(cursor_.integer<int>(nth("node", k, count)));
      out.nodes.push_back(place());
    }
  }

  void nodes_4() {
    const long long blocks = cursor_.integer<std::size_t>("a number of blocks");
    const long long total = cursor_.integer<std::size_t>("a number of nodes");
    for (int k = 0; k < 2; ++k) cursor_.integer<std::size_t>("a least or greatest number of a node");
    for (long long b = 0; b < blocks; ++b) {
      const long long dimension = cursor_.integer<int>("the dimension of an entity");
      cursor_.integer<int>("the number of an entity");
      const bool parametric = cursor_.integer<int>("0, or 1 for parameters") != 0;
      const long long count = cursor_.integer<std::size_t>("a number of nodes");
      cursor_.expect_room(count, 8, "nodes");
      for (long long k = 0; k < count; ++k) add_node(cursor_.integer<std::size_t>(nth("node", k, count)));
      for (long long k = 0; k < count; ++k) {
        out.nodes.push_back(place());
        for (long long p = 0; parametric && p < dimension; ++p) cursor_.real("a parameter");
      }
    }
    if (total != static_cast<long long>(out.nodes.size()))
      cursor_.fail("$Nodes announces " + std::to_string(total) + " nodes and has " + std::to_string(out.nodes.size()));
  }

  void elements_2() {
    cursor_.set_binary(false);
    const long long total = cursor_.integer<int>("a number of elements");
    cursor_.line();
    cursor_.set_binary(binary_);
    cursor_.expect_room(total, 4, "elements");
    for (long long k = 0; k < total;) {
      // In ASCII each element is its own block, and its number comes before the type.
      const long long own = binary_ ? 0 : cursor_.integer<int>(nth("element", k, total));
      const long long type = cursor_.integer<int>("a type of elements");
      const long long count = binary_ ? cursor_.integer<int>("a number of elements") : 1;
      const long long tags = cursor_.integer<int>("a number of tags");
      if (count < 1 || count > total - k)
        cursor_.fail("expected 1 to " + std::to_string(total - k) + " elements in a block");
      cursor_.expect_room(tags, 2, "tags");
      for (long long e = 0; e < count; ++e, ++k) {
        const long long number = binary_ ? cursor_.integer<int>(nth("element", k, total)) : own;
        Groups groups;
        for (long long t = 0; t < tags; ++t) {
          const long long tag = cursor_.integer<int>("a tag");
          if (t == 0 && tag != 0) groups.push_back(static_cast<int>(tag));
        }
        element<int>(number, static_cast<int>(type), groups);
      }
    }
  }

  void elements_4() {
    const long long blocks = cursor_.integer<std::size_t>("a number of blocks");
    const long long total = cursor_.integer<std::size_t>("a number of elements");
    for (int k = 0; k < 2; ++k) cursor_.integer<std::size_t>("a least or greatest number of an element");
    long long seen = 0;
    for (long long b = 0; b < blocks; ++b) {
      const long long dimension = cursor_.integer<int>("the dimension of an entity");
      const long long entity = cursor_.integer<int>("the number of an entity");
      const long long type = cursor_.integer<int>("a type of elements");
      const long long count = cursor_.integer<std::size_t>("a number of elements");
      cursor_.expect_room(count, 4, "elements");
      const auto volume = volumes_.find(static_cast<int>(entity));
      const Groups groups = dimension == 3 && volume != volumes_.end() ? volume->second : Groups{};
      for (long long e = 0; e < count; ++e, ++seen)
        element<std::size_t>(cursor_.integer<std::size_t>(nth("element", e, count)), static_cast<int>(type), groups);
    }
    if (total != seen)
      cursor_.fail("$Elements announces " + std::to_string(total) + " elements and has " + std::to_string(seen));
  }

  template <class Stored>
  void element(long long number, int type, const Groups& groups) {
    const auto found = kinds().find(type);
    if (found == kinds().end())
      cursor_.fail("element " + std::to_string(number) + ": its type " + std::to_string(type) + " is not known here");
    const ElementKind& kind = found->second;
    std::array<int, 4> corner{};
    for (int c = 0; c < kind.nodes; ++c) {
      const long long node = cursor_.integer<Stored>("a node of element " + std::to_string(number));
      const auto index = index_.find(node);
      if (index == index_.end())
        cursor_.fail("element " + std::to_string(number) + ": there is no node " + std::to_string(node));
      if (c < 4) corner[c] = index->second;
    }
    if (type == 4) {
      for (const int g : groups) tetrahedra_of_[g].push_back(static_cast<int>(out.tetrahedra.size()));
      out.tetrahedra.push_back(corner);
      out.element_number.push_back(number);
    } else if (type == 2) {
      out.triangles.push_back({corner[0], corner[1], corner[2]});
    } else if (type == 3) {
      out.triangles.push_back({corner[0], corner[1], corner[2]});
      out.triangles.push_back({corner[0], corner[2], corner[3]});
    } else if (kind.dimension == 3) {
      VolumeMeshFile::Others& others = out.solids[kind.name];
      if (others.count++ == 0) others.first = number;
    }
  }

  void name_groups() {
    for (auto& [group, elements] : tetrahedra_of_) {
      const auto name = names_.find(group);
      out.groups[name == names_.end() ? "physical_" + std::to_string(group) : name->second] = std::move(elements);
    }
  }
  static std::string nth(const char* what, long long k, long long count) {
    return std::string("the number of ") + what + " " + std::to_string(k + 1) + " of " + std::to_string(count);
  }

  ByteCursor cursor_;
  bool four_ = false, binary_ = false;
  std::unordered_map<long long, int> index_;  // of nodes, by number
  std::map<int, std::string> names_;          // of physical groups of volumes
  std::map<int, Groups> volumes_;             // of entities
  std::map<int, std::vector<int>> tetrahedra_of_;
};

}  // namespace

VolumeMeshFile read_gmsh(const std::string& path) { return GmshReader(path).out; }

}  // namespace clarke
