// Projective dynamics as the quasi-Newton step it is: its iterates against projections and global solves written out,
// the bars of an independent implementation, and its descent.

#include "framework/math/svd.hpp"
#include "tests/scene_file.hpp"
#include "tests/soft_worlds.hpp"
#include "tests/verification/relaxed_worlds.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(projective_dynamics)

namespace {

constexpr double kStep = 1.0 / 60;
const std::string kForces = "-soft_form stiffness -detect_again 0 -accept_velocity_error 1e300 ";
const std::string kProjective = kForces + "-snes_type primal -primal_tangent majorant -newton_start unconstrained ";
const std::string kNewton = kForces + "-snes_type primal -snes_atol 1e-13 -snes_max_it 100 ";

/// Positions of all particles after one step.
std::vector<Vec3> after_a_step(const World& world, const std::string& options, StepReport* report = nullptr) {
  const ScopedOptions scoped(options);
  Model model(world, kStep);
  const StepReport r = model.step();
  BOOST_TEST_REQUIRE(!r.failed, r.reason);
  if (report) *report = r;
  std::vector<Vec3> out;
  for (const FrameParticle& p : model.frame().particles) out.push_back(p.position);
  return out;
}

/// 4 x 2 x 2 cells of five tetrahedra, of which every cell is cut the other way round than by tet_box(): those of a
/// longer box without its first layer.
TetMesh other_way_round() {
  constexpr double kSame = 1e-9;  // [m]
  const TetMesh longer = tet_box({-0.15, 0, 0}, {0.6, 0.2, 0.2}, 5, 2, 2);
  TetMesh out;
  std::vector<int> number(longer.nodes.size(), -1);
  for (std::size_t i = 0; i < longer.nodes.size(); ++i) {
    Vec3 x = longer.nodes[i];
    if (x.x < -kSame) continue;
    if (x.x < kSame) x.x = 0;
    number[i] = static_cast<int>(out.nodes.size());
    out.nodes.push_back(x);
  }
  for (std::array<int, 4> tet : longer.tetrahedra) {
    bool whole = true;
    for (int& node : tet) node = number[node], whole = whole && node >= 0;
    if (whole) out.tetrahedra.push_back(tet);
  }
  return out;
}

/// A bar of 0.6 m that is held at x = 0 and bent by its velocity, "as rigid as possible" with w/V = 2 μ.
SoftDescription bar(double weight) {
  SoftDescription body = soft_box("bar", {0.6, 0.2, 0.2}, {4, 2, 2}, weight);
  body.mesh = other_way_round();
  body.model = "corotational";
  body.poisson = 0;  // E = 2 μ
  body.fixed = nodes_at(body, 0, 0);
  return body;
}

const std::string kLimit = "-strain_limit 0.05 ";

/// The same where strains of up to 5 % cost nothing.
SoftDescription limited(double weight) {
  SoftDescription body = bar(weight);
  body.model = "strain_limited";
  return body;
}

World bent(const SoftDescription& body) {
  World w = world_of(body, {0, 0, -9.81});
  for (ParticleDescription& p : w.particles)
    if (!p.fixed) p.velocity = {0, 0, -3 * p.position.x * p.position.x / 0.36};
  return w;
}

World sheet() {
  return scene_from(R"(version: 1
case: sheet
time: {step: 0.016666666666666666, end: 1}
build:
  - spring_sheet: {columns: 4, rows: 4, mass: 0.5, stiffness: 1.0e4, corners: 2}
)")
      .world;
}

/// One distance to a set: |Σ_k c_k q_k − p|, rows of `columns` × nodes; springs have one, elements three.
struct Term {
  std::vector<int> nodes;
  std::vector<Vec3> b;  // of an element: F = Σ q_a b_aᵀ;  of a spring: ±1 in x
  double weight, length;
  double limit = 0;  // of an element's stretches
};

std::vector<Term> terms_of(const World& w, double limit) {
  std::vector<Term> out;
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < w.particles.size(); ++i)
      if (w.particles[i].name == name) return static_cast<int>(i);
    return -1;
  };
  for (const JointDescription& j : w.joints)
    out.push_back(
        {{index(j.a), index(j.b)}, {{1, 0, 0}, {-1, 0, 0}}, 1 / j.compliance[0], norm(j.anchor_a - j.anchor_b)});
  for (const SoftDescription& s : w.softs)
    for (const auto& tet : s.mesh.tetrahedra) {
      Eigen::Matrix3d D;
      for (int a = 0; a < 3; ++a) {
        const Vec3 edge = s.mesh.nodes[tet[a + 1]] - s.mesh.nodes[tet[0]];
        for (int e = 0; e < 3; ++e) D(e, a) = edge[e];
      }
      const Eigen::Matrix3d inverse = D.inverse();
      Term t{
          {}, {{}, {}, {}, {}}, s.young * std::fabs(D.determinant()) / 6, -1, s.model == "strain_limited" ? limit : 0};
      for (int a = 0; a < 4; ++a) t.nodes.push_back(s.first_particle + tet[a]);
      for (int a = 0; a < 3; ++a) {
        t.b[a + 1] = {inverse(a, 0), inverse(a, 1), inverse(a, 2)};
        t.b[0] = t.b[0] - t.b[a + 1];
      }
      out.push_back(t);
    }
  return out;
}

/// The nearest point of the set to Σ q_a b_aᵀ.
Mat3 projection(const Term& t, const std::vector<Vec3>& q) {
  Mat3 f{};
  for (std::size_t a = 0; a < t.nodes.size(); ++a) f = f + outer(q[t.nodes[a]], t.b[a]);
  if (t.length >= 0) return outer(t.length * normalized(Vec3{f(0, 0), f(1, 0), f(2, 0)}), {1, 0, 0});
  const Svd d = svd(f);
  const auto clip = [&t](double s) { return std::clamp(s, 1 - t.limit, 1 + t.limit); };
  return compose(d.u, {clip(d.s.x), clip(d.s.y), clip(d.s.z)}, d.v);
}

/// `iterations` of projecting and solving (M/h² + Σ w AᵀA) q = M s/h² + Σ w Aᵀ p from q = s.
std::vector<Vec3> local_global(const World& w, int iterations, double limit) {
  const int n = static_cast<int>(w.particles.size());
  const std::vector<Term> terms = terms_of(w, limit);
  std::vector<Vec3> s(n);
  std::vector<int> place;  // of the free ones
  for (int i = 0; i < n; ++i) {
    const ParticleDescription& p = w.particles[i];
    s[i] = p.fixed ? p.position : p.position + kStep * (p.velocity + kStep * w.gravity(0));
    if (!p.fixed) place.push_back(i);
  }
  const int m = static_cast<int>(place.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n), free(m, m);
  for (const Term& t : terms)
    for (std::size_t a = 0; a < t.nodes.size(); ++a)
      for (std::size_t b = 0; b < t.nodes.size(); ++b) A(t.nodes[a], t.nodes[b]) += t.weight * dot(t.b[a], t.b[b]);
  const auto inertia = [&](int i) { return w.particles[i].mass / (kStep * kStep); };
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) free(i, j) = A(place[i], place[j]) + (i == j ? inertia(place[i]) : 0);
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(free);
  std::vector<Vec3> q = s;
  for (int k = 0; k < iterations; ++k) {
    std::vector<Vec3> right(n);
    for (const int i : place) right[i] = inertia(i) * s[i];
    for (const Term& t : terms) {
      const Mat3 p = projection(t, q);
      for (std::size_t a = 0; a < t.nodes.size(); ++a) right[t.nodes[a]] += t.weight * (p * t.b[a]);
    }
    Eigen::MatrixXd known(m, 3);
    for (int i = 0; i < m; ++i) {
      Vec3 r = right[place[i]];
      for (int j = 0; j < n; ++j)
        if (w.particles[j].fixed) r = r - A(place[i], j) * s[j];
      for (int e = 0; e < 3; ++e) known(i, e) = r[e];
    }
    const Eigen::MatrixXd next = factor.solve(known);
    for (int i = 0; i < m; ++i) q[place[i]] = {next(i, 0), next(i, 1), next(i, 2)};
  }
  return q;
}

}  // namespace

BOOST_AUTO_TEST_CASE(iterates_are_those_of_projections_and_global_solves) {
  constexpr double kRounding = 1e-12;  // [m], of positions below 1 m
  World in_motion = sheet();
  for (ParticleDescription& p : in_motion.particles)
    if (!p.fixed) p.velocity = {0.3 * p.position.y, 0, -2 * p.position.x};
  for (const World& w : {in_motion, bent(bar(2e4)), bent(limited(2e6))})
    for (const int iterations : {1, 2, 7})
      BOOST_TEST(largest_difference(
                     after_a_step(w, kProjective + kLimit + "-snes_atol 1e-30 -accept_budget true -snes_max_it " +
                                         std::to_string(iterations) + " "),
                     local_global(w, iterations, 0.05)) <= kRounding);
}

// One step of bars that are as rigid as possible, against an independent implementation.
BOOST_AUTO_TEST_CASE(tips_of_the_bars) {
  constexpr double kDigits = 1e-7;  // [m]
  for (const auto& [weight, tip] : {std::pair{2e4, 0.15060348}, std::pair{2e6, 0.16376943}}) {
    const World w = bent(bar(weight));
    std::vector<std::string> strategies{kNewton,
                                        kProjective + "-primal_snes_type qn -snes_atol 1e-11 -snes_max_it 400 "};
    if (weight < 1e5) strategies.push_back(kProjective + "-snes_atol 1e-30 -accept_budget true -snes_max_it 80 ");
    for (const std::string& options : strategies) {
      StepReport report;
      const std::vector<Vec3> x = after_a_step(w, options, &report);
      BOOST_TEST_MESSAGE(weight << ": " << x.back().z << " after " << report.newton_iterations);
      BOOST_TEST(std::fabs(x.back().z - tip) <= kDigits);
    }
  }
}

BOOST_AUTO_TEST_CASE(tip_of_a_strain_limited_bar) {
  constexpr double kDigits = 1e-7;  // [m]
  const World w = bent(limited(2e6));
  for (const std::string& options :
       {kNewton, kProjective + "-primal_snes_type qn -snes_atol 1e-10 -snes_max_it 3000 "}) {
    StepReport report;
    const std::vector<Vec3> x = after_a_step(w, options + kLimit, &report);
    BOOST_TEST_MESSAGE(x.back().z << " after " << report.newton_iterations);
    BOOST_TEST(std::fabs(x.back().z - 0.14913781) <= kDigits);
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_projection_is_refused_by_name) {
  const auto refusal = [](const World& world) -> std::string {
    const ScopedOptions scoped(kProjective);
    try {
      Model(world, kStep).prepare();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  SoftDescription rubber = bar(1e5);
  rubber.model = "stable_neo_hookean";
  BOOST_TEST(refusal(world_of(rubber)).find("'bar element") != std::string::npos);
  BOOST_TEST(refusal(world_of(bar(1e5))) == "");
  SoftDescription lame = bar(1e5);
  lame.poisson = 0.3;
  BOOST_TEST(refusal(world_of(lame)).find("poisson 0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
