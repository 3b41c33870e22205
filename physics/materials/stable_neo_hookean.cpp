// The forms of `stable_neo_hookean`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/materials/stable_neo_hookean.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::StableNeoHookean>;
