// The overlap that is really there, told apart from what the contacts say: planted defects are reported, and what may
// overlap is not.

#include "assembly/geometric_solids.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "tests/model_run.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(geometric_verdict)

namespace {

/// A few dozen operations on lengths of a metre.
constexpr double kRounding = 1e-13;

Residual overlap(const World& world) {
  std::vector<Vec3> x;
  std::vector<Quat> q;
  for (const BodyDescription& body : world.bodies)
    x.push_back(body.position), q.push_back(normalized(body.orientation));
  for (const ParticleDescription& particle : world.particles) x.push_back(particle.position);
  return GeometricVerdict(geometric_scene(world)).penetration(x, q);
}

/// Changes what a view holds, wherever that is.
template <class T, class Change>
void change(const View<T>& view, const Change& each) {
  auto host = host_copy(view);
  for (std::size_t i = 0; i < host.extent(0); ++i) host(i) = each(static_cast<int>(i), host(i));
  Kokkos::deep_copy(view, host);
}

/// A contact law whose gaps are frozen: they are what they were when the step began, and no motion closes them.
class FrozenGaps final : public RowLaw {
 public:
  explicit FrozenGaps(std::unique_ptr<RowLaw> law) : law_(std::move(law)) {}
  bool symmetric() const override { return law_->symmetric(); }
  void describe(OptionVisitor& visitor) override { law_->describe(visitor); }
  void compute_r_factors(const RowSet& rows, double h) override {
    if (frozen_.empty()) to_host(rows.velocity, frozen_);  // of the start of the step
    law_->compute_r_factors(rows, h);
  }
  void evaluate(const RowSet& rows, bool linearise) override {
    change(rows.velocity, [this](int row, double v) { return row % 3 == 0 ? frozen_.at(row) : v; });
    law_->evaluate(rows, linearise);
  }

 private:
  std::unique_ptr<RowLaw> law_;
  std::vector<double> frozen_;
};

ContactContributor& contacts_of(StepProblem& problem) {
  for (int i = 0; i < problem.contributors(); ++i)
    if (auto* contacts = dynamic_cast<ContactContributor*>(&problem.contributor(i))) return *contacts;
  throw std::logic_error("no contacts");
}

/// Alters the contacts that detection has found, before anybody solves the step.
class AlteredContacts final : public StepSolver {
 public:
  explicit AlteredContacts(std::function<void(const ContactSet&)> alter) : alter_(std::move(alter)) {}
  void prepare(StepProblem& problem) override { solver_.prepare(problem); }
  SolveResult solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) override {
    alter_(contacts_of(problem).contacts());
    return solver_.solve(problem, u, impulse);
  }

 private:
  std::function<void(const ContactSet&)> alter_;
  SnesStepSolver solver_;
};

/// A thing at 5 m/s, one centimetre above what it strikes within the step.
World striking(int kind) {
  World w = world_with_plane(0.5);
  if (kind == 2) w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 50, {0, 0, 0.1}));
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0, 0, kind == 2 ? 0.31 : 0.11}));
  if (kind == 1) {
    w.bodies.back().shape.kind = ShapeDescription::Kind::sphere;
    w.bodies.back().shape.radius = 0.1;
  }
  w.bodies.back().velocity = {0, 0, -5};
  return w;
}

/// The step of `world` after `plant` has been at the model.
StepReport planted(const World& world, const std::function<void(Model&)>& plant) {
  const ScopedOptions options("-ksp_type preonly -pc_type cholesky -newton_damping 1 -snes_max_it 100");
  Model model(world, 0.01);
  plant(model);
  return model.step();
}

World two_boxes(double gap) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 1, {0, 0, 0.1}));
  w.bodies.push_back(box("high", {0.1, 0.1, 0.1}, 1, {0.03, 0, 0.3 + gap}));
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(depth_and_names) {
  const Residual found = overlap(two_boxes(-0.02));
  BOOST_TEST(std::fabs(found.value - 0.02) <= kRounding);
  BOOST_TEST((found.where == "high/low" || found.where == "low/high"));
  BOOST_TEST(overlap(two_boxes(0.01)).value <= kRounding);  // the low one stands on the floor
  World sunk = two_boxes(0.01);
  sunk.bodies[1].position.z -= 1e-6;
  BOOST_TEST(std::fabs(overlap(sunk).value - 1e-6) <= kRounding);
  BOOST_TEST(overlap(sunk).where == "low/ground");
}

BOOST_AUTO_TEST_CASE(what_may_overlap_does_not_count) {
  World ignored = two_boxes(-0.02);
  ignored.no_collision.emplace_back("low", "high");
  BOOST_TEST(overlap(ignored).value <= kRounding);
  World grouped = two_boxes(-0.02);
  grouped.bodies[1].group = grouped.bodies[2].group = "pile";
  BOOST_TEST(overlap(grouped).value > 0.01);
  grouped.no_collision.emplace_back("pile", "pile");
  BOOST_TEST(overlap(grouped).value <= kRounding);
  World jointed = two_boxes(-0.02);
  JointDescription joint;
  joint.type = "ball";
  joint.name = "j";
  joint.a = "low";
  joint.b = "high";
  jointed.joints.push_back(joint);
  BOOST_TEST(overlap(jointed).value <= kRounding);
  jointed.joints[0].collide = true;
  BOOST_TEST(overlap(jointed).value > 0.01);
  World still = two_boxes(-0.02);
  still.bodies[1].motion = Motion::fixed;
  still.bodies[2].motion = Motion::prescribed;
  BOOST_TEST(overlap(still).value == 0);
}

// A ball and a box on one face of a floor of two triangles, and a soft cube that stands a little in the floor.
BOOST_AUTO_TEST_CASE(triangles_and_deforming_surfaces) {
  World w = world_with_plane(0.5, {0, 0, 1});
  BodyDescription sheet;
  sheet.name = "sheet";
  sheet.motion = Motion::fixed;
  sheet.shape.kind = ShapeDescription::Kind::mesh;
  sheet.shape.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  sheet.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  sheet.position = {0, 0, 1};
  w.bodies.push_back(sheet);
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0.4, -0.4, 1.097}));
  const Residual found = overlap(w);
  BOOST_TEST(std::fabs(found.value - 0.003) <= kRounding);
  BOOST_TEST(found.where == "brick/sheet:0");

  World soft = world_with_plane(0.5);
  add_soft_body(soft, soft_box("cube", {0.2, 0.2, 0.2}, {1, 1, 1}, 1e5));
  BOOST_TEST(overlap(soft).value <= kRounding);
  for (ParticleDescription& p : soft.particles) p.position.z -= 0.004;
  BOOST_TEST(std::fabs(overlap(soft).value - 0.004) <= kRounding);
}

// Detection without any margin finds a pair only where it overlaps already: the step in which it comes together has no
// contact, and the law's gap says nothing.
BOOST_AUTO_TEST_CASE(a_missing_contact_is_reported) {
  const ScopedOptions options("-contact_margin 0 -contact_margin_speed 0");
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0, 0, 0.11}));
  w.bodies[1].velocity = {0, 0, -5};
  Model model(w, 0.01);
  const StepReport report = model.step();
  BOOST_TEST(report.contacts == 0);
  BOOST_TEST(report.verdict.penetration.value == 0);
  BOOST_TEST_REQUIRE(report.verdict.geometric_penetration.has_value());
  BOOST_TEST(report.verdict.geometric_penetration->value > 0.03);
  BOOST_TEST(report.verdict.geometric_penetration->where == "brick/ground");
}

// Defects in the rows that the solver is given, and not in the verdict: the step converges, since it satisfies those
// rows, and the overlap that follows is reported.
BOOST_AUTO_TEST_CASE(planted_defects_are_reported) {
  const std::map<std::string, std::function<void(Model&)>> defects = {
      {"a missing contact",  // far away along its own normal, for all the law knows
       [](Model& model) {
         const int brick = static_cast<int>(model.world().bodies.size()) - 1;
         model.simulation().set_solver(std::make_unique<AlteredContacts>([brick](const ContactSet& contacts) {
           const auto a = host_copy(contacts.a), b = host_copy(contacts.b);
           change(contacts.radius_b, [&](int i, double r) { return a(i) == brick || b(i) == brick ? -1 : r; });
         }));
       }},
      {"a wrong normal",
       [](Model& model) {
         model.simulation().set_solver(std::make_unique<AlteredContacts>([](const ContactSet& contacts) {
           change(contacts.normal, [](int, const Vec3&) { return Vec3{1, 0, 0}; });
         }));
       }},
      {"a frozen gap",
       [](Model& model) {
         (void)contacts_of(model.problem())
             .exchange_law(std::make_unique<FrozenGaps>(contact_law_registry().create("decoupled")));
       }},
  };
  constexpr double kFallen = 0.03;  // [m] of the 5 cm of the step, less the centimetre above
  for (int kind = 0; kind < 3; ++kind) {
    const StepReport sound = planted(striking(kind), [](Model&) {});
    BOOST_TEST(sound.reason == "converged");
    BOOST_TEST(sound.verdict.geometric_penetration->value <= 1e-7);
    for (const auto& [what, plant] : defects) {
      const StepReport report = planted(striking(kind), plant);
      BOOST_TEST_CONTEXT(what << ", kind " << kind) {
        BOOST_TEST(report.reason == "converged");
        BOOST_TEST(report.contacts > 0);
        BOOST_REQUIRE(report.verdict.geometric_penetration.has_value());
        BOOST_TEST(report.verdict.geometric_penetration->value > kFallen);
        BOOST_TEST(report.verdict.geometric_penetration->where.find("brick") != std::string::npos);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(is_looked_at_as_often_as_asked_for) {
  const ScopedOptions options("-verdict_geometry 3");
  Model model(two_boxes(0), 0.01);
  for (int step = 1; step <= 6; ++step)
    BOOST_TEST(model.step().verdict.geometric_penetration.has_value() == (step % 3 == 0));
  const ScopedOptions off("-verdict_geometry 0");
  Model silent(two_boxes(0), 0.01);
  BOOST_TEST(!silent.step().verdict.geometric_penetration.has_value());
}

// A frame has the depth beside the gap of every contact, and the pairs of solids that overlap, the missing ones too.
BOOST_AUTO_TEST_CASE(a_frame_names_what_overlaps) {
  constexpr double kSunk = 0.01;
  World w = two_boxes(-kSunk);
  w.bodies.push_back(box("aside", {0.1, 0.1, 0.1}, 1, {1, 0, 0.1}));
  // No iteration: the overlap is as it was, and whatever the law says of it is accepted.
  const ScopedOptions options("-snes_max_it 0 -accept_budget true -accept_velocity_error 1e9");
  Model model(w, 1e-6);
  (void)model.step();
  const Frame frame = model.frame();
  BOOST_TEST_REQUIRE(!frame.overlaps.empty());
  BOOST_TEST((frame.overlaps[0].where == "high/low" || frame.overlaps[0].where == "low/high"));
  constexpr double kMoved = 1e-5;  // [m] in one step of a microsecond, whatever the solver did with the overlap
  BOOST_TEST(std::fabs(frame.overlaps[0].depth - kSunk) <= kMoved);
  for (std::size_t k = 1; k < frame.overlaps.size(); ++k)
    BOOST_TEST(frame.overlaps[k].depth <= frame.overlaps[k - 1].depth);
  int between = 0;
  for (const FrameContact& contact : frame.contacts) {
    const bool pair = contact.body_a != 0 && contact.body_b != 0;  // not on the ground, entity 0
    between += pair;
    BOOST_TEST(std::fabs(contact.geometric_penetration - (pair ? kSunk : 0)) <= kMoved);
  }
  BOOST_TEST(between > 0);
  const ScopedOptions off("-verdict_geometry 0");
  Model silent(w, 1e-6);
  (void)silent.step();
  BOOST_TEST(silent.frame().overlaps.empty());
  for (const FrameContact& contact : silent.frame().contacts) BOOST_TEST(std::isnan(contact.geometric_penetration));
}

BOOST_AUTO_TEST_SUITE_END()
