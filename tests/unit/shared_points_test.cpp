// What several triangles of a surface report is one contact, and none is lost.

#include "physics/collision/shared_points.hpp"

#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(shared_points)

namespace {

using Kind = ShapeDescription::Kind;

struct Point {
  Vec3 on_ground, normal;
};

/// Contacts of one body with a height field of 21 × 21 points, 0.1 m apart. `first`: the ground is the first body.
std::vector<Point> contacts_on(const std::function<double(double, double)>& height, const BodyDescription& body,
                               bool first) {
  BodyDescription ground;
  ground.name = "ground";
  ground.motion = Motion::fixed;
  ground.shape.kind = Kind::height_field;
  ground.shape.columns = ground.shape.rows = 21;
  ground.shape.spacing_x = ground.shape.spacing_y = 0.1;
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) ground.shape.heights.push_back(height(0.1 * (i - 10), 0.1 * (j - 10)));
  World world;
  if (first)
    world.bodies = {ground, body};
  else
    world.bodies = {body, ground};
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactDetection detection(world, entities, ContactOptions{});
  ContactSet set;
  detection.detect(state, 0.01, set);
  std::vector<Vec3> on_b, normal;
  to_host(set.point_b, on_b);
  to_host(set.normal, normal);
  std::vector<Point> out;
  for (int i = 0; i < set.count; ++i) out.push_back({on_b[i], normal[i]});
  return out;
}

double flat(double, double) { return 0; }

BodyDescription body(Kind kind, const Vec3& position, const Quat& q = {}) {
  BodyDescription b = make_body("b", kind, position);
  b.shape.radius = 0.1;
  b.shape.half_height = 0.3;
  b.shape.half = {0.2, 0.1, 0.15};
  b.orientation = q;
  return b;
}

/// Pairs of contacts at one place with one normal.
int doubles(const std::vector<Point>& points, double near) {
  int count = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      count += norm(points[i].on_ground - points[j].on_ground) <= near &&
               norm(points[i].normal - points[j].normal) <= kFlatAngle;
  return count;
}

bool has(const std::vector<Point>& points, const Vec3& p) {
  constexpr double kNear = 1e-6;  // kEqualLength of sizes of order 1
  return std::any_of(points.begin(), points.end(), [&](const Point& q) { return norm(q.on_ground - p) <= kNear; });
}

}  // namespace

// A box on 4 × 2 cells, every corner over a corner of the field: up to six triangles report each of the 15 corners of
// cells.
BOOST_AUTO_TEST_CASE(corners_of_a_field) {
  for (const bool first : {true, false}) {
    const std::vector<Point> points = contacts_on(flat, body(Kind::box, {0, 0, 0.15}), first);
    // Sides exactly over lines of the mesh also touch triangles outside, which see one side only: some points between
    // stay.
    BOOST_TEST(points.size() <= 8U);
    BOOST_TEST(doubles(points, 1e-6) == 0);
    for (const double x : {-0.2, 0.2})
      for (const double y : {-0.1, 0.1}) BOOST_TEST(has(points, {x, y, 0}));
  }
}

// Turned boxes and lying capsules anywhere: no contact twice, and the corners of the box and the ends of the capsule
// are there.
BOOST_AUTO_TEST_CASE(no_contact_twice_and_none_lost) {
  const Quat lying = from_axis_angle(Vec3{0, 1, 0}, 1.5707963267948966);
  for (int k = 0; k < 40; ++k) {
    const double angle = 0.1 * k, x = 0.013 * k - 0.2, y = 0.007 * k - 0.1;
    const Quat turn = from_axis_angle(Vec3{0, 0, 1}, angle);
    const BodyDescription box = body(Kind::box, {x, y, 0.15}, turn);
    std::vector<Point> points = contacts_on(flat, box, k % 2 == 0);
    BOOST_TEST(doubles(points, 1e-6) == 0);
    BOOST_TEST((points.size() == 4U || k == 0),
               "box " << k << ": " << points.size());  // as on a plane, but for the one along the mesh
    for (const double sx : {-0.2, 0.2})
      for (const double sy : {-0.1, 0.1}) {
        const Vec3 corner = box.position + rotate(turn, Vec3{sx, sy, -0.15});
        BOOST_TEST(has(points, {corner.x, corner.y, 0}), "box " << k);
      }
    const BodyDescription capsule = body(Kind::capsule, {x, y, 0.1}, turn * lying);
    points = contacts_on(flat, capsule, k % 2 == 0);
    BOOST_TEST(doubles(points, 1e-6) == 0);
    for (const double s : {-0.3, 0.3}) {
      const Vec3 end = capsule.position + rotate(turn * lying, Vec3{0, 0, s});
      BOOST_TEST(has(points, {end.x, end.y, 0}), "capsule " << k);
    }
    BOOST_TEST(points.size() == 2U, "capsule " << k << ": " << points.size());  // as on a plane
  }
}

// Where the surface bends, by less than what counts as flat, an axis 0.1 m above an edge meets its two sides in
// different places.
BOOST_AUTO_TEST_CASE(gentle_bends) {
  const auto hill = [](double x, double y) { return 0.03 * x * x + 0.02 * y * y; };
  const Quat lying = from_axis_angle(Vec3{0, 1, 0}, 1.5707963267948966);
  for (int k = 0; k < 20; ++k) {
    const Quat turn = from_axis_angle(Vec3{0, 0, 1}, 0.15 * k);
    const std::vector<Point> points = contacts_on(hill, body(Kind::capsule, {0.01 * k, 0, 0.101}, turn * lying), true);
    BOOST_TEST(!points.empty());
    constexpr double kApart = 1e-4;  // [m] 0.1 m times the bends here, 6 mrad and less, times what the crossing adds
    BOOST_TEST(doubles(points, kApart) == 0, "turn " << k);
  }
}

// Across a ridge, however slight, a capsule needs the point on top of it; along a trough it does not need the bottom.
BOOST_AUTO_TEST_CASE(a_slight_ridge_stays) {
  const Quat lying = from_axis_angle(Vec3{0, 1, 0}, 1.5707963267948966);
  constexpr double kBend = 0.004;  // [rad] on each side, below kFlatAngle together
  for (const double sign : {-1.0, 1.0}) {
    const auto roof = [&](double x, double) { return sign * kBend * std::fabs(x); };
    const std::vector<Point> points = contacts_on(roof, body(Kind::capsule, {0, 0.03, 0.101}, lying), true);
    BOOST_TEST(has(points, {0, 0.03, 0}) == (sign < 0));
    BOOST_TEST(points.size() == (sign < 0 ? 3U : 2U));
  }
}

// Both flanks of a valley hold a ball: contacts at one place with different normals are two.
BOOST_AUTO_TEST_CASE(a_valley_holds_from_both_sides) {
  const auto valley = [](double x, double) { return std::fabs(x); };
  const std::vector<Point> points = contacts_on(valley, body(Kind::sphere, {0, 0.03, 0.1 * std::sqrt(2.0)}), true);
  BOOST_TEST(points.size() == 2U);
  const auto ridge = [](double x, double) { return -std::fabs(x); };
  BOOST_TEST(contacts_on(ridge, body(Kind::sphere, {0, 0.03, 0.1}), true).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
