#pragma once
// Deterministic mutations of scene and robot files: text that is almost right, in which readers make their mistakes.
// The same seed gives the same text on every machine.

#include <cstdint>
#include <string>
#include <vector>

namespace clarke::fuzz {

/// Vigna's splitmix64: the same numbers everywhere, unlike the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 … n − 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n > 0 ? next() % n : 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

/// A text made from one of `corpus` by one to eight mutations: bytes, numbers, words, lines, brackets, pieces of other
/// texts.
std::string mutated(const std::vector<std::string>& corpus, Random& random);

}  // namespace clarke::fuzz
