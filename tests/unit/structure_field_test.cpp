// Structure fields at points that can be checked by hand, and friction keys of scenes.

#include "framework/error.hpp"
#include "framework/jacobian.hpp"
#include "physics/friction/structure_field.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <numbers>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(structure_field)

namespace {

constexpr double kRounding = 1e-14;  // a few operations on numbers of order one
const Vec3 kUp{0, 0, 1};

/// Sampled on the device, as kernels do.
StructureAt sample(const StructureDescription& d, const Vec3& point, const Vec3& normal = kUp) {
  const StructureFields fields = StructureFields::of({d});
  const View<StructureAt> out("out", 1);
  parallel_for("sample", 1, KOKKOS_LAMBDA(int) { out(0) = structure_at(fields.field(0), fields.samples, point, normal); });
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
      material_of("cone: {asymmetric: {forward: 0.1, backward: 0.8, across: 0.4}}, rolling_friction: 0.01, "
                  "static_kinetic: {kinetic: 0.7, speed: 0.02}, structure: {spiral: {angle_deg: 45, axis: [0, 1, 0]}}")
          .surface;
  BOOST_TEST(s.cone == "asymmetric");
  BOOST_TEST((s.numbers[0] == 0.1 && s.numbers[1] == 0.8 && s.numbers[2] == 0.4));
  BOOST_TEST((s.rolling == 0.01 && s.torsional == 0 && s.kinetic == 0.7 && s.stribeck_speed == 0.02));
  BOOST_TEST((s.structure.kind == StructureDescription::Kind::spiral && s.structure.axis.y == 1));
  BOOST_TEST(std::fabs(s.structure.angle - std::numbers::pi / 4) < kRounding);
  const StructureDescription g =
      material_of("structure: {expression: {angle: \"u + 2 * v\", factor: \"2 + v\", size: [2, 4], samples: [4, 2]}}").surface.structure;
  BOOST_TEST((g.columns == 4 && g.rows == 2 && g.cosine.size() == 8u));
  // Sample 5 is the second of the upper row: u = −1/4, v = 1.
  BOOST_TEST(std::fabs(g.cosine[5] - std::cos(1.75)) < kRounding);
  BOOST_TEST(std::fabs(g.factor[5] - 3) < kRounding);
  BOOST_TEST(material_of("friction: 0.3").surface.cone == "isotropic");
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
}

BOOST_AUTO_TEST_SUITE_END()
