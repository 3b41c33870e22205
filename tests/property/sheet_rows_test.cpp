// Rows of cloth, attachments, and the geometric stiffness of rows of solids: every derivative by its Taylor remainder,
// forces and torques that sum to zero, Hooke's law of a plate at small strains.

#include "framework/math/dual.hpp"
#include "physics/attachments/multi_point_constraint.hpp"
#include "physics/cloth/bending_hinge.hpp"
#include "physics/cloth/plane_stress.hpp"
#include "physics/cloth/strain_rows.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/materials/corotational.hpp"
#include "physics/materials/neo_hookean.hpp"
#include "physics/materials/st_venant_kirchhoff.hpp"
#include "physics/materials/stable_neo_hookean.hpp"
#include "physics/materials/stable_neo_hookean_log.hpp"
#include "physics/materials/strain.hpp"
#include "physics/soft/rows/stretch.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(sheet_rows)

namespace {

constexpr Lame kLame{1, 2};

template <class Test>
void for_each_material(const Test& test) {
  test(Corotational::from(kLame));
  test(NeoHookean::from(kLame));
  test(StVenantKirchhoff::from(kLame));
  test(StableNeoHookean::from(kLame));
  test(StableNeoHookeanLog::from(kLame));
}

double inner(const Mat3& a, const Mat3& b) { return dot(a.r0, b.r0) + dot(a.r1, b.r1) + dot(a.r2, b.r2); }

Mat3 random_gradient(Random& random) {
  return Mat3::identity() + 0.3 * Mat3{random.vector(1), random.vector(1), random.vector(1)};
}

template <class Element>
void evaluate(const Element& e, const std::vector<Pose>& at, std::vector<double>& c,
              std::vector<std::vector<Vec3>>& J) {
  Pose pose[Element::kFrames];
  double values[Element::kRows];
  Vec3 slopes[Element::kRows][2 * Element::kFrames];
  for (int f = 0; f < Element::kFrames; ++f) pose[f] = at[f];
  e.evaluate(pose, values, slopes);
  c.assign(values, values + Element::kRows);
  J.clear();
  for (auto& row : slopes) J.emplace_back(row, row + 2 * Element::kFrames);
}

/// J is the derivative of c along random twists; `turns` for elements on bodies.
template <class Element>
void check_jacobian(const Element& e, const std::vector<Pose>& at, bool turns, Random& random) {
  std::vector<double> c, moved_c;
  std::vector<std::vector<Vec3>> J, unused;
  evaluate(e, at, c, J);
  std::vector<Vec3> v, w;
  for (int f = 0; f < Element::kFrames; ++f) {
    v.push_back(random.vector(1));
    w.push_back(turns ? random.vector(1) : Vec3{});
  }
  const auto remainder = [&](double step) {
    std::vector<Pose> moved = at;
    for (int f = 0; f < Element::kFrames; ++f) moved[f] = {at[f].x + step * v[f], advance(at[f].q, w[f], step)};
    evaluate(e, moved, moved_c, unused);
    double out = 0;
    for (int r = 0; r < Element::kRows; ++r) {
      double linear = c[r];
      for (int f = 0; f < Element::kFrames; ++f) linear += step * (dot(J[r][2 * f], v[f]) + dot(J[r][2 * f + 1], w[f]));
      out = std::fmax(out, std::fabs(moved_c[r] - linear));
    }
    return out;
  };
  BOOST_TEST(taylor_slope(10, remainder) >= kTaylorSlope);
}

}  // namespace

/// Rows and geometric stiffness together are the whole ∂²Ψ/∂F², for changes δ bᵀ of F.
BOOST_AUTO_TEST_CASE(rows_and_geometric_stiffness_are_the_hessian) {
  Random random(1);
  constexpr double kSame = 1e-9;  // sums of nine terms of order 10, over differences of stretches of 0.01 and more
  for (int k = 0; k < 30; ++k) {
    const Mat3 f = random_gradient(random);
    const Vec3 b = random.vector(1), d = random.vector(1);
    const Mat3 change = outer(d, b);
    const auto whole = [&](const Spectrum& s) { return dot(d, spectrum_on(s, 0, kEntries, b) * d); };
    const auto check = [&](auto m) {
      using M = decltype(m);
      SoftRows<3> rows;
      StretchRows<M>::evaluate(m, f, {}, false, {}, rows);
      const Mat3 h = m.stretch_hessian(svd(f).s);
      double sum = dot(d, StretchRows<M>::geometric(m, f, b) * d);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += inner(rows.basis[i], change) * h(i, j) * inner(rows.basis[j], change);
      BOOST_TEST(std::fabs(sum - whole(m.spectrum(f))) <= kSame * (1 + std::fabs(sum)));
    };
    if (determinant(f) > 0.1) for_each_material(check);
    const Activated<Corotational> c{Corotational::from(kLame), 0};
    SoftRows<6> rows;
    StrainRows::evaluate(c, f, {}, false, {}, rows);
    double strain[6], stress[6], sum = dot(d, StrainRows::geometric(c, f, b) * d);
    for (int i = 0; i < 6; ++i) strain[i] = inner(rows.basis[i], change);
    StrainRows::hooke(c, strain, stress);
    for (int i = 0; i < 6; ++i) sum += strain[i] * stress[i];
    if (determinant(f) > 0.1) BOOST_TEST(std::fabs(sum - whole(c.spectrum(f))) <= kSame * (1 + std::fabs(sum)));
  }
}

/// G of rows in stretches is the derivative of Σ σ_k B_k b at fixed σ.
BOOST_AUTO_TEST_CASE(geometric_stiffness_of_stretches) {
  Random random(2);
  const StableNeoHookean m = StableNeoHookean::from(kLame);
  for (int k = 0; k < 20; ++k) {
    const Mat3 f = random_gradient(random);
    const Vec3 s = svd(f).s;
    if (s.x - s.y < 0.05 || s.y - s.z < 0.05) continue;  // where stretches cross, rows change places
    const Vec3 b = random.vector(1), d = random.vector(1);
    SoftRows<3> fixed;
    StretchRows<StableNeoHookean>::evaluate(m, f, {}, false, {}, fixed);
    const auto force = [&](const Mat3& at) {
      SoftRows<3> rows;
      StretchRows<StableNeoHookean>::evaluate(m, at, {}, false, {}, rows);
      Vec3 out{};
      for (int i = 0; i < 3; ++i) out += fixed.stress[i] * (rows.basis[i] * b);
      return out;
    };
    const Vec3 now = force(f), slope = StretchRows<StableNeoHookean>::geometric(m, f, b) * d;
    BOOST_TEST(taylor_slope(10, [&](double e) { return norm(force(f + e * outer(d, b)) - now - e * slope); }) >=
               kTaylorSlope);
  }
}

BOOST_AUTO_TEST_CASE(sheets) {
  for_each_material([](auto m) {
    Random random(3);
    BOOST_TEST_CONTEXT(decltype(m)::kName) {
      for (int k = 0; k < 20; ++k) {
        const Quat slip_frame = random.rotation();
        const Vec3 f0 = rotate(slip_frame, {random.uniform(0.8, 1.4), random.uniform(-0.3, 0.3), 0});
        const Vec3 f1 = rotate(slip_frame, {random.uniform(-0.3, 0.3), random.uniform(0.8, 1.4), 0});
        const Vec3 d0 = random.vector(1), d1 = random.vector(1);
        const SheetSpectrum now = sheet_spectrum(m, f0, f1);
        const double power = dot(now.stress0, d0) + dot(now.stress1, d1);
        Vec3 slope0{}, slope1{};
        for (int q = 0; q < SheetSpectrum::kModes; ++q) {
          const double along = now.value[q] * (dot(now.q0[q], d0) + dot(now.q1[q], d1));
          slope0 += along * now.q0[q];
          slope1 += along * now.q1[q];
        }
        const auto at = [&](double e) { return sheet_spectrum(m, f0 + e * d0, f1 + e * d1); };
        BOOST_TEST(taylor_slope(10, [&](double e) { return std::fabs(at(e).energy - now.energy - e * power); }) >=
                   kTaylorSlope);
        BOOST_TEST(taylor_slope(10, [&](double e) {
                     const SheetSpectrum next = at(e);
                     return norm(next.stress0 - now.stress0 - e * slope0) +
                            norm(next.stress1 - now.stress1 - e * slope1);
                   }) >= kTaylorSlope);
      }
      // At rest: nothing, and E/(1 − ν), E/(1 + ν) for both stretches together and against each other, 2 μ, nothing for
      // turns.
      const SheetSpectrum rest = sheet_spectrum(m, {1, 0, 0}, {0, 1, 0});
      constexpr double kRounding = 1e-13;                   // a dozen operations on numbers below ten
      constexpr double young = 8.0 / 3, poisson = 1.0 / 3;  // of μ = 1, λ = 2
      BOOST_TEST(std::fabs(rest.energy) + norm(rest.stress0) + norm(rest.stress1) <= kRounding);
      BOOST_TEST(std::fabs(std::fmax(rest.value[0], rest.value[1]) - young / (1 - poisson)) <= 10 * kRounding);
      BOOST_TEST(std::fabs(std::fmin(rest.value[0], rest.value[1]) - young / (1 + poisson)) <= 10 * kRounding);
      BOOST_TEST(std::fabs(rest.value[2] - 2) <= 10 * kRounding);
      BOOST_TEST(std::fabs(rest.value[3]) + std::fabs(rest.value[4]) + std::fabs(rest.value[5]) <= 10 * kRounding);
    }
  });
}

/// Rows of Green's strain: derivatives, no force and no torque of any, and the energy of the material in plane stress.
BOOST_AUTO_TEST_CASE(strains) {
  Random random(6);
  for (int k = 0; k < 30; ++k) {
    const Vec3 rest[3] = {0.2 * random.vector(1), Vec3{1, 0, 0} + 0.2 * random.vector(1),
                          Vec3{0.3, 0.8, 0} + 0.2 * random.vector(1)};
    const auto b = shape_gradients(rest[0], rest[1], rest[2]);
    const double area = 0.5 * norm(cross(rest[1] - rest[0], rest[2] - rest[0])), size = std::sqrt(area);
    constexpr double thickness = 0.3;
    SheetStrain element{};
    element.size = size;
    std::vector<Pose> at(3);
    Vec3 f0{}, f1{};
    for (int a = 0; a < 3; ++a) {
      for (int j = 0; j < 2; ++j) element.gradient[a][j] = b[a][j];
      at[a].x = rest[a] + 0.3 * random.vector(1);
      f0 += b[a][0] * at[a].x;
      f1 += b[a][1] * at[a].x;
    }
    check_jacobian(element, at, false, random);
    std::vector<double> c;
    std::vector<std::vector<Vec3>> J;
    evaluate(element, at, c, J);
    double energy = 0;
    const std::array<double, 3> stiffness = sheet_strain_stiffness(8.0 / 3, 1.0 / 3, thickness * area, size);
    for (int r = 0; r < 3; ++r) {
      Vec3 force{}, torque{};
      for (int a = 0; a < 3; ++a) {
        force += J[r][2 * a];
        torque += cross(at[a].x, J[r][2 * a]);
      }
      BOOST_TEST(norm(force) + norm(torque) <= 1e-13);  // gradients of order one, some forty operations
      energy += 0.5 * stiffness[r] * c[r] * c[r];
    }
    const double expected = thickness * area * sheet_spectrum(StVenantKirchhoff::from(kLame), f0, f1).energy;
    BOOST_TEST(std::fabs(energy - expected) <= 1e-12 * (1 + expected));  // the same sum in other numbers
  }
  // Turned as a whole nothing is strained.
  std::vector<Pose> turned(3);
  const SheetStrain unit{{{-1, -1}, {1, 0}, {0, 1}}, 1};
  turned[1].x = {0, 0.6, 0.8};
  turned[2].x = {-1, 0, 0};
  std::vector<double> c;
  std::vector<std::vector<Vec3>> J;
  evaluate(unit, turned, c, J);
  BOOST_TEST(std::fabs(c[0]) + std::fabs(c[1]) + std::fabs(c[2]) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(hinges) {
  Random random(4);
  for (int k = 0; k < 30; ++k) {
    std::vector<Pose> at(4);
    at[0].x = 0.2 * random.vector(1);
    at[1].x = Vec3{1, 0, 0} + 0.2 * random.vector(1);
    at[2].x = Vec3{0.4, 1, 0} + 0.4 * random.vector(1);
    at[3].x = Vec3{0.6, -1, 0} + 0.4 * random.vector(1);
    const BendingHinge hinge{0.1};
    check_jacobian(hinge, at, false, random);
    std::vector<double> c;
    std::vector<std::vector<Vec3>> J;
    evaluate(hinge, at, c, J);
    Vec3 force{}, torque{};
    for (int f = 0; f < 4; ++f) {
      force += J[0][2 * f];
      torque += cross(at[f].x, J[0][2 * f]);
    }
    BOOST_TEST(norm(force) + norm(torque) <= 1e-13);  // gradients of order one, some forty operations
  }
  // One wing lifted by a right angle.
  std::vector<Pose> right(4);
  right[1].x = {1, 0, 0};
  right[2].x = {0, 0, 1};
  right[3].x = {0, -1, 0};
  std::vector<double> c;
  std::vector<std::vector<Vec3>> J;
  evaluate(BendingHinge{0}, right, c, J);
  BOOST_TEST(std::fabs(c[0] + 1.5707963267948966) <= 1e-15);
}

/// The discrete bending energy of a sheet on a cylinder of small curvature is D κ²/2 per area.
BOOST_AUTO_TEST_CASE(bent_sheets) {
  constexpr int n = 8;
  constexpr double curvature = 1e-3, D = 3;
  const TriangleSheet sheet = flat_sheet(1, 1, n, n);
  for (const int axis : {0, 1}) {
    double energy = 0;
    for (const SharedEdge& edge : shared_edges(sheet)) {
      const int node[4] = {edge.node[0], edge.node[1], edge.corner[0], edge.corner[1]};
      Pose at[4];
      for (int f = 0; f < 4; ++f) {
        at[f].x = sheet.nodes[node[f]];
        at[f].x.z = 0.5 * curvature * at[f].x[axis] * at[f].x[axis];
      }
      double c[1];
      Vec3 J[1][8];
      BendingHinge{0}.evaluate(at, c, J);
      const Vec3 e = sheet.nodes[node[1]] - sheet.nodes[node[0]];
      const double area = 1.0 / (n * n);  // of both triangles
      energy += 0.5 * D * norm2(e) / area * c[0] * c[0];
    }
    // Edges on the border have no hinge: n − 1 of n lines.
    const double expected = 0.5 * D * curvature * curvature * (n - 1) / n;
    BOOST_TEST(std::fabs(energy / expected - 1) <= curvature);  // angles against curvatures: second order in κ
  }
}

BOOST_AUTO_TEST_CASE(point_sums) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    MultiPointConstraint<4> sum;
    std::vector<Pose> at(4);
    for (int f = 0; f < 4; ++f) {
      at[f] = {random.vector(1), random.rotation()};
      sum.anchor[f] = random.vector(1);
      sum.weight[f] = random.uniform(-1, 1);
    }
    check_jacobian(sum, at, true, random);
  }
}

BOOST_AUTO_TEST_SUITE_END()
