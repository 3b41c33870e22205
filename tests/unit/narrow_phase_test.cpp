// Spheres and planes against everything, and closest points of polyhedra; convex_convex_test.cpp has the rest.

#include "physics/collision/narrow_phase.hpp"

#include "tests/unit/contact_pairs.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(narrow_phase)

BOOST_AUTO_TEST_CASE(sphere_against_convex) {
  const ConvexHull cube = box_hull({1, 1, 1}, "cube");
  const auto run = [&](const Vec3& c, double radius) {
    PairManifold r;
    r.b = {{1, 2, 3}, tilt({1, 2, -1}, 0.7)};
    r.a.x = r.b.x + rotate(r.b.q, c);
    r.m.radius_a = radius;
    sphere_convex(r.a, cube.shape(), r.b, kMargin, r.m);
    return r;
  };
  const auto check = [&](const Vec3& c, double radius, const Vec3& n, double gap) {
    const PairManifold r = run(c, radius);
    BOOST_TEST(r.count() == 1);
    BOOST_TEST(norm(rotate_inverse(r.b.q, r.normal()) - n) <= kRounding);
    BOOST_TEST(std::fabs(r.gap(0) - gap) <= kRounding);
    BOOST_TEST(norm(r.points[0].point_a) == 0);
  };
  check({0.3, 0.2, 1.5}, 0.5, {0, 0, 1}, 0);                        // face
  check({1.3, 0.2, 1.4}, 0.6, {0.6, 0, 0.8}, -0.1);                 // edge
  check({1.1, 1.2, 1.2}, 0.295, normalized(Vec3{1, 2, 2}), 0.005);  // vertex
  check({0.3, 0.8, -0.7}, 0.1, {0, 1, 0}, -0.3);                    // inside: out through the nearest face
  check({0.3, 0.2, 1}, 0, {0, 0, 1}, 0);                            // a point on a face
  check({1, 0.2, 1 + 1e-12}, 0, {0, 0, 1}, 1e-12);                  // and on an edge
  BOOST_TEST(run({1.3, 0.2, 1.4}, 0.48).count() == 0);
}

BOOST_AUTO_TEST_CASE(closest_point_agrees_with_a_search_over_the_surface) {
  RandomSolids random(23);
  for (int i = 0; i < 100; ++i) {
    const ConvexHull h = random.hull();
    const ConvexShape s = h.shape();
    const Vec3 c = random.in_cube(0.8);
    const SurfacePoint p = closest_on_convex(s, c);
    double nearest = 1e300;
    constexpr int kGrid = 40;  // barycentric grid per fan triangle: spacing below 0.03
    for (int f = 0; f < s.faces; ++f)
      for (int k = 1; k + 1 < s.face_vertices(f); ++k)
        for (int u = 0; u <= kGrid; ++u)
          for (int v = 0; u + v <= kGrid; ++v)
            nearest = std::min(nearest, norm(c - s.face_vertex(f, 0) -
                                             (1.0 * u / kGrid) * (s.face_vertex(f, k) - s.face_vertex(f, 0)) -
                                             (1.0 * v / kGrid) * (s.face_vertex(f, k + 1) - s.face_vertex(f, 0))));
    BOOST_TEST(std::fabs(p.distance) <= nearest + kRounding);
    BOOST_TEST(std::fabs(p.distance) >= nearest - 0.03);
    BOOST_TEST(std::fabs(norm(p.normal) - 1) <= kRounding);
    BOOST_TEST(norm(p.point + p.distance * p.normal - c) <= kRounding);
  }
}

BOOST_AUTO_TEST_CASE(spheres_and_planes) {
  PairManifold r;
  r.a.x = {0.3, 0.4, 0};
  r.m.radius_a = 0.2, r.m.radius_b = 0.295;
  sphere_sphere(r.a, r.b, kMargin, r.m);
  BOOST_TEST(r.count() == 1);
  BOOST_TEST(norm(r.normal() - Vec3{0.6, 0.8, 0}) <= kRounding);
  BOOST_TEST(std::fabs(r.gap(0) - 0.005) <= kRounding);

  PairManifold same;  // coincident centres
  sphere_sphere(same.a, same.b, kMargin, same.m);
  BOOST_TEST(norm(same.normal()) == 1);

  const PlaneShape plane{normalized(Vec3{1, 2, 2}), 0.5};
  const Pose plane_pose{{1, 0, 0}, tilt({0, 1, 1}, 0.4)};
  const Vec3 n = rotate(plane_pose.q, plane.normal);
  for (double gap : {-2.0, 0.0, 0.009}) {  // any depth: planes are solid all the way
    PairManifold p;
    p.b = plane_pose;
    p.a.x = plane_pose.x + (0.5 + 0.3 + gap) * n + cross(n, Vec3{3, 1, 0});
    p.m.radius_a = 0.3;
    point_plane({}, 0, p.a, plane, p.b, kMargin, p.m);
    BOOST_TEST(p.count() == 1);
    BOOST_TEST(norm(p.normal() - n) <= kRounding);
    BOOST_TEST(std::fabs(p.gap(0) - gap) <= kRounding);
    BOOST_TEST(std::fabs(dot(plane.normal, p.points[0].point_b) - 0.5) <= kRounding);
  }
}

BOOST_AUTO_TEST_CASE(vertices_over_a_plane) {
  const ConvexHull brick = box_hull({0.5, 0.5, 0.25}, "brick");
  const PlaneShape floor{{0, 0, 1}, 0};
  PairManifold r;
  r.a = {{3, 4, 0.25}, {}};
  points_plane(brick.vertex.data(), 8, brick.shape().radius, r.a, floor, r.b, kMargin, r.m);
  BOOST_TEST(r.count() == 4);
  for (int i = 0; i < 4; ++i) {
    BOOST_TEST(r.points[i].feature == static_cast<std::uint32_t>(i));  // vertices 0 … 3 are the lower ones
    BOOST_TEST(std::fabs(r.gap(i)) <= kRounding);
    BOOST_TEST(norm(r.world_a(i) - r.world_b(i)) <= kRounding);
  }
}

BOOST_AUTO_TEST_SUITE_END()
