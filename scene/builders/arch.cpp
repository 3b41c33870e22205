#include "scene/builders/arch.hpp"

#include "framework/text.hpp"

#include <array>
#include <cmath>

namespace clarke {
namespace {

/// A point of the plane of the arch [m].
struct Point {
  double x = 0, z = 0;
};

struct Joint {
  Point inner, outer;
};

double on_grid(double value) {
  constexpr double kGrid = 1099511627776.0;  // 2^40 per metre
  return std::round(value * kGrid) / kGrid;
}

struct Prism {
  double area = 0;
  Point centroid;
};

/// Area and centroid of a quadrilateral, relative to its first corner to keep digits.
Prism prism_of(const std::array<Point, 4>& corner) {
  Prism prism;
  for (std::size_t i = 1; i + 1 < 4; ++i) {
    const Point a{corner[i].x - corner[0].x, corner[i].z - corner[0].z};
    const Point b{corner[i + 1].x - corner[0].x, corner[i + 1].z - corner[0].z};
    const double area = 0.5 * (a.x * b.z - a.z * b.x);
    prism.area += area;
    prism.centroid.x += area * (a.x + b.x) / 3;
    prism.centroid.z += area * (a.z + b.z) / 3;
  }
  prism.centroid.x = corner[0].x + prism.centroid.x / prism.area;
  prism.centroid.z = corner[0].z + prism.centroid.z / prism.area;
  prism.area = std::fabs(prism.area);
  return prism;
}

}  // namespace

void Arch::describe(SceneVisitor& v) {
  v.integer("stones", stones_, {.min = 2, .max = 100000, .required = true});
  v.real(
      "span", span_,
      {.help = "between the springings, centre to centre", .unit = "m", .min = 0, .open_min = true, .required = true});
  v.real("rise", rise_,
         {.help = "of the centre line at the crown", .unit = "m", .min = 0, .open_min = true, .required = true});
  v.real("thickness", thickness_, {.help = "across the centre line", .unit = "m", .min = 0, .open_min = true});
  v.real("depth", depth_, {.help = "along y", .unit = "m", .min = 0, .open_min = true});
  v.optional_real("density", density_,
                  {.help = "default: that of the material", .unit = "kg/m^3", .min = 0, .open_min = true});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.vector("position", position_, {.help = "of the middle of the springing line", .unit = "m"});
  v.text("name", name_, {.help = "stones are called <name>_1, <name>_2, ... from x = -span/2 on"});
  if (!v.reading()) return;
  const double curvature = 8 * rise_ / (span_ * span_);  // [1/m] at the crown, the largest
  if (0.5 * thickness_ * curvature >= 1)
    v.refuse("thickness", "expected less than " + format_real(2 / curvature) +
                              " (twice the radius of curvature at the crown), or the stones would overlap");
  const double slope = 4 * rise_ / span_;
  if (0.5 * thickness_ * std::sqrt(1 + slope * slope) / slope >= 0.5 * span_)
    v.refuse("rise", "the arch is so flat that its springings would overlap");
}

void Arch::add_to(World& world) const {
  const double half_span = 0.5 * span_, half_thickness = 0.5 * thickness_;
  std::vector<Joint> joints;
  for (int i = 0; i <= stones_; ++i) {
    const double x = -half_span + span_ * i / stones_;
    const double slope = -2 * rise_ * x / (half_span * half_span);
    const double stretch = std::sqrt(1 + slope * slope);
    const Point centre{position_.x + x, position_.z + rise_ * (1 - (x / half_span) * (x / half_span))};
    Point outward{-slope / stretch * half_thickness, half_thickness / stretch};
    if (i == 0 || i == stones_) outward = {std::copysign(half_thickness * stretch / slope, x), 0};
    joints.push_back({{on_grid(centre.x - outward.x), on_grid(centre.z - outward.z)},
                      {on_grid(centre.x + outward.x), on_grid(centre.z + outward.z)}});
  }
  const auto material = world.materials.find(material_);
  const double density =
      density_.value_or(material == world.materials.end() ? MaterialDescription{}.density : material->second.density);
  for (int i = 1; i <= stones_; ++i) {
    const Joint &left = joints[i - 1], &right = joints[i];
    const std::array<Point, 4> corner{left.inner, right.inner, right.outer, left.outer};
    const Prism prism = prism_of(corner);
    BodyDescription stone;
    stone.name = name_ + "_" + std::to_string(i);
    stone.material = material_;
    stone.mass = density * prism.area * depth_;
    stone.position = {on_grid(prism.centroid.x), on_grid(position_.y), on_grid(prism.centroid.z)};
    stone.shape.kind = ShapeDescription::Kind::convex;
    for (const double y : {-0.5 * depth_, 0.5 * depth_}) {
      for (const Point& point : corner)
        stone.shape.points.push_back({point.x - stone.position.x, on_grid(y), point.z - stone.position.z});
    }
    world.bodies.push_back(stone);
  }
}

}  // namespace clarke
