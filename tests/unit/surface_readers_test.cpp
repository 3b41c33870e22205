// Readers of surfaces: what is whole is read the same from every format, what is not is refused with line or byte. The
// damaged files are those that ended the program, or passed, when libraries read them.

#include "scene/meshes/surface_readers.hpp"

#include "framework/error.hpp"
#include "scene/meshes/image_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(surface_readers)

namespace {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& ending, const std::string& bytes)
      : path_(std::filesystem::temp_directory_path().string() + "/clarke_surface_" + std::to_string(getpid()) +
              ending) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

MeshFile read(const std::string& ending, const std::string& bytes) {
  const TemporaryFile file(ending, bytes);
  return read_mesh(file.path(), file.path());
}

void refused(const std::string& ending, const std::string& bytes, const std::string& reason) {
  BOOST_TEST_CONTEXT(reason) {
    BOOST_CHECK_EXCEPTION(read(ending, bytes), InputError, [&](const InputError& error) {
      BOOST_TEST_MESSAGE(error.what());
      return std::string(error.what()).find(reason) != std::string::npos;
    });
  }
}

template <class T>
std::string raw(std::initializer_list<T> values, bool swapped = false) {
  std::string out;
  for (const T value : values) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (swapped) std::reverse(bytes, bytes + sizeof(T));
    out.append(bytes, sizeof(T));
  }
  return out;
}

/// A square of two triangles.
const std::string kObj = "o square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
std::string binary_stl(std::uint32_t announced) {
  std::string out(80, 'b');
  out += raw<std::uint32_t>({announced});
  for (const auto& [b, c] : {std::pair{1, 2}, {2, 3}}) {
    const float x[4] = {0, 1, 1, 0}, y[4] = {0, 0, 1, 1};
    out += raw<float>({0, 0, 1, 0, 0, 0, x[b], y[b], 0, x[c], y[c], 0}) + raw<std::uint16_t>({0});
  }
  return out;
}
std::string ply(const std::string& format, bool swapped, const std::string& vertices = "4") {
  std::string out = "ply\nformat " + format + " 1.0\ncomment a square\nelement vertex " + vertices +
                    "\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n" +
                    "property list uchar int vertex_indices\nend_header\n";
  if (format == "ascii") return out + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  out += raw<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, swapped);
  return out + raw<std::uint8_t>({4}) + raw<std::int32_t>({0, 1, 2, 3}, swapped);
}

void check_square(const MeshFile& mesh) {
  BOOST_REQUIRE(mesh.points.size() == 4u);
  BOOST_REQUIRE(mesh.triangles.size() == 2u);
  BOOST_TEST(norm(mesh.points[2] - Vec3{1, 1, 0}) == 0);
  const std::array<int, 3> second{0, 2, 3};
  BOOST_TEST((mesh.triangles[1] == second));
  BOOST_TEST(mesh.piece.size() == 2u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_square_from_every_format) {
  check_square(read(".obj", kObj + "f 1 2 3 4\n"));
  check_square(read(".obj", kObj + "vt 0 0\nvn 0 0 1\nf -4/1/1 -3/1/1 \\\n -2/-1/-1 -1//1\nusemtl x\ns off\n"));
  check_square(read(".stl", binary_stl(2)));
  check_square(read(".stl",
                    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\n"
                    "endfacet\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet\n"
                    "endsolid s\n"));
  check_square(read(".ply", ply("ascii", false)));
  check_square(read(".ply", ply("binary_little_endian", false)));
  check_square(read(".ply", ply("binary_big_endian", true)));
}

BOOST_AUTO_TEST_CASE(what_is_not_whole_is_refused) {
  refused(".stl", binary_stl(6), "is a binary STL file of 6 facets, which take 384 bytes, and has 184");
  refused(".stl", binary_stl(4294967295u), "4294967295 facets");
  refused(".stl", "not a mesh", "shorter than the header");
  refused(".stl", "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "the file ends where z is expected");
  refused(".stl", "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", ":4: has a corner that is not finite");
  refused(".stl", "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 " + std::string("0\0x\n", 4),
          ":4: expected z, got '0");
  refused(".ply", ply("ascii", false, "99"), "expected 99 elements 'vertex', for which the file is too short");
  refused(".ply", ply("binary_little_endian", false, "2000000000"), "too short");
  refused(".ply", ply("binary_little_endian", false, "3"), "");  // what follows is read as another face
  refused(".ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n", "the file ends inside the header");
  refused(".ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty floot x\nend_header\n", "'floot'");
  refused(".ply", "plx\n", "not a PLY file");
  const std::string cut = ply("ascii", false);
  refused(".ply", cut.substr(0, cut.size() - 4), "");
  refused(".ply", cut.substr(0, cut.rfind("4 0")) + "4 0 1 2 7\n", "there is no vertex 7 of 4");
}

BOOST_AUTO_TEST_CASE(indices_and_numbers_of_obj) {
  refused(".obj", kObj + "f 1 2 5\n", ":6: there is no vertex 5: so far there are 4");
  refused(".obj", kObj + "f 1 2 0\n", "there is no vertex 0");
  refused(".obj", kObj + "f 1 2 -5\n", "there is no vertex -5");
  refused(".obj", kObj + "f 1//1 2//1 3//1\n", "there is no normal 1: so far there are 0");
  refused(".obj", kObj + "f 1/9 2/9 3/9\n", "there is no texture 9");
  refused(".obj", kObj + "f 1 2 99999999999999999999\n", "expected the number of a vertex");
  refused(".obj", "v 0 0 nan\n", ":1: expected z as a number, got 'nan'");
  refused(".obj", "v 0 1x 0\n", ":1: expected y as a number, got '1x'");
  refused(".obj", "v 0 0\n", "the line ends where z is expected");
  refused(".obj", kObj + "f 1 2\n", "at least 3 corners, got 2");
  refused(".obj", kObj + "facet 1 2 3\n", "unknown statement 'facet'");
}

BOOST_AUTO_TEST_CASE(pictures) {
  const std::string begin = "\x89PNG\r\n\x1a\n";
  for (const auto& [bytes, reason] : {std::pair<std::string, std::string>{"GIF89a", "does not begin as one"},
                                      {begin + std::string("\0\0\0\rIHDR", 8), "cut off"},
                                      {begin + std::string("\0\0\0\0IEND\0\0\0\0", 12), "damaged"},
                                      {begin + std::string("\x7f\xff\xff\xffIDATxxxxxxxx", 16), "cut off"}}) {
    const TemporaryFile file(".png", bytes);
    const auto says_why = [why = reason](const InputError& error) {
      return std::string(error.what()).find(why) != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(read_png(file.path(), "here"), InputError, says_why);
  }
}

BOOST_AUTO_TEST_SUITE_END()
