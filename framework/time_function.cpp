#include "framework/time_function.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <cmath>
#include <muParser.h>
#include <numbers>

namespace clarke {

class TimeFunction::Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual double value(double t) const = 0;
  virtual std::string text() const = 0;
};

namespace {

using Points = std::vector<std::pair<double, double>>;

class Table final : public TimeFunction::Evaluator {
 public:
  explicit Table(Points points) : points_(std::move(points)) {
    if (points_.empty()) throw InputError("a table needs at least one point");
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto& [t, value] = points_[i];
      if (!std::isfinite(t) || !std::isfinite(value))
        throw InputError("point " + std::to_string(i + 1) + " of the table is not finite");
      if (i > 0 && !(t > points_[i - 1].first))
        throw InputError("the times of a table must increase, but point " + std::to_string(i + 1) + " is at " +
                         format_real(t) + " s and the one before it at " + format_real(points_[i - 1].first) + " s");
    }
  }

  double value(double t) const override {
    const auto after =
        std::upper_bound(points_.begin(), points_.end(), t, [](double time, const auto& p) { return time < p.first; });
    if (after == points_.begin()) return points_.front().second;
    if (after == points_.end()) return points_.back().second;
    const auto& [t0, v0] = *(after - 1);
    const auto& [t1, v1] = *after;
    const double s = (t - t0) / (t1 - t0);
    return (1 - s) * v0 + s * v1;
  }

  std::string text() const override {
    return "table of " + std::to_string(points_.size()) + (points_.size() == 1 ? " point" : " points");
  }

 private:
  Points points_;
};

/// muParser binds the variable by its address, so the evaluator keeps it; not for several threads at once.
class Expression final : public TimeFunction::Evaluator {
 public:
  explicit Expression(std::string text) : text_(std::move(text)) {
    refuse_assignment();
    try {
      parser_.DefineVar("t", &t_);
      parser_.DefineConst("pi", std::numbers::pi);
      parser_.DefineConst("e", std::numbers::e);
      parser_.SetExpr(text_);
      parser_.Eval();  // parses; later evaluations run the byte code
    } catch (const mu::Parser::exception_type& error) {
      throw InputError(described() + message_of(error));
    }
    if (parser_.GetNumResults() != 1)
      throw InputError(described() + "gives " + std::to_string(parser_.GetNumResults()) +
                       " values, expected one; the decimal point is '.'");
  }

  double value(double t) const override {
    t_ = t;
    try {
      return parser_.Eval();
    } catch (const mu::Parser::exception_type& error) {
      throw InputError(described() + message_of(error));
    }
  }

  std::string text() const override { return text_; }

 private:
  std::string described() const { return "expression '" + text_ + "': "; }

  /// muParser would change t.
  void refuse_assignment() const {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != '=') continue;
      if (i + 1 < text_.size() && text_[i + 1] == '=') {
        ++i;
      } else if (i == 0 || std::string("<>!").find(text_[i - 1]) == std::string::npos) {
        throw InputError(described() + "'=' at position " + std::to_string(i + 1) +
                         " assigns; expected '==' to compare");
      }
    }
  }

  /// The parser's own words. It does not always give the position, counts from 0, and appends a blank to the text.
  std::string message_of(const mu::Parser::exception_type& error) const {
    std::string message = error.GetMsg();
    const std::size_t place = message.find(" found at position");
    const std::size_t other_place = message.find(" at expression position");
    message.resize(std::min({message.size(), place, other_place}));
    while (!message.empty() && std::string(".! ").find(message.back()) != std::string::npos) message.pop_back();
    if (message.ends_with(" \"")) message.erase(message.size() - 2, 1);
    if (error.GetPos() >= 0) {
      const std::size_t position = static_cast<std::size_t>(error.GetPos()) + 1;
      message += " at position " + std::to_string(std::min(position, text_.size() + 1));
    }
    if (error.GetCode() == mu::ecUNEXPECTED_VAL || error.GetCode() == mu::ecUNEXPECTED_VAR)
      message += "; products are written with '*'";
    return message;
  }

  std::string text_;
  mutable double t_ = 0;
  mutable mu::Parser parser_;
};

}  // namespace

TimeFunction TimeFunction::table(std::vector<std::pair<double, double>> points) {
  TimeFunction function;
  function.evaluator_ = std::make_shared<Table>(std::move(points));
  return function;
}

TimeFunction TimeFunction::expression(const std::string& text) {
  TimeFunction function;
  function.evaluator_ = std::make_shared<Expression>(text);
  function(0);
  return function;
}

double TimeFunction::operator()(double t) const {
  if (!evaluator_) return constant_;
  const double value = evaluator_->value(t);
  if (!std::isfinite(value))
    throw InputError("expression '" + text() + "': is " + format_real(value) + " at t = " + format_real(t) +
                     " s, expected a finite number");
  return value;
}

std::string TimeFunction::text() const { return evaluator_ ? evaluator_->text() : format_real(constant_); }

}  // namespace clarke
