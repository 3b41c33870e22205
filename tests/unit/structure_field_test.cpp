// Structure fields at points that can be checked by hand, and friction keys of scenes.

#include "physics/friction/structure_field.hpp"

#include "framework/error.hpp"
#include "framework/jacobian.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <unistd.h>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(structure_field)

namespace {

constexpr double kRounding = 1e-14;  // a few operations on numbers of order one
const Vec3 kUp{0, 0, 1};

/// Sampled on the device, as kernels do.
StructureAt sample(const StructureDescription& d, const Vec3& point, const Vec3& normal = kUp, const MeshPoint& at = {},
                   const FieldMesh* mesh = nullptr) {
  const StructureFields fields = StructureFields::of({d}, {mesh});
  const View<StructureAt> out("out", 1);
  parallel_for(
      "sample", 1, KOKKOS_LAMBDA(int) {
        out(0) = structure_at(fields.field(0), fields.samples, fields.vertices, point, normal, at);
      });
  fence();
  return host_copy(out)(0);
}

/// Angles given at the samples of a grid.
StructureDescription grid(int columns, int rows, const std::vector<double>& angles) {
  StructureDescription d;
  d.kind = StructureDescription::Kind::grid;
  d.columns = columns;
  d.rows = rows;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    d.cosine.push_back(std::cos(angles[i]));
    d.sine.push_back(std::sin(angles[i]));
    d.factor.push_back(1 + static_cast<double>(i));
  }
  return d;
}

void check_line(const Vec3& a, const Vec3& b) { BOOST_TEST(norm(cross(a, b)) < kRounding); }

}  // namespace

BOOST_AUTO_TEST_CASE(around_an_axis) {
  StructureDescription d;
  d.kind = StructureDescription::Kind::radial;
  d.centre = {1, 0, 5};
  BOOST_TEST(norm(sample(d, {1, 3, 0}).direction - Vec3{0, 1, 0}) < kRounding);
  BOOST_TEST(norm(sample(d, {1, 0, 2}).direction) == 0);  // on the axis there is none
  d.kind = StructureDescription::Kind::spiral;
  d.angle = std::numbers::pi / 2;
  BOOST_TEST(norm(sample(d, {1, 3, 0}).direction - Vec3{-1, 0, 0}) < kRounding);
}

BOOST_AUTO_TEST_CASE(grid_is_exact_at_its_samples_and_repeats) {
  const StructureDescription d = grid(2, 1, {0.3, 1.1});
  // Tile of 1 m: samples in the middles, u = ∓1/4.
  for (const double tile : {0.0, 1.0, -3.0}) {
    const StructureAt a = sample(d, {tile - 0.25, 0.2, 0}), b = sample(d, {tile + 0.25, -0.2, 0});
    check_line(a.direction, {std::cos(0.3), std::sin(0.3), 0});
    check_line(b.direction, {std::cos(1.1), std::sin(1.1), 0});
    BOOST_TEST(std::fabs(a.factor - 1) < kRounding);
    BOOST_TEST(std::fabs(b.factor - 2) < kRounding);
  }
  BOOST_TEST(std::fabs(sample(d, {0, 0, 0}).factor - 1.5) < kRounding);
}

BOOST_AUTO_TEST_CASE(lines_have_no_sign_between_samples) {
  // 10 and 170 degrees are 20 degrees apart as lines: half way is the direction of u at 180, not that of v at 90.
  const double ten = std::numbers::pi / 18;
  StructureDescription d = grid(2, 1, {ten, std::numbers::pi - ten});
  check_line(sample(d, {0, 0, 0}).direction, {1, 0, 0});
  d.signless = false;
  check_line(sample(d, {0, 0, 0}).direction, {0, 1, 0});
}

BOOST_AUTO_TEST_CASE(projections) {
  StructureDescription d = grid(1, 1, {0});  // along u everywhere
  d.projection = StructureDescription::Projection::cylindrical;
  check_line(sample(d, {0, 2, 1}).direction, {1, 0, 0});
  check_line(sample(d, {2, 0, 1}).direction, {0, 1, 0});
  d = grid(1, 1, {std::numbers::pi / 2});
  d.projection = StructureDescription::Projection::cylindrical;
  check_line(sample(d, {0, 2, 1}).direction, kUp);
  d = grid(1, 1, {0});
  d.projection = StructureDescription::Projection::triplanar;
  check_line(sample(d, {0, 0, 1}, {0.1, 0.2, -0.9}).direction, {1, 0, 0});
  check_line(sample(d, {1, 0, 0}, {0.9, 0.2, 0.1}).direction, {0, 1, 0});
  check_line(sample(d, {0, 1, 0}, {0.1, 0.9, 0.1}).direction, {0, 0, 1});
}

namespace {

MaterialDescription material_of(const std::string& keys) {
  const SceneFile file("time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\nmaterials: {m: {" + keys + "}}\n");
  return read_scene(file.path()).world.materials.at("m");
}

std::string refusal_of(const std::string& keys) {
  try {
    (void)material_of(keys);
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("materials.m"));
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(keys_of_materials) {
  const FrictionDescription s =
      material_of(
          "cone: {asymmetric: {forward: 0.1, backward: 0.8, across: 0.4}}, rolling_friction: 0.01, "
          "static_kinetic: {kinetic: 0.7, speed: 0.02}, structure: {spiral: {angle_deg: 45, axis: [0, 1, 0]}}")
          .surface;
  BOOST_TEST(s.cone == "asymmetric");
  BOOST_TEST((s.numbers[0] == 0.1 && s.numbers[1] == 0.8 && s.numbers[2] == 0.4));
  BOOST_TEST((s.rolling == 0.01 && s.torsional == 0 && s.kinetic == 0.7 && s.stribeck_speed == 0.02));
  BOOST_TEST((s.structure.kind == StructureDescription::Kind::spiral && s.structure.axis.y == 1));
  BOOST_TEST(std::fabs(s.structure.angle - std::numbers::pi / 4) < kRounding);
  const StructureDescription g =
      material_of("structure: {expression: {angle: \"u + 2 * v\", factor: \"2 + v\", size: [2, 4], samples: [4, 2]}}")
          .surface.structure;
  BOOST_TEST((g.columns == 4 && g.rows == 2 && g.cosine.size() == 8u));
  // Sample 5 is the second of the upper row: u = −1/4, v = 1.
  BOOST_TEST(std::fabs(g.cosine[5] - std::cos(1.75)) < kRounding);
  BOOST_TEST(std::fabs(g.factor[5] - 3) < kRounding);
  BOOST_TEST(material_of("friction: 0.3").surface.cone == "isotropic");
}

namespace {

/// Two by two pixels: 0 and 90 degrees below, 45 and 135 above, blue 0.4, 0.8, 1 and 0.2.
const unsigned char kPicture[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                                  0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00,
                                  0x00, 0xfd, 0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x17, 0x49, 0x44, 0x41, 0x54, 0x78,
                                  0xda, 0x63, 0xb8, 0x75, 0xeb, 0xbf, 0xea, 0x2d, 0x63, 0x86, 0xff, 0x0d, 0x69, 0x0d,
                                  0xff, 0xcf, 0x00, 0x00, 0x39, 0x5d, 0x08, 0x16, 0x37, 0x56, 0x89, 0x27, 0x00, 0x00,
                                  0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

class PictureFile {
 public:
  PictureFile()
      : path_((std::filesystem::temp_directory_path() / ("clarke_picture_" + std::to_string(getpid()) + ".png"))
                  .string()) {
    std::ofstream(path_, std::ios::binary).write(reinterpret_cast<const char*>(kPicture), sizeof kPicture);
  }
  ~PictureFile() { std::filesystem::remove(path_); }
  PictureFile(const PictureFile&) = delete;
  PictureFile& operator=(const PictureFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

constexpr double kPixel = 0.006;  // a channel of 8 bits: half a step of 1/255 in red and green, doubled by 2 r − 1

void check_pixel(const StructureAt& at, const Vec3& eu, const Vec3& ev, double degrees, double factor) {
  const double angle = degrees * std::numbers::pi / 180;
  BOOST_TEST(norm(cross(at.direction, std::cos(angle) * eu + std::sin(angle) * ev)) < kPixel);
  BOOST_TEST(std::fabs(at.factor - factor) < kPixel);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_picture_by_every_projection) {
  const PictureFile picture;
  const auto structure = [&](const std::string& more) {
    return material_of("structure: {image: {file: " + picture.path() + ", blue_is_factor: true, " + more + "}}")
        .surface.structure;
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const StructureDescription planar = structure("size: [2, 2], u_axis: [0, 1, 0]");  // u = y, v = z × y = −x
  check_pixel(sample(planar, {0.5, -0.5, 7}), y, -x, 0, 0.4);
  check_pixel(sample(planar, {0.5, 0.5, 7}), y, -x, 90, 0.8);
  check_pixel(sample(planar, {-0.5, -0.5, 7}), y, -x, 45, 1);
  check_pixel(sample(planar, {-0.5, 0.5, 7}), y, -x, 135, 0.2);
  const StructureDescription around =
      structure("size: [2, 2], projection: cylindrical");  // u = −1/2 at −y, along x there
  check_pixel(sample(around, {0, -3, -0.5}), x, z, 0, 0.4);
  check_pixel(sample(around, {0, 3, -0.5}), -x, z, 90, 0.8);
  check_pixel(sample(around, {0, -3, 0.5}), x, z, 45, 1);
  const StructureDescription boxed = structure("size: [2, 2], projection: triplanar");
  check_pixel(sample(boxed, {0.5, -0.5, 1}, z), x, y, 90, 0.8);
  check_pixel(sample(boxed, {1, 0.5, 0.5}, x), y, z, 135, 0.2);
  check_pixel(sample(boxed, {-0.5, 1, 0.5}, -y), z, x, 90, 0.8);  // u = z, v = x
}

BOOST_AUTO_TEST_CASE(a_picture_by_texture_coordinates) {
  const PictureFile picture;
  // A triangle whose picture is turned by a quarter: u along y, v along −x.
  const FieldMesh mesh{{{0, 0, 0}, {0, 2, 0}, {-2, 0, 0}}, {{0, 1, 2}}};
  const StructureDescription d =
      material_of("structure: {image: {file: " + picture.path() +
                  ", blue_is_factor: true, projection: texture, coordinates: [0, 0, 1, 0, 0, 1]}}")
          .surface.structure;
  BOOST_REQUIRE(d.texture_u.size() == 3u);
  const auto at = [](double a, double b, double c) { return MeshPoint{3, {0, 1, 2}, {-1, -1, -1}, {a, b, c}}; };
  const Vec3 u{0, 1, 0}, v{-1, 0, 0};
  check_pixel(sample(d, {}, kUp, at(0.5, 0.25, 0.25), &mesh), u, v, 0, 0.4);
  check_pixel(sample(d, {}, kUp, at(0, 0.75, 0.25), &mesh), u, v, 90, 0.8);
  check_pixel(sample(d, {}, kUp, at(0, 0.25, 0.75), &mesh), u, v, 45, 1);
  const FieldMesh larger{{{0, 0, 0}, {0, 2, 0}, {-2, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}};
  BOOST_CHECK_THROW(StructureFields::of({d}, {&larger}, {"'floor'"}), InputError);
}

BOOST_AUTO_TEST_CASE(values_at_vertices) {
  const StructureDescription d =
      material_of("structure: {vertices: {directions: [[2, 0, 0], [-1, 0, 0], [0, 0, 3]], factors: [1, 2, 5]}}")
          .surface.structure;
  const auto at = [](double a, double b, double c) { return MeshPoint{3, {0, 1, 2}, {-1, -1, -1}, {a, b, c}}; };
  const StructureAt half = sample(d, {}, kUp, at(0.25, 0.75, 0));
  check_line(half.direction, {1, 0, 0});  // the first two are one line
  BOOST_TEST(std::fabs(norm(half.direction) - 1) < kRounding);
  BOOST_TEST(std::fabs(half.factor - 1.75) < kRounding);
  check_line(sample(d, {}, kUp, at(0.5, 0, 0.5)).direction, {1, 0, 1});
  StructureDescription signs = d;
  signs.signless = false;
  BOOST_TEST(norm(sample(signs, {}, kUp, at(0.5, 0.5, 0)).direction) < kRounding);
}

BOOST_AUTO_TEST_CASE(refusals) {
  BOOST_TEST(refusal_of("cone: {ellipse: {along: 0.5}}").find("across: missing") != std::string::npos);
  BOOST_TEST(refusal_of("cone: {ellipse: {along: 0.5, across: 0}}").find("above 0") != std::string::npos);
  BOOST_TEST(refusal_of("cone: {elipse: {}}").find("ellipse") != std::string::npos);
  BOOST_TEST(refusal_of("cone: {polygon: {facets: 4.5}}").find("whole number") != std::string::npos);
  BOOST_TEST(refusal_of("cone: {polygon: {facets: 2}}").find("above 2") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {constant: {direction: [0, 0, 0]}}").find("not zero") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {expression: {factor: \"u\"}}").find("negative") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {expression: {angle: \"w\"}}").find("cannot evaluate") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {image: {file: nothing.png}}").find("cannot read") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {expression: {projection: texture}}").find("coordinate_file") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {expression: {coordinates: [0, 0, 1, 0, 0, 1]}}").find("projection `texture`") !=
             std::string::npos);
  BOOST_TEST(refusal_of("structure: {vertices: {}}").find("expected either directions") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {vertices: {directions: [[1, 0, 0], [1, 0, 0], [1, 0, 0]], factors: [1, 2, 3, 4]}}")
                 .find("as many factors") != std::string::npos);
  BOOST_TEST(refusal_of("structure: {vertices: {file: nothing.vtu, direction_array: grain}}").find("nothing.vtu") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
