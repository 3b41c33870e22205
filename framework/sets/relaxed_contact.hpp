#pragma once
// How contacts that give way do so: the exponent of the normal potential and the smoothing of friction
// [docs/theory.md, eq. A2]. Only p = 2 with Huber is a compliance, that is, linear: only it has a saddle form.

namespace clarke {

enum class FrictionSmoothing : int { huber, pseudo_huber, quintic };

struct RelaxedContact {
  int exponent = 2;  // p of the normal potential
  FrictionSmoothing smoothing = FrictionSmoothing::huber;

  constexpr bool linear() const { return exponent == 2 && smoothing == FrictionSmoothing::huber; }
};

}  // namespace clarke
