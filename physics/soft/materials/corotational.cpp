// The forms of `corotational`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/soft/materials/corotational.hpp"

#include "physics/soft/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::Corotational>;
