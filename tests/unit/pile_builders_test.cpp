// Builders of piles, and their parameters from the options database.

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/options.hpp"
#include "physics/collision/mass_properties.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

BOOST_AUTO_TEST_SUITE(pile_builders)

namespace {

using namespace clarke;
namespace tt = boost::test_tools;

Scene scene_with(const std::string& builder) {
  return scene_from("seed: 7\ntime: {step: 0.1, end: 1}\nmaterials: {stone: {density: 100}}\nbuild:\n  - " + builder +
                    "\n");
}
World built(const std::string& builder) { return scene_with(builder).world; }

long moving(const World& world) {
  return std::count_if(world.bodies.begin(), world.bodies.end(),
                       [](const BodyDescription& b) { return b.motion == Motion::dynamic; });
}

const BodyDescription& body(const World& world, const std::string& name) {
  const auto found =
      std::find_if(world.bodies.begin(), world.bodies.end(), [&](const auto& b) { return b.name == name; });
  BOOST_REQUIRE_MESSAGE(found != world.bodies.end(), name);
  return *found;
}

/// Largest extent [m] of a box along a world axis, from its middle.
double reach(const BodyDescription& box, int axis) {
  Vec3 e{};
  e[axis] = 1;
  const Vec3 local = rotate_inverse(box.orientation, e);
  return std::fabs(local.x) * box.shape.half.x + std::fabs(local.y) * box.shape.half.y +
         std::fabs(local.z) * box.shape.half.z;
}

/// An option that goes with the test.
struct Option {
  std::string name;
  Option(const std::string& name_, const std::string& value) : name(name_) { set_database_option(name, value); }
  ~Option() { clear_database_option(name); }
};

/// Whether the error's text has `part`.
auto says(const std::string& part) {
  return [part](const InputError& error) {
    BOOST_TEST_MESSAGE(error.what());
    return std::string(error.what()).find(part) != std::string::npos;
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(boxes_do_not_overlap_at_the_start_and_are_in_the_bin) {
  for (const char* tilt : {"0", "0.1", "3.14"}) {
    const World world = built(std::string("box_pile: {count: 75, tilt: ") + tilt + ", offset: 0.2}");
    BOOST_TEST(moving(world) == 75);
    const double inside = body(world, "box_bin_right").position.x - body(world, "box_bin_right").shape.half.x;
    for (const BodyDescription& a : world.bodies) {
      if (a.motion != Motion::dynamic) continue;
      for (int k = 0; k < 2; ++k) BOOST_TEST(std::fabs(a.position[k]) + reach(a, k) < inside);
      BOOST_TEST(a.position.z > reach(a, 2));
      for (const BodyDescription& b : world.bodies) {
        if (&a == &b || b.motion != Motion::dynamic) continue;
        bool apart = false;  // boxes around them, along the axes of the world
        for (int k = 0; k < 3; ++k)
          apart = apart || std::fabs(a.position[k] - b.position[k]) > reach(a, k) + reach(b, k);
        BOOST_TEST(apart, a.name << " and " << b.name << " at tilt " << tilt);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_depth_of_a_box_pile_does_not_grow) {
  const double height = body(built("box_pile: {count: 100}"), "box_bin_left").shape.half.z;
  BOOST_TEST(body(built("box_pile: {count: 10000}"), "box_bin_left").shape.half.z <= 1.3 * height);
}

BOOST_AUTO_TEST_CASE(the_seed_of_the_scene_places_the_boxes) {
  const auto first = [](const std::string& seed) {
    return scene_from("seed: " + seed + "\ntime: {step: 0.1, end: 1}\nbuild:\n  - box_pile: {}\n").world.bodies.back();
  };
  BOOST_TEST(first("1").position.x == first("1").position.x);
  BOOST_TEST(first("1").position.x != first("2").position.x);
}

BOOST_AUTO_TEST_CASE(a_table_weighs_what_the_paper_says) {
  const World world = built("table_pile: {}");
  BOOST_TEST(moving(world) == 54);
  for (const BodyDescription& table : world.bodies) BOOST_TEST(*table.mass == 4.7, tt::tolerance(1e-14));  // 0.008 m³
  BOOST_TEST(world.bodies[0].shape.children.size() == 5U);
}

BOOST_AUTO_TEST_CASE(spheres_touch_where_the_lattice_says) {
  const World world = built("spheres_column: {count: 50, side: 3, radius: 0.01}");
  const long count = moving(world) - 1;
  BOOST_TEST(count == 52);  // 4 · (9 + 4)
  double nearest = 1;
  for (long a = 0; a < count; ++a)
    for (long b = 0; b < a; ++b) nearest = std::min(nearest, norm(world.bodies[a].position - world.bodies[b].position));
  BOOST_TEST(nearest == 0.02, tt::tolerance(1e-12));  // two radii, from four roundings of lengths of 0.1 m
  const BodyDescription& weight = body(world, "sphere_weight");
  BOOST_TEST(*weight.mass == 400, tt::tolerance(1e-14));
  BOOST_TEST(weight.position.z - weight.shape.half_height == 0.02 + 7 * 0.01 * std::sqrt(2.0), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_pushed_domino_turns_about_its_front_edge) {
  const World world = built("domino_run: {rows: 2, count: 5, push: 4}");
  BOOST_TEST(moving(world) == 10);
  const BodyDescription& first = body(world, "domino_2_1");
  const Vec3 edge{first.shape.half.x, 0, -first.shape.half.z};
  const Vec3 speed = first.velocity + cross(first.angular_velocity, edge);
  BOOST_TEST(norm(speed) < 1e-15);  // 4 rad/s times 0.024 m, rounded twice
  BOOST_TEST(norm(body(world, "domino_2_2").velocity) == 0);
  BOOST_CHECK_EXCEPTION(built("domino_run: {count: 100}"), InputError, says("expected at most 18"));
}

BOOST_AUTO_TEST_CASE(a_wall_has_flush_ends) {
  const World world = built("wall_of_bricks: {courses: 4, bricks: 3, speed: 0}");
  BOOST_TEST(moving(world) == 14);
  double volume = 0, end = 0;
  for (const BodyDescription& brick : world.bodies) {
    volume += 8 * brick.shape.half.x * brick.shape.half.y * brick.shape.half.z;
    end = std::max(end, brick.position.x + brick.shape.half.x);
  }
  BOOST_TEST(end == 0.375, tt::tolerance(1e-14));
  BOOST_TEST(volume == 0.75 * 0.12 * 0.26, tt::tolerance(1e-13));
}

// The pieces leave no gap and do not overlap: together they are the solid between two polygonal profiles.
BOOST_AUTO_TEST_CASE(a_bowl_is_closed) {
  const World world = built("bowls: {count: 1, segments: 8, rings: 3, radius: 1, thickness: 0.1}");
  BOOST_TEST(world.bodies[0].shape.children.size() == 25U);
  const double degree = std::acos(-1.0) / 180, octagon = 4 * std::sin(45 * degree);
  const auto frustum = [&](double height, double r1, double r2) {  // between octagons with corners at r1 and r2
    return octagon * height * (r1 * r1 + r1 * r2 + r2 * r2) / 3;
  };
  const auto inside = [&](double r) {  // from the foot to the rim, by rings
    double volume = 0;
    for (int ring = 0; ring < 3; ++ring) {
      const double a = (25 + 40. * ring / 3) * degree, b = (25 + 40. * (ring + 1) / 3) * degree;
      volume += frustum(r * (std::cos(a) - std::cos(b)), r * std::sin(a), r * std::sin(b));
    }
    return volume;
  };
  // Around the cavity; the slanted rim is added, and the slanted edge of the foot belongs to both foot and rings.
  const double rim = frustum(0.1 * std::cos(65 * degree), std::sin(65 * degree), 0.9 * std::sin(65 * degree));
  BOOST_TEST(mass_properties(world.bodies[0].shape, "bowl").volume == inside(1) + rim - inside(0.9),
             tt::tolerance(1e-9));  // hulls merge corners that are closer than that
}

BOOST_AUTO_TEST_CASE(funnel_and_mixed_shapes_have_what_they_say) {
  const World funnel = built("marble_funnel: {count: 30, segments: 6}");
  BOOST_TEST(moving(funnel) == 30);
  BOOST_TEST(body(funnel, "marble_funnel").shape.children.size() == 12U);
  BOOST_CHECK_EXCEPTION(built("marble_funnel: {hole: 0.2}"), InputError, says("expected less than rim"));
  const World mixed = built("mixed_shapes: {count: 9}");
  BOOST_TEST(moving(mixed) == 9);
  BOOST_TEST(static_cast<int>(mixed.bodies[5].shape.kind) == static_cast<int>(ShapeDescription::Kind::sphere));
}

BOOST_AUTO_TEST_CASE(an_option_overrules_a_parameter) {
  const Option count("box_pile_count", "12");
  const Scene scene = scene_with("box_pile: {count: 5, edge: 0.3}");
  BOOST_TEST(moving(scene.world) == 12);
  BOOST_TEST(body(scene.world, "box_1").shape.half.x == 0.15);
  BOOST_REQUIRE(scene.build_options.size() == 1U);
  BOOST_TEST(scene.build_options[0].first == "box_pile_count");
  BOOST_TEST(moving(built("stack: {count: 5}")) == 5);
}

BOOST_AUTO_TEST_CASE(an_option_is_checked_like_the_parameter) {
  {
    const Option option("box_pile_count", "many");
    BOOST_CHECK_EXCEPTION(built("box_pile: {}"), InputError, says("-box_pile_count: expected a whole number"));
  }
  {
    const Option option("box_pile_edge", "0");
    BOOST_CHECK_EXCEPTION(built("box_pile: {}"), InputError, says("-box_pile_edge: expected a number above 0"));
  }
  {
    const Option option("domino_run_count", "1000");
    BOOST_CHECK_EXCEPTION(built("domino_run: {}"), InputError, says("-domino_run_count: expected at most"));
  }
  const Option option("box_pile_cuont", "3");
  BOOST_CHECK_EXCEPTION(check_option_names(), InputError, says("did you mean '-box_pile_count'"));
}

BOOST_AUTO_TEST_SUITE_END()
