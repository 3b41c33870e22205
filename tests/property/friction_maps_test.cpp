// Every registered friction map: zero exactly at Coulomb's law on the disc, and a linearisation that is the derivative
// of F_f but for what the map says it lags.

#include "ncp/friction_maps/friction_map.hpp"
#include "ncp/functions/ncp_function.hpp"
#include "tests/property/contact_batch.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(friction_maps)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few operations, relative to the terms.
constexpr double kRounding = 1e-13;
// A residual is at least this fraction of the projection's, r |Λ_f − Π_R(Λ_f − v_t/r)|.
constexpr double kLeastFraction = 1e-2;
constexpr double kDenominatorMin = 1e-3;  // the default of -fixed_point_denominator_min

/// What a map leaves out of its linearisation; a map that is not named here is exact.
enum class Lag { none, radius, weight };
Lag lag_of(const std::string& name) {
  if (name == "disc_projection") return Lag::radius;  // ∂R/∂Λ_n
  if (name == "fixed_point") return Lag::weight;      // W
  return Lag::none;
}

/// A map together with the NCP function it may ask for, as the scalar law calls it.
struct NamedMap {
  std::string name, phi_name;
  std::shared_ptr<FrictionMap> map;
  std::shared_ptr<NcpFunction> phi;

  void operator()(const RowSet& rows, bool linearise = true) const {
    // The normal row is the NCP function's: here it is the gap.
    std::vector<double> a, b, velocity, impulse, mu, r;
    to_host(rows.out.a, a);
    to_host(rows.out.b, b);
    for (int i = 0; i < rows.items; ++i) a[3 * i] = 1, b[3 * i] = 0;
    Kokkos::deep_copy(rows.out.a, to_device("a", a));
    Kokkos::deep_copy(rows.out.b, to_device("b", b));
    View<double> value;
    if (map->needs_ncp()) {
      to_host(rows.velocity, velocity);
      to_host(rows.impulse, impulse);
      to_host(rows.friction, mu);
      to_host(rows.r_friction, r);
      std::vector<double> speed, rest;
      for (int i = 0; i < rows.items; ++i) {
        speed.push_back(std::hypot(velocity[3 * i + 1], velocity[3 * i + 2]));
        rest.push_back(r[i] *
                       (mu[i] * std::fmax(impulse[3 * i], 0.0) - std::hypot(impulse[3 * i + 1], impulse[3 * i + 2])));
      }
      value = View<double>("phi", rows.items);
      const View<double> da("da", rows.items), db("db", rows.items);
      phi->evaluate(rows.items, NcpCorner{}, to_device("speed", speed), to_device("rest", rest), value, da, db);
    }
    map->evaluate(rows, value, map->needs_ncp() ? kDenominatorMin : kPoison, linearise);
  }
};

/// f(map) for every map, and for every NCP function where the map uses one.
template <class F>
void for_each_map(F f) {
  for (const std::string& name : friction_map_registry().names()) {
    const std::shared_ptr<FrictionMap> map = friction_map_registry().create(name);
    for (const std::string& phi : ncp_function_registry().names()) {
      BOOST_TEST_CONTEXT(name << " with " << phi) { f(NamedMap{name, phi, map, ncp_function_registry().create(phi)}); }
      if (!map->needs_ncp()) break;
    }
  }
}

double scale_of(const ContactSample& s) { return s.speed() + s.r_f * (s.friction() + s.radius()); }

double friction_part(const ContactResult& r) { return std::hypot(r.f[1], r.f[2]); }

/// r |Λ_f − Π_R(Λ_f − v_t/r)|, written out here so that it shares nothing with the maps.
double projection_residual(const ContactSample& s) {
  double p1 = s.l1 - s.v1 / s.r_f, p2 = s.l2 - s.v2 / s.r_f;
  const double p = std::hypot(p1, p2);
  if (p > s.radius()) p1 *= s.radius() / p, p2 *= s.radius() / p;
  return s.r_f * std::hypot(s.l1 - p1, s.l2 - p2);
}

ContactSample random_sample(Random& random) {
  ContactSample s;
  const double v = random.uniform(0, 2 * kPi), l = random.uniform(0, 2 * kPi);
  s.mu = random.log_uniform(0.05, 2);
  s.ln = random.log_uniform(1e-2, 1e2);
  s.r_f = random.log_uniform(1e-2, 1e2);
  const double speed = s.r_f * s.radius() * random.log_uniform(1e-2, 1e2);
  const double impulse = s.radius() * random.log_uniform(1e-2, 10);
  s.v1 = speed * std::cos(v), s.v2 = speed * std::sin(v);
  s.l1 = impulse * std::cos(l), s.l2 = impulse * std::sin(l);
  return s;
}

/// Away from the boundary between stick and slip, |Λ_f − v_t/r| = R, and, with a scalar weight, from |Λ_f| = R and v_t
/// = 0.
bool off_the_kinks(const ContactSample& s) {
  const double p = std::hypot(s.l1 - s.v1 / s.r_f, s.l2 - s.v2 / s.r_f);
  return std::fabs(p - s.radius()) > 0.1 * s.radius() && p > 0.1 * s.radius();
}

std::array<double, 6> random_direction(Random& random, const ContactSample& s) {
  std::array<double, 6> d{};
  const double size[6] = {0, s.r_f * s.radius(), s.r_f * s.radius(), s.ln, s.radius(), s.radius()};
  for (int k = 0; k < 6; ++k) d[k] = size[k] * random.uniform(-1, 1);
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(zero_at_coulomb_solutions) {
  Random random(1);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 400; ++i) {
    ContactSample s = random_sample(random);
    const double angle = random.uniform(0, 2 * kPi), c = std::cos(angle), n = std::sin(angle);
    switch (i % 5) {
      case 0:  // sticks inside the disc, its middle included
        s.v1 = s.v2 = 0;
        s.l1 = i % 2 == 0 ? 0 : 0.9 * s.radius() * c;
        s.l2 = i % 2 == 0 ? 0 : 0.9 * s.radius() * n;
        break;
      case 1:  // slips, opposed
        s.l1 = -s.radius() * s.v1 / s.speed();
        s.l2 = -s.radius() * s.v2 / s.speed();
        break;
      case 2:  // on the boundary without slipping
        s.v1 = s.v2 = 0;
        s.l1 = s.radius() * c, s.l2 = s.radius() * n;
        break;
      case 3:  // frictionless
        s.mu = s.l1 = s.l2 = 0;
        break;
      default:  // open; a negative normal impulse is as good as none
        s.ln = i % 2 == 0 ? 0 : -s.ln;
        s.l1 = s.l2 = 0;
    }
    samples.push_back(s);
  }
  for_each_map([&](const NamedMap& map) {
    const auto results = evaluate_contacts(samples, map.map->symmetric(), map);
    for (std::size_t i = 0; i < samples.size(); ++i) BOOST_TEST_CONTEXT("sample " << i)
    BOOST_TEST(friction_part(results[i]) <= kRounding * scale_of(samples[i]));
  });
}

BOOST_AUTO_TEST_CASE(nonzero_elsewhere) {
  Random random(2);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 3000; ++i) {
    ContactSample s = random_sample(random);
    if (i % 10 == 1) s.ln = -s.ln;
    if (i % 10 == 2) s.mu = 0;
    if (i % 10 == 3) s.v1 = s.v2 = 0;
    if (i % 10 == 4) s.l1 = s.l2 = 0;
    if (i % 10 == 5) s.l1 = -s.v1 / s.speed() * s.radius() * random.uniform(0, 3), s.l2 = s.l1 * s.v2 / s.v1;
    if (i % 10 == 6) s.l1 = s.v1 / s.speed() * s.radius() * random.uniform(0, 3), s.l2 = s.l1 * s.v2 / s.v1;
    samples.push_back(s);
  }
  for_each_map([&](const NamedMap& map) {
    const auto results = evaluate_contacts(samples, map.map->symmetric(), map);
    for (std::size_t i = 0; i < samples.size(); ++i) BOOST_TEST_CONTEXT("sample " << i)
    BOOST_TEST(friction_part(results[i]) >=
               kLeastFraction * projection_residual(samples[i]) - kRounding * scale_of(samples[i]));
  });
}

// F_f depends on nothing but its arguments, and `linearise` and the kind of system change it in no bit.
BOOST_AUTO_TEST_CASE(pure) {
  Random random(3);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 200; ++i) samples.push_back(random_sample(random));
  for_each_map([&](const NamedMap& map) {
    const auto once = evaluate_contacts(samples, map.map->symmetric(), map);
    evaluate_contacts({random_sample(random)}, map.map->symmetric(), map);
    const auto again = evaluate_contacts(samples, false, map);
    const auto plain = evaluate_contacts(samples, map.map->symmetric(), [&](const RowSet& rows) { map(rows, false); });
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (int k = 1; k < 3; ++k) {
        BOOST_TEST(once[i].f[k] == again[i].f[k]);
        BOOST_TEST(once[i].f[k] == plain[i].f[k]);
        BOOST_TEST(std::isnan(once[i].f[0]));     // the normal row is somebody else's
        BOOST_TEST(std::isnan(plain[i].cosine));  // not asked for
        BOOST_TEST(std::isnan(plain[i].a[k]));
      }
  });
}

BOOST_AUTO_TEST_CASE(linearisation_is_the_derivative) {
  Random random(4);
  int stick = 0, slip = 0;
  for_each_map([&](const NamedMap& map) {
    const Lag lag = lag_of(map.name);
    if (lag == Lag::weight) return;  // compared with its frozen weight below
    // The normal residual is not set here, so the row n is left out: its F is NaN.
    const auto evaluate = [&](const RowSet& rows) {
      map(rows);
      Kokkos::deep_copy(Kokkos::subview(rows.out.residual, Kokkos::make_pair(0, 1)), 0.0);
    };
    for (int i = 0; i < 300; ++i) {
      const ContactSample s = random_sample(random);
      if (!off_the_kinks(s)) continue;
      (std::hypot(s.l1 - s.v1 / s.r_f, s.l2 - s.v2 / s.r_f) > s.radius() ? slip : stick) += 1;
      std::array<double, 6> d = random_direction(random, s);
      if (lag == Lag::radius) d[3] = 0;
      BOOST_TEST_CONTEXT("sample " << i)
      BOOST_TEST(contact_taylor_slope(s, d, map.map->symmetric(), 1e-3, evaluate) >= kTaylorSlope);
    }
  });
  BOOST_TEST(stick > 20);
  BOOST_TEST(slip > 20);
}

// What `disc_projection` drops is −r μ dΛ_n along d in slip, and nothing else.
BOOST_AUTO_TEST_CASE(lagged_radius_is_all_that_is_dropped) {
  Random random(5);
  for_each_map([&](const NamedMap& map) {
    if (lag_of(map.name) != Lag::radius) return;
    for (int i = 0; i < 100; ++i) {
      const ContactSample s = random_sample(random);
      if (!off_the_kinks(s)) continue;
      const double p = std::hypot(s.l1 - s.v1 / s.r_f, s.l2 - s.v2 / s.r_f);
      const ContactResult at = evaluate_contacts({s}, true, map).front();
      const double e = 1e-5 * s.ln;  // F_f is linear in Λ_n while it slips or sticks
      const ContactResult there = evaluate_contacts({s.moved(e, {0, 0, 0, 1, 0, 0})}, true, map).front();
      const double dropped = p > s.radius() ? -s.r_f * s.mu * e : 0;
      BOOST_TEST(std::fabs(there.f[1] - at.f[1] - dropped * at.cosine) <= kRounding * scale_of(s));
      BOOST_TEST(std::fabs(there.f[2] - at.f[2] - dropped * at.sine) <= kRounding * scale_of(s));
    }
  });
}

// F_f = v_t + W Λ_f with the W that the linearisation freezes.
BOOST_AUTO_TEST_CASE(frozen_weight) {
  Random random(6);
  int clamped = 0, seen = 0;
  for_each_map([&](const NamedMap& map) {
    if (lag_of(map.name) != Lag::weight) return;
    for (int i = 0; i < 500; ++i) {
      const ContactSample s = random_sample(random);
      const ContactResult r = evaluate_contacts({s}, true, map).front();
      const double W = r.b[1], scale = s.speed() + W * s.friction();
      BOOST_TEST(std::fabs(r.f[1] - s.v1 - W * s.l1) <= kRounding * scale);
      BOOST_TEST(std::fabs(r.f[2] - s.v2 - W * s.l2) <= kRounding * scale);
      BOOST_TEST((r.a[1] == 1 && r.a[2] == 1 && r.b[2] == W && r.cosine == 1 && r.sine == 0));
      clamped += r.safeguard;
      // The safeguard acts far outside the cone only.
      if (r.safeguard) BOOST_TEST(s.friction() > 2 * s.radius() * (1 - 2 * kDenominatorMin));
      ++seen;
    }
  });
  BOOST_TEST((seen == 0 || clamped > 0));
}

BOOST_AUTO_TEST_CASE(symmetric_maps_have_no_coupling) {
  Random random(7);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 300; ++i) {
    samples.push_back(random_sample(random));
    if (i % 7 == 0) samples.back().ln *= -1;
  }
  for_each_map([&](const NamedMap& map) {
    const auto general = evaluate_contacts(samples, false, map);
    bool coupled = false;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const ContactResult& g = general[i];
      BOOST_TEST(std::fabs(std::hypot(g.cosine, g.sine) - 1) <= kRounding);
      for (int k = 1; k < 3; ++k) {
        BOOST_TEST(g.a[k] >= 0);
        BOOST_TEST(g.b[k] >= 0);
        BOOST_TEST(g.a[k] + g.b[k] / samples[i].r_f > 0);  // a row is never empty
        coupled = coupled || g.B[3 * k] != 0;
        BOOST_TEST((g.B[k] == 0 && g.A[k] == 0 && g.A[3 * k] == 0));  // friction does not enter the normal row
      }
      // The friction block is symmetric in every frame.
      BOOST_TEST(std::fabs(g.B[5] - g.B[7]) <= kRounding * (std::fabs(g.B[4]) + std::fabs(g.B[8])));
      BOOST_TEST(std::fabs(g.A[5] - g.A[7]) <= kRounding);
    }
    BOOST_TEST(coupled != map.map->symmetric());
    if (!map.map->symmetric()) return;
    // The same entries whether or not some other law makes the system general.
    const auto symmetric = evaluate_contacts(samples, true, map);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      BOOST_TEST(symmetric[i].A == general[i].A);
      BOOST_TEST(symmetric[i].B == general[i].B);
    }
  });
}

// Rows that are off only say r Λ_f = 0: the slip velocity of an open contact is nobody's business.
BOOST_AUTO_TEST_CASE(poison) {
  for_each_map([&](const NamedMap& map) {
    for (double normal : {0.0, -1.0}) {
      ContactSample s;
      s.ln = normal;
      s.v1 = s.v2 = kPoison;
      s.l1 = 2, s.l2 = -1;
      s.r_f = 3;
      s.r_n = s.gap = kPoison;
      const ContactResult r = evaluate_contacts({s}, true, map).front();
      BOOST_TEST((r.f[1] == 6 && r.f[2] == -3));
      BOOST_TEST((r.a[1] == 0 && r.a[2] == 0 && r.b[1] == 3 && r.b[2] == 3));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
