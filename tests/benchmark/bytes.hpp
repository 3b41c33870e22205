#pragma once
// Bytes that must be moved, from the sizes of the Views: every kernel reads once what it needs and writes once what it
// makes, and nothing stays in a cache from one kernel to the next. What is gathered counts once, however many items
// refer to it. The true traffic is larger where a gather misses a cache, and smaller where a cache keeps things between
// kernels.
//
// Contacts only (items of three rows); symmetric laws. Sizes: double 8, int 4, Vec3 24, Mat3 72, Quat 32, EntityBlocks
// 8.

#include "assembly/model.hpp"
#include "physics/collision/box_tree.hpp"
#include "physics/collision/shapes.hpp"

namespace clarke::benchmark {

/// Offsets of an item: item_row, item_slot, item_value.
inline constexpr double kItemOffsets = 12;

/// y = S x, matrix-free (linear/operators/schur.cpp).
///   gather, per block:  gather 4, H⁻¹ 72, w out 24; slot: begin, row 8; value: J_R 24; row: x 8
///   rows,   per block:  w 24; slot: slot_block 4; item: offsets, live 4; value: J_L 24; row: C, x, y out 24
/// Open contacts, whose values are not read, count as closed ones.
inline double product_bytes(const Pattern& p) {
  return 124.0 * p.blocks + 12.0 * p.slots + (kItemOffsets + 4) * p.items + 48.0 * p.values + 32.0 * p.rows;
}

/// Vector kernels per row and iteration with a diagonal preconditioner, as linear/krylov/{pcr,pcg}.hpp state them.
/// PETSc's cr: per iteration two VecAXPY, two VecAYPX and a VecPointwiseMult of 24, two VecDot of 16, a VecNorm of 8.
inline constexpr double kPcrBytes = 144, kPcgBytes = 104, kCrBytes = 160;

/// y = A x with PETSc's AIJ: values 8; column indices 4, once for a group of rows with equal pattern ("inode"); per row
/// offset 4, x 8, y 8.
struct AijSize {
  double entries = 0, indices = 0, rows = 0;
};
inline double aij_product_bytes(const AijSize& a) { return 8 * a.entries + 4 * a.indices + 20 * a.rows; }

/// StepProblem::evaluate.
///   configuration, per entity: x, q in and out 112, block_of 8; block: u 24
///   geometry,      per contact: a, b 8, points 48, radii 16, normal 24, item_value 4; out ĉ 8, slip 16; entity: pose
///                  56, block_of 8; block: u 24; value: J out 24
///   law,           per contact: arguments ĉ, r_n 16, Λ 24, out 16; NCP in 16, out φ, ∂φ 24; normal row φ 8, out F 8;
///                  friction Λ 24, slip, μ, r_f 32, out F 16; linearised also ∂φ, r_n 24, out a, b 48, turn 16, bits 4
///   momentum,      per block: M 72, u, ũ, g out 72, gather 4; slot: 8; item: offsets; value: J 24; row: Λ 8
inline double evaluate_bytes(const Pattern& p, const Entities& e, bool linearise) {
  const double configuration = 120.0 * e.count + 24.0 * p.blocks;
  const double geometry = 124.0 * p.items + 64.0 * e.count + 24.0 * p.blocks + 24.0 * p.values;
  const double law = (184.0 + (linearise ? 92 : 0)) * p.items;
  const double momentum = 148.0 * p.blocks + 8.0 * p.slots + kItemOffsets * p.items + 24.0 * p.values + 8.0 * p.rows;
  return configuration + geometry + law + momentum;
}

/// ReducedSystem::reduce.
///   block: H in, H⁻¹ out 144, H⁻¹ again 72; item: offsets, turn 16; slot: slot_block 4; value: J in, J_R out 48;
///   row: a, b, C out 24
inline double reduce_bytes(const Pattern& p) {
  return 216.0 * p.blocks + (kItemOffsets + 16) * p.items + 4.0 * p.slots + 48.0 * p.values + 24.0 * p.rows;
}

/// AssembledMatrix::update of the Schur form with `coordinates` entries before duplicates add up.
///   values,          per coordinate: out 8; value: J 24; block: H⁻¹ 72; slot: slot_block, gather lists 12; row: C 8
///   added up, per coordinate: value 8, its place 12, the entry in and out 16; entry: set to zero 8
inline double update_bytes(const Pattern& p, double coordinates, const AijSize& a) {
  return 44 * coordinates + 8 * a.entries + 24.0 * p.values + 72.0 * p.blocks + 12.0 * p.slots + 8.0 * p.rows;
}

/// Least for one solve with a Cholesky factorisation of A: A is read, a factor at least as large as its lower triangle
/// written, and read by both substitutions. Fill is not counted.
inline double cholesky_bytes(const AijSize& a) { return 12 * a.entries + 3 * 6 * a.entries; }

/// ContactDetection::detect.
///   boxes,  per collider: pose 56, block_of 8, entity, centre, kind, radius, thickness 48, box out 48;
///           block: u 24; vertex: 24
///   tree,   per collider, where they are sorted: box twice 96, code and item out 12, eight passes of the sort 32 each;
///           always: box 48, item and last 8, node out 56; per level a quarter of the one below: read it, write 56
///   search, per collider: its node twice 112, counts and prefix sums 40, the tree once;
///           pair: partner out and in 8, out 8
///   narrow, per pair: pair 8, sides out 8; capacity 12; sides 8, slice 4, result out 48; collider: as for its box,
///           without the box; block: u 24; shape: vertices, faces, loops, edges; contact: point out 56
///   pack,   per pair: count in, offset out 8; sides 8, result 48, offsets 8; contact: point 56, out 120
/// As if all colliders moved; the tree of those at rest is not made again. Sorting a segment of pairs happens in the
/// cache.
inline double detection_bytes(const Pattern& p, double pairs, const ShapeSet& s) {
  const double vertices = 24.0 * s.vertex.extent(0);
  const double shape = vertices + 40.0 * s.face_normal.extent(0) + 4.0 * s.loop_begin.extent(0) +
                       8.0 * s.loop.extent(0) + sizeof(ConvexEdge) * s.edge.extent(0);
  constexpr double kTree = sizeof(BoxNode) * 4. / 3;  // all levels, per collider
  const double sort = s.count > kDirectColliders ? 96.0 + 12 + 8 * 32 : 0;
  const double tree = sort + 56 + sizeof(BoxNode) + kTree + (kTree - sizeof(BoxNode));
  const double search = 2.0 * sizeof(BoxNode) + 40 + kTree;
  return (160 + tree + search + 112) * s.count + 48.0 * p.blocks + 176.0 * pairs + vertices + shape + 232.0 * p.items;
}

}  // namespace clarke::benchmark
