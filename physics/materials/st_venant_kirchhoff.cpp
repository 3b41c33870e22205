// The forms of `st_venant_kirchhoff`: a file of its own, because the kernels of one material take a compiler seconds.

#include "physics/materials/st_venant_kirchhoff.hpp"

#include "physics/materials/soft_material_of.hpp"

template class clarke::SoftMaterialOf<clarke::StVenantKirchhoff>;
