#pragma once
// A rope between two points: particles that keep their distances, hanging in an arc of a circle at the start.
//
//   n segments of l = L/n, node masses ρ l, half of that at the ends                       ρ [kg/m], L [m]
//   segments     distance rows: rigid, or k = EA/l [N/m]; with `slack` they only pull
//   bending      x_{i−1} − 2 x_i + x_{i+1} = 0 by springs EI/l³ [N/m]: energy EI κ² l/2, κ = |…|/l², straight at rest
//   arc          chords of equal length:  sin(n a)/(n sin a) = d/L, a the half angle of one, d the distance of the ends
//
// A rope shorter than the distance of its ends starts straight and taut, which takes a stiffness.

#include "scene/builders/builder.hpp"

namespace clarke {

class Rope final : public Builder {
 public:
  const char* summary() const override { return "rope of particles between two points"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  std::vector<Vec3> nodes() const;
  void add_end(World& world, const std::string& to, int node, const char* which) const;

  std::string name_ = "rope";
  Vec3 from_{}, to_{1, 0, 0}, sag_{0, 0, -1};
  int segments_ = 20;
  double length_ = 0;                                           // [m]; 0: the distance of the ends
  double linear_density_ = 0.1;                                 // ρ [kg/m]
  double stiffness_ = 0, damping_ = 0, bending_stiffness_ = 0;  // EA [N], 0: inextensible; [s]; EI [N m²]
  double radius_ = 0;                                           // [m]
  bool slack_ = false;
  std::vector<std::string> ends_{"world", "world"};
  std::string material_;
};

}  // namespace clarke
