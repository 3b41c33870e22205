// The pool of one type of joint, compiled apart (physics/joints/pools/pools.hpp).

#include "physics/constraints/pin.hpp"

#include "physics/joints/constraint_type.hpp"

namespace clarke {

template class ConstraintTypeOf<Pin>;

}  // namespace clarke
