// Enclosed volumes: gradient and Hessian by their Taylor remainders, the laws of what is inside, sheets that keep their
// volume.

#include "physics/cloth/plane_stress.hpp"
#include "physics/description/cloth_description.hpp"
#include "physics/materials/neo_hookean.hpp"
#include "physics/volumes/enclosed_volume.hpp"
#include "physics/volumes/volume_law.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(volumes)

namespace {

using Points = std::vector<Vec3>;

/// A sphere with dents.
TriangleSheet dented(Random& random) {
  TriangleSheet mesh = sphere_sheet(1, 1);
  for (Vec3& x : mesh.nodes) x += 0.2 * random.vector(1);
  return mesh;
}

double volume(const TriangleSheet& mesh, const Points& x) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) sum += enclosed_volume(x[a], x[b], x[c]);
  return sum;
}

Points gradient(const TriangleSheet& mesh, const Points& x) {
  Points out(x.size());
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) out[t[k]] += enclosed_volume_gradient(x[t[(k + 1) % 3]], x[t[(k + 2) % 3]]);
  return out;
}

Points hessian_product(const TriangleSheet& mesh, const Points& at, const Points& d) {
  Points out(at.size());
  for (const auto& t : mesh.triangles) {
    const Vec3 x[3] = {at[t[0]], at[t[1]], at[t[2]]};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) out[t[k]] += enclosed_volume_hessian(x, k, l) * d[t[l]];
  }
  return out;
}

Points directions(std::size_t count, Random& random) {
  Points out(count);
  for (Vec3& d : out) d = random.vector(1);
  return out;
}

Points moved(const Points& x, double step, const Points& d) {
  Points out = x;
  for (std::size_t n = 0; n < x.size(); ++n) out[n] += step * d[n];
  return out;
}

double inner(const Points& a, const Points& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += dot(a[n], b[n]);
  return sum;
}

constexpr double kRounding = 1e-12;  // sums of a hundred terms of order one

VolumeDescription described(const std::string& law) {
  VolumeDescription d;
  d.law = law;
  d.ambient_pressure = 1;  // pressures in units of it, and of 1/k_v
  d.compressibility = 1;
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gradient_and_hessian) {
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const TriangleSheet mesh = dented(random);
    const Points& x = mesh.nodes;
    const Points d = directions(x.size(), random), g = gradient(mesh, x), h = hessian_product(mesh, x, d);
    BOOST_TEST(taylor_slope(10, [&](double e) {
                 return std::fabs(volume(mesh, moved(x, e, d)) - volume(mesh, x) - e * inner(g, d));
               }) >= kTaylorSlope);
    BOOST_TEST(taylor_slope(10, [&](double e) {
                 const Points there = gradient(mesh, moved(x, e, d));
                 double out = 0;
                 for (std::size_t n = 0; n < x.size(); ++n) out = std::fmax(out, norm(there[n] - g[n] - e * h[n]));
                 return out;
               }) >= kTaylorSlope);
    const Points other = directions(x.size(), random);
    BOOST_TEST(std::fabs(inner(other, h) - inner(d, hessian_product(mesh, x, other))) <= kRounding);
    BOOST_TEST(std::fabs(inner(g, x) - 3 * volume(mesh, x)) <= kRounding);
  }
}

/// A closed surface pushes nothing and turns nothing, and where it is changes nothing.
BOOST_AUTO_TEST_CASE(pressure_is_in_balance) {
  Random random(2);
  const TriangleSheet mesh = dented(random);
  const Points &x = mesh.nodes, g = gradient(mesh, x), same(x.size(), Vec3{1, -2, 3});
  Vec3 force{}, torque{};
  for (std::size_t n = 0; n < x.size(); ++n) {
    force += g[n];
    torque += cross(x[n], g[n]);
  }
  BOOST_TEST(norm(force) <= kRounding);
  BOOST_TEST(norm(torque) <= kRounding);
  for (const Vec3& change : hessian_product(mesh, x, same)) BOOST_TEST(norm(change) <= kRounding);
  BOOST_TEST(std::fabs(volume(mesh, moved(x, 1, same)) - volume(mesh, x)) <= 10 * kRounding);
}

BOOST_AUTO_TEST_CASE(laws_are_their_derivatives) {
  for (const std::string& name : volume_law_registry().names()) {
    const auto law = volume_law_registry().create(name);
    const VolumeDescription d = described(name);
    for (const double p : {-0.6, -0.1, 0.0, 0.2, 0.7}) {
      BOOST_TEST_CONTEXT(name << " p " << p) {
        const double J = law->expansion(d, p);
        BOOST_TEST(taylor_slope(1, [&](double e) {
                     return std::fabs(law->expansion(d, p + e) - J - e * law->expansion_slope(d, p));
                   }) >= kTaylorSlope);
        BOOST_TEST(taylor_slope(1, [&](double e) {
                     return std::fabs(law->energy(d, J + e) - law->energy(d, J) + e * p);
                   }) >= kTaylorSlope);
        BOOST_TEST(std::fabs(law->pressure(d, J) - p) <= kRounding);
      }
    }
    BOOST_TEST(law->energy(d, 1) == 0);
  }
}

/// At the same volume the laws differ; all alike at first order.
BOOST_AUTO_TEST_CASE(pressures_of_the_laws) {
  struct Row {
    const char* law;
    double at[4];
  };
  constexpr double volumes[] = {0.5, 0.9, 1.1, 2}, kDigits = 5e-5;
  for (const Row& row : {Row{"ideal_gas", {1, 0.1111, -0.0909, -0.5}},
                         {"incompressible", {0.6931, 0.1054, -0.0953, -0.6931}},
                         {"linear", {0.5, 0.1, -0.1, -1}}})
    for (int k = 0; k < 4; ++k)
      BOOST_TEST(std::fabs(volume_law_registry().create(row.law)->pressure(described(row.law), volumes[k]) -
                           row.at[k]) <= kDigits);
}

/// Below a hundredth of the ambient pressure the gas goes on as its tangent: smooth, and never without end.
BOOST_AUTO_TEST_CASE(rarefied_gas_has_a_tangent) {
  const auto law = volume_law_registry().create("ideal_gas");
  const VolumeDescription d = described("ideal_gas");
  constexpr double kEdge = -0.99;
  BOOST_TEST(std::fabs(law->expansion(d, kEdge + 1e-9) - law->expansion(d, kEdge - 1e-9)) <= 1e-4);
  BOOST_TEST(std::fabs(law->expansion_slope(d, kEdge + 1e-9) - law->expansion_slope(d, kEdge - 1e-9)) <= 1e-2);
  BOOST_TEST(law->expansion(d, -5) > law->expansion(d, -2));
}

/// Ψ' = μ/2 (s₁² + s₂² + 1/(s₁ s₂)² − 3) and its derivatives; what the compressible one tends to, as 1/λ.
BOOST_AUTO_TEST_CASE(incompressible_sheet) {
  constexpr double kMu = 2;
  const NeoHookean m{kMu, INFINITY};
  const auto energy = [](double s1, double s2) { return kMu / 2 * (s1 * s1 + s2 * s2 + 1 / (s1 * s1 * s2 * s2) - 3); };
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const double s1 = random.uniform(0.7, 1.6), s2 = random.uniform(0.7, 1.6);
    const double d1 = random.uniform(-1, 1), d2 = random.uniform(-1, 1);
    const PlaneState p = plane_stress(m, s1, s2);
    BOOST_TEST(std::fabs(m.stretch_energy(p.s) - energy(s1, s2)) <= kRounding);
    BOOST_TEST(taylor_slope(10, [&](double e) {
                 return std::fabs(energy(s1 + e * d1, s2 + e * d2) - energy(s1, s2) -
                                  e * (p.gradient.x * d1 + p.gradient.y * d2));
               }) >= kTaylorSlope);
    BOOST_TEST(taylor_slope(10, [&](double e) {
                 const PlaneState q = plane_stress(m, s1 + e * d1, s2 + e * d2);
                 return std::hypot(q.gradient.x - p.gradient.x - e * (p.h11 * d1 + p.h12 * d2),
                                   q.gradient.y - p.gradient.y - e * (p.h12 * d1 + p.h22 * d2));
               }) >= kTaylorSlope);
    BOOST_TEST(std::fabs(m.flip(p.s).z * (s1 - s2) - (p.gradient.x - p.gradient.y)) <= kRounding);
    BOOST_TEST(std::fabs(m.twist(p.s).z * (s1 + s2) - (p.gradient.x + p.gradient.y)) <= kRounding);
    double away[2];
    for (int i = 0; i < 2; ++i)
      away[i] = std::fabs(plane_stress(NeoHookean{kMu, i == 0 ? 1e4 : 1e5}, s1, s2).h11 - p.h11);
    if (away[1] > 1e-7) BOOST_TEST(std::fabs(away[0] / away[1] - 10) <= 0.1);  // first order in 1/λ
  }
}

BOOST_AUTO_TEST_SUITE_END()
