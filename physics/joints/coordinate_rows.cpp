#include "physics/joints/constraint_type.hpp"

namespace clarke {
namespace {

double entry(const std::vector<double>& list, int row) {
  if (list.empty()) return 0;
  return list.size() == 1 ? list[0] : list[row];
}

void check_length(const JointDescription& d, const std::vector<double>& list, int rows, const char* what) {
  if (list.size() > 1 && static_cast<int>(list.size()) != rows)
    throw InputError("joint '" + d.name + "': " + what + ": expected one number or " + std::to_string(rows) +
                     ", one per row, got " + std::to_string(list.size()));
}

/// Spring and damper, either of which may be without limit.
RowMechanics spring(double compliance, double damping) {
  RowMechanics row;
  if (compliance > 0) row.stiffness = 1 / compliance;
  row.damping = compliance > 0 ? damping : 0;
  return row;
}

/// Collects the rows along one coordinate.
class CoordinateRows {
 public:
  CoordinateRows(const JointDescription& joint, int joint_index, int coordinate, const std::array<int, 2>& ends,
                 const Pose& a, const Pose& b, std::vector<ConstraintItem<JointCoordinate>>& items)
      : element_(JointCoordinate::of(joint, coordinate, a, b)),
        ends_(ends),
        name_(joint.type + " " + joint.name + ": "),
        joint_(joint_index),
        coordinate_(coordinate),
        items_(items) {}

  void add(const std::string& what, const RowMechanics& law, const TimeFunction& target,
           const TimeFunction& rate = 0.0) {
    items_.push_back({element_, ends_, {law}, {target}, {rate}, name_ + what, joint_, coordinate_});
  }

 private:
  JointCoordinate element_;
  std::array<int, 2> ends_;
  std::string name_;
  int joint_, coordinate_;
  std::vector<ConstraintItem<JointCoordinate>>& items_;
};

void add_rows(CoordinateRows& rows, const CoordinateDescription& c) {
  if (c.motion) rows.add("motion", RowMechanics{}, *c.motion);
  if (c.driven) {
    RowMechanics drive;
    drive.stiffness = c.drive_stiffness;
    drive.damping = c.drive_damping;
    drive.lower = -c.effort;
    drive.upper = c.effort;
    drive.passive = false;
    rows.add("drive", drive, c.target, c.rate);
  }
  if (c.friction_viscous > 0) {
    RowMechanics viscous;
    viscous.stiffness = 0;
    viscous.damping = c.friction_viscous;
    rows.add("viscous friction", viscous, 0.0);
  }
  if (c.friction_dry > 0) {
    RowMechanics dry;
    dry.stiffness = 0;
    dry.damping = kInfinite;
    dry.lower = -c.friction_dry;
    dry.upper = c.friction_dry;
    rows.add("dry friction", dry, 0.0);
  }
  if (c.lower) {
    RowMechanics limit = spring(c.limit_compliance, c.limit_damping);
    limit.lower = 0;
    rows.add("lower limit", limit, *c.lower);
  }
  if (c.upper) {
    RowMechanics limit = spring(c.limit_compliance, c.limit_damping);
    limit.upper = 0;
    rows.add("upper limit", limit, *c.upper);
  }
}

}  // namespace

RowMechanics described_row(const JointDescription& d, int row, int rows) {
  check_length(d, d.compliance, rows, "compliance");
  check_length(d, d.damping, rows, "damping");
  const double compliance = entry(d.compliance, row), damping = entry(d.damping, row);
  if (!(compliance >= 0) || !(damping >= 0))
    throw InputError("joint '" + d.name + "': expected compliance and damping of at least 0");
  if (damping > 0 && compliance == 0)
    throw InputError("joint '" + d.name + "': a rigid row has no damping; give it a compliance");
  return spring(compliance, damping);
}

double described_rest(const JointDescription& d, int row, int rows) {
  check_length(d, d.rest, rows, "rest");
  return entry(d.rest, row);
}

void require_anchor_on_particle(const Entities& entities, int entity, const Vec3& anchor, const JointDescription& d,
                                const EntityLookup& lookup) {
  constexpr double kRounding = 1e-9;  // of the distance from the origin
  if (entity < entities.bodies) return;
  const Vec3 x = lookup.pose_at(entity).x;
  if (norm(anchor - x) > kRounding * (norm(x) + norm(anchor)))
    throw InputError("joint '" + d.name + "': the anchor on particle '" +
                     (entity == lookup.find(d.a, d.name) ? d.a : d.b) + "' is not at its position");
}

int EntityLookup::find(const std::string& name, const std::string& joint) const {
  if (name == "world") return -1;
  const auto it = index.find(name);
  if (it != index.end()) return it->second;
  std::vector<std::string> names{"world"};
  for (const auto& [known, i] : index) names.push_back(known);
  throw InputError("joint '" + joint + "': unknown body '" + name + "'" + suggestion(name, names));
}

int EntityLookup::find_joint(const std::string& name) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == name) return static_cast<int>(i);
  return -1;
}

std::unique_ptr<JointPool> build_coordinate_rows(const Entities& entities, const std::vector<JointDescription>& joints,
                                                 const EntityLookup& lookup) {
  std::vector<ConstraintItem<JointCoordinate>> items;
  for (const JointDescription& d : joints)
    for (int k = 0; k < joint_traits(d.type).coordinates && k < static_cast<int>(d.coordinates.size()); ++k) {
      const std::array<int, 2> ends = joint_ends<2>(d, lookup);
      CoordinateRows rows(d, lookup.find_joint(d.name), k, ends, lookup.pose_at(ends[0]), lookup.pose_at(ends[1]),
                          items);
      add_rows(rows, d.coordinates[k]);
    }
  if (items.empty()) return nullptr;
  return std::make_unique<ConstraintPool<JointCoordinate>>(entities, std::move(items));
}

}  // namespace clarke
