#pragma once
// One front (front_kernels.hpp), by one thread or by several: pivots block by block, what they do to other columns, to
// rows of X and to rows of S by whoever is free. Every entry takes the same products in the same order either way.

#include "linear/factorisations/front_kernels.hpp"

#include <cstddef>

namespace clarke {

struct DenseFront {
  double *P, *X, *S;
  int panel_stride, update_stride;  // of P, and of X and S
  int pivots, below;                // rows of P, and rows of X and S
  int* swap;
  double* inverse;
};

/// `room`: doubles of shared_front_room(pivots), where several threads may take part.
PivotFailure eliminate_front(const DenseFront& front, double zero, int threads, double* room);
std::size_t shared_front_room(int pivots);

}  // namespace clarke
