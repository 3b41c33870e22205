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
      if (side < static_cast<int>(frame.bodies.size()) && frame.bodies[side].name == body)
        sum += norm(c.normal_force);
  return sum;
}

/// Linear solver, damping and start of a run, and its budget of `newton` by `linear` iterations.
inline std::string budget(const std::string& ksp, int newton, int linear, double damping, const std::string& start) {
  return "-ksp_type " + ksp + " -snes_max_it " + std::to_string(newton) + " -ksp_max_it " + std::to_string(linear) +
         " -newton_damping " + std::to_string(damping) + " -newton_start " + start + " ";
}

/// value within a factor `factor` of `reference`, above and below.
inline bool within_factor(double value, double reference, double factor) {
  return value <= factor * reference && value >= reference / factor;
}

}  // namespace clarke::test
