#include "physics/friction/structure_field.hpp"

namespace clarke {

StructureFields StructureFields::of(const std::vector<StructureDescription>& descriptions) {
  std::vector<StructureField> fields;
  std::vector<StructureSample> samples;
  for (const StructureDescription& d : descriptions) {
    StructureField f;
    f.kind = d.kind;
    f.projection = d.projection;
    f.direction = d.direction;
    f.centre = d.centre;
    f.axis = normalized(d.axis);
    f.u = d.u_axis - dot(f.axis, d.u_axis) * f.axis;
    if (norm2(f.u) > 0) f.u = normalized(f.u);
    if (d.kind == StructureDescription::Kind::spiral) f.cosine = std::cos(d.angle), f.sine = std::sin(d.angle);
    f.size_u = d.size_u;
    f.size_v = d.size_v;
    f.columns = d.columns;
    f.rows = d.rows;
    f.first = static_cast<int>(samples.size());
    f.signless = d.signless;
    for (std::size_t i = 0; i < d.cosine.size(); ++i) {
      const double c = d.cosine[i], s = d.sine[i];
      samples.push_back(d.signless ? StructureSample{c * c - s * s, 2 * c * s, d.factor[i]}
                                   : StructureSample{c, s, d.factor[i]});
    }
    fields.push_back(f);
  }
  return {to_device("structure_fields", fields), to_device("structure_samples", samples)};
}

}  // namespace clarke
