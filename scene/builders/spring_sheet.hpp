#pragma once
// A horizontal sheet of point masses on springs: a cloth of the simplest kind, for questions to solvers. For a cloth
// with a material there is `cloth`.
//
//   (m + 1)(n + 1) nodes of equal mass in the plane z = 0 around `position`, node i of row j is number j (m + 1) + i
//   springs of k [N/m] along the rows, along the columns, and along one diagonal of each cell: 3 m n + m + n of them
//   corners are fixed, `load` is added to the middle node
//
// A particle mesh has no bending, and springs of one k make no isotropic sheet.

#include "scene/builders/builder.hpp"

namespace clarke {

class SpringSheet final : public Builder {
 public:
  const char* summary() const override { return "sheet of point masses on springs, held at its corners"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  void add_spring(World& world, int a, int b) const;
  Vec3 node(int k) const;

  std::string name_ = "sheet";
  int columns_ = 12, rows_ = 12;
  double width_ = 1, depth_ = 1;  // [m]
  double mass_ = 0.5, load_ = 0;  // [kg]
  double stiffness_ = 1e6;        // [N/m]
  int corners_ = 4;
  Vec3 position_{};
};

}  // namespace clarke
