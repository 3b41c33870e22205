// Hulls of known polyhedra, of noisy and redundant points, and what is refused.

#include "physics/collision/convex_hull.hpp"

#include "framework/error.hpp"
#include "framework/math/quat.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(convex_hull)

namespace {

/// Faces have a distance from the points of at most the hull's own tolerance, for points of size one.
constexpr double kPlaneTolerance = 2 * kHullTolerance;
/// Sums of a few products of numbers of size one.
constexpr double kRounding = 1e-14;

std::vector<Vec3> cube_corners() {
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i) p.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  return p;
}

std::vector<Vec3> prism(int sides) {
  std::vector<Vec3> p;
  for (int i = 0; i < sides; ++i)
    for (double z : {-1.0, 1.0}) p.push_back({std::cos(2 * M_PI * i / sides), std::sin(2 * M_PI * i / sides), z});
  return p;
}

Quat turned(double x, double y, double z) { return normalized(Quat{1, x, y, z}); }

int faces_with(const ConvexHull& hull, int vertices) {
  int n = 0;
  for (std::size_t f = 0; f < hull.normal.size(); ++f) n += hull.loop_begin[f + 1] - hull.loop_begin[f] == vertices;
  return n;
}

/// Every invariant that users of a hull rely on.
void check_hull(const ConvexHull& hull, const std::vector<Vec3>& points, double tolerance) {
  const ConvexShape s = hull.shape();
  BOOST_TEST(s.vertices - s.edges + s.faces == 2);
  for (int f = 0; f < s.faces; ++f) {
    BOOST_TEST(std::fabs(norm(s.normal[f]) - 1) < kRounding);
    for (const Vec3& p : points) BOOST_TEST(dot(s.normal[f], p) - s.offset[f] < tolerance);
    for (int k = 0; k < s.face_vertices(f); ++k) {
      BOOST_TEST(std::fabs(dot(s.normal[f], s.face_vertex(f, k)) - s.offset[f]) < tolerance);
      const Vec3 turn = cross(s.face_vertex(f, k + 1) - s.face_vertex(f, k),
                              s.face_vertex(f, (k + 2) % s.face_vertices(f)) - s.face_vertex(f, k + 1));
      BOOST_TEST(dot(turn, s.normal[f]) > 0);
      const ConvexEdge& e = s.edge[s.loop_edge[s.loop_begin[f] + k]];
      BOOST_TEST((e.left == f || e.right == f));
    }
  }
  for (int e = 0; e < s.edges; ++e) {
    const Vec3 along = s.vertex[s.edge[e].v1] - s.vertex[s.edge[e].v0];
    BOOST_TEST(dot(along, cross(s.normal[s.edge[e].left], s.normal[s.edge[e].right])) > 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_box_has_quads_and_exact_normals) {
  const ConvexHull hull = box_hull({1, 2, 3}, "box");
  check_hull(hull, hull.vertex, kRounding);
  BOOST_TEST(hull.edge.size() == 12u);
  BOOST_TEST(faces_with(hull, 4) == 6);
  for (int f = 0; f < 6; ++f) {
    const int axis = f / 2;
    BOOST_TEST(hull.normal[f][axis] == (f % 2 ? 1.0 : -1.0));
    BOOST_TEST(hull.offset[f] == 1.0 + axis);
    BOOST_TEST(hull.area[f] == 4.0 * 6 / (1 + axis));
  }
}

BOOST_AUTO_TEST_CASE(redundant_points_are_dropped) {
  std::vector<Vec3> p = cube_corners();
  const std::vector<Vec3> corners = p;
  p.push_back({0, 0, 0});      // inside
  p.push_back({0.2, 0.3, 1});  // on a face
  p.push_back({0.5, 1, 1});    // on an edge
  p.push_back({-0.5, -1, -1});
  p.push_back({1, 1, 1});                // repeated
  p.push_back({1 + 1e-9, 1, 1 - 1e-9});  // repeated but for less than the tolerance
  std::reverse(p.begin(), p.end());
  const ConvexHull hull = clarke::convex_hull(p, "cube");
  check_hull(hull, corners, kPlaneTolerance);
  BOOST_TEST(hull.vertex.size() == 8u);
  BOOST_TEST(faces_with(hull, 4) == 6);
}

BOOST_AUTO_TEST_CASE(platonic_solids) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vec3> icosahedron, dodecahedron = cube_corners();
  for (double s : {-1.0, 1.0})
    for (double t : {-g, g}) {
      icosahedron.insert(icosahedron.end(), {{0, s, t}, {s, t, 0}, {t, 0, s}});
      dodecahedron.insert(dodecahedron.end(), {{0, s / g, t}, {s / g, t, 0}, {t, 0, s / g}});
    }
  const ConvexHull twenty = clarke::convex_hull(icosahedron, "icosahedron");
  check_hull(twenty, icosahedron, kRounding);
  BOOST_TEST(faces_with(twenty, 3) == 20);
  const ConvexHull twelve = clarke::convex_hull(dodecahedron, "dodecahedron");
  check_hull(twelve, dodecahedron, kRounding);
  BOOST_TEST(faces_with(twelve, 5) == 12);
}

BOOST_AUTO_TEST_CASE(voussoirs_have_six_quads) {
  constexpr int kStones = 23;
  for (int i = 0; i < kStones; ++i) {
    std::vector<Vec3> p;
    for (int k = 0; k < 8; ++k) {
      const double angle = M_PI * (i + (k & 1)) / kStones, radius = k & 2 ? 5.4 : 4.6, depth = k & 4 ? 0.5 : -0.5;
      p.push_back({radius * std::cos(angle), depth, radius * std::sin(angle)});
    }
    const ConvexHull hull = clarke::convex_hull(p, "voussoir");
    check_hull(hull, p, kRounding * 10);  // coordinates up to 5
    BOOST_TEST(faces_with(hull, 4) == 6);
  }
}

BOOST_AUTO_TEST_CASE(single_precision_points_keep_whole_faces) {
  std::vector<Vec3> p;
  for (const Vec3& corner : cube_corners()) {
    const Vec3 x = rotate(turned(0.3, -0.7, 0.2), corner) + Vec3{10, -20, 5};
    p.push_back({static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
  }
  const ConvexHull hull = clarke::convex_hull(p, "cube");
  check_hull(hull, p, kPlaneTolerance);
  BOOST_TEST(faces_with(hull, 4) == 6);
}

BOOST_AUTO_TEST_CASE(random_points) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vec3> p;
    const int n = 4 + 3 * round;
    for (int i = 0; i < n; ++i) {
      const Vec3 x{number(random), number(random), number(random)};
      p.push_back(round % 2 ? x : normalized(x) + Vec3{100, 0, 0});
    }
    check_hull(clarke::convex_hull(p, "cloud"), p, kPlaneTolerance);
  }
}

BOOST_AUTO_TEST_CASE(large_faces) {
  const ConvexHull hull = clarke::convex_hull(prism(kMaxFaceVertices), "column");
  check_hull(hull, prism(kMaxFaceVertices), kRounding);
  BOOST_TEST(faces_with(hull, kMaxFaceVertices) == 2);
  BOOST_CHECK_THROW(clarke::convex_hull(prism(kMaxFaceVertices + 1), "column"), InputError);
}

// Points planted about as far from planes of others as the tolerance: the faces of one cloud in eighty do not close at
// one tolerance.
BOOST_AUTO_TEST_CASE(points_as_far_from_a_plane_as_the_tolerance) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1), part(0, 1.5);
  constexpr int kClouds = 1000, kAdded = 10;
  constexpr double kSize = 10, kCoarsest = 8;  // [m] of the clouds; tolerances: of the last attempt
  constexpr double kOutside = 3;               // tolerances, off every plane
  for (int round = 0; round < kClouds; ++round) {
    std::vector<Vec3> p;
    const unsigned n = 5 + static_cast<unsigned>(round) % 20;
    for (unsigned i = 0; i < n; ++i) p.push_back({number(random), number(random), number(random)});
    for (int k = 0; k < kAdded; ++k) {
      const Vec3 a = p[random() % n], u = p[random() % n] - a, v = p[random() % n] - a, up = cross(u, v);
      if (!(norm(up) > 0.01)) continue;
      const double off = std::pow(10.0, 0.5 * number(random)) * kHullTolerance;
      p.push_back(a + part(random) * u + part(random) * v + (number(random) > 0 ? off : -off) * normalized(up));
    }
    check_hull(clarke::convex_hull(p, "cloud"), p, kOutside * kCoarsest * kSize * kHullTolerance);
  }
}

BOOST_AUTO_TEST_CASE(degenerate_points_are_refused_by_name) {
  const auto message = [](const std::vector<Vec3>& p) -> std::string {
    try {
      clarke::convex_hull(p, "body 'shard'");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto refused = [&](const std::vector<Vec3>& p, const std::string& why) {
    BOOST_TEST(message(p).rfind("body 'shard'", 0) == 0u, message(p));
    BOOST_TEST(message(p).find(why) != std::string::npos, message(p));
  };
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "4 points");
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}, "4 different points");
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.3, 1e-9}}, "one plane");
  refused({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, "one line");
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}, "finite");
  BOOST_CHECK_THROW(box_hull({1, 0, 1}, "box"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
