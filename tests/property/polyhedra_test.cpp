// Polyhedra that a scene gives by their numbers: every registered one, over random numbers of its range.

#include "physics/collision/mass_properties.hpp"
#include "physics/description/polyhedra/frustum.hpp"
#include "physics/description/polyhedra/wedge.hpp"
#include "tests/model_run.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(polyhedra)

namespace {

/// Sums over some dozens of faces, of numbers of one size.
constexpr double kRounding = 1e-12;

PolyhedronNumbers numbers_of(const PolyhedronType& type, Random& random) {
  PolyhedronNumbers out{};
  int k = 0;
  for (const PolyhedronKey& key : type.keys())
    out[k++] = key.whole ? std::floor(key.least) + 1 + std::floor(random.uniform(0, 6)) : random.uniform(0.1, 0.4);
  return out;
}

template <class Visit>
void for_all_polyhedra(const Visit& visit) {
  Random random(3);
  for (const std::string& name : polyhedron_registry().names())
    for (int i = 0; i < 20; ++i) {
      const std::unique_ptr<PolyhedronType> type = polyhedron_registry().create(name);
      BOOST_TEST_CONTEXT(name << " " << i) visit(*type, numbers_of(*type, random));
    }
}

double volume(const std::vector<Vec3>& corners) { return hull_mass_properties(convex_hull(corners, "test")).volume; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_corner_is_one_of_the_hull) {
  for_all_polyhedra([](const PolyhedronType& type, const PolyhedronNumbers& numbers) {
    const std::vector<Vec3> corners = type.corners(numbers);
    const ConvexHull hull = convex_hull(corners, "test");
    BOOST_TEST(hull.vertex.size() == corners.size());
    const MassProperties mass = hull_mass_properties(hull);
    BOOST_TEST(mass.volume > 0);
    BOOST_TEST(triangle_inequality(principal_moments(mass.inertia_per_density)));
  });
}

BOOST_AUTO_TEST_CASE(lengths_scale) {
  for_all_polyhedra([](const PolyhedronType& type, const PolyhedronNumbers& numbers) {
    PolyhedronNumbers twice = numbers;
    int k = 0;
    for (const PolyhedronKey& key : type.keys())
      if (double& number = twice[k++]; std::string(key.unit) == "m") number *= 2;
    const double one = volume(type.corners(numbers));
    BOOST_TEST(std::fabs(volume(type.corners(twice)) - 8 * one) <= 8 * kRounding * one);
  });
}

BOOST_AUTO_TEST_CASE(volumes) {
  const Wedge wedge{0.3, 0.2, 0.1};
  const MassProperties half = hull_mass_properties(convex_hull(wedge.corners(), "wedge"));
  BOOST_TEST(std::fabs(half.volume - 0.003) <= kRounding);
  BOOST_TEST(norm(half.centre - Vec3{0.1, 0, 0.1 / 3}) <= kRounding);
  for (const int sides : {3, 4, 17, 32})
    for (const double top : {0.0, 0.05, 0.2, 0.3}) {
      const double per_square = 0.5 * sides * std::sin(2 * std::numbers::pi / sides);  // area over r²
      const double low = per_square * 0.04, high = per_square * top * top;
      const double expected = 0.5 / 3 * (low + std::sqrt(low * high) + high);
      const std::vector<Vec3> corners = Frustum{sides, 0.2, top, 0.5}.corners();
      BOOST_TEST(corners.size() == static_cast<std::size_t>(top > 0 ? 2 * sides : sides + 1));
      BOOST_TEST(std::fabs(volume(corners) - expected) <= kRounding);
    }
}

// Dropped by a millimetre onto the face it was given on, it comes to rest there, with its weight on the floor.
BOOST_AUTO_TEST_CASE(every_one_rests_on_a_floor) {
  const ScopedOptions options("-ksp_type preonly -pc_type cholesky -snes_max_it 50");
  for (const std::string& name : polyhedron_registry().names()) {
    Random random(7);
    const std::unique_ptr<PolyhedronType> type = polyhedron_registry().create(name);
    World world = world_with_plane(0.5);
    BodyDescription body;
    body.name = name;
    body.material = "m";
    body.shape.kind = ShapeDescription::Kind::convex;
    body.shape.points = type->corners(numbers_of(*type, random));
    double lowest = 0;
    for (const Vec3& p : body.shape.points) lowest = std::fmin(lowest, p.z);
    const MassProperties mass = mass_properties(body.shape, name);
    body.position = {0, 0, mass.centre.z - lowest + 1e-3};
    world.bodies.push_back(body);
    Model model(world, 0.01);
    const RunFigures figures = run(model, 40);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(figures.failed == 0);
      BOOST_TEST(figures.penetration <=
                 1e-8);  // [m] Newton's tolerance of 1e-12 m/s over steps of 0.01 s, and its path
      double weight = 0;
      const Frame frame = model.frame();
      for (const FrameContact& contact : frame.contacts) weight += contact.normal_force.z;
      BOOST_TEST(std::fabs(weight - 9.81 * 1000 * mass.volume) <= 1e-6 * weight);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
