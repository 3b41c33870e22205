// The forms of `neo_hookean`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/materials/neo_hookean.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::NeoHookean>;
