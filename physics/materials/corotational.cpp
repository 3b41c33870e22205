// The forms of `corotational`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/materials/corotational.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::Corotational>;
