#include "framework/time_function.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

namespace clarke {

class TimeFunction::Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual double value(double t) const = 0;
  virtual std::string text() const = 0;
};

double TimeFunction::operator()(double t) const {
  return evaluator_ ? evaluator_->value(t) : constant_;
}

std::string TimeFunction::text() const {
  return evaluator_ ? evaluator_->text() : format_real(constant_);
}

}  // namespace clarke
