#pragma once
// The pieces of a row's law: where what a compliant row carries is smooth in its velocity [docs/theory.md, eq. D5c].
//
//   p = Π_K(z) of bounded rows, the resolvent of Coulomb's law (resolvent.hpp) of a contact, z = −v/c
//   a bounded row   lower     z < l                  p = l
//                   free      l ≤ z ≤ u              p = z
//                   upper     z > u                  p = u
//   a contact       row 0     lower    z_n ≤ 0       p = 0, open
//                             free     z_n > 0       p_n = z_n
//                   row 1     free     |z_t| ≤ μ z_n p_t = z_t, sticks
//                             upper    |z_t| > μ z_n p_t = μ z_n z_t/|z_t|, slides
//
// A piece that is held goes on smoothly where z has left it: whoever follows a curve holds pieces and finds the places
// at which their margins vanish.
//
//   margin   ≥ 0 in the piece, a number per row [N s]: to the nearer bound, z_n or −z_n, ±(μ z_n − |z_t|)
//
// Pure functions of one item, on host and device. Sets that have pieces: boxes, and cones over a disc; of a
// frictionless cone the tangential rows carry nothing and have no margin. At z_t = 0 a sliding contact has no
// direction: NaN.

#include "framework/sets/admissible_set.hpp"

namespace clarke {

enum class Piece : int { lower, free, upper };

/// Of what has none.
inline constexpr double kNoMargin = kNoBound;

KOKKOS_INLINE_FUNCTION bool has_pieces(const AdmissibleSet& set) {
  return set.kind == SetKind::box || (set.kind == SetKind::cone && !set.section);
}

/// Pieces of an item at z, a number per row.
KOKKOS_INLINE_FUNCTION void pieces_at(const AdmissibleSet& set, const double* z, Piece* piece) {
  for (int r = 0; r < set.rows; ++r) piece[r] = Piece::free;
  if (set.kind == SetKind::cone) {
    piece[0] = z[0] > 0 ? Piece::free : Piece::lower;
    piece[1] = hypotenuse(z[1], z[2]) <= set.friction * z[0] ? Piece::free : Piece::upper;
    return;
  }
  for (int r = 0; r < rows_alone(set); ++r)
    piece[r] = z[r] < set.lower[r] ? Piece::lower : z[r] > set.upper[r] ? Piece::upper : Piece::free;
}

/// p at z in these pieces, and D = ∂p/∂z, rows × rows, row-major.
KOKKOS_INLINE_FUNCTION void project_in_piece(const AdmissibleSet& set, const Piece* piece, const double* z, double* p,
                                             double* D) {
  const int m = set.rows;
  for (int e = 0; e < m * m; ++e) D[e] = 0;
  if (set.kind != SetKind::cone) {
    for (int r = 0; r < m; ++r) {
      D[(m + 1) * r] = piece[r] == Piece::free ? 1 : 0;
      p[r] = piece[r] == Piece::free ? z[r] : piece[r] == Piece::lower ? set.lower[r] : set.upper[r];
    }
    return;
  }
  p[0] = p[1] = p[2] = 0;
  if (piece[0] == Piece::lower) return;
  p[0] = z[0];
  D[0] = 1;
  const double mu = set.friction;
  if (!(mu > 0)) return;
  if (piece[1] == Piece::free) {
    p[1] = z[1], p[2] = z[2];
    D[4] = D[8] = 1;
    return;
  }
  const double t = hypotenuse(z[1], z[2]), x = z[1] / t, y = z[2] / t, radius = mu * z[0], across = radius / t;
  p[1] = radius * x, p[2] = radius * y;
  D[3] = mu * x, D[6] = mu * y;
  D[4] = across * y * y, D[8] = across * x * x;
  D[5] = D[7] = -across * x * y;
}

/// Margins of the rows at z.
KOKKOS_INLINE_FUNCTION void piece_margins(const AdmissibleSet& set, const Piece* piece, const double* z,
                                          double* margin) {
  for (int r = 0; r < set.rows; ++r) margin[r] = kNoMargin;
  if (set.kind == SetKind::cone) {
    margin[0] = piece[0] == Piece::lower ? -z[0] : z[0];
    if (piece[0] == Piece::lower || !(set.friction > 0)) return;
    const double sticks = set.friction * z[0] - hypotenuse(z[1], z[2]);
    margin[1] = piece[1] == Piece::free ? sticks : -sticks;
    return;
  }
  for (int r = 0; r < rows_alone(set); ++r) {
    const double low = z[r] - set.lower[r], high = set.upper[r] - z[r];
    margin[r] = piece[r] == Piece::lower ? -low : piece[r] == Piece::upper ? -high : low < high ? low : high;
  }
}

/// How they change where z changes by dz.
KOKKOS_INLINE_FUNCTION void piece_margin_slopes(const AdmissibleSet& set, const Piece* piece, const double* z,
                                                const double* dz, double* slope) {
  for (int r = 0; r < set.rows; ++r) slope[r] = 0;
  if (set.kind == SetKind::cone) {
    slope[0] = piece[0] == Piece::lower ? -dz[0] : dz[0];
    if (piece[0] == Piece::lower || !(set.friction > 0)) return;
    const double t = hypotenuse(z[1], z[2]);
    const double sticks = set.friction * dz[0] - (t > 0 ? (z[1] * dz[1] + z[2] * dz[2]) / t : hypotenuse(dz[1], dz[2]));
    slope[1] = piece[1] == Piece::free ? sticks : -sticks;
    return;
  }
  for (int r = 0; r < rows_alone(set); ++r) {
    const bool low = z[r] - set.lower[r] < set.upper[r] - z[r];
    const bool rises = piece[r] == Piece::free ? low : piece[r] == Piece::upper;
    slope[r] = rises ? dz[r] : -dz[r];
  }
}

/// The pieces beyond the margin of a row, which vanishes at z. A contact that closes sticks or slides.
KOKKOS_INLINE_FUNCTION void cross_margin(const AdmissibleSet& set, const double* z, int row, Piece* piece) {
  if (set.kind == SetKind::cone) {
    if (row == 1) {
      piece[1] = piece[1] == Piece::free ? Piece::upper : Piece::free;
      return;
    }
    piece[0] = piece[0] == Piece::lower ? Piece::free : Piece::lower;
    const double radius = z[0] > 0 ? set.friction * z[0] : 0;
    piece[1] = hypotenuse(z[1], z[2]) <= radius ? Piece::free : Piece::upper;
    return;
  }
  const bool between = set.lower[row] < set.upper[row];  // else a row goes from one bound to the other, the same
  if (piece[row] == Piece::free)
    piece[row] = z[row] - set.lower[row] < set.upper[row] - z[row] ? Piece::lower : Piece::upper;
  else if (between)
    piece[row] = Piece::free;
  else
    piece[row] = piece[row] == Piece::lower ? Piece::upper : Piece::lower;
}

}  // namespace clarke
