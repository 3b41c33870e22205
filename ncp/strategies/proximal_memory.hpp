#pragma once
// The weights ε that led on in the last time step: what the proximal steps of `ssnal` begin with in the next
// [docs/theory.md, eq. D5]. A resting step begins where the last one ended, an impact with an ε of its own.
//
//   ε of a natural map e   of the last proximal step that began no nearer than e, and of the one before it what that
//                          made of it; of the first proximal step the next smaller one, where that was easiest and e is
//                          like what it began with
//
// Goes into checkpoints, and back to where it was when a step fails.

#include "framework/state_archive.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clarke {

class ProximalMemory {
 public:
  /// A proximal step that was solved; `error` is the natural map where it began [m/s]. `easiest` by one Newton step.
  struct Solved {
    double error, epsilon;
    bool easiest;
  };

  void clear() { solved_.clear(); }
  void add(const Solved& step) {
    if (solved_.size() < kMost) solved_.push_back(step);
  }

  /// At most `largest`; what an easy proximal step makes of ε is ε times `decrease`.
  double epsilon(double error, double largest, double decrease) const {
    double epsilon = largest;
    for (std::size_t k = 0; k < solved_.size(); ++k) {
      const Solved& last = solved_[k];
      const bool goes_on = last.easiest && error <= kAlike * last.error;
      if (k == 0)
        epsilon = std::min(epsilon, last.epsilon * (goes_on ? decrease : 1));
      else if (last.error >= error)
        epsilon = std::min(epsilon, last.epsilon / decrease);
    }
    return std::max(epsilon, std::min(kLeastFirst, largest));
  }

  void keep() { kept_ = solved_; }  // of an old capacity, if there is one
  void take_back() { solved_ = kept_; }

  void carry_over(StateArchive& archive) {
    std::vector<double> numbers;
    for (const Solved& s : solved_) numbers.insert(numbers.end(), {s.error, s.epsilon, s.easiest ? 1.0 : 0.0});
    archive.reals("solved", numbers);
    solved_.clear();
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
      solved_.push_back({numbers[k], numbers[k + 1], numbers[k + 2] > 0});
  }

 private:
  static constexpr std::size_t kMost = 64;
  static constexpr double kLeastFirst = 1e-6;  // ε of a time step
  static constexpr double kAlike = 1.5;        // of the natural map of the last time step
  std::vector<Solved> solved_, kept_;
};

}  // namespace clarke
