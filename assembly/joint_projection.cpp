#include "assembly/joint_projection.hpp"

#include "framework/jacobian.hpp"
#include "verdict/row_space.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace clarke {
namespace {

// Sines below which a row is left to the others, loose ones first; the last is that of true redundance.
constexpr std::array<double, 7> kLadder{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8};
constexpr double kReduction = 0.25;  // a step that takes the violation down to this share is made at once
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();  // of 1 and of the largest coordinate
constexpr double kSettled = 1e-11;  // [m or rad] steps below this leave d as it is
constexpr int kIterations = 60;

/// Rotation vector [rad] of a unit quaternion, at most half a turn.
Vec3 rotation_vector(Quat q) {
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec3 v{q.x, q.y, q.z};
  const double s = norm(v);
  return s > 0 ? (2 * std::atan2(s, q.w) / s) * v : Vec3{};
}

/// Positions and orientations of all entities on the host, and their displacements along the velocity blocks.
class Configuration {
 public:
  Configuration(const Entities& entities, const State& state) : entities_(entities) {
    to_host(state.x, x0_);
    to_host(state.orientation, q0_);
    to_host(entities.block_of, block_of_);
    x_ = x0_;
    q_ = q0_;
  }

  void write(State& state) const {
    Kokkos::deep_copy(state.x, to_device("x", x_));
    Kokkos::deep_copy(state.orientation, to_device("orientation", q_));
  }

  /// d, 3 per velocity block
  Eigen::VectorXd displacement() const {
    Eigen::VectorXd d = Eigen::VectorXd::Zero(3 * entities_.blocks);
    for (int e = 0; e < entities_.count; ++e)
      for (int k = 0; k < 3; ++k) {
        if (block_of_[e].v >= 0) d(3 * block_of_[e].v + k) = moved(e)[k];
        if (block_of_[e].w >= 0) d(3 * block_of_[e].w + k) = turned(e)[k];
      }
    return d;
  }
  Vec3 moved(int e) const { return x_[e] - x0_[e]; }
  Vec3 turned(int e) const { return e < entities_.bodies ? rotation_vector(q_[e] * conjugate(q0_[e])) : Vec3{}; }

  void advance_by(const Eigen::VectorXd& step) {
    const auto part = [&step](int block) { return Vec3{step(3 * block), step(3 * block + 1), step(3 * block + 2)}; };
    for (int e = 0; e < entities_.count; ++e) {
      if (block_of_[e].v >= 0) x_[e] = x_[e] + part(block_of_[e].v);
      if (block_of_[e].w >= 0) q_[e] = advance(q_[e], part(block_of_[e].w), 1.0);
    }
  }

  double largest_coordinate() const {
    double largest = 0;
    for (const Vec3& x : x_) largest = std::fmax(largest, norm(x));
    return largest;
  }

 private:
  Entities entities_;
  std::vector<EntityBlocks> block_of_;
  std::vector<Vec3> x0_, x_;
  std::vector<Quat> q0_, q_;
};

/// d⁺ − d with the rows that are independent within the tolerance.
Eigen::VectorXd step_of(const RowSpace& space, const RigidRows& rows, const Eigen::VectorXd& d) {
  const Eigen::VectorXd right = rows.jacobian * d - rows.violation;
  const Eigen::VectorXd xi = space.shortest(right);
  Eigen::VectorXd to(d.size());
  for (std::size_t b = 0; b < rows.mass_root.size(); ++b)
    to.segment<3>(3 * b) = rows.mass_root[b] * xi.segment<3>(3 * b);
  return to - d;
}

struct Trial {
  Configuration configuration;
  double violation = 0, step = 0;
};

/// The first step of the fallback sequence that is good enough, else the best of them.
std::optional<Trial> best_step(JointConfiguration& joints, const Configuration& now, const RigidRows& rows,
                               double rounding, State& state) {
  std::optional<Trial> best;
  const RowMatrix scaled = rows.scaled_jacobian();
  const double violation = rows.largest_violation();
  int last_rank = -1;
  for (double tolerance : kLadder) {
    const RowSpace space(scaled, tolerance);
    if (space.rank() == last_rank) continue;
    last_rank = space.rank();
    const Eigen::VectorXd step = step_of(space, rows, now.displacement());
    Trial trial{now, 0, step.lpNorm<Eigen::Infinity>()};
    trial.configuration.advance_by(step);
    trial.configuration.write(state);
    trial.violation = joints.evaluate(state).largest_violation();
    if (trial.violation <= std::fmax(kReduction * violation, rounding)) return trial;
    if (trial.violation < violation && (!best || trial.violation < best->violation)) best = trial;
  }
  return best;
}

std::string entity_name(const Entities& entities, const std::vector<std::string>& names, int e) {
  return (e < entities.bodies ? "body '" : "particle '") + names[e] + "'";
}

}  // namespace

InitialProjection project_onto_joints(JointConfiguration& joints, const Entities& entities, State& state,
                                      const std::vector<std::string>& names) {
  InitialProjection out;
  Configuration now(entities, state);
  RigidRows rows = joints.evaluate(state);
  int worst = -1;
  out.violation_before = out.violation_after = rows.largest_violation(&worst);
  if (worst < 0) return out;
  out.where = rows.names[rows.item[worst]];
  out.is_angle = rows.is_angle[worst];
  const double rounding = kRounding * (1 + now.largest_coordinate());
  double step = std::numeric_limits<double>::infinity();
  if (out.violation_before <= rounding) step = 0;
  while (out.iterations < kIterations && !(out.violation_after <= rounding && step <= kSettled)) {
    const std::optional<Trial> trial = best_step(joints, now, rows, rounding, state);
    if (!trial) break;
    now = trial->configuration;
    step = trial->step;
    out.violation_after = trial->violation;
    ++out.iterations;
    now.write(state);
    rows = joints.evaluate(state);
  }
  now.write(state);
  for (int e = 0; e < entities.count; ++e) {
    if (norm(now.moved(e)) > out.moved) {
      out.moved = norm(now.moved(e));
      out.moved_name = entity_name(entities, names, e);
    }
    if (norm(now.turned(e)) > out.turned) {
      out.turned = norm(now.turned(e));
      out.turned_name = entity_name(entities, names, e);
    }
  }
  return out;
}

}  // namespace clarke
