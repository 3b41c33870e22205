// The forms of `linear`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/materials/linear.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::Linear>;
