#pragma once
// A dry wall in running bond along x, and a heavy ball that flies at it.
//
//   a brick is 0.25 × 0.12 × 0.065 m; each course is moved by half a brick against the one below, and every second one
//   ends in half bricks, so that both ends are flush
//   the ball flies along +y at the middle of the wall from `distance` [m] before its face; speed 0: no ball
//
// Bricks touch without gaps: the wall stands before it is hit. Mass of bricks and ball from the density of their
// materials.

#include "scene/builders/builder.hpp"

namespace clarke {

class WallOfBricks final : public Builder {
 public:
  const char* summary() const override { return "dry wall in running bond, hit by a ball"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int courses_ = 8, bricks_ = 6;                           // bricks: in a course of whole ones
  double ball_radius_ = 0.1, speed_ = 8, distance_ = 0.2;  // [m], [m/s], [m]
  Vec3 position_{};                                        // [m] of the middle of the foot
  std::string material_, ball_material_, name_ = "brick";
};

}  // namespace clarke
