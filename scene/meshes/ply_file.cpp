// Stanford PLY: a header in text (format, elements with their counts, properties), then the elements in that order.
//
//   ply / format ascii|binary_little_endian|binary_big_endian 1.0 / element NAME COUNT / property TYPE NAME /
//   property list TYPE TYPE NAME / end_header

#include "scene/meshes/byte_cursor.hpp"
#include "scene/meshes/surface_readers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sstream>

namespace clarke {
namespace {

enum class NumberKind { i8, u8, i16, u16, i32, u32, f32, f64 };

struct NumberKindInfo {
  NumberKind kind;
  int bytes;
  const char *name, *other_name;
};
constexpr NumberKindInfo kNumberKinds[] = {
    {NumberKind::i8, 1, "char", "int8"},      {NumberKind::u8, 1, "uchar", "uint8"},
    {NumberKind::i16, 2, "short", "int16"},   {NumberKind::u16, 2, "ushort", "uint16"},
    {NumberKind::i32, 4, "int", "int32"},     {NumberKind::u32, 4, "uint", "uint32"},
    {NumberKind::f32, 4, "float", "float32"}, {NumberKind::f64, 8, "double", "float64"}};

struct PlyProperty {
  std::string name;
  NumberKind kind = NumberKind::f32;
  bool list = false;
  NumberKind count = NumberKind::u8;  // of a list
};

struct PlyElement {
  std::string name;
  long long count = 0;
  std::vector<PlyProperty> properties;
};

class PlyReader {
 public:
  explicit PlyReader(const std::string& path) : cursor_(path) {
    header();
    for (const PlyElement& element : elements_) read(element);
    for (const auto& [corner, at] : corners_)
      if (corner < 0 || corner >= static_cast<long long>(mesh.points.size()))
        cursor_.fail("face " + std::to_string(at) + ": there is no vertex " + std::to_string(corner) + " of " +
                     std::to_string(mesh.points.size()));
  }
  MeshFile mesh;

 private:
  NumberKind kind_of(const std::string& name) const {
    for (const NumberKindInfo& info : kNumberKinds)
      if (name == info.name || name == info.other_name) return info.kind;
    cursor_.fail("expected a type of numbers such as float or uchar, got '" + name.substr(0, 40) + "'");
  }

  void header() {
    if (cursor_.line() != "ply") cursor_.fail("expected 'ply': not a PLY file");
    bool formatted = false;
    for (;;) {
      if (cursor_.at_end()) cursor_.fail("the file ends inside the header");
      std::istringstream words(cursor_.line());
      std::string keyword, a, b, c, d;
      words >> keyword >> a >> b >> c >> d;
      if (keyword == "end_header") break;
      if (keyword == "comment" || keyword == "obj_info" || keyword.empty()) continue;
      if (keyword == "format") {
        set_format(a, b);
        formatted = true;
      } else if (keyword == "element") {
        const std::optional<long long> count = parse_integer(b);
        if (!count || *count < 0) cursor_.fail("expected a number of elements, got '" + b.substr(0, 40) + "'");
        elements_.push_back({a, *count, {}});
      } else if (keyword == "property") {
        if (elements_.empty()) cursor_.fail("a property before its element");
        PlyProperty p;
        p.list = a == "list";
        p.count = p.list ? kind_of(b) : NumberKind::u8;
        p.kind = kind_of(p.list ? c : a);
        p.name = p.list ? d : b;
        elements_.back().properties.push_back(p);
      } else {
        cursor_.fail("unknown line '" + keyword.substr(0, 40) + "' in the header");
      }
    }
    if (!formatted) cursor_.fail("the header names no format");
    cursor_.set_binary(binary_);
    check_room();
  }

  void set_format(const std::string& format, const std::string& version) {
    binary_ = format != "ascii";
    swap_ = format == (std::endian::native == std::endian::little ? "binary_big_endian" : "binary_little_endian");
    if (binary_ && format != "binary_little_endian" && format != "binary_big_endian")
      cursor_.fail("expected format ascii, binary_little_endian or binary_big_endian, got '" + format.substr(0, 40) +
                   "'");
    if (version != "1.0") cursor_.fail("expected version 1.0, got '" + version.substr(0, 40) + "'");
  }

  /// All elements take at least so much, before any of them is read.
  void check_room() const {
    for (const PlyElement& element : elements_) {
      long long least = 0;
      for (const PlyProperty& p : element.properties)
        least += binary_ ? kNumberKinds[static_cast<int>(p.list ? p.count : p.kind)].bytes : 2;  // a digit and a blank
      if (least > 0) cursor_.expect_room(element.count, least, "elements '" + element.name + "'", 1);
      if (least == 0 && element.count > 0) cursor_.fail("element '" + element.name + "' has no properties");
    }
  }

  double value(NumberKind kind) {
    if (!binary_) return cursor_.real("a number");
    switch (kind) {
      case NumberKind::i8:
        return cursor_.number<std::int8_t>("a number", swap_);
      case NumberKind::u8:
        return cursor_.number<std::uint8_t>("a number", swap_);
      case NumberKind::i16:
        return cursor_.number<std::int16_t>("a number", swap_);
      case NumberKind::u16:
        return cursor_.number<std::uint16_t>("a number", swap_);
      case NumberKind::i32:
        return cursor_.number<std::int32_t>("a number", swap_);
      case NumberKind::u32:
        return cursor_.number<std::uint32_t>("a number", swap_);
      case NumberKind::f32:
        return cursor_.number<float>("a number", swap_);
      default:
        return cursor_.number<double>("a number", swap_);
    }
  }

  long long whole(NumberKind kind, const char* what) {
    const double v = value(kind);
    constexpr double kMost = 1e15;  // exact in a double
    if (!(std::fabs(v) < kMost) || v != std::floor(v)) cursor_.fail(std::string("expected ") + what);
    return static_cast<long long>(v);
  }

  void read(const PlyElement& element) {
    const bool vertices = element.name == "vertex", faces = element.name == "face";
    bool has[3] = {};
    for (const PlyProperty& p : element.properties)
      for (int k = 0; k < 3; ++k) has[k] = has[k] || (!p.list && p.name == std::string(1, "xyz"[k]));
    if (vertices && !(has[0] && has[1] && has[2])) cursor_.fail("a vertex has no x, y and z");
    for (long long i = 0; i < element.count; ++i) {
      Vec3 point{};
      for (const PlyProperty& p : element.properties) {
        if (p.list) {
          list(p, faces && (p.name == "vertex_indices" || p.name == "vertex_index"), i);
          continue;
        }
        const double v = value(p.kind);
        for (int k = 0; k < 3; ++k)
          if (vertices && p.name == std::string(1, "xyz"[k])) point[k] = v;
      }
      if (!vertices) continue;
      if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
        cursor_.fail("vertex " + std::to_string(i) + " is not finite");
      mesh.points.push_back(point);
    }
  }

  void list(const PlyProperty& p, bool corners, long long face) {
    const long long count = whole(p.count, "a number of entries");
    cursor_.expect_room(count, binary_ ? kNumberKinds[static_cast<int>(p.kind)].bytes : 2, "entries of a list", 1);
    if (!corners) {
      for (long long k = 0; k < count; ++k) (void)value(p.kind);
      return;
    }
    if (count < 3) cursor_.fail("face " + std::to_string(face) + " has " + std::to_string(count) + " corners");
    std::vector<int> corner;
    for (long long k = 0; k < count; ++k) {
      const long long v = whole(p.kind, "the number of a vertex");
      if (v < 0 || v > 0x7fffffff)
        cursor_.fail("face " + std::to_string(face) + ": there is no vertex " + std::to_string(v));
      corner.push_back(static_cast<int>(v));
      corners_.emplace_back(v, face);
    }
    for (std::size_t k = 1; k + 1 < corner.size(); ++k) mesh.triangles.push_back({corner[0], corner[k], corner[k + 1]});
  }

  ByteCursor cursor_;
  std::vector<PlyElement> elements_;
  std::vector<std::pair<long long, long long>> corners_;  // vertex and face: vertices may come after faces
  bool binary_ = false, swap_ = false;
};

}  // namespace

MeshFile read_ply(const std::string& path) {
  MeshFile mesh = PlyReader(path).mesh;
  mesh.piece.assign(mesh.triangles.size(), 0);
  return mesh;
}

}  // namespace clarke
