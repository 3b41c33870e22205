#pragma once
// Whether items that are found anew in every step are still the same: kernels compare, and one number comes back.

#include "framework/device.hpp"

namespace clarke {

/// The keys of the items of the last pattern, `width` numbers each.
class ItemKeys {
 public:
  /// Takes key(i, k), k < width, of items i in [0, n) in the place of those before. True where something differs.
  template <class F>
  bool take(const char* name, int n, int width, const F& key) {
    const bool as_many = n == items_ && width == width_;
    items_ = n;
    width_ = width;
    const View<int> last = keys_.resize(n * width);
    const auto differs = KOKKOS_LAMBDA(int at) { return last(at) == key(at / width, at % width) ? 0.0 : 1.0; };
    if (as_many && largest_of(name, n * width, differs) == 0) return false;
    parallel_for(
        name, n * width, KOKKOS_LAMBDA(int at) { last(at) = key(at / width, at % width); });
    return true;
  }

 private:
  int items_ = 0, width_ = 0;
  Buffer<int> keys_{"item_keys"};
};

}  // namespace clarke
