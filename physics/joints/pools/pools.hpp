#pragma once
// Which pools are compiled in files of their own, so that who registers them need not compile them again. A joint that
// is not in this list works too: its pool is compiled where it is registered.

#include "physics/constraints/ball.hpp"
#include "physics/constraints/cylindrical.hpp"
#include "physics/constraints/distance.hpp"
#include "physics/constraints/gear.hpp"
#include "physics/constraints/hinge.hpp"
#include "physics/constraints/pin.hpp"
#include "physics/constraints/point_on_line.hpp"
#include "physics/constraints/point_on_plane.hpp"
#include "physics/constraints/slider.hpp"
#include "physics/constraints/universal.hpp"
#include "physics/constraints/weld.hpp"
#include "physics/joints/constraint_type.hpp"

namespace clarke {

extern template class ConstraintTypeOf<Ball>;
extern template class ConstraintTypeOf<Cylindrical>;
extern template class ConstraintTypeOf<Distance>;
extern template class ConstraintTypeOf<Gear>;
extern template class ConstraintTypeOf<Hinge>;
extern template class ConstraintTypeOf<Pin>;
extern template class ConstraintTypeOf<PointOnLine>;
extern template class ConstraintTypeOf<PointOnPlane>;
extern template class ConstraintTypeOf<Slider>;
extern template class ConstraintTypeOf<Universal>;
extern template class ConstraintTypeOf<Weld>;

}  // namespace clarke
