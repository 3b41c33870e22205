// Friction cones against their definition: what dissipates most, what is nearest, derivatives, symmetries, and the
// discs and sections that laws see in their place.

#include "physics/friction/cones/asymmetric.hpp"
#include "physics/friction/cones/isotropic.hpp"
#include "physics/friction/cones/polygon.hpp"
#include "physics/friction/friction_cone_type.hpp"
#include "physics/friction/pairing.hpp"
#include "physics/friction/static_kinetic.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(friction_cones)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few dozen operations on numbers of the size of the argument; Newton's steps to the nearest point end at rounding.
constexpr double kRounding = 256 * std::numeric_limits<double>::epsilon();

/// Numbers that a scene may give such a cone.
ConeNumbers numbers_of(const FrictionConeType& type, Random& random) {
  ConeNumbers out{};
  int k = 0;
  for (const ConeKey& key : type.keys())
    out[k++] = key.whole ? std::floor(key.least) + 1 + std::floor(random.uniform(0, 6)) : random.uniform(0.1, 1.2);
  return out;
}

/// Calls visit(name, cone) for three cones of every registered kind, with numbers of their range, and for some with
/// numbers that are likely to be hard.
template <class Visit>
void for_all_cones(const Visit& visit) {
  Random random(5);
  for (const std::string& name : friction_cone_registry().names())
    for (int k = 0; k < 3; ++k) {
      const std::unique_ptr<FrictionConeType> type = friction_cone_registry().create(name);
      visit(name.c_str(), *type->cone(numbers_of(*type, random), random.uniform(0.1, 1.2)));
    }
  visit("thin ellipse", Ellipse{0.9, 0.01});
  visit("matchstick", Matchstick{0.8, 0.2, 0.5, std::cos(0.5)});
  visit("thin asymmetric", Asymmetric{1.2, 0.02, 0.5});
  visit("triangle", Polygon{0.5, 3});
  visit("octagon", Polygon{0.5, 8});
}

Pair2 random_pair(Random& random, double size) {
  const double angle = random.uniform(0, 2 * kPi);
  return {size * std::cos(angle), size * std::sin(angle)};
}
double length(const Pair2& p) { return std::hypot(p.x, p.y); }
double product(const Pair2& a, const Pair2& b) { return a.x * b.x + a.y * b.y; }

/// A point of the boundary of the section at unit normal impulse, in the direction of `angle`: by the gauge, not by any
/// projection.
template <class C>
Pair2 boundary(const C& cone, double angle) {
  const Pair2 d{std::cos(angle), std::sin(angle)};
  const double gauge = -cone.psi(d, 0);
  return {d.x / gauge, d.y / gauge};
}

/// The largest w·x over the boundary: a scan, then golden sections around its best point. Knows nothing of the cone but
/// ψ.
template <class C>
double optimised_support(const C& cone, const Pair2& w) {
  const auto value = [&](double angle) { return product(w, boundary(cone, angle)); };
  constexpr int kScan = 720;
  int best = 0;
  for (int k = 1; k < kScan; ++k)
    if (value(2 * kPi * k / kScan) > value(2 * kPi * best / kScan)) best = k;
  double low = 2 * kPi * (best - 1) / kScan, high = 2 * kPi * (best + 1) / kScan;
  constexpr double kGolden = 0.6180339887498949;
  for (int k = 0; k < 60; ++k) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    if (value(a) > value(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return value(0.5 * (low + high));
}

}  // namespace

BOOST_AUTO_TEST_CASE(force_dissipates_most) {
  // Golden sections find the value to the square of their interval, about ε, as long as the boundary is smooth there or
  // a corner.
  constexpr double kOptimiser = 1e-12;
  for_all_cones([](const char* name, const auto& cone) {
    Random random(11);
    for (int i = 0; i < 2000; ++i) {
      const Pair2 w = random_pair(random, random.log_uniform(1e-3, 1e3));
      const Pair2 at = cone.maximiser(w);
      const double support = cone.support(w);
      BOOST_TEST_CONTEXT(name << " w " << w.x << " " << w.y) {
        BOOST_TEST(std::fabs(product(w, at) - support) <= kRounding * length(w));
        BOOST_TEST(std::fabs(cone.psi(at, 1)) <= kRounding * 100);  // on the boundary; thin cones have a gauge of 100
        BOOST_TEST(std::fabs(support - optimised_support(cone, w)) <= kOptimiser * length(w));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(force_dissipates_more_than_thousands_of_others) {
  for_all_cones([](const char* name, const auto& cone) {
    Random random(12);
    for (int i = 0; i < 2000; ++i) {
      const Pair2 w = random_pair(random, 1);
      BOOST_TEST_CONTEXT(name)
      BOOST_TEST(product(w, boundary(cone, random.uniform(0, 2 * kPi))) <= cone.support(w) + kRounding);
    }
  });
}

BOOST_AUTO_TEST_CASE(projection_is_idempotent_and_nearest) {
  for_all_cones([](const char* name, const auto& cone) {
    Random random(13);
    for (int i = 0; i < 500; ++i) {
      const double normal = random.log_uniform(1e-2, 1e2);
      const Pair2 p = random_pair(random, normal * random.log_uniform(1e-3, 1e3));
      const Pair2 q = cone.project(p, normal), again = cone.project(q, normal);
      const double size = length(p);
      BOOST_TEST_CONTEXT(name << " p " << p.x << " " << p.y << " normal " << normal) {
        BOOST_TEST(length({again.x - q.x, again.y - q.y}) <= kRounding * size);
        BOOST_TEST(cone.psi(q, normal) >= -kRounding * 100 * (normal + size));
        if (cone.psi(p, normal) > kRounding * normal) BOOST_TEST((q.x == p.x && q.y == p.y));
        // (p − Πp)·(y − Πp) ≤ 0 for every y of the section: what makes it the nearest.
        for (int k = 0; k < 60; ++k) {
          const Pair2 b = boundary(cone, random.uniform(0, 2 * kPi)), y{normal * b.x, normal * b.y};
          BOOST_TEST(product({p.x - q.x, p.y - q.y}, {y.x - q.x, y.y - q.y}) <= kRounding * size * (size + 2 * normal));
        }
        BOOST_TEST(length(cone.project(p, -normal)) == 0);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(derivatives_of_psi) {
  for_all_cones([](const char* name, const auto& cone) {
    Random random(14);
    for (int i = 0; i < 60; ++i) {
      const Pair2 x = random_pair(random, random.log_uniform(0.1, 10)), d = random_pair(random, length(x));
      const Pair2 g = cone.gradient(x);
      const auto H = cone.hessian(x);
      const double scale = std::fabs(cone.psi(x, 0)) + length(g) * length(d);
      const auto at = [&](double e) { return Pair2{x.x + e * d.x, x.y + e * d.y}; };
      // Near a seam of the cone (an axis of quarters, a corner) the second derivative jumps.
      const double first = 1e-4;
      const bool seam = (at(first).x < 0) != (x.x < 0) || (at(first).y < 0) != (x.y < 0) ||
                        length({cone.gradient(at(first)).x - g.x, cone.gradient(at(first)).y - g.y}) > 0.1 * length(g);
      if (seam) continue;
      BOOST_TEST_CONTEXT(name << " x " << x.x << " " << x.y) {
        BOOST_TEST(taylor_slope(
                       scale,
                       [&](double e) { return std::fabs(cone.psi(at(e), 0) - cone.psi(x, 0) - e * product(g, d)); },
                       first) >= kTaylorSlope);
        BOOST_TEST(taylor_slope(
                       length(g) + std::hypot(H[0] * d.x + H[1] * d.y, H[1] * d.x + H[2] * d.y),
                       [&](double e) {
                         const Pair2 there = cone.gradient(at(e));
                         return std::hypot(there.x - g.x - e * (H[0] * d.x + H[1] * d.y),
                                           there.y - g.y - e * (H[1] * d.x + H[2] * d.y));
                       },
                       first) >= kTaylorSlope);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(sections_have_the_derivatives_that_laws_use) {
  Random random(15);
  const FrictionSection sections[] = {Asymmetric{0.2, 0.9, 0.4}.section(), Asymmetric{1, 1, 1}.section(),
                                      Polygon{1, 5}.section()};
  for (const FrictionSection& c : sections)
    for (int i = 0; i < 200; ++i) {
      const double radius = random.log_uniform(0.1, 10), dr = random.uniform(-1, 1) * radius;
      const Pair2 p = random_pair(random, radius * random.log_uniform(0.3, 30)), d = random_pair(random, radius);
      const SectionPoint at = project_on_section(c, p.x, p.y, radius);
      double g1, g2;
      section_growth(c, at, p.x, p.y, radius, g1, g2);
      const double t1 = -at.ny, t2 = at.nx, along = at.e * (t1 * d.x + t2 * d.y);
      const Pair2 slope = at.inside ? d : Pair2{along * t1 + g1 * dr, along * t2 + g2 * dr};
      const auto moved = [&](double e) { return project_on_section(c, p.x + e * d.x, p.y + e * d.y, radius + e * dr); };
      constexpr double first = 1e-4;
      const SectionPoint there = moved(first);
      const bool seam = there.inside != at.inside || std::fabs(there.e - at.e) > 0.05 || (there.x < 0) != (at.x < 0) ||
                        (there.y < 0) != (at.y < 0) || std::fabs(there.nx - at.nx) + std::fabs(there.ny - at.ny) > 0.05;
      if (seam) continue;
      BOOST_TEST(taylor_slope(
                     length(p) + length(slope),
                     [&](double e) {
                       const SectionPoint x = moved(e);
                       return std::hypot(x.x - at.x - e * slope.x, x.y - at.y - e * slope.y);
                     },
                     first) >= kTaylorSlope);
    }
}

BOOST_AUTO_TEST_CASE(equal_axes_are_isotropic) {
  Random random(16);
  const Isotropic disc{0.4};
  const FrictionSection round = Asymmetric{0.4, 0.4, 0.4}.section();
  for (int i = 0; i < 500; ++i) {
    const Pair2 p = random_pair(random, random.log_uniform(1e-2, 1e2));
    const Pair2 q = disc.project(p, 1);
    for (const Pair2& other : {Ellipse{0.4, 0.4}.project(p, 1), Matchstick{0.4, 0.4, 0.4, 0.3}.project(p, 1),
                               Matchstick{0.9, 0.1, 0.4, 0}.project(p, 1), Asymmetric{0.4, 0.4, 0.4}.project(p, 1)})
      BOOST_TEST(length({other.x - q.x, other.y - q.y}) <= kRounding * length(p));
    const SectionPoint at = project_on_section(round, p.x, p.y, 1);
    if (!at.inside) BOOST_TEST(std::fabs(at.e - 0.4 / length(p)) <= kRounding);  // e = R/|p| of the disc
  }
  // The polygon tends to the disc from inside: its apothem is μ cos(π/k).
  for (int k : {4, 8, 64}) {
    double least = 1, most = 0;
    for (int i = 0; i < 1000; ++i) {
      const double size = length(Polygon{0.4, k}.project(random_pair(random, 100), 1));
      least = std::fmin(least, size), most = std::fmax(most, size);
    }
    BOOST_TEST(most <= 0.4 * (1 + kRounding));
    BOOST_TEST(least >= 0.4 * std::cos(kPi / k) * (1 - kRounding));
  }
}

namespace {

SurfaceAt random_surface(Random& random, const std::string& cone, const Vec3& n) {
  const std::unique_ptr<FrictionConeType> type = friction_cone_registry().create(cone);
  SurfaceAt s = type->cone(numbers_of(*type, random), random.uniform(0.1, 1))->surface();
  const Vec3 v = random.unit_vector();
  s.grain = normalized(v - dot(n, v) * n);
  return s;
}

bool has_section(const SurfaceAt& s) { return s.form == ConeForm::section; }

/// Dissipation of the pair's cone while a slides over b with the world velocity v: the scaled disc, or the section.
double dissipation(const PairedCone& c, const Vec3& v, bool section) {
  const double v1 = c.s1 * dot(c.t1, v), v2 = c.s2 * dot(c.t2, v);
  return c.friction * (section ? section_support(c.section, -v1, -v2) : std::hypot(v1, v2));
}

}  // namespace

BOOST_AUTO_TEST_CASE(pairs_do_not_know_which_is_first_nor_the_sign_of_a_grain) {
  Random random(17);
  const std::vector<std::string> kinds = friction_cone_registry().names();
  for (const Pairing rule : {Pairing::geometric_mean, Pairing::minimum, Pairing::maximum, Pairing::average})
    for (const std::string& ka : kinds)
      for (const std::string& kb : kinds)
        for (int i = 0; i < 20; ++i) {
          const Vec3 n = random.unit_vector(), any = random.unit_vector(), v = any - dot(n, any) * n;
          SurfaceAt a = random_surface(random, ka, n), b = random_surface(random, kb, n);
          if (has_section(a) && has_section(b)) continue;
          const bool section = has_section(a) || has_section(b);
          const double first = dissipation(pair_cones(rule, a, b, n), v, section);
          BOOST_TEST_CONTEXT(ka << " on " << kb) {
            // Exchanged: b slides over a with −v, the normal points the other way.
            BOOST_TEST(std::fabs(dissipation(pair_cones(rule, b, a, -n), -v, section) - first) <= kRounding);
            if (!has_section(a)) a.grain = -a.grain;
            if (section && !has_section(b)) b.grain = -b.grain;
            BOOST_TEST(std::fabs(dissipation(pair_cones(rule, a, b, n), v, section) - first) <= kRounding);
          }
        }
}

// A surface against a disc of the same coefficients everywhere has the cone's own section: on side b its own axes are
// the contact's, on side a both the force and the left of the grain are the other way round.
BOOST_AUTO_TEST_CASE(what_slides_over_a_surface_meets_its_cone) {
  const Vec3 n{0, 0, 1}, grain{0.6, 0.8, 0};
  Random random(18);
  for (const std::string& kind : friction_cone_registry().names()) {
    const std::unique_ptr<FrictionConeType> type = friction_cone_registry().create(kind);
    const std::unique_ptr<AnyFrictionCone> cone = type->cone(numbers_of(*type, random), random.uniform(0.1, 1));
    SurfaceAt own = cone->surface(), slick;
    own.grain = grain;
    slick.friction = 10;  // the smaller of both is the cone's
    const bool section = has_section(own);
    for (int i = 0; i < 50; ++i) {
      const Pair2 w = random_pair(random, 1);  // velocity of what slides over the surface: along the grain, to its left
      for (const bool on_b : {true, false}) {
        const Vec3 up = on_b ? n : -n, v = w.x * grain + w.y * cross(up, grain), of_a = on_b ? v : -v;
        const PairedCone pair =
            on_b ? pair_cones(Pairing::minimum, slick, own, n) : pair_cones(Pairing::minimum, own, slick, n);
        BOOST_TEST_CONTEXT(kind << (on_b ? " on b" : " on a"))
        BOOST_TEST(std::fabs(dissipation(pair, of_a, section) - cone->support({-w.x, -w.y})) <= kRounding);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(pairs_of_parallel_grains_and_of_equal_surfaces) {
  const Vec3 n{0, 0, 1};
  SurfaceAt a, b;
  a.form = b.form = ConeForm::ellipse;
  a.grain = b.grain = {0.6, 0.8, 0};
  a.along = 0.8, a.across = 0.2, b.along = 0.2, b.across = 0.2;
  const PairedCone c = pair_cones(Pairing::geometric_mean, a, b, n);
  BOOST_TEST(std::fabs(c.friction * c.s1 - 0.4) <= kRounding);
  BOOST_TEST(std::fabs(c.friction * c.s2 - 0.2) <= kRounding);
  BOOST_TEST(std::fabs(c.s1 * c.s2 - 1) <= kRounding);
  // Isotropic pairs: the frame and the coefficient of ever, bit for bit.
  a.form = b.form = ConeForm::disc;
  a.friction = 0.3, b.friction = 0.7;
  const PairedCone d = pair_cones(Pairing::geometric_mean, a, b, n);
  Vec3 t1, t2;
  tangent_frame(n, t1, t2);
  BOOST_TEST((d.t1.x == t1.x && d.t1.y == t1.y && d.t2.x == t2.x && d.t2.y == t2.y));
  BOOST_TEST((d.friction == std::sqrt(0.3 * 0.7) && d.s1 == 1 && d.s2 == 1));
}

BOOST_AUTO_TEST_CASE(what_slides_forward_meets_the_forward_coefficient) {
  const Vec3 n{0, 0, 1};  // from b to a
  SurfaceAt scales = Asymmetric{0.1, 0.9, 0.4}.surface(), plain;
  scales.grain = {1, 0, 0};
  plain.friction = 10;
  const PairedCone floor = pair_cones(Pairing::minimum, plain, scales, n);  // a slides over the scales
  BOOST_TEST(std::fabs(dissipation(floor, {1, 0, 0}, true) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(dissipation(floor, {-1, 0, 0}, true) - 0.9) <= kRounding);
  const PairedCone belly =
      pair_cones(Pairing::minimum, scales, plain, n);  // the scales slide over b: b moves over them with −v
  BOOST_TEST(std::fabs(dissipation(belly, {1, 0, 0}, true) - 0.9) <= kRounding);
  BOOST_TEST(std::fabs(dissipation(belly, {-1, 0, 0}, true) - 0.1) <= kRounding);
}

BOOST_AUTO_TEST_CASE(stribeck_curve) {
  const StaticKinetic s{0.6, 0.02, 0.5};
  BOOST_TEST(s(0) == 1);
  BOOST_TEST(std::fabs(s(0.02) - (0.6 + 0.4 / std::exp(1.0) + 0.01)) <= kRounding);
  BOOST_TEST(std::fabs(s(1) - 1.1) <= kRounding);  // the exponential is gone
  BOOST_TEST(StaticKinetic{}(3) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
