// Every registered contact law, and the scalar one with all its parts: F is pure, its roots are the verdict's, and A
// and B are its derivatives where the law is exact.

#include "ncp/contact_laws/decoupled.hpp"
#include "tests/model_run.hpp"
#include "tests/property/contact_batch.hpp"
#include "tests/property/random.hpp"
#include "verdict/contact_residuals.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(contact_laws)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few operations, relative to the terms.
constexpr double kRounding = 1e-13;
// |F| against ρ times the natural map: laws weigh the two parts of a contact differently.
constexpr double kLeastFraction = 1e-3;
constexpr double kStep = 1.0 / 120;

/// A law by its name and options.
struct NamedLaw {
  std::string name, options;
  bool exact = true;  // A and B are the derivatives of F
};

/// Every law; the scalar one with every choice of its parts.
std::vector<NamedLaw> all_laws(const std::string& r_factor) {
  std::vector<NamedLaw> laws;
  for (const std::string& name : contact_law_registry().names()) {
    if (name != "decoupled") {
      laws.push_back({name, "-r_factor " + r_factor});
      continue;
    }
    for (const std::string& phi : ncp_function_registry().names())
      for (const std::string& map : friction_map_registry().names())
        laws.push_back({name, "-ncp_function " + phi + " -friction_map " + map + " -r_factor " + r_factor,
                        map != "disc_projection" && map != "fixed_point"});  // these lag, see friction_maps
  }
  return laws;
}

std::unique_ptr<RowLaw> create(const NamedLaw& law) {
  const ScopedOptions options(law.options);
  return contact_law_registry().create(law.name);
}

template <class F>
void for_each_law(const std::string& r_factor, F f) {
  for (const NamedLaw& law : all_laws(r_factor)) BOOST_TEST_CONTEXT(law.name << " " << law.options) {
      f(law, *create(law));
    }
}

auto evaluation(RowLaw& law, bool linearise = true) {
  return [&law, linearise](const RowSet& rows) {
    law.compute_r_factors(rows, kStep);
    law.evaluate(rows, linearise);
  };
}

ContactResiduals judged(const ContactSample& s) {
  return contact_residuals({s.gap, s.v1, s.v2, s.ln, s.l1, s.l2, s.mu, s.w[0], s.w[1], s.w[2]});
}
double rho(const ContactSample& s) { return (s.w[0] + s.w[1] + s.w[2]) / 3; }
double scale_of(const ContactSample& s) {
  return std::fabs(s.gap) + (1 + s.mu) * s.speed() +
         rho(s) * (std::fabs(s.ln) + s.friction() * (s.mu > 0 ? 1 + 1 / s.mu : 1));
}

ContactSample random_contact(Random& random) {
  ContactSample s;
  s.mu = random.log_uniform(0.05, 2);
  const double w = random.log_uniform(1e-2, 1e2);
  s.w = {w, w * random.uniform(0.5, 3), w * random.uniform(0.5, 3)};
  s.r_n = w, s.r_f = 0.5 * (s.w[1] + s.w[2]);  // what `delassus_diagonal` makes of it
  return s;
}

/// An exact solution of Signorini's condition and Coulomb's law.
ContactSample random_solution(Random& random, int kind) {
  ContactSample s = random_contact(random);
  if (kind >= 5) s.mu = 0;
  const double angle = random.uniform(0, 2 * kPi), c = std::cos(angle), n = std::sin(angle);
  const double speed = random.log_uniform(1e-3, 10), impulse = random.log_uniform(1e-3, 10) / s.w[0];
  switch (kind) {
    case 0:  // open
    case 5:
      s.gap = random.log_uniform(1e-3, 10);
      s.v1 = speed * c, s.v2 = speed * n;
      break;
    case 1:  // sticks, inside the cone
      s.ln = impulse;
      s.l1 = s.mu * impulse * random.uniform(0, 0.95) * c;
      s.l2 = s.l1 * n / c;
      break;
    case 2:  // slips
    case 6:
      s.ln = impulse;
      s.l1 = -s.mu * impulse * c, s.l2 = -s.mu * impulse * n;
      s.v1 = speed * c, s.v2 = speed * n;
      break;
    case 3:  // touches without impulse, at rest or in motion
      s.v1 = impulse > 1 ? speed * c : 0, s.v2 = impulse > 1 ? speed * n : 0;
      break;
    default:  // at the limit of sticking
      s.ln = impulse;
      s.l1 = s.mu * impulse * c, s.l2 = s.mu * impulse * n;
  }
  return s;
}
constexpr int kSolutionKinds = 7;

/// Neither on a cone's boundary nor without slip: F is smooth there.
ContactSample random_smooth(Random& random, bool frictionless) {
  for (;;) {
    ContactSample s = random_contact(random);
    if (frictionless) s.mu = 0;
    const double r = s.w[0], size = random.log_uniform(1e-2, 10);
    s.gap = size * random.uniform(-1, 1);
    s.v1 = size * random.uniform(-1, 1), s.v2 = size * random.uniform(-1, 1);
    s.ln = size / r * random.uniform(-0.3, 1);
    s.l1 = size / r * random.uniform(-1, 1), s.l2 = size / r * random.uniform(-1, 1);
    const double rn = s.w[0] * s.ln, rf = 0.5 * (s.w[1] + s.w[2]);
    const double p = std::hypot(s.l1 - s.v1 / rf, s.l2 - s.v2 / rf);
    if (std::fabs(s.gap - rn) > 0.05 * size && std::fabs(p - s.radius()) > 0.05 * p && s.speed() > 0.1 * size &&
        std::fabs(s.ln) * r > 0.05 * size)
      return s;
  }
}

std::array<double, 6> random_direction(Random& random, double velocity, double impulse) {
  std::array<double, 6> d{};
  for (int k = 0; k < 6; ++k) d[k] = (k < 3 ? velocity : impulse) * random.uniform(-1, 1);
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(residual_is_pure) {
  Random random(1);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(random_smooth(random, i % 5 == 0));
  for_each_law("delassus_diagonal", [&](const NamedLaw& named, RowLaw& law) {
    const auto once = evaluate_contacts(samples, law.symmetric(), evaluation(law));
    std::vector<ContactSample> others;
    for (int i = 0; i < 20; ++i) others.push_back(random_smooth(random, false));
    evaluate_contacts(others, law.symmetric(), evaluation(law));
    const auto again = evaluate_contacts(samples, law.symmetric(), evaluation(law));
    const auto plain = evaluate_contacts(samples, law.symmetric(), evaluation(law, false));
    const auto fresh_law = create(named);
    std::vector<ContactSample> reversed(samples.rbegin(), samples.rend());
    const auto fresh = evaluate_contacts(reversed, law.symmetric(), evaluation(*fresh_law));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      BOOST_TEST(once[i].f == again[i].f);
      BOOST_TEST(once[i].A == again[i].A);
      BOOST_TEST(once[i].B == again[i].B);
      BOOST_TEST(once[i].f == plain[i].f);
      BOOST_TEST(once[i].f == fresh[samples.size() - 1 - i].f);
      BOOST_TEST((std::isnan(plain[i].a[0]) && std::isnan(plain[i].b[2]) && std::isnan(plain[i].cosine)));
    }
  });
}

BOOST_AUTO_TEST_CASE(zero_at_solutions) {
  Random random(2);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 100 * kSolutionKinds; ++i) samples.push_back(random_solution(random, i % kSolutionKinds));
  for (const std::string& r_factor : r_factor_registry().names())
    for_each_law(r_factor, [&](const NamedLaw&, RowLaw& law) {
      const ContactBatch batch(samples, law.symmetric());
      evaluation(law)(batch.rows);
      fence();
      const auto results = batch.results();
      std::vector<double> r_n, r_f;
      to_host(batch.rows.r_normal, r_n);
      to_host(batch.rows.r_friction, r_f);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const ContactSample& s = samples[i];
        BOOST_TEST(judged(s).natural_map * rho(s) <= kRounding * scale_of(s));  // they are solutions
        const double impulse = std::fmax(r_n[i], r_f[i]) * (s.ln + s.friction() * (s.mu > 0 ? 1 / s.mu : 1));
        // Jordan roots halve the digits where a cone touches its boundary: √eps of the terms.
        constexpr double kRootRounding = 3e-8;
        const bool corner = i % kSolutionKinds == 3 || i % kSolutionKinds == 4;
        BOOST_TEST_CONTEXT("kind " << i % kSolutionKinds << " sample " << i)
        BOOST_TEST(length(results[i].f) <= (corner ? kRootRounding : kRounding) * (scale_of(s) + impulse));
      }
    });
}

BOOST_AUTO_TEST_CASE(nonzero_elsewhere) {
  Random random(3);
  std::vector<ContactSample> samples;
  for (int i = 0; i < 200 * kSolutionKinds; ++i) {
    const ContactSample s = random_solution(random, i % kSolutionKinds);
    const double size = (0.1 + s.gap + s.speed() + s.w[0] * s.ln) * random.log_uniform(1e-4, 1);
    samples.push_back(s.moved(1, random_direction(random, size, size / s.w[0])));
  }
  for (int i = 0; i < 500; ++i) samples.push_back(random_smooth(random, i % 5 == 0));
  for (const char* r_factor : {"delassus_diagonal", "delassus_trace"})
    for_each_law(r_factor, [&](const NamedLaw&, RowLaw& law) {
      const auto results = evaluate_contacts(samples, law.symmetric(), evaluation(law));
      for (std::size_t i = 0; i < samples.size(); ++i)
        BOOST_TEST_CONTEXT("sample " << i << " F " << length(results[i].f) << " natural "
                                     << judged(samples[i]).natural_map * rho(samples[i]))
      BOOST_TEST(length(results[i].f) >= kLeastFraction * rho(samples[i]) * judged(samples[i]).natural_map);
    });
}

BOOST_AUTO_TEST_CASE(linearisation_is_the_derivative) {
  Random random(4);
  for_each_law("delassus_diagonal", [&](const NamedLaw& named, RowLaw& law) {
    if (!named.exact) return;
    for (int i = 0; i < 200; ++i) {
      const ContactSample s = random_smooth(random, i % 4 == 0);
      const double size = 0.1 * scale_of(s) / (1 + (s.mu > 0 ? 1 / s.mu : 1));
      const auto d = random_direction(random, size, size / s.w[0]);
      BOOST_TEST_CONTEXT("sample " << i << " mu " << s.mu)
      BOOST_TEST(contact_taylor_slope(s, d, law.symmetric(), 1e-3, evaluation(law)) >= kTaylorSlope);
    }
  });
}

// Where x and z are close to the boundaries of their cones, one spectral value of x² + z² is small and F is strongly
// curved; exact solutions in slip are there with both.
BOOST_AUTO_TEST_CASE(linearisation_near_the_boundary) {
  Random random(5);
  for_each_law("delassus_diagonal", [&](const NamedLaw& named, RowLaw& law) {
    if (!named.exact) return;
    for (double distance : {1e-2, 1e-3, 1e-4})
      for (int i = 0; i < 60; ++i) {
        ContactSample s = random_solution(random, 2);
        const double size = std::fmin(s.speed() * std::fmin(1, s.mu), s.w[0] * s.ln * std::fmin(1, s.mu)) / (1 + s.mu);
        s = s.moved(distance, random_direction(random, size, size / s.w[0]));
        s.gap = std::fabs(s.gap);  // active for the scalar laws, whose own kink is at ĉ = r Λ_n
        if (s.gap > 0.3 * s.w[0] * s.ln) continue;
        const double rf = 0.5 * (s.w[1] + s.w[2]);
        if (std::hypot(s.l1 - s.v1 / rf, s.l2 - s.v2 / rf) < s.radius() * (1 + 2 * distance)) continue;
        const auto d = random_direction(random, size, size / s.w[0]);
        // Functions of positive parts have a kink at ĉ = 0 as well.
        if (s.gap <= 0.03 * distance * std::fabs(d[0])) continue;
        BOOST_TEST_CONTEXT("distance " << distance << " sample " << i)
        BOOST_TEST(contact_taylor_slope(s, d, law.symmetric(), 0.03 * distance, evaluation(law)) >= kTaylorSlope);
      }
  });
}

// A frictionless contact is the same scalar problem to every law: its friction impulse goes, its slip is ignored.
BOOST_AUTO_TEST_CASE(frictionless) {
  for_each_law("delassus_diagonal", [&](const NamedLaw&, RowLaw& law) {
    ContactSample s;
    s.mu = 0;
    s.gap = 0.3;
    s.ln = 0.2;
    s.l1 = 0.5, s.l2 = -2;
    const ContactResult still = evaluate_contacts({s}, law.symmetric(), evaluation(law)).front();
    s.v1 = 7, s.v2 = -3;
    const ContactResult moving = evaluate_contacts({s}, law.symmetric(), evaluation(law)).front();
    BOOST_TEST(still.f == moving.f);
    BOOST_TEST(still.A == moving.A);
    BOOST_TEST((still.f[1] == 0.5 && still.f[2] == -2));
    BOOST_TEST((still.B[4] == 1 && still.B[8] == 1 && still.A[4] == 0 && still.A[8] == 0));
  });
}

// Turning the tangents turns the friction part of F and nothing else.
BOOST_AUTO_TEST_CASE(isotropic) {
  Random random(6);
  for_each_law("delassus_trace", [&](const NamedLaw&, RowLaw& law) {
    for (int i = 0; i < 50; ++i) {
      const ContactSample s = random_smooth(random, false);
      const double angle = random.uniform(0, 2 * kPi), c = std::cos(angle), n = std::sin(angle);
      ContactSample t = s;
      t.v1 = c * s.v1 - n * s.v2, t.v2 = n * s.v1 + c * s.v2;
      t.l1 = c * s.l1 - n * s.l2, t.l2 = n * s.l1 + c * s.l2;
      const auto f = evaluate_contacts({s, t}, law.symmetric(), evaluation(law));
      constexpr double kLaw = 1e-11;  // divisions by small denominators inside a law magnify the rounding of the turn
      const double scale = kLaw * (scale_of(s) + length(f[0].f));
      BOOST_TEST(std::fabs(f[1].f[0] - f[0].f[0]) <= scale);
      BOOST_TEST(std::fabs(f[1].f[1] - c * f[0].f[1] + n * f[0].f[2]) <= scale);
      BOOST_TEST(std::fabs(f[1].f[2] - n * f[0].f[1] - c * f[0].f[2]) <= scale);
    }
  });
}

BOOST_AUTO_TEST_CASE(poison) {
  Random random(7);
  // The Delassus diagonal is the r-factor's business alone: where it does not read them nobody does.
  for (const char* r_factor : {"identity", "dt_squared"})
    for_each_law(r_factor, [&](const NamedLaw&, RowLaw& law) {
      ContactSample s = random_smooth(random, false);
      const auto f = evaluate_contacts({s}, law.symmetric(), evaluation(law)).front();
      s.w = {kPoison, kPoison, kPoison};
      const auto g = evaluate_contacts({s}, law.symmetric(), evaluation(law)).front();
      BOOST_TEST(f.f == g.f);
      BOOST_TEST(f.A == g.A);
      BOOST_TEST(f.B == g.B);
    });
  // Laws on the cone know one r-factor: that of friction is not read.
  for (const char* name : {"soc_fischer_burmeister", "natural_map"}) {
    const auto law = contact_law_registry().create(name);
    ContactSample s = random_smooth(random, false);
    s.r_n = 2;
    const auto evaluate = [&](const RowSet& rows) { law->evaluate(rows, true); };
    const auto f = evaluate_contacts({s}, false, evaluate).front();
    s.r_f = kPoison;
    s.w = {kPoison, kPoison, kPoison};
    const auto g = evaluate_contacts({s}, false, evaluate).front();
    BOOST_TEST(f.f == g.f);
    BOOST_TEST(f.A == g.A);
    BOOST_TEST(f.B == g.B);
    BOOST_TEST(std::isfinite(length(g.f)));
  }
}

// What the headers say of each other.
BOOST_AUTO_TEST_CASE(relations) {
  Random random(8);
  const auto natural = contact_law_registry().create("natural_map"),
             alart = contact_law_registry().create("alart_curnier"),
             jean = contact_law_registry().create("jean_moreau"),
             coupled = create({"decoupled", "-ncp_function minimum_map -friction_map disc_projection_coupled"});
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    ContactSample s = random_smooth(random, i % 5 == 0);
    const auto of = [&](RowLaw& law) { return evaluate_contacts({s}, law.symmetric(), evaluation(law)).front(); };
    const ContactResult j = of(*jean), c = of(*coupled), a = of(*alart);
    for (int k = 0; k < 3; ++k) BOOST_TEST(std::fabs(j.f[k] - c.f[k]) <= kRounding * scale_of(s));
    for (int k = 0; k < 9; ++k) {
      BOOST_TEST(std::fabs(j.A[k] - c.A[k]) <= kRounding * 10);
      BOOST_TEST(std::fabs(j.B[k] - c.B[k]) <= kRounding * 10 * s.r_f * (1 + s.mu));
    }
    // The disc of alart_curnier is another one wherever the gap is not what the impulse asks for.
    BOOST_TEST(a.f[0] == j.f[0]);
    differ += std::hypot(a.f[1] - j.f[1], a.f[2] - j.f[2]) > 1e-6 * scale_of(s);
    // With the verdict's ρ for r, F of natural_map is ρ times the verdict's natural map.
    if (s.mu <= 0) continue;
    s.w[1] = s.w[2] = s.w[0];
    BOOST_TEST(std::fabs(length(of(*natural).f) - rho(s) * judged(s).natural_map) <= kRounding * scale_of(s));
  }
  BOOST_TEST(differ > 20);
}

// At the corner of everything, where each resting contact starts: finite, and a row that can be solved.
BOOST_AUTO_TEST_CASE(corner) {
  for_each_law("delassus_diagonal", [&](const NamedLaw&, RowLaw& law) {
    for (double mu : {0.0, 0.5}) {
      ContactSample s;
      s.mu = mu;
      const ContactResult r = evaluate_contacts({s}, law.symmetric(), evaluation(law)).front();
      BOOST_TEST(length(r.f) <= 1e-9);  // √ of the cone law's smoothing, 1e-18 J
      for (int k = 0; k < 9; ++k) BOOST_TEST((std::isfinite(r.A[k]) && std::isfinite(r.B[k])));
      for (int k = 0; k < 3; ++k) BOOST_TEST(r.A[4 * k] + r.B[4 * k] > 0.1);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
