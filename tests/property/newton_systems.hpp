#pragma once
// Test support: Newton's systems of real models in mid-Newton, and the dense matrices they stand for.

#include "ncp/contact_laws/decoupled.hpp"
#include "tests/model_run.hpp"
#include "tests/property/random.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

namespace clarke::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A model with a step begun and evaluated at a point in mid-Newton: contacts that stick, slip and are open, turned
/// rows.
struct MidNewton {
  std::unique_ptr<Model> model;
  State state;
  View<Vec3> u;
  View<double> impulse;
  SaddlePointSystem& system() { return model->problem().system(); }
};

/// A box whose four lower corners touch a slanted plane.
inline World box_on_plane() {
  World w = world_with_plane(0.5, normalized(Vec3{0.2, -0.1, 1}));
  BodyDescription b = box("b", {0.5, 0.4, 0.25}, 2, {});
  const Vec3 n = w.bodies[0].shape.normal;
  b.position = 0.25 * n;
  b.orientation = from_axis_angle(normalized(cross(Vec3{0, 0, 1}, n)), std::acos(n.z));
  w.bodies.push_back(b);
  return w;
}

/// A box on another on the ground: contacts between two bodies.
inline World box_on_box() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("lower", {0.5, 0.4, 0.25}, 2, {0, 0, 0.25}));
  w.bodies.push_back(box("upper", {0.3, 0.3, 0.2}, 1, {0.1, 0, 0.7}));
  return w;
}

/// Two rods on ball joints, the second one lying on the ground with the corners of one side; the first hangs from the
/// world.
inline World jointed_rods() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("rod_1", {0.5, 0.05, 0.05}, 1, {0.5, 0, 0.05}));
  w.bodies.push_back(box("rod_2", {0.5, 0.05, 0.05}, 3, {1.5, 0, 0.05}));
  JointDescription first, second;
  first.type = second.type = "ball";
  first.name = "hanger", first.a = "rod_1", first.b = "world";
  second.name = "elbow", second.a = "rod_2", second.b = "rod_1";
  first.anchor_a = first.anchor_b = {0, 0, 0.05};
  second.anchor_a = second.anchor_b = {1, 0, 0.05};
  second.compliance = {1e-5};
  w.joints = {first, second};
  return w;
}

/// A cube of five tetrahedra whose lower nodes touch the ground, with a rigid body on an upper one: dense compliances.
inline World soft_cube() {
  World w = world_with_plane(0.5);
  SoftDescription cube;
  cube.name = "cube";
  cube.mesh = tet_box({}, {0.1, 0.1, 0.1}, 1, 1, 1);
  cube.young = 1e4;
  cube.stretch = {1.2, 0.9, 1};
  cube.material = "m";
  add_soft_body(w, cube);
  w.bodies.push_back(box("weight", {0.05, 0.05, 0.05}, 1, {0.12, 0.09, 0.3}));
  JointDescription hook;
  hook.type = "ball";
  hook.name = "hook", hook.a = "weight", hook.b = "cube:7";
  hook.anchor_a = hook.anchor_b = {0.12, 0.09, 0.1};
  w.joints = {hook};
  return w;
}

inline MidNewton mid_newton(const World& world, const std::string& options, std::uint64_t seed) {
  const ScopedOptions scoped(options);
  MidNewton m;
  m.model = std::make_unique<Model>(world, 1.0 / 120);
  m.state = m.model->state();
  StepProblem& problem = m.model->problem();
  problem.begin_step(m.state, 1.0 / 120, 1);
  Random random(seed);
  std::vector<Vec3> u;
  std::vector<double> impulse;
  for (int b = 0; b < m.system().blocks; ++b) u.push_back(random.vector(0.05));
  const SystemSlice contacts = problem.slice(problem.contributors() - 1);
  for (int r = 0; r < contacts.first_row; ++r) impulse.push_back(random.uniform(-1, 1));
  // One sticks, two slip in different directions, one is open with a friction impulse left over.
  const double kinds[4][3] = {{1, 0.1, 0.05}, {1, 2, -1}, {-0.2, 0.3, 0}, {0.5, -0.7, 0.9}};
  for (int i = 0; i < contacts.items; ++i) impulse.insert(impulse.end(), kinds[i % 4], kinds[i % 4] + 3);
  m.u = to_device("u", u);
  m.impulse = to_device("impulse", impulse);
  problem.evaluate(m.u, m.impulse, true);
  // As geometric stiffness would have it: H is not the mass.
  std::vector<Mat3> H;
  to_host(m.system().hessian.view(), H);
  for (Mat3& h : H) {
    const Vec3 v = random.vector(1);
    h = h + outer(v, v) + Mat3::diagonal(0.1, 0.3, 0.2);
  }
  Kokkos::deep_copy(m.system().hessian.view(), to_device("H", H));
  fence();
  return m;
}

/// Newton's system in dense matrices and the frame of F: [H −Jᵀ; A J  B].
struct Dense {
  MatrixXd H, J, A, B;
  MatrixXd slip_frame;  // x' = T x
  MatrixXd A_turned, B_turned;
  MatrixXd matrix() const {
    const auto n = H.rows(), m = J.rows();
    MatrixXd K(n + m, n + m);
    K << H, -J.transpose(), A * J, B;
    return K;
  }
};

inline Dense dense_of(const SaddlePointSystem& s, double relative, double absolute) {
  const auto p = host_copy(s.pattern);
  const auto H = host_copy(s.hessian.view());
  const auto J = host_copy(s.jacobian.view());
  const auto a = host_copy(s.a.view()), b = host_copy(s.b.view()), slip_frame = host_copy(s.slip_frame.view());
  const auto A = host_copy(s.A.view()), B = host_copy(s.B.view());
  const int n = 3 * p.blocks, m = p.rows;
  Dense d;
  d.H = MatrixXd::Zero(n, n);
  d.J = MatrixXd::Zero(m, n);
  d.slip_frame = MatrixXd::Identity(m, m);
  d.A_turned = d.B_turned = MatrixXd::Zero(m, m);
  for (int k = 0; k < p.blocks; ++k)
    for (int e = 0; e < 9; ++e) d.H(3 * k + e / 3, 3 * k + e % 3) = H(k)(e / 3, e % 3);
  MatrixXd diagonal_blocks = d.H;
  if (s.sparse_hessian()) {
    const auto first = host_copy(s.forces.off.first), column = host_copy(s.forces.off.column);
    const auto value = host_copy(s.forces.off.value);
    for (int k = 0; k < p.blocks; ++k)
      for (int o = first(k); o < first(k + 1); ++o)
        for (int e = 0; e < 9; ++e) d.H(3 * k + e / 3, 3 * column(o) + e % 3) = value(o)(e / 3, e % 3);
  }
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), size = p.item_row(i + 1) - row, s0 = p.item_slot(i);
    const int slots = p.item_slot(i + 1) - s0;
    for (int r = 0; r < size; ++r) {
      for (int j = 0; j < slots; ++j)
        for (int e = 0; e < 3; ++e) d.J(row + r, 3 * p.slot_block(s0 + j) + e) = J(p.item_value(i) + r * slots + j)[e];
      for (int c = 0; c < size; ++c) {
        const int q = p.item_square(i) + r * size + c;
        d.A_turned(row + r, row + c) = s.traits.symmetric ? (r == c ? a(row + r) : 0) : A(q);
        d.B_turned(row + r, row + c) =
            s.traits.symmetric && r == c ? b(row + r) : (s.traits.symmetric && !s.traits.dense_compliance ? 0 : B(q));
      }
    }
    if (slip_frame(2 * i + 1) == 0) continue;
    d.slip_frame.block<2, 2>(row + 1, row + 1) << slip_frame(2 * i), slip_frame(2 * i + 1), -slip_frame(2 * i + 1),
        slip_frame(2 * i);
  }
  // The shift, as documented: b/a += ε (W + b/a) + ε_abs where a > 0 and B is diagonal; B += A (ε diag W + ε_abs) for
  // general items.
  const MatrixXd turned_J = d.slip_frame * d.J;
  const VectorXd W = (turned_J * diagonal_blocks.inverse() * turned_J.transpose()).diagonal();
  if (s.traits.symmetric) {
    const MatrixXd B0 = d.B_turned;
    const auto dense = [&](int r) {
      return B0.row(r).cwiseAbs().sum() > std::fabs(B0(r, r));
    };  // off the diagonal: no shift
    for (int r = 0; r < m; ++r)
      if (a(r) > 0 && !dense(r)) d.B_turned(r, r) += a(r) * (relative * (W(r) + b(r) / a(r)) + absolute);
  } else {
    d.B_turned += d.A_turned * (relative * W + absolute * VectorXd::Ones(m)).asDiagonal();
  }
  d.A = d.slip_frame.transpose() * d.A_turned * d.slip_frame;
  d.B = d.slip_frame.transpose() * d.B_turned * d.slip_frame;
  return d;
}

/// f(mid-Newton) for all models and every law.
template <class F>
void for_each_system(F f) {
  std::vector<std::string> laws;
  for (const std::string& law : contact_law_registry().names()) {
    if (law != "decoupled") {
      laws.push_back("-contact_law " + law);
      continue;
    }
    for (const std::string& phi : ncp_function_registry().names())
      for (const std::string& map : friction_map_registry().names())
        laws.push_back("-contact_law decoupled -ncp_function " + phi + " -friction_map " + map);
  }
  for (const World& world : {box_on_plane(), box_on_box(), jointed_rods(), soft_cube()})
    for (const std::string& law : laws) {
      MidNewton m = mid_newton(world, law, 5);
      BOOST_TEST_CONTEXT(law << (!world.softs.empty() ? ", soft" : (world.joints.empty() ? ", box" : ", rods"))) {
        f(m);
      }
      if (world.softs.empty()) continue;
      MidNewton forces = mid_newton(world, law + " -soft_form stiffness", 5);  // H has blocks off its diagonal
      BOOST_TEST_CONTEXT(law << ", soft in stiffness form") { f(forces); }
    }
}

}  // namespace clarke::test
