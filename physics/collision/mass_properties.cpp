#include "physics/collision/mass_properties.hpp"

#include "framework/error.hpp"

#include <Eigen/Dense>

#include <numbers>

namespace clarke {
namespace {

MassProperties compound_mass_properties(const std::vector<ShapeChild>& children, const std::string& owner) {
  MassProperties sum;
  std::vector<MassProperties> parts;
  for (const ShapeChild& child : children) {
    MassProperties part = mass_properties(child.shape, owner);
    const Mat3 rotation = rotation_matrix(normalized(child.orientation));
    part.centre = child.position + rotation * part.centre;
    part.inertia_per_density = rotation * part.inertia_per_density * transpose(rotation);
    sum.volume += part.volume;
    sum.centre += part.volume * part.centre;
    parts.push_back(part);
  }
  if (!(sum.volume > 0)) return {};
  sum.centre = sum.centre / sum.volume;
  for (const MassProperties& part : parts)
    sum.inertia_per_density =
        sum.inertia_per_density + part.inertia_per_density + parallel_axis(part.volume, part.centre - sum.centre);
  return sum;
}

/// Exact; about the first node, whose distance is at most the size of the mesh.
MassProperties tetrahedra_mass_properties(const std::vector<Vec3>& points,
                                          const std::vector<std::array<int, 4>>& tetrahedra, const std::string& owner) {
  const Vec3 origin = points.at(tetrahedra.front()[0]);
  double volume = 0;
  Vec3 first{};   // ∫ x dV
  Mat3 second{};  // ∫ x xᵀ dV = V/20 (s sᵀ + Σ v vᵀ), v the four corners and s their sum
  for (const std::array<int, 4>& t : tetrahedra) {
    Vec3 v[4], s{};
    for (int c = 0; c < 4; ++c) s += v[c] = points.at(t[c]) - origin;
    const double V = dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0])) / 6;
    if (!(V > 0)) throw InputError(owner + ": expected tetrahedra with a positive volume");
    Mat3 sum = outer(s, s);
    for (const Vec3& corner : v) sum = sum + outer(corner, corner);
    volume += V;
    first += V / 4 * s;
    second = second + V / 20 * sum;
  }
  const Vec3 centre = first / volume;
  const Mat3 central = second - volume * outer(centre, centre);
  const double t = trace(central);
  return {volume, origin + centre, Mat3::diagonal(t, t, t) - central};
}

}  // namespace

Mat3 inertia_tensor(const BodyDescription& body) {
  const Vec3 d = body.inertia.value(), p = body.inertia_products;  // Ixy, Ixz, Iyz
  return {{d.x, p.x, p.y}, {p.x, d.y, p.z}, {p.y, p.z, d.z}};
}

Vec3 principal_moments(const Mat3& inertia) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = inertia(i, j);
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
  return {moments(0), moments(1), moments(2)};
}

MassProperties hull_mass_properties(const ConvexHull& hull) {
  Vec3 origin{};  // inside, so that no contribution is negative and nothing cancels
  for (const Vec3& v : hull.vertex) origin += v / static_cast<double>(hull.vertex.size());
  double volume = 0;
  Vec3 first{};   // ∫ x dV
  Mat3 second{};  // ∫ x xᵀ dV
  for (std::size_t f = 0; f < hull.normal.size(); ++f) {
    const int begin = hull.loop_begin[f], end = hull.loop_begin[f + 1];
    const Vec3 a = hull.vertex[hull.loop[begin]] - origin;
    for (int k = begin + 1; k + 1 < end; ++k) {
      const Vec3 b = hull.vertex[hull.loop[k]] - origin, c = hull.vertex[hull.loop[k + 1]] - origin;
      const double det = dot(a, cross(b, c));
      const Vec3 s = a + b + c;
      volume += det / 6;
      first += (det / 24) * s;
      second = second + (det / 120) * (outer(s, s) + outer(a, a) + outer(b, b) + outer(c, c));
    }
  }
  const Vec3 centre = first / volume;
  const Mat3 central = second - volume * outer(centre, centre);
  const double t = trace(central);
  return {volume, origin + centre, Mat3::diagonal(t, t, t) - central};
}

MassProperties mass_properties(const ShapeDescription& shape, const std::string& owner) {
  using Kind = ShapeDescription::Kind;
  switch (shape.kind) {
    case Kind::sphere: {
      const double r = shape.radius;
      if (!(r > 0) || !std::isfinite(r)) throw InputError(owner + ": a sphere needs a positive radius");
      const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
      const double i = 0.4 * volume * r * r;
      return {volume, {}, Mat3::diagonal(i, i, i)};
    }
    case Kind::capsule:
    case Kind::cylinder: {
      const double r = shape.radius, h = shape.half_height;
      const bool capsule = shape.kind == Kind::capsule;
      if (!(r > 0 && h > 0) || !std::isfinite(r + h))
        throw InputError(owner + (capsule ? ": a capsule needs a positive radius and half height"
                                          : ": a cylinder needs a positive radius and half height"));
      const double barrel = 2 * std::numbers::pi * r * r * h;
      double volume = barrel, along = 0.5 * barrel * r * r;
      double across = barrel * (0.25 * r * r + h * h / 3);
      if (capsule) {
        // Both caps together are a ball, each half moved by h: its centre is 3r/8 from the flat side.
        const double caps = 4.0 / 3.0 * std::numbers::pi * r * r * r;
        volume += caps;
        along += 0.4 * caps * r * r;
        across += caps * (0.4 * r * r + h * h + 0.75 * h * r);
      }
      return {volume, {}, Mat3::diagonal(across, across, along)};
    }
    case Kind::box: {
      const Vec3 h = shape.half;
      if (!(h.x > 0 && h.y > 0 && h.z > 0) || !std::isfinite(norm2(h)))
        throw InputError(owner + ": a box needs three positive half extents");
      const double volume = 8 * h.x * h.y * h.z, c = volume / 3;
      return {volume,
              {},
              Mat3::diagonal(c * (h.y * h.y + h.z * h.z), c * (h.z * h.z + h.x * h.x), c * (h.x * h.x + h.y * h.y))};
    }
    case Kind::convex:
      if (!shape.tetrahedra.empty()) return tetrahedra_mass_properties(shape.points, shape.tetrahedra, owner);
      return hull_mass_properties(convex_hull(shape.points, owner));
    case Kind::compound:
      return compound_mass_properties(shape.children, owner);
    case Kind::none:
    case Kind::plane:
    case Kind::height_field:
    case Kind::mesh:
      break;
  }
  return {};
}

}  // namespace clarke
