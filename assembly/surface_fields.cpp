#include "assembly/surface_fields.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

/// Quadrilaterals cut into cells no longer than the longest of all sides over kFieldCells.
void cut_quadrilaterals(Surface& s) {
  double longest = 0;
  const auto side = [&s](const std::vector<int>& p, int k) {
    return norm(s.points[p[(k + 1) % p.size()]] - s.points[p[k]]);
  };
  for (const std::vector<int>& p : s.polygons)
    for (std::size_t k = 0; k < p.size(); ++k) longest = std::max(longest, side(p, static_cast<int>(k)));
  const auto cells = [longest](double a, double b) {
    constexpr double kRounding = 1e-9;  // of the longest side
    return std::max(1, static_cast<int>(std::ceil(kFieldCells * std::max(a, b) / longest - kRounding)));
  };
  std::vector<std::vector<int>> out;
  for (const std::vector<int>& p : s.polygons) {
    if (p.size() != 4) {
      out.push_back(p);
      continue;
    }
    const int nu = cells(side(p, 0), side(p, 2)), nv = cells(side(p, 1), side(p, 3)),
              first = static_cast<int>(s.points.size());
    const Vec3 a = s.points[p[0]], b = s.points[p[1]], c = s.points[p[2]], d = s.points[p[3]];
    for (int j = 0; j <= nv; ++j)
      for (int i = 0; i <= nu; ++i) {
        const double u = double(i) / nu, v = double(j) / nv;
        s.points.push_back((1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c));
      }
    for (int j = 0; j < nv; ++j)
      for (int i = 0; i < nu; ++i) {
        const int at = first + j * (nu + 1) + i;
        out.push_back({at, at + 1, at + nu + 2, at + nu + 1});
      }
  }
  s.polygons = std::move(out);
}

/// Along, across, against.
Vec3 coefficients(const SurfaceAt& s) {
  if (s.form == ConeForm::section && s.section.kind == SectionKind::quarters)
    return {s.section.a_minus, std::fmax(s.section.b_plus, s.section.b_minus), s.section.a_plus};
  if (s.form == ConeForm::disc || s.form == ConeForm::section) return {s.friction, s.friction, s.friction};
  return {s.along, s.across, s.along};
}

/// A surface without a grain has none to show, whatever its field says.
Vec3 direction(const SurfaceAt& s) { return s.form == ConeForm::disc ? Vec3{} : s.grain; }

}  // namespace

void add_structure(Surface& surface, const ContactFriction& cones, int entity, const View<Vec3>& x) {
  if (cones.varies(entity) && cones.triangle_place(entity, 0).count == 0) cut_quadrilaterals(surface);
  std::vector<SurfacePlace> places;
  for (std::size_t k = 0; k < surface.polygons.size(); ++k) {
    const std::vector<int>& polygon = surface.polygons[k];
    Vec3 middle{}, normal{};
    for (std::size_t c = 0; c < polygon.size(); ++c) {
      middle += (1.0 / static_cast<double>(polygon.size())) * surface.points[polygon[c]];
      normal += cross(surface.points[polygon[c]], surface.points[polygon[(c + 1) % polygon.size()]]);
    }
    if (norm2(normal) > 0) normal = normalized(normal);
    places.push_back({entity, middle, normal, cones.triangle_place(entity, static_cast<int>(k))});
  }
  for (const SurfaceAt& s : cones.at(places, x)) {
    surface.structure.push_back(direction(s));
    surface.friction.push_back(coefficients(s));
  }
}

void add_structure(FrameSoft& soft, const ContactFriction& cones, int first_entity, const View<Vec3>& x) {
  std::vector<SurfacePlace> places;
  for (std::size_t n = 0; n < soft.position.size(); ++n) {
    const int entity = first_entity + static_cast<int>(n);
    places.push_back({entity, {}, {}, cones.node_place(entity)});
  }
  for (const SurfaceAt& s : cones.at(places, x)) {
    soft.structure.push_back(direction(s));
    soft.friction.push_back(coefficients(s));
  }
}

}  // namespace clarke
