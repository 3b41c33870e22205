// From worlds to contact sets: sides, names, ids, friction, margins, and that repetition costs no allocation.

#include "physics/collision/detection.hpp"

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/surfaces.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(detection)

namespace {

/// Rounding of positions and gaps of bodies of size one within a few metres of the origin.
constexpr double kRounding = 1e-14;
constexpr double kStep = 0.01;  // h [s]

using Kind = ShapeDescription::Kind;

template <class T>
std::vector<T> to_host(const View<T>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

/// A contact set on the host.
struct Contacts {
  std::vector<int> a, b;
  std::vector<Vec3> point_a, point_b, normal;
  std::vector<double> radius_a, radius_b, gap;
  std::vector<std::uint64_t> id;
  std::vector<std::string> name;
  std::size_t count() const { return id.size(); }
};

Contacts read(const ContactDetection& detection, const ContactSet& set, const State& state) {
  Contacts c{to_host(set.a),
             to_host(set.b),
             to_host(set.point_a),
             to_host(set.point_b),
             to_host(set.normal),
             to_host(set.radius_a),
             to_host(set.radius_b),
             {},
             to_host(set.id),
             {}};
  const std::vector<Vec3> x = to_host(state.x);
  const std::vector<Quat> q = to_host(state.orientation);
  const auto at = [&](int e, const Vec3& p) {
    return x[e] + rotate(e < static_cast<int>(q.size()) ? q[e] : Quat{}, p);
  };
  for (int i = 0; i < set.count; ++i) {
    c.gap.push_back(dot(c.normal[i], at(c.a[i], c.point_a[i]) - at(c.b[i], c.point_b[i])) - c.radius_a[i] -
                    c.radius_b[i]);
    c.name.push_back(detection.contact_name(set, i));
  }
  return c;
}

Contacts detect(const World& world, const ContactOptions& options = {}, std::vector<EntityPair> excluded = {}) {
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactDetection detection(world, entities, options, std::move(excluded));
  ContactSet set;
  detection.detect(state, kStep, set);
  return read(detection, set, state);
}

}  // namespace

BOOST_AUTO_TEST_CASE(stack_on_a_floor) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("b1", Kind::box, {0, 0, 0.25}),
                  make_body("b2", Kind::box, {0, 0, 0.75})};
  const Contacts c = detect(world);
  BOOST_TEST(c.count() == 8u);
  BOOST_TEST(std::is_sorted(c.id.begin(), c.id.end()));
  BOOST_TEST(std::set<std::uint64_t>(c.id.begin(), c.id.end()).size() == 8u);
  for (std::size_t i = 0; i < c.count(); ++i) {
    BOOST_TEST(std::fabs(c.gap[i]) <= kRounding);
    const bool floor = i < 4;  // pair (0, 1) before (1, 2)
    BOOST_TEST(c.a[i] == 1);   // the floor cannot move: side b; of the two boxes the first is a
    BOOST_TEST(c.b[i] == (floor ? 0 : 2));
    BOOST_TEST(norm(c.normal[i] - Vec3{0, 0, floor ? 1.0 : -1.0}) <= kRounding);
  }
  BOOST_TEST(c.name[3] == "b1/floor:3");
  BOOST_TEST(c.name[4].substr(0, 6) == "b1/b2:");
}

BOOST_AUTO_TEST_CASE(feature_names) {
  BOOST_TEST(feature_name(feature_key(FeatureKind::point, 70000)) == "70000");
  BOOST_TEST(feature_name(feature_key(FeatureKind::vertex_face, 3, 2047)) == "v3/f2047");
  BOOST_TEST(feature_name(feature_key(FeatureKind::face_vertex, 0, 5)) == "f0/v5");
  BOOST_TEST(feature_name(feature_key(FeatureKind::edge_edge, 2047, 11)) == "e2047/e11");
  BOOST_TEST(feature_name(feature_key(FeatureKind::point, kLastPoint - 2)) == "joined2");
  const std::uint64_t largest = contact_id(kMaxColliders - 1, kMaxColliders - 1, (1U << kFeatureBits) - 1);
  BOOST_TEST(largest == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(ids_depend_on_what_touches_only) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("b1", Kind::box, {0, 0, 0.25}),
                  make_body("b2", Kind::box, {0, 0, 0.75}), make_body("ball", Kind::sphere, {0, 0, 9})};
  const Contacts before = detect(world);
  world.bodies[3].position = {0.9, 0, 0.5};  // the ball touches all three: other pairs come between
  for (int i : {1, 2}) world.bodies[i].position += Vec3{3e-8, -2e-8, 1e-9};
  const Contacts after = detect(world);
  BOOST_TEST(after.count() > before.count());
  for (std::uint64_t id : before.id) BOOST_TEST(std::count(after.id.begin(), after.id.end(), id) == 1);
}

BOOST_AUTO_TEST_CASE(spheres_of_every_kind) {
  World world;
  world.bodies = {make_body("ball", Kind::sphere, {0, 0, 0.5}), make_body("box", Kind::box, {0, 0, 1.25}),
                  make_body("floor", Kind::plane, {}, Motion::fixed)};
  world.bodies[1].thickness = 0.001;
  world.particles = {make_particle("grain", {0.75, 0, 0.5}, 0.25), make_particle("dust", {0, 0, 1.5}, 0)};
  const Contacts c = detect(world);
  const std::vector<std::string> expected{"ball/box:0", "ball/floor:0", "ball/grain:0", "box/dust:0"};
  BOOST_TEST(c.name == expected, boost::test_tools::per_element());
  const std::vector<Vec3> normal{{0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}};
  for (std::size_t i = 0; i < c.count(); ++i) {
    BOOST_TEST(norm(c.normal[i] - normal[i]) <= kRounding);
    BOOST_TEST(std::fabs(c.gap[i] + (i % 3 ? 0 : 0.001)) <= kRounding);
    BOOST_TEST((c.a[i] != 0 || norm(c.point_a[i]) == 0));  // a sphere rolls about its centre
    BOOST_TEST((c.a[i] != 0 || c.radius_a[i] == 0.5));
  }
  BOOST_TEST(c.radius_b[0] == 0.001);
}

BOOST_AUTO_TEST_CASE(margin_and_speed) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("ball", Kind::sphere, {0, 0, 0.52})};
  ContactOptions options;
  BOOST_TEST(detect(world, options).count() == 0u);
  options.margin = 0.021;
  BOOST_TEST(detect(world, options).count() == 1u);
  options.margin = 0.005;
  world.bodies[1].velocity = {0, 0, -2};  // 0.02 in the step
  BOOST_TEST(detect(world, options).count() == 1u);
  options.margin_speed = 0.5;
  BOOST_TEST(detect(world, options).count() == 0u);
  // Bodies that move together do not see each other from afar.
  world.bodies = {make_body("b1", Kind::sphere, {0, 0, 0}), make_body("b2", Kind::sphere, {1.02, 0, 0})};
  for (BodyDescription& b : world.bodies) b.velocity = {0, 0, -100};
  BOOST_TEST(detect(world).count() == 0u);
}

BOOST_AUTO_TEST_CASE(contact_points_replace_vertices_on_planes) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("table", Kind::box, {0, 0, 0.25})};
  world.bodies[1].contact_points = {{0.1, 0, -0.25}, {-0.1, 0.1, -0.25}, {-0.1, -0.1, -0.25}, {0, 0, 0.25}};
  const Contacts c = detect(world);
  BOOST_TEST(c.count() == 3u);
  BOOST_TEST(c.name.at(2) == "table/floor:2");
}

BOOST_AUTO_TEST_CASE(convex_points_are_taken_about_the_centre_of_mass) {
  // A brick given by corners far from its centre of mass rests on the floor like the box.
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("brick", Kind::convex, {1, 2, 0.25})};
  for (const Vec3& p : box_hull({0.5, 0.5, 0.25}, "brick").vertex)
    world.bodies[1].shape.points.push_back(p + Vec3{7, 8, 9});
  world.bodies[1].contact_points = {{7.5, 8.5, 8.75}};
  const Contacts c = detect(world);
  BOOST_TEST(c.count() == 1u);
  constexpr double kShifted = 1e-13;  // coordinates of size 10
  BOOST_TEST(std::fabs(c.gap.at(0)) <= kShifted);
  BOOST_TEST(norm(c.point_a.at(0) - Vec3{0.5, 0.5, -0.25}) <= kShifted);
}

BOOST_AUTO_TEST_CASE(excluded_pairs) {
  World world;
  world.bodies = {make_body("b0", Kind::box, {0, 0, 0}), make_body("b1", Kind::box, {0, 0, 0.5}),
                  make_body("b2", Kind::box, {0, 0, 1})};
  BOOST_TEST(detect(world).count() == 8u);
  const Contacts c = detect(world, {}, {{1, 2}});
  BOOST_TEST(c.count() == 4u);
  for (int b : c.b) BOOST_TEST(b == 1);
}

BOOST_AUTO_TEST_CASE(arch_joints) {
  constexpr int kStones = 31;
  constexpr double kJoint = 1e-12;  // coordinates up to 6 m through hull, centre of mass and pose
  World world;
  for (int i = 0; i < kStones; ++i) {
    BodyDescription stone = make_body("s" + std::to_string(i), Kind::convex, {});
    for (int k = 0; k < 8; ++k) {
      const double angle = M_PI * (i + (k & 1)) / kStones, radius = k & 2 ? 5.4 : 4.6;
      stone.shape.points.push_back({radius * std::cos(angle), k & 4 ? 0.5 : -0.5, radius * std::sin(angle)});
    }
    stone.position = clarke::mass_properties(stone.shape, stone.name).centre;
    world.bodies.push_back(stone);
  }
  const Contacts c = detect(world);
  BOOST_TEST(c.count() == 4u * (kStones - 1));
  for (double gap : c.gap) BOOST_TEST(std::fabs(gap) < kJoint);
}

BOOST_AUTO_TEST_CASE(repetition_neither_allocates_nor_changes) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed)};
  for (int i = 0; i < 60; ++i) {
    const int row = i / 4 % 4, layer = i / 16;
    BodyDescription b = make_body("b" + std::to_string(i), i % 4 ? Kind::box : Kind::sphere,
                                  {0.7 * (i % 4), 0.8 * row, 0.25 + 0.45 * layer});
    b.orientation = normalized(Quat{1, 0.1 * (i % 3), 0.05 * (i % 5), 0.2 * (i % 7)});
    b.velocity = {0.1 * (i % 3), 0, -0.2};
    world.bodies.push_back(b);
  }
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactDetection detection(world, entities, {});
  ContactSet set;
  detection.detect(state, kStep, set);
  const Contacts first = read(detection, set, state);
  BOOST_TEST(first.count() > 100u);
  const long allocations = buffer_allocations();
  for (int i = 0; i < 3; ++i) {
    detection.detect(state, kStep, set);
    const Contacts again = read(detection, set, state);
    BOOST_TEST(again.id == first.id);
    BOOST_TEST(again.gap == first.gap);
  }
  BOOST_TEST(buffer_allocations() == allocations);
  std::set<std::uint64_t> ids(first.id.begin(), first.id.end());
  BOOST_TEST(ids.size() == first.count());
}

BOOST_AUTO_TEST_CASE(impossible_worlds_are_refused) {
  const auto refused = [](const BodyDescription& body, const std::string& word) {
    World world;
    world.bodies = {body};
    BOOST_CHECK_EXCEPTION(detect(world), InputError, [&](const InputError& e) {
      const std::string what = e.what();
      return what.find("'odd'") != std::string::npos && what.find(word) != std::string::npos;
    });
  };
  refused(make_body("odd", Kind::plane, {}), "plane");
  refused(make_body("odd", Kind::convex, {}), "4 points");
  BodyDescription body = make_body("odd", Kind::sphere, {});
  body.shape.radius = 0;
  refused(body, "radius");
  body = make_body("odd", Kind::box, {});
  body.shape.half.y = -1;
  refused(body, "half extents");
  body = make_body("odd", Kind::plane, {}, Motion::fixed);
  body.shape.normal = {};
  refused(body, "normal");
  body = make_body("odd", Kind::box, {});
  body.thickness = -1;
  refused(body, "thickness");
}

BOOST_AUTO_TEST_CASE(nothing_touches_nothing) {
  BOOST_TEST(detect(World{}).count() == 0u);
  World world;
  world.bodies = {make_body("alone", Kind::box, {})};
  BOOST_TEST(detect(world).count() == 0u);
}

BOOST_AUTO_TEST_CASE(surfaces_are_closed_and_look_outwards) {
  const auto volume = [](const Surface& s) {  // signed: positive when polygons look outwards
    double v = 0;
    for (const std::vector<int>& p : s.polygons)
      for (std::size_t k = 1; k + 1 < p.size(); ++k)
        v += dot(s.points[p[0]], cross(s.points[p[k]], s.points[p[k + 1]])) / 6;
    return v;
  };
  BOOST_TEST(std::fabs(volume(body_surface(make_body("b", Kind::box, {}))) - 0.5) <= kRounding);
  BodyDescription ball = make_body("s", Kind::sphere, {});
  ball.thickness = 0.5;
  const Surface sphere = body_surface(ball);
  BOOST_TEST(sphere.points.size() == 2u + 11 * 24);
  BOOST_TEST(sphere.polygons.size() == 12u * 24);
  BOOST_TEST(volume(sphere) < 4 * M_PI / 3);
  BOOST_TEST(volume(sphere) > 0.95 * 4 * M_PI / 3);  // an inscribed polyhedron
  std::set<std::pair<int, int>> edges;
  for (const std::vector<int>& p : sphere.polygons)
    for (std::size_t k = 0; k < p.size(); ++k) BOOST_TEST(edges.insert({p[k], p[(k + 1) % p.size()]}).second);
  for (const auto& [u, v] : edges) BOOST_TEST(edges.count({v, u}) == 1u);

  BodyDescription floor = make_body("p", Kind::plane, {}, Motion::fixed);
  floor.shape.normal = {0, 0.6, 0.8};
  floor.shape.offset = 2;
  const Surface plane = body_surface(floor, 10);
  const Vec3 n = cross(plane.points[1] - plane.points[0], plane.points[2] - plane.points[1]);
  BOOST_TEST(norm(n - 400.0 * Vec3{0, 0.6, 0.8}) <= 1000 * kRounding);  // area 400
  for (const Vec3& p : plane.points) BOOST_TEST(std::fabs(dot(p, Vec3{0, 0.6, 0.8}) - 2) <= 100 * kRounding);
  BOOST_TEST(body_surface(make_body("n", Kind::none, {})).points.empty());
}

BOOST_AUTO_TEST_SUITE_END()
