#pragma once
// How long `ssnal` keeps an ε that leads on before it tries a smaller one [docs/theory.md, eq. D5].
//
//   after an easy proximal step   ε is lowered at once, unless the last ε that was lowered failed:
//   after such a failure          it is kept for 2 easy steps, after each further one for twice as many, at most
//                                 -ssnal_patience; half as many once a lowered ε has led on
//
// What has been learnt holds for one solve, also where that begins anew.
//
// Why: on some walks the next ε fails every time, in ten times the Newton steps of what leads on, and walks are long.

#include <algorithm>

namespace clarke {

class ProximalPatience {
 public:
  /// After a proximal step that led on, easily or not: whether ε is to be lowered now.
  bool lowers(bool easy) {
    if (lowered_) wait_ /= 2;
    lowered_ = easy && left_ == 0;
    if (easy && left_ > 0) --left_;
    return lowered_;
  }
  /// A proximal step failed; `most`: -ssnal_patience.
  void failed(int most) {
    if (lowered_) left_ = wait_ = std::min(std::max(kFirst, 2 * wait_), most);
    lowered_ = false;
  }

 private:
  static constexpr int kFirst = 2;
  int wait_ = 0, left_ = 0;  // easy proximal steps
  bool lowered_ = false;     // ε was, since the last one that led on
};

}  // namespace clarke
