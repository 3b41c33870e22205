#pragma once
// Structures that should stand still: how far they crept, and what they press on.

#include "tests/model_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace clarke::test {

inline std::vector<Vec3> body_positions(const Model& model) {
  std::vector<Vec3> x;
  for (const FrameBody& b : model.frame().bodies) x.push_back(b.position);
  return x;
}

/// Largest displacement [m] of any body since `start`.
inline double drift_since(const std::vector<Vec3>& start, const Model& model) {
  const std::vector<Vec3> now = body_positions(model);
  double largest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) largest = std::max(largest, norm(now[i] - start[i]));
  return largest;
}

/// Sum of the normal forces [N] of all contacts of one body in the last step.
inline double normal_force_on(const std::string& body, const Model& model) {
  const Frame frame = model.frame();
  double sum = 0;
  for (const FrameContact& c : frame.contacts)
    for (int side : {c.body_a, c.body_b})
      if (side < static_cast<int>(frame.bodies.size()) && frame.bodies[side].name == body) sum += norm(c.normal_force);
  return sum;
}

/// Options for a linear solver, a damping, a start, and a budget of `newton` by `linear` iterations.
inline std::string budget(const std::string& ksp, int newton, int linear, const std::string& damping,
                          const std::string& start) {
  std::string o = "-snes_max_it ";
  o += std::to_string(newton);
  o += " -ksp_max_it ";
  o += std::to_string(linear);
  o += " -newton_damping " + damping;
  o += " -newton_start " + start;
  o += " -ksp_type " + ksp;
  o += " ";
  return o;
}

/// The linear solver of converged runs: exact to rounding.
inline const std::string kDirect = "preonly -pc_type cholesky";

/// Whether value and reference differ by less than `factor`, up or down.
inline bool within_factor(double value, double reference, double factor) {
  return value <= factor * reference && value >= reference / factor;
}

}  // namespace clarke::test
