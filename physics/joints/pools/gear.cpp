// The pool of one type of joint, compiled apart (physics/joints/pools/pools.hpp).

#include "physics/constraints/gear.hpp"

#include "physics/joints/constraint_type.hpp"

namespace clarke {

template class ConstraintTypeOf<Gear>;

}  // namespace clarke
