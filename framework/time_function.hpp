#pragma once
// Numbers that may change with time: a constant, a table, or an expression in t, as a scene gives them for targets,
// forces, torques and gravity. Evaluated on the host at the start of a step; kernels only ever see the value.
//
//   0.5                                      constant
//   "0.5 * sin(2 * pi * t)"                  expression in t [s] (muParser's operators and functions; pi, e)
//   {table: [[0, 0], [1, 0.5], [2, 0.5]]}    linear between the points, constant before the first and after the last
//
// Expressions: + - * / ^, comparisons, && ||, c ? a : b; abs sign rint min max sum avg, exp ln log2 log10 sqrt, sin cos
// tan asin acos atan atan2 and their hyperbolic forms. Angles in rad. `log` is the natural logarithm, -2^2 is -4, 2^3^2
// is 2^9, 1/2 is 0.5; there is no `%`, and `=` does not compare (both are refused).
//
// Limits: an expression must be finite at t = 0; one that stops being finite later fails the step (evaluation throws
// InputError). One function must not be evaluated by two threads at once.

#include "framework/math/vec3.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clarke {

class TimeFunction {
 public:
  TimeFunction(double constant = 0) : constant_(constant) {}  // implicit: a number is a function of time
  /// Points (t [s], value), t strictly increasing, at least one. Throws InputError.
  static TimeFunction table(std::vector<std::pair<double, double>> points);
  /// Throws InputError with what the parser says and where in the text.
  static TimeFunction expression(const std::string& text);

  /// Throws InputError when the value is not finite.
  double operator()(double t) const;
  bool is_constant() const { return !evaluator_; }
  /// As written: "0.5", "0.5 * sin(t)", "table of 3 points".
  std::string text() const;

  class Evaluator;

 private:
  double constant_ = 0;
  std::shared_ptr<const Evaluator> evaluator_;
};

/// Three of them.
struct VectorFunction {
  TimeFunction x, y, z;
  VectorFunction() = default;
  VectorFunction(TimeFunction fx, TimeFunction fy, TimeFunction fz)
      : x(std::move(fx)), y(std::move(fy)), z(std::move(fz)) {}
  VectorFunction(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  Vec3 operator()(double t) const { return {x(t), y(t), z(t)}; }
  bool is_constant() const { return x.is_constant() && y.is_constant() && z.is_constant(); }
};

}  // namespace clarke
