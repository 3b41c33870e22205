#pragma once
// How deep two solids overlap: the length of the shortest translation that takes them apart [m], negative or zero where
// they are apart.
//
//   s(n) = min_{x ∈ A} n·x − max_{y ∈ B} n·y        gap of the cores along the unit vector n, from b to a
//   distance of the cores  = max_n s(n)  where they are apart;     their depth = −max_n s(n)  where they overlap
//   depth                  = r_a + r_b − max_n s(n)
//
// Hulls: −s is the support function of the Minkowski difference, so where the cores overlap its least value is
// reached at a normal of a face of A, of B, or across an edge of each: all are tried. Where they are apart and the
// balls may touch, the nearest points lie on a corner, an edge or a face of each: all pairs are tried. Exact to
// rounding.
// Cylinders: the same for what is flat or straight in them, and a search from the best of those directions. As depth is
// the least over n, a search that misses it says too much and never too little.
//
// Limit: a triangle of a surface has no inside. What has passed through it altogether is apart from it.
// Source: Cameron and Culley 1986; Gottschalk, Lin, Manocha 1996; Ericson 2005.

#include "verdict/geometry/solid.hpp"

namespace clarke {

/// At least one is no plane.
double penetration_depth(const PlacedSolid& a, const PlacedSolid& b);

}  // namespace clarke
