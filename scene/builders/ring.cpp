#include "scene/builders/ring.hpp"

#include <cmath>
#include <numbers>

namespace clarke {
namespace {

Vec3 corner_at(const RingProfile& corner, int step, int segments) {
  const double angle = 2 * std::numbers::pi * (step % segments) / segments;
  return {corner.radius * std::cos(angle), corner.radius * std::sin(angle), corner.z};
}

void add_piece(ShapeDescription& compound, std::vector<Vec3> points) {
  ShapeChild piece;
  piece.shape.kind = ShapeDescription::Kind::convex;
  piece.shape.points = std::move(points);
  compound.children.push_back(std::move(piece));
}

}  // namespace

void add_ring(ShapeDescription& compound, const RingProfile (&corner)[4], int segments) {
  for (int s = 0; s < segments; ++s) {
    std::vector<Vec3> points;
    for (const RingProfile& c : corner) {
      points.push_back(corner_at(c, s, segments));
      points.push_back(corner_at(c, s + 1, segments));
    }
    add_piece(compound, std::move(points));
  }
}

void add_disc(ShapeDescription& compound, const RingProfile& low, const RingProfile& high, int segments) {
  std::vector<Vec3> points;
  for (int s = 0; s < segments; ++s) {
    points.push_back(corner_at(low, s, segments));
    points.push_back(corner_at(high, s, segments));
  }
  add_piece(compound, std::move(points));
}

}  // namespace clarke
