#pragma once
// Test support: a model run under options of its own, and nothing left behind in the options database.

#include "assembly/model.hpp"
#include "assembly/presets.hpp"
#include "framework/scoped_options.hpp"

#include <string>
#include <vector>

namespace clarke::test {

using clarke::ScopedOptions;

/// What a preset says, as a text for ScopedOptions.
inline std::string preset_options(const std::string& name) {
  std::string text;
  for (const auto& [option, value] : find_preset(name).options) text += "-" + option + " " + value + " ";
  return text;
}

/// Largest verdict figures and mean iterations of a run.
struct RunFigures {
  double velocity_error = 0, penetration = 0, bilateral = 0, natural_map_relative = 0, momentum_residual = 0;
  double newton_mean = 0, linear_mean = 0, newton_max = 0;
  int failed = 0, steps = 0;
};

/// Steps `model`, calling observe(report) after every step; stops at the first failed one.
template <class Observe>
RunFigures run(Model& model, int steps, Observe observe) {
  RunFigures f;
  for (int i = 0; i < steps; ++i) {
    const StepReport r = model.step();
    ++f.steps;
    f.velocity_error = std::fmax(f.velocity_error, r.verdict.velocity_error.value);
    f.penetration = std::fmax(f.penetration, r.verdict.penetration.value);
    f.bilateral = std::fmax(f.bilateral, r.verdict.bilateral_violation.value);
    f.natural_map_relative = std::fmax(f.natural_map_relative, r.verdict.natural_map_relative);
    f.momentum_residual = std::fmax(f.momentum_residual, r.verdict.momentum_residual.value);
    f.newton_mean += r.newton_iterations;
    f.newton_max = std::fmax(f.newton_max, r.newton_iterations);
    f.linear_mean += r.linear_iterations;
    observe(r);
    if (r.failed) {
      f.failed = 1;
      break;
    }
  }
  f.newton_mean /= f.steps;
  f.linear_mean /= f.steps;
  return f;
}
inline RunFigures run(Model& model, int steps) {
  return run(model, steps, [](const StepReport&) {});
}

/// A plane through the origin with the given unit normal, and material "m" with friction mu.
inline World world_with_plane(double mu, Vec3 normal = {0, 0, 1}) {
  World w;
  w.materials["m"] = {1000, mu};
  BodyDescription plane;
  plane.name = "ground";
  plane.motion = Motion::fixed;
  plane.shape.kind = ShapeDescription::Kind::plane;
  plane.shape.normal = normal;
  plane.material = "m";
  w.bodies.push_back(plane);
  return w;
}

/// A dynamic body of material "m" with a shape that has no size yet.
inline BodyDescription body_of(const std::string& name, ShapeDescription::Kind kind, double mass, Vec3 position) {
  BodyDescription b;
  b.name = name;
  b.shape.kind = kind;
  b.mass = mass;
  b.position = position;
  b.material = "m";
  return b;
}

inline BodyDescription box(const std::string& name, Vec3 half, double mass, Vec3 position) {
  BodyDescription b = body_of(name, ShapeDescription::Kind::box, mass, position);
  b.shape.half = half;
  return b;
}

inline BodyDescription ball(const std::string& name, double radius, double mass, Vec3 position) {
  BodyDescription b = body_of(name, ShapeDescription::Kind::sphere, mass, position);
  b.shape.radius = radius;
  return b;
}

}  // namespace clarke::test
