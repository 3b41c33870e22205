// No buffer grows in a step whose layout is that of the step before: what a step needs is there after the second one.

#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(no_allocation)

namespace {

/// A soft box hung up by one end, beside a box at rest: H is block-sparse, and the contacts stay.
World resting_beside_a_beam() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.5, 0.25}, 1, {0, 0, 0.25}));
  SoftDescription beam = soft_box("beam", {0.3, 0.1, 0.1}, {3, 1, 1}, 1e6);
  beam.fixed = nodes_at(beam, 0, 0);
  beam.position = {0, 0, 2};
  add_soft_body(w, beam);
  return w;
}

/// Boxes at rest on the ground, tied by joints of their own to one another: contacts, joints, and a layout that stays.
World resting() {
  World w = world_with_plane(0.5);
  for (int i = 0; i < 4; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.5, 0.5, 0.25}, 1 + i, {1.5 * i, 0, 0.25}));
  for (int i = 1; i < 4; ++i) {
    JointDescription j;
    j.type = i % 2 ? "distance" : "ball";
    j.name = "j" + std::to_string(i);
    j.a = "b" + std::to_string(i);
    j.b = "b" + std::to_string(i - 1);
    j.anchor_a = {1.5 * i, 0, 0.25};
    j.anchor_b = i % 2 ? Vec3{1.5 * (i - 1), 0, 0.25} : j.anchor_a;
    w.joints.push_back(j);
  }
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(buffers_count_their_growth) {
  Buffer<double> buffer;
  const long before = Buffer<double>::allocations();
  buffer.resize(100);
  BOOST_TEST(Buffer<double>::allocations() == before + 1);
  buffer.resize(150);  // half again is there
  buffer.resize(10);
  BOOST_TEST(Buffer<Vec3>::allocations() == before + 1);  // one counter for all
  buffer.resize(151);
  BOOST_TEST(Buffer<int>::allocations() == before + 2);
}

BOOST_AUTO_TEST_CASE(steps_with_an_unchanged_layout) {
  for (const char* options :
       {"-ksp_type pcr", "-ksp_type pcr -pc_type block_jacobi", "-ksp_type pcg", "-ksp_type jacobi",
        "-ksp_type gauss_seidel", "-ksp_type preonly -pc_type cholesky",
        "-ksp_type minres -pc_type block_jacobi -system_form saddle", "-ksp_type pcr -system_form stiffness",
        "-ksp_type preonly -pc_type lu -contact_law soc_fischer_burmeister",
        "-ksp_type preonly -pc_type lu -friction_map disc_projection_coupled",
        "-friction_map fixed_point -ncp_function minimum_map", "-geometric_stiffness secant", "-newton_start zero",
        "-snes_type newtonls", "-snes_type nsgs -newton_start zero", "-newton_start_sweeps 5 -newton_start zero",
        "-r_factor global", "-contact_stiffness 1e7 -friction_stiffness 1e6"}) {
    const ScopedOptions scoped(options);
    Model model(resting(), 1.0 / 120);
    BOOST_TEST_CONTEXT(options) {
      for (int i = 0; i < 2; ++i) model.step();
      const std::uint64_t layout = model.problem().system().layout_stamp;
      const long before = Buffer<double>::allocations();
      for (int i = 0; i < 10; ++i) {
        const StepReport r = model.step();
        BOOST_TEST(!r.failed);
        BOOST_TEST(r.contacts == 16);
      }
      BOOST_TEST(model.problem().system().layout_stamp == layout);
      BOOST_TEST(Buffer<double>::allocations() == before);
    }
  }
}

BOOST_AUTO_TEST_CASE(schur_form_of_a_sparse_h) {
  for (const char* options : {"", "-pc_type block_jacobi -system_schur_diagonal exact", "-hessian_pc_type lu"}) {
    const ScopedOptions scoped(std::string("-soft_form stiffness -newton_start zero ") + options);
    Model model(resting_beside_a_beam(), 1.0 / 120);
    BOOST_TEST_CONTEXT(options) {
      for (int i = 0; i < 2; ++i) model.step();
      const long before = Buffer<double>::allocations();
      for (int i = 0; i < 5; ++i) BOOST_TEST(!model.step().failed);
      BOOST_TEST(Buffer<double>::allocations() == before);
    }
  }
}

// A layout that shrinks and grows again within what was there before needs the workspace of the linear system's form
// alone, which is made anew with every layout.
BOOST_AUTO_TEST_CASE(layouts_within_capacity) {
  const ScopedOptions scoped("-contact_margin 0.001 -contact_margin_speed 0.5");
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.5, 0.25}, 1, {0, 0, 0.25}));
  w.bodies.push_back(box("hopper", {0.5, 0.5, 0.25}, 1, {3, 0, 0.25}));
  Model model(w, 1.0 / 120);
  for (int i = 0; i < 3; ++i) model.step();
  const long before = Buffer<double>::allocations();
  const std::uint64_t layout = model.problem().system().layout_stamp;
  const View<Vec3> u = model.state().u;
  std::vector<Vec3> velocity;
  to_host(u, velocity);
  velocity[2].z = 1.5;  // up, and down again within a third of a second
  Kokkos::deep_copy(u, to_device("u", velocity));
  int least = 8, most = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport r = model.step();
    least = std::min(least, r.contacts);
    if (least < 8) most = std::max(most, r.contacts);
  }
  BOOST_TEST(least == 4);
  BOOST_TEST(most == 8);
  const long changes = static_cast<long>(model.problem().system().layout_stamp - layout);
  BOOST_TEST(changes >= 2);
  BOOST_TEST(Buffer<double>::allocations() <= before + changes);  // the Schur form has one buffer
}

BOOST_AUTO_TEST_SUITE_END()
