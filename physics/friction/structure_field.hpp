#pragma once
// Structure fields: the direction of a surface's grain, and a factor of its coefficients, over the surface; carried by
// its body and sampled where a contact is [Macklin 2020, section 3.3; docs/theory.md, eq. F8].
//
//   constant   one direction
//   radial     away from an axis
//   spiral     radial, turned by an angle about the axis
//   grid       samples over a rectangle, repeated; interpolated between four of them. A point is laid into (u, v) by a
//              planar       u, v along two fixed directions
//              cylindrical  u around an axis, v along it
//              triplanar    along the coordinate axis nearest to the surface normal
//              texture      coordinates (u, v) at the vertices of its mesh, 0 to 1 over the samples; along ∂x/∂u, ∂x/∂v
//   vertices   directions and factors at its mesh's vertices, interpolated with the weights of the place
//              [field_meshes.hpp]
// A direction without sign is interpolated by its doubled angle (cos 2θ, sin 2θ), so that θ and θ + π are the same;
// where the sum of four samples vanishes the direction is that of u.
//
// All in the frame of the body, or of the mesh of a deforming surface at rest. What a field gives is projected into the
// tangent plane of the contact; a direction that is along the normal (end grain) leaves no direction: the surface has
// its isotropic coefficient there.

#include "framework/device.hpp"
#include "physics/description/friction_description.hpp"
#include "physics/friction/field_meshes.hpp"

namespace clarke {

/// One of a model's fields, as kernels see it. Grid samples are in one array for all fields.
struct StructureField {
  StructureDescription::Kind kind = StructureDescription::Kind::constant;
  StructureDescription::Projection projection = StructureDescription::Projection::planar;
  Vec3 direction{1, 0, 0}, centre{}, axis{0, 0, 1}, u{1, 0, 0};
  double cosine = 1, sine = 0;  // spiral
  double size_u = 1, size_v = 1;
  int columns = 0, rows = 0, first = 0;
  int first_vertex = 0;
  bool signless = true;

  KOKKOS_INLINE_FUNCTION bool per_vertex() const {
    return kind == StructureDescription::Kind::vertices || projection == StructureDescription::Projection::texture;
  }
};

/// A vertex of a field's mesh. vertices: the direction is eu; texture: eu, ev are the unit vectors along ∂x/∂u, ∂x/∂v.
struct StructureVertex {
  Vec3 eu, ev;
  double u = 0, v = 0, factor = 1;
};

struct StructureSample {
  double c, s;  // of the angle in (u, v), doubled where the field has no sign
  double factor;
};

/// Direction (not normalised; zero where there is none) and factor.
struct StructureAt {
  Vec3 direction;
  double factor;
};

KOKKOS_INLINE_FUNCTION StructureSample sample_grid(const StructureField& f, const View<StructureSample>& samples,
                                                   double u, double v) {
  const double x = (u / f.size_u + 0.5) * f.columns - 0.5, y = (v / f.size_v + 0.5) * f.rows - 0.5;
  const double x0 = std::floor(x), y0 = std::floor(y), a = x - x0, b = y - y0;
  const auto wrap = [](double i, int n) {
    const int k = static_cast<int>(i - n * std::floor(i / n));
    return k < n ? k : 0;
  };
  StructureSample out{0, 0, 0};
  for (int corner = 0; corner < 4; ++corner) {
    const int i = corner & 1, j = corner >> 1;
    const double w = (i ? a : 1 - a) * (j ? b : 1 - b);
    const StructureSample& s = samples(f.first + wrap(y0 + j, f.rows) * f.columns + wrap(x0 + i, f.columns));
    out.c += w * s.c;
    out.s += w * s.s;
    out.factor += w * s.factor;
  }
  return out;
}

/// Interpolated between vertices; directions without sign with the sign of the first.
KOKKOS_INLINE_FUNCTION StructureAt blend_vertices(const StructureField& f, const View<StructureVertex>& vertices,
                                                  const MeshPoint& at) {
  StructureAt out{{}, 0};
  for (int k = 0; k < at.count; ++k) {
    const StructureVertex& x = vertices(f.first_vertex + at.vertex[k]);
    const bool flip = f.signless && k > 0 && dot(x.eu, vertices(f.first_vertex + at.vertex[0]).eu) < 0;
    out.direction += (flip ? -at.weight[k] : at.weight[k]) * x.eu;
    out.factor += at.weight[k] * x.factor;
  }
  return out;
}

/// Point and outward normal in the frame of the body; the place on its mesh for fields that are given per vertex.
KOKKOS_INLINE_FUNCTION StructureAt structure_at(const StructureField& f, const View<StructureSample>& samples,
                                                const View<StructureVertex>& vertices, const Vec3& point,
                                                const Vec3& normal, const MeshPoint& at) {
  using Kind = StructureDescription::Kind;
  using Projection = StructureDescription::Projection;
  if (f.kind == Kind::constant) return {f.direction, 1};
  if (f.kind == Kind::vertices) return blend_vertices(f, vertices, at);
  const Vec3 from = point - f.centre;
  const Vec3 out = from - dot(f.axis, from) * f.axis;  // away from the axis
  if (f.kind != Kind::grid) {
    const double size = norm(out);
    if (!(size > 0)) return {{}, 1};
    return {f.cosine / size * out + f.sine / size * cross(f.axis, out), 1};
  }
  Vec3 eu = f.u, ev = cross(f.axis, f.u);
  double u = dot(eu, from), v = dot(ev, from);
  if (f.projection == Projection::texture) {
    u = v = -0.5;  // the picture's middle is the origin of its samples
    eu = ev = Vec3{};
    for (int k = 0; k < at.count; ++k) {
      const StructureVertex& x = vertices(f.first_vertex + at.vertex[k]);
      u += at.weight[k] * x.u;
      v += at.weight[k] * x.v;
      eu += at.weight[k] * x.eu;
      ev += at.weight[k] * x.ev;
    }
  } else if (f.projection == Projection::cylindrical) {
    constexpr double kTurn = 6.283185307179586;
    const double size = norm(out);
    u = f.size_u / kTurn * std::atan2(v, u);
    v = dot(f.axis, from);
    eu = size > 0 ? (1 / size) * cross(f.axis, out) : f.u;
    ev = f.axis;
  } else if (f.projection == Projection::triplanar) {
    const double nx = std::fabs(normal.x), ny = std::fabs(normal.y), nz = std::fabs(normal.z);
    const int along = nz >= nx && nz >= ny ? 2 : (nx >= ny ? 0 : 1);
    eu = ev = Vec3{};
    eu[(along + 1) % 3] = 1;
    ev[(along + 2) % 3] = 1;
    u = dot(eu, from), v = dot(ev, from);
  }
  const StructureSample s = sample_grid(f, samples, u, v);
  double c = s.c, d = s.s;
  if (f.signless) {
    const double angle = 0.5 * std::atan2(s.s, s.c);
    c = std::cos(angle), d = std::sin(angle);
  }
  return {c * eu + d * ev, s.factor};
}

/// The fields of a model. Equal to nothing where no material has one.
struct StructureFields {
  View<StructureField> field;
  View<StructureSample> samples;
  View<StructureVertex> vertices;
  /// `meshes`: per field the mesh it lies on where it is given per vertex, else null. Throws InputError beginning with
  /// `owners` of the field where its vertices are not as many as those of its mesh.
  static StructureFields of(const std::vector<StructureDescription>& fields,
                            const std::vector<const FieldMesh*>& meshes = {},
                            const std::vector<std::string>& owners = {});
};

}  // namespace clarke
