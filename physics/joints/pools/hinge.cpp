// The pool of one type of joint, compiled apart (physics/joints/pools/pools.hpp).

#include "physics/constraints/hinge.hpp"

#include "physics/joints/constraint_type.hpp"

namespace clarke {

template class ConstraintTypeOf<Hinge>;

}  // namespace clarke
