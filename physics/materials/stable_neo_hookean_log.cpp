// The forms of `stable_neo_hookean_log`: a file of its own, because the kernels of one material take a compiler
// seconds.

#include "physics/materials/stable_neo_hookean_log.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::StableNeoHookeanLog>;
