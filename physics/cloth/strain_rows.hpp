#pragma once
// Which cloths have rows of Green's strain (sheet_strain.hpp), and these rows.
//
//   -cloth_form strain      all, which must be of st_venant_kirchhoff
//               automatic   those of it that are stiff beside their inertia:  h² E t/((1 − ν²) m) > kStiffSheet,
//                           m [kg] the mean mass of a node.  The others are forces.
//
// A force of a stiff sheet is the stiffness times differences of positions: rounded by more than a step may leave
// where the sheet is next to inextensible, and stretched in second order by what moves across it, so that Newton's
// steps become short. The impulse of a row is an unknown of its own and has neither trouble [docs/theory.md, eq. E27].

#include "physics/cloth/cloth_options.hpp"
#include "physics/cloth/sheet_strain.hpp"
#include "physics/joints/joint_pool.hpp"

namespace clarke {

/// Forces take a sheet at 1.3e3 in 510 Newton steps and rows in 658, at 1.3e4 they do not solve every step.
inline constexpr double kStiffSheet = 4e3;

/// k of the rows of a triangle of volume V and size ℓ [N/m].
std::array<double, 3> sheet_strain_stiffness(double young, double poisson, double volume, double size);
/// h² E t/((1 − ν²) m) of the description.
double sheet_stiffness_number(const ClothDescription& cloth, double h);
/// Throws InputError where -cloth_form strain is asked of another model.
bool has_strain_rows(const ClothDescription& cloth, const ClothOptions& options, double h);
/// Null where no cloth has them.
std::unique_ptr<JointPool> build_strain_rows(const Entities& entities, const World& world, double h);

}  // namespace clarke
