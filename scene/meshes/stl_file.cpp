// STL. Binary: 80 bytes of anything, a 32-bit count, then 50 bytes per facet: normal, three corners (floats), 16 bits.
// ASCII: solid NAME, facet normal x y z / outer loop / vertex x y z (three) / endloop / endfacet, endsolid. Many binary
// files begin with "solid" too: a file is binary when its size is what its count says.

#include "scene/meshes/byte_cursor.hpp"
#include "scene/meshes/surface_readers.hpp"

#include <cmath>
#include <cstdint>
#include <map>

namespace clarke {
namespace {

constexpr std::size_t kHeader = 80, kFacet = 50;  // [byte]

class StlReader {
 public:
  explicit StlReader(const std::string& path) : cursor_(path) {
    if (is_binary())
      binary();
    else if (cursor_.begins_with("solid"))
      text();
    else if (cursor_.size() < kHeader + 4)
      cursor_.fail("is no STL file: shorter than the header of a binary one, and without 'solid'");
    else
      cursor_.fail("is a binary STL file of " + std::to_string(announced()) + " facets, which take " +
                   std::to_string(kHeader + 4 + kFacet * announced()) + " bytes, and has " +
                   std::to_string(cursor_.size()));
  }
  MeshFile mesh;

 private:
  std::size_t announced() const {
    std::uint32_t count = 0;
    std::memcpy(&count, cursor_.data() + kHeader, sizeof count);
    return count;
  }
  bool is_binary() const {
    return cursor_.size() >= kHeader + 4 && cursor_.size() == kHeader + 4 + kFacet * announced();
  }

  void binary() {
    cursor_.set_binary(true);
    cursor_.skip(kHeader + 4);
    for (std::size_t k = 0, facets = (cursor_.size() - kHeader - 4) / kFacet; k < facets; ++k) {
      cursor_.skip(3 * sizeof(float));
      std::array<int, 3> corner{};
      for (int& c : corner) {
        const double x = cursor_.number<float>("x"), y = cursor_.number<float>("y"), z = cursor_.number<float>("z");
        c = point({x, y, z});
      }
      cursor_.skip(sizeof(std::uint16_t));
      add(corner);
    }
  }

  void text() {
    while (!cursor_.at_end()) {  // several solids may follow each other
      cursor_.expect("solid");
      cursor_.line();
      for (std::string_view word = cursor_.word("facet or endsolid"); word != "endsolid";
           word = cursor_.word("facet or endsolid")) {
        if (word != "facet") cursor_.fail("expected facet or endsolid, got '" + std::string(word.substr(0, 40)) + "'");
        cursor_.expect("normal");
        for (int k = 0; k < 3; ++k) (void)cursor_.real("a normal");
        cursor_.expect("outer");
        cursor_.expect("loop");
        std::array<int, 3> corner{};
        for (int& c : corner) {
          cursor_.expect("vertex");
          const double x = cursor_.real("x"), y = cursor_.real("y"), z = cursor_.real("z");
          c = point({x, y, z});
        }
        cursor_.expect("endloop");
        cursor_.expect("endfacet");
        add(corner);
      }
      cursor_.line();
      cursor_.skip_blanks();
    }
  }

  int point(const Vec3& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      cursor_.fail("has a corner that is not finite");
    const auto [at, fresh] = index_.try_emplace({p.x, p.y, p.z}, static_cast<int>(mesh.points.size()));
    if (fresh) mesh.points.push_back(p);
    return at->second;
  }
  void add(const std::array<int, 3>& c) {
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) mesh.triangles.push_back(c);
  }

  ByteCursor cursor_;
  std::map<std::array<double, 3>, int> index_;
};

}  // namespace

MeshFile read_stl(const std::string& path) {
  MeshFile mesh = StlReader(path).mesh;
  mesh.piece.assign(mesh.triangles.size(), 0);
  return mesh;
}

}  // namespace clarke
