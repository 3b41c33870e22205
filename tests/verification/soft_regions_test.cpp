// Regions of soft bodies: a free body under pressure against the stretch at which its stress vanishes; a bar of two
// materials in series; masses; a strip that swells on one side curls; and what is refused.

#include "physics/soft/soft_regions.hpp"

#include "framework/error.hpp"
#include "physics/register.hpp"
#include "tests/scene_file.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_regions)

namespace {

/// Steps so long that little is left of any vibration, from zero velocity.
constexpr double kLongStep = 0.1;  // [s]
const std::string kLong = kExactSteps + "-snes_atol 1e-9 -newton_start zero ";

std::vector<int> all_elements(const SoftDescription& body) {
  std::vector<int> out;
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) out.push_back(static_cast<int>(e));
  return out;
}

SoftRegion region(const std::string& name, std::vector<int> elements) {
  SoftRegion r;
  r.name = name;
  r.elements = std::move(elements);
  return r;
}

/// Stretch s with ∂Ψ/∂s₁ (s, s, s) = p s², by bisection.
double free_stretch(const SoftMaterial& m, double p) {
  double low = 0.7, high = 1.6;
  while (high - low > 1e-14) {
    const double s = 0.5 * (low + high);
    (m.stretch_gradient({s, s, s}).x > p * s * s ? high : low) = s;
  }
  return 0.5 * (low + high);
}

void refused(const SoftDescription& body, const std::string& words) {
  World w;
  BOOST_CHECK_EXCEPTION(add_soft_body(w, body), InputError, [&](const InputError& e) {
    const std::string what = e.what();
    BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(free_swelling) {
  struct Case {
    std::string model, rows;
  };
  // Stretch rows lack the stiffness with which others get there from rest; their forces are checked in
  // property.activation.
  for (const Case& c : {Case{"stable_neo_hookean", "deformation_gradient"},
                        {"neo_hookean", "deformation_gradient"},
                        {"corotational", "deformation_gradient"},
                        {"corotational", "strain"}}) {
    SoftDescription box = soft_box("box", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e5);
    box.model = c.model;
    box.rows = c.rows;
    const double p = 3e4;  // E/3
    SoftRegion swollen = region("all", all_elements(box));
    swollen.pressure = TimeFunction::table({{0, 0}, {1, p}});
    box.regions.push_back(swollen);
    const auto m = soft_material_registry().create(c.model);
    m->set(lame(box.young, box.poisson, "test"));
    const ScopedOptions options(kLong);
    Model model(world_of(box), kLongStep);
    const RunFigures f = run(model, 30);
    BOOST_TEST(!f.failed, c.model << " " << c.rows);
    const Frame frame = model.frame();
    const FrameSoft& s = frame.softs.at(0);
    const double expected = free_stretch(*m, p);
    BOOST_TEST(expected > 1.005);
    const double stretch = norm(s.position.back() - s.position.front()) / (0.1 * std::sqrt(3.0));
    BOOST_TEST_INFO(c.model << " " << c.rows);
    // What thirty long steps leave of the vibration, some 1e-7 of the growth.
    BOOST_TEST(stretch == expected, boost::test_tools::tolerance(1e-6));
    Vec3 middle{};
    for (const Vec3& x : s.position) middle += x / static_cast<double>(s.position.size());
    BOOST_TEST(norm(middle - Vec3{0.05, 0.05, 0.05}) <
               1e-9);  // no net force: thirty steps solved to 1e-9 m/s, less their sum
  }
}

BOOST_AUTO_TEST_CASE(two_materials_in_series) {
  // A bar of four cubes without lateral contraction pulled by its end: F = E A ε in each half, so strains are as the
  // moduli.
  SoftDescription bar = soft_box("bar", {0.4, 0.1, 0.1}, {4, 1, 1}, 1e5);
  bar.poisson = 0;
  bar.model = "corotational";
  std::vector<int> far;
  for (const int e : all_elements(bar))
    if (e >= 10) far.push_back(e);  // five per cube
  SoftRegion stiff = region("far", far);
  stiff.young = 4e5;
  bar.regions.push_back(stiff);
  bar.fixed = nodes_at(bar, 0, 0);
  World w = world_of(bar);
  for (const int n : nodes_at(bar, 0, 0.4)) {
    LoadDescription pull;
    pull.name = "pull" + std::to_string(n);
    pull.body = "bar:" + std::to_string(n);
    pull.force = Vec3{2.5, 0, 0};  // 10 N on 0.01 m²: 1 kPa, strains of 1e-2 and 2.5e-3
    w.loads.push_back(pull);
  }
  const ScopedOptions options(kLong);
  Model model(w, kLongStep);
  BOOST_TEST(!run(model, 30).failed);
  const Frame frame = model.frame();
  const FrameSoft& s = frame.softs.at(0);
  double half = 0, end = 0;
  for (const int n : nodes_at(bar, 0, 0.2)) half += s.displacement[n].x / 4;
  for (const int n : nodes_at(bar, 0, 0.4)) end += s.displacement[n].x / 4;
  // A quarter of the load on each corner, but five tetrahedra do not share it alike: per cent, not digits. The lengths
  // of both halves together are exact by energy to second order.
  BOOST_TEST(half == 0.2 * 1e-2, boost::test_tools::tolerance(0.03));
  BOOST_TEST(end - half == 0.2 * 2.5e-3, boost::test_tools::tolerance(0.03));
}

BOOST_AUTO_TEST_CASE(two_models_in_one_body) {
  // Small strains: every model is Hooke's law, so half a body of another model changes nothing but the second order.
  double tip[2];
  for (const int other : {0, 1}) {
    SoftDescription bar = soft_box("bar", {0.4, 0.1, 0.1}, {4, 1, 1}, 1e7);
    bar.fixed = nodes_at(bar, 0, 0);
    std::vector<int> far;
    for (const int e : all_elements(bar))
      if (e >= 10) far.push_back(e);
    SoftRegion half = region("far", far);
    half.model = other ? "corotational" : "stable_neo_hookean";
    bar.regions.push_back(half);
    const ScopedOptions options(kLong);
    Model model(world_of(bar, {0, 0, -kGravity}), kLongStep);
    BOOST_TEST(!run(model, 20).failed);
    const Frame frame = model.frame();
    tip[other] = frame.softs.at(0).displacement.back().z;
  }
  BOOST_TEST(tip[0] < -1e-4);
  BOOST_TEST(tip[0] == tip[1], boost::test_tools::tolerance(1e-2));  // strains of 1e-3
  BOOST_TEST(tip[0] != tip[1]);
}

BOOST_AUTO_TEST_CASE(masses) {
  SoftDescription box = soft_box("box", {0.2, 0.1, 0.1}, {2, 1, 1}, 1e5);
  SoftRegion heavy = region("heavy", {5, 6, 7, 8, 9});
  heavy.density = 3000;
  box.regions.push_back(heavy);
  const World w = world_of(box);
  double mass = 0;
  for (const ParticleDescription& p : w.particles) mass += p.mass;
  BOOST_TEST(mass == 1e-3 * (1000 + 3000), boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(one_side_swells_and_the_strip_curls) {
  SoftDescription strip = soft_box("strip", {0.2, 0.02, 0.02}, {10, 1, 2}, 1e6);
  strip.fixed = nodes_at(strip, 0, 0);
  std::vector<int> upper;
  for (const int e : all_elements(strip))
    if (e / 5 % 2 == 1) upper.push_back(e);
  SoftRegion above = region("above", upper);
  above.pressure = TimeFunction::table({{0, 0}, {1, 1e6}});
  strip.regions.push_back(above);
  const ScopedOptions options(kLong);
  Model model(world_of(strip), kLongStep);
  BOOST_TEST(!run(model, 40).failed);
  const Frame frame = model.frame();
  double tip = 0;
  for (const int n : nodes_at(strip, 0, 0.2)) tip += frame.softs.at(0).displacement[n].z / 6;
  // Free growth of the upper half by p/(3 K) = 0.1 gives two equal layers a curvature of 3/2 · 0.1/0.02 /m: 1.5 rad
  // over the length, a tip at (1 − cos 1.5)/7.5 = −0.12 m. Few elements lock; a third of that is beyond doubt.
  BOOST_TEST(tip < -0.04);
  BOOST_TEST(tip > -0.13);
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  SoftDescription box = soft_box("box", {0.2, 0.1, 0.1}, {2, 1, 1}, 1e5);
  box.regions = {region("empty", {})};
  refused(box, "soft body 'box': region 'empty' has no elements");
  box.regions = {region("far", {10})};
  refused(box, "region 'far': there is no element 10 of 10");
  box.regions = {region("one", {0, 1}), region("two", {1, 2})};
  box.regions[0].young = box.regions[1].density = 1e3;
  refused(box, "element 1 gets its material from two regions, 'one' and 'two'");
  box.regions[0].young.reset();
  box.regions[0].pressure = box.regions[1].pressure = TimeFunction(1);
  refused(box, "element 1 gets its pressure from two regions");
  box.regions[0].pressure.reset();
  box.regions[1].poisson = 0.5;
  refused(box, "soft body 'box': region 'two': poisson: 0.5 is incompressible");
  box.regions[1].poisson = 0.4;
  box.rows = "strain";
  box.model = "corotational";
  box.regions[1].model = "neo_hookean";
  refused(box, "region 'two': rows: model 'neo_hookean' has");
}

BOOST_AUTO_TEST_CASE(in_scenes) {
  const auto scene = [](const std::string& regions) {
    return scene_from("time: {step: 0.1, end: 1}\nsoft:\n  - {name: f, mesh: {finger: {chambers: 3}}, regions: [" +
                      regions + "]}\n")
        .world.softs.at(0);
  };
  const SoftDescription body =
      scene("{name: chambers, pressure: 1e5 * t}, {name: tip, box: {min: [0.08, -1, -1], max: [1, 1, 1]}, young: 2e5}");
  BOOST_TEST((*body.regions.at(0).pressure)(2) == 2e5);
  BOOST_TEST(body.regions.at(1).elements.size() > 0U);
  BOOST_TEST(body.mesh.regions.count("tip") == 1U);
  const auto wrong = [&scene](const std::string& regions, const std::string& words) {
    BOOST_CHECK_EXCEPTION(scene(regions), InputError, [&](const InputError& e) {
      const std::string what = e.what();
      BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
      return true;
    });
  };
  wrong("{name: chamber, pressure: 1}", "no region 'chamber', and there is no `box`; did you mean 'chambers'?");
  wrong("{name: base, box: {min: [0, 0, 0], max: [1, 1, 1]}, young: 1}", "has a region 'base' already");
  wrong("{name: base}", "says nothing");
  wrong("{name: far, box: {min: [5, 0, 0], max: [6, 1, 1]}, young: 1}", "no element has its centroid in it");
}

BOOST_AUTO_TEST_SUITE_END()
