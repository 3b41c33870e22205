#include "physics/cloth/strain_rows.hpp"

#include "framework/error.hpp"
#include "physics/cloth/membrane_batch.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/joints/constraint_pool.hpp"

namespace clarke {

namespace {

constexpr const char* kModel = "st_venant_kirchhoff";

ConstraintItem<SheetStrain> strain_item(const MembraneElement& e, const ClothDescription& cloth) {
  const std::array<double, 3> k = sheet_strain_stiffness(cloth.young, cloth.poisson, e.volume, e.size);
  ConstraintItem<SheetStrain> item;
  for (int a = 0; a < 3; ++a) {
    item.entity[a] = e.node[a];
    for (int j = 0; j < 2; ++j) item.element.gradient[a][j] = e.b[a][j];
  }
  item.element.size = e.size;
  for (int r = 0; r < SheetStrain::kRows; ++r) {
    item.law[r].stiffness = k[r];
    item.law[r].damping = e.damping * k[r];
  }
  return item;
}

}  // namespace

std::array<double, 3> sheet_strain_stiffness(double young, double poisson, double volume, double size) {
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / (1 - poisson * poisson);
  const double scale = 2 * volume / (size * size);
  return {scale * (mu + lambda), scale * mu, scale * mu};
}

double sheet_stiffness_number(const ClothDescription& cloth, double h) {
  double area = 0;
  for (const std::array<int, 3>& triangle : cloth.mesh.triangles) area += triangle_area(cloth.mesh, triangle);
  const double mass = cloth.density * area / static_cast<double>(cloth.mesh.nodes.size());
  return h * h * cloth.young * cloth.thickness / ((1 - cloth.poisson * cloth.poisson) * mass);
}

bool has_strain_rows(const ClothDescription& cloth, const ClothOptions& options, double h) {
  if (options.form == "automatic") return cloth.model == kModel && sheet_stiffness_number(cloth, h) > kStiffSheet;
  if (options.form != "strain") return false;
  if (cloth.model != kModel)
    throw InputError("-cloth_form strain: cloth '" + cloth.name + "' is of model '" + cloth.model + "', expected " +
                     kModel + ", whose stress is linear in Green's strain; or another form");
  return true;
}

std::unique_ptr<JointPool> build_strain_rows(const Entities& entities, const World& world, double h) {
  ClothOptions options;
  if (!world.cloths.empty()) read_options(options);
  std::vector<int> cloths;
  for (std::size_t k = 0; k < world.cloths.size(); ++k)
    if (has_strain_rows(world.cloths[k], options, h)) cloths.push_back(static_cast<int>(k));
  std::vector<std::vector<int>> blocks;
  std::vector<std::string> names;
  const std::vector<MembraneElement> elements = membrane_elements(entities, world, cloths, blocks, names);
  std::vector<ConstraintItem<SheetStrain>> items;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    items.push_back(strain_item(elements[i], world.cloths[cloths[elements[i].material]]));
    items.back().name = names[i];
  }
  if (items.empty()) return nullptr;
  return std::make_unique<ConstraintPool<SheetStrain>>(entities, std::move(items));
}

}  // namespace clarke
