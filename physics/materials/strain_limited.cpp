// The forms of `strain_limited`.

#include "physics/materials/strain_limited.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::StrainLimited>;
