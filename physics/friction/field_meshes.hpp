#pragma once
// Meshes under structure fields: where on its mesh a contact is, and how a deforming surface carries the direction that
// its material has there [docs/theory.md, eq. F8].
//
//   a contact on a mesh is Σ_k w_k (vertex k), up to three of them
//   deforming   the field is that of the mesh at rest, at X = Σ w_k X_k with the normal Σ w_k N_k;
//               its direction s becomes F s,
//               F = Σ w_k F_k,   F_k = Σ_f A_f (e₁ ⊗ G¹ + e₂ ⊗ G²) / Σ_f A_f over the faces around node k,
//               e the edges of the face now, G the dual of its edges at rest, A_f its area at rest: exact where the
//               deformation is uniform, continuous everywhere, and of s only what lies in the surface
//   rigid       the triangle of the contact's collider, for what is given per vertex
//
// Everything here is empty where no field lies on a mesh.

#include "framework/math/mat3.hpp"
#include "physics/collision/contact_side.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"
#include "physics/collision/shapes.hpp"

#include <array>
#include <vector>

namespace clarke {

/// A place on a mesh; count 0: on none.
struct MeshPoint {
  int count = 0;
  int vertex[3] = {-1, -1, -1};  // numbers in the mesh
  int node[3] = {-1, -1, -1};    // entities, of a deforming one
  double weight[3] = {0, 0, 0};
};

/// Points and triangles of a body, soft body or cloth, in its own frame at rest.
struct FieldMesh {
  std::vector<Vec3> points;  // [m]
  std::vector<std::array<int, 3>> triangles;
};

/// A face of a deforming surface: entities, dual edges times the area [m], area [m²].
struct RestFace {
  int node[3];
  Vec3 g1, g2;
  double area;
};

/// A triangle of a rigid body: numbers and places of its corners [m].
struct RigidTriangle {
  int vertex[3];
  Vec3 corner[3];
};

struct FieldMeshes {
  // per entity, of nodes; empty: no deforming surface has a field
  View<int> vertex;            // number in its mesh, −1: no node
  View<Vec3> rest;             // X [m]
  View<Vec3> rest_normal;      // N, not of length one
  View<int> face_begin, face;  // faces around a node; one more entry than entities
  View<RestFace> rest_face;
  // per entity, of bodies with values per vertex; empty: there are none
  View<int> first_collider, first_triangle, triangles;  // −1: not such a body
  View<RigidTriangle> triangle;

  KOKKOS_INLINE_FUNCTION bool is_node(int entity) const { return vertex.extent(0) > 0 && vertex(entity) >= 0; }
  KOKKOS_INLINE_FUNCTION bool has_triangles(int entity) const {
    return first_triangle.extent(0) > 0 && first_triangle(entity) >= 0;
  }
};

/// F of a node, and the normal of the surface there now, not of length one.
struct Carry {
  Mat3 F;
  Vec3 normal;
};
KOKKOS_INLINE_FUNCTION Carry carry_of(const FieldMeshes& m, int node, const View<Vec3>& x) {
  Carry out{};
  double area = 0;
  for (int k = m.face_begin(node); k < m.face_begin(node + 1); ++k) {
    const RestFace& f = m.rest_face(m.face(k));
    const Vec3 e1 = x(f.node[1]) - x(f.node[0]), e2 = x(f.node[2]) - x(f.node[0]);
    for (int r = 0; r < 3; ++r) out.F[r] += e1[r] * f.g1 + e2[r] * f.g2;
    out.normal += cross(e1, e2);
    area += f.area;
  }
  for (int r = 0; r < 3; ++r) out.F[r] = area > 0 ? (1 / area) * out.F[r] : Vec3{};
  return out;
}

KOKKOS_INLINE_FUNCTION void add_node(const FieldMeshes& m, int entity, double weight, MeshPoint& at) {
  at.vertex[at.count] = m.vertex(entity);
  at.node[at.count] = entity;
  at.weight[at.count++] = weight;
}

/// The place of a point of triangle k of `entity`, in the frame of the body.
KOKKOS_INLINE_FUNCTION MeshPoint triangle_point(const FieldMeshes& m, int entity, int k, const Vec3& point) {
  const RigidTriangle& t = m.triangle(m.first_triangle(entity) + k);
  const Vec3 e1 = t.corner[1] - t.corner[0], e2 = t.corner[2] - t.corner[0], n = cross(e1, e2), r = point - t.corner[0];
  const double n2 = norm2(n), w1 = dot(cross(r, e2), n) / n2, w2 = dot(cross(e1, r), n) / n2;
  const double w[3] = {1 - w1 - w2, w1, w2};
  MeshPoint at;
  for (at.count = 0; at.count < 3; ++at.count) {
    at.vertex[at.count] = t.vertex[at.count];
    at.weight[at.count] = w[at.count];
  }
  return at;
}

/// The place of a side of contact i: its nodes, or the corners of the triangle whose collider its id names
/// (detection.hpp).
KOKKOS_INLINE_FUNCTION MeshPoint mesh_point(const FieldMeshes& m, const View<BarycentricPoint>& place, int i,
                                            int entity, const Vec3& point, std::uint64_t id) {
  MeshPoint at;
  if (m.is_node(entity)) {
    if (!is_barycentric(place, i)) {
      add_node(m, entity, 1, at);
      return at;
    }
    const BarycentricPoint& p = place(i);
    for (int k = 0; k < 3 && p.node[k] >= 0; ++k) add_node(m, p.node[k], p.weight[k], at);
    return at;
  }
  if (!m.has_triangles(entity)) return at;
  // Both colliders are in the id; that of this entity is the one among its triangles, which no other entity's is.
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kColliderBits) - 1;
  const int first = static_cast<int>(id >> (kFeatureBits + kColliderBits)),
            second = static_cast<int>((id >> kFeatureBits) & kMask);
  const int k = first - m.first_collider(entity);
  return triangle_point(m, entity, k >= 0 && k < m.triangles(entity) ? k : second - m.first_collider(entity), point);
}

/// The meshes of a world on the host, and their device form.
struct WorldMeshes {
  std::vector<FieldMesh> mesh;
  std::vector<int> of_entity;  // −1: of none
  std::vector<int> vertex;     // of a node: its number, else −1
  std::vector<char> deforms;   // per mesh
  static WorldMeshes of(const World& world);
  /// `wanted` per mesh.
  FieldMeshes device(const World& world, const std::vector<char>& wanted) const;
};

}  // namespace clarke
