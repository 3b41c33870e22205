// What a Model shows of itself: frames, surfaces, resolved options, and the explanation of a stalled step.

#include "assembly/model.hpp"
#include "assembly/solver_record.hpp"
#include "assembly/step_explanation.hpp"
#include "assembly/surface_fields.hpp"
#include "framework/option_database.hpp"
#include "ncp/strategies/nonsmooth_newton.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "physics/cloth/cloth_frame.hpp"
#include "physics/cloth/cloth_options.hpp"
#include "physics/collision/surfaces.hpp"
#include "physics/soft/soft_frame.hpp"
#include "physics/volumes/volume_law.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace clarke {

void Model::share_surfaces() {
  // Bodies whose whole shape is a few numbers share a surface: ten thousand equal spheres are one. Those of different
  // materials do not where any has a field to show.
  const bool fields = contacts_->cones().structured();
  std::map<std::pair<std::array<double, 7>, std::string>, int> known;
  for (const BodyDescription& b : world_.bodies) {
    const ShapeDescription& s = b.shape;
    using Kind = ShapeDescription::Kind;
    if (s.kind == Kind::none) {
      surface_of_.push_back(-1);
      continue;
    }
    const int next = static_cast<int>(surface_body_.size());
    int index = next;
    if (s.kind == Kind::sphere || s.kind == Kind::box || s.kind == Kind::capsule || s.kind == Kind::cylinder)
      index = known
                  .try_emplace({{double(s.kind), s.radius, s.half_height, s.half.x, s.half.y, s.half.z, b.thickness},
                                fields ? b.material : ""},
                               next)
                  .first->second;
    if (index == next) surface_body_.push_back(static_cast<int>(surface_of_.size()));
    surface_of_.push_back(index);
  }
}

std::vector<Surface> Model::surfaces() const {
  std::vector<Surface> out;
  for (int body : surface_body_) {
    out.push_back(body_surface(world_.bodies[body]));
    if (contacts_->cones().structured()) add_structure(out.back(), contacts_->cones(), body, state().x);
  }
  return out;
}

Frame Model::frame() const {
  Frame f;
  f.index = steps();
  f.time = state().t;
  HostPoses poses;
  std::vector<Vec3> u;
  std::vector<Twist> twists;
  read_poses(poses);
  to_host(state().u, u);
  to_host(entities_.prescribed, twists);
  const auto& [x, q] = poses;
  for (int e = 0; e < entities_.count; ++e) {
    const EntityBlocks b = block_of_[e];
    Twist& twist = twists[e];
    if (b.v >= 0) twist = {u[b.v], b.w < 0 ? Vec3{} : u[b.w]};
    if (e < entities_.bodies) {
      f.bodies.push_back({names_[e], surface_of_[e], x[e], q[e], twist.v, twist.w, mass_[e]});
    } else {
      f.particles.push_back({names_[e], world_.particles[e - entities_.bodies].radius, mass_[e], x[e], twist.v});
    }
  }
  if (!world_.softs.empty() || !world_.cloths.empty()) {
    std::vector<Vec3> nodes, velocities;
    for (const FrameParticle& p : f.particles) {
      nodes.push_back(p.position);
      velocities.push_back(p.velocity);
    }
    const auto show_field = [&](int first_particle) {
      const int first = entities_.bodies + first_particle;
      if (contacts_->cones().structured()) add_structure(f.softs.back(), contacts_->cones(), first, state().x);
    };
    for (const SoftDescription& body : world_.softs) {
      f.softs.push_back(soft_frame(body, nodes, velocities));
      show_field(body.first_particle);
      for (std::size_t n = 0; n < body.mesh.nodes.size(); ++n) f.particles[body.first_particle + n].node = true;
    }
    for (const ClothDescription& cloth : world_.cloths) {
      f.softs.push_back(cloth_frame(cloth, nodes, velocities));
      show_field(cloth.first_particle);
      for (std::size_t n = 0; n < cloth.mesh.nodes.size(); ++n) f.particles[cloth.first_particle + n].node = true;
    }
  }
  if (steps() > 0) f.contacts = frame_contacts();
  if (geometry_looked_)
    for (const SolidOverlap& overlap : geometry_->overlaps())
      f.overlaps.push_back({geometry_->name_of(overlap), overlap.depth});
  f.joints = frame_joints(poses, twists);
  f.volumes.resize(world_.volumes.size());
  for (const auto& [list, pool] : volume_pools_) {
    const std::vector<VolumeReading> readings = pool->readings();
    for (std::size_t k = 0; k < list.size(); ++k)
      f.volumes[list[k]] = {readings[k].name, readings[k].volume, readings[k].pressure};
  }
  return f;
}

void Model::read_poses(HostPoses& poses) const {
  to_host(state().x, poses.x);
  to_host(state().orientation, poses.q);
}

std::vector<FrameJoint> Model::frame_joints(const HostPoses& poses, const std::vector<Twist>& twists) const {
  const auto twist = [&](int e) { return e < 0 ? Twist{} : twists[e]; };
  std::vector<JointReaction> reactions(world_.joints.size());
  if (steps() > 0)
    for (const auto& [index, pool] : joint_pools_) {
      const SystemSlice s = simulation_->problem().slice(index);
      pool->add_reactions(poses, Kokkos::subview(impulse(), Kokkos::make_pair(s.first_row, s.first_row + s.rows)),
                          simulation_->problem().context().h, reactions);
    }
  std::vector<FrameJoint> out;
  for (std::size_t j = 0; j < readings_.readings().size(); ++j) {
    FrameJoint f = readings_.readings()[j].read(poses, twist);
    const JointReaction& r = reactions[j];
    f.force = r.force;
    f.violation = r.violation;
    f.torque = r.torque - cross(f.point - poses.of(f.body_a).x, r.force);  // the world's origin is at 0
    for (std::size_t k = 0; k < f.coordinate.size(); ++k) f.effort.push_back(r.effort[k]);
    out.push_back(std::move(f));
  }
  return out;
}

namespace {

using EntityDepths = std::map<std::pair<int, int>, double>;

/// Entities of one side of contact i: the nodes that its point is between, or `entity` itself.
std::vector<int> ends_of(const std::vector<BarycentricPoint>& places, int i, int entity) {
  std::vector<int> out;
  for (int k = 0; k < 3 && !places.empty() && places[i].node[k] >= 0; ++k) out.push_back(places[i].node[k]);
  return out.empty() ? std::vector<int>{entity} : out;
}

double deepest(const EntityDepths& depths, const std::vector<int>& a, const std::vector<int>& b) {
  double out = 0;
  for (const int p : a)
    for (const int r : b)
      if (const auto found = depths.find({std::min(p, r), std::max(p, r)}); found != depths.end())
        out = std::fmax(out, found->second);
  return out;
}

}  // namespace

std::vector<FrameContact> Model::frame_contacts() const {
  const ContactSet& c = contacts_->contacts();
  std::vector<FrameContact> out(c.count);
  if (c.count == 0) return out;
  const StepPoint& at = simulation_->problem().point();
  const auto x = host_copy(at.x);
  const auto q = host_copy(at.orientation);
  const auto a = host_copy(c.a), b = host_copy(c.b);
  const auto pa = host_copy(c.point_a), pb = host_copy(c.point_b), n = host_copy(c.normal);
  const auto ra = host_copy(c.radius_a), rb = host_copy(c.radius_b);
  const ConeRows& cone = contacts_->cones().rows();
  const auto d1 = host_copy(cone.d1), d2 = host_copy(cone.d2);
  const auto mu = host_copy(cone.friction), scale = host_copy(cone.scale);
  const auto section = host_copy(cone.section);
  const auto id = host_copy(c.id);
  const RowSet& rows = contacts_->readings();
  const bool judged = contacts_->rows() != nullptr;
  const auto v = host_copy(rows.velocity), impulse = host_copy(rows.impulse), gamma = host_copy(rows.compliance);
  std::vector<BarycentricPoint> barycentric_points_a, barycentric_points_b;
  to_host(c.barycentric_a, barycentric_points_a);
  to_host(c.barycentric_b, barycentric_points_b);
  const auto side = [&](const std::vector<BarycentricPoint>& places, int i, int entity) {
    if (places.empty() || places[i].node[0] < 0) return Pose{x(entity), entity < entities_.bodies ? q(entity) : Quat{}};
    Pose pose{{}, Quat{}};
    for (int k = 0; k < 3 && places[i].node[k] >= 0; ++k) pose.x += places[i].weight[k] * x(places[i].node[k]);
    return pose;
  };
  const EntityDepths depths = geometry_looked_ ? geometry_->depth_of_entities() : EntityDepths();
  const double h = simulation_->problem().context().h * simulation_->problem().integrator().contact_weight();
  // A normal impulse that is rounding beside the largest has no cone to use.
  constexpr double kCarries = 1e-12;
  double carried = 0;
  for (int i = 0; i < c.count; ++i) carried = std::fmax(carried, kCarries * impulse(3 * i));
  const std::vector<ContactResiduals> residuals = judged ? judge_.contacts() : std::vector<ContactResiduals>(c.count);
  for (int i = 0; i < c.count; ++i) {
    const Pose A = side(barycentric_points_a, i, a(i)), B = side(barycentric_points_b, i, b(i));
    const ContactGeometry g = contact_geometry(A, B, pa(i), pb(i), ra(i), rb(i), n(i));
    const Vec3 t1 = d1(i), t2 = d2(i);
    const double s1 = scale(2 * i), s2 = scale(2 * i + 1);
    const double ln = impulse(3 * i), l1 = impulse(3 * i + 1), l2 = impulse(3 * i + 2);
    const ContactResiduals& r = residuals[i];
    FrameContact& f = out[i];
    f.point = 0.5 * (A.x + g.arm_a + B.x + g.arm_b);
    f.normal = n(i);
    f.normal_force = (ln / h) * n(i);
    f.friction_force = (l1 / h) * t1 + (l2 / h) * t2;
    // Without what compliance adds in the law.
    f.slip_velocity = ((v(3 * i + 1) - gamma(3 * i + 1) * l1) / (s1 * s1)) * t1 +
                      ((v(3 * i + 2) - gamma(3 * i + 2) * l2) / (s2 * s2)) * t2;
    f.gap = g.gap;
    if (geometry_looked_)
      f.geometric_penetration =
          deepest(depths, ends_of(barycentric_points_a, i, a(i)), ends_of(barycentric_points_b, i, b(i)));
    const double used = section.extent(0) > 0 ? section_gauge(section(i), l1, l2) : std::hypot(l1, l2);
    f.cone_usage = mu(i) > 0 && ln > carried ? used / (mu(i) * ln) : 0;
    f.axis_1 = mu(i) * t1;
    f.axis_2 = mu(i) * t2;
    f.residual = r.natural_map;
    f.status = judged                                                              ? r.status
               : !(ln > 0)                                                         ? ContactStatus::open
               : std::hypot(v(3 * i + 1), v(3 * i + 2)) < penalty_options_.epsilon ? ContactStatus::stick
                                                                                   : ContactStatus::slip;
    f.body_a = a(i);
    f.body_b = b(i);
    f.id = static_cast<long long>(id(i));
  }
  return out;
}

nlohmann::json Model::resolved_options() {
  nlohmann::json out;
  const auto add = [&out](const std::function<void(OptionVisitor&)>& describe) {
    out.update(options_record(describe));
  };
  add([this](OptionVisitor& v) { options_.describe(v); });
  add([this](OptionVisitor& v) { body_options_.describe(v); });
  add([this](OptionVisitor& v) { contact_options_.describe(v); });
  add([this](OptionVisitor& v) { warm_start_options_.describe(v); });
  add([this](OptionVisitor& v) { contact_slop_.describe(v); });
  add([this](OptionVisitor& v) { near_rigid_.describe(v); });
  add([this](OptionVisitor& v) { compliance_options_.describe(v); });
  add([this](OptionVisitor& v) { penalty_options_.describe(v); });
  if (!joint_pools_.empty()) add([this](OptionVisitor& v) { joint_relaxation_.describe(v); });
  add([this](OptionVisitor& v) { friction_options_.describe(v); });
  add([this](OptionVisitor& v) { restitution_options_.describe(v); });
  add([this](OptionVisitor& v) { geometric_options_.describe(v); });
  add([this](OptionVisitor& v) { detect_again_options_.describe(v); });
  add([this](OptionVisitor& v) { step_halving_.describe(v); });
  if (!world_.softs.empty() || !world_.cloths.empty()) add([this](OptionVisitor& v) { soft_options_.describe(v); });
  if (!world_.cloths.empty()) {
    ClothOptions cloth;
    read_options(cloth);
    add([&cloth](OptionVisitor& v) { cloth.describe(v); });
  }
  if (!world_.volumes.empty()) {
    VolumeOptions volumes;
    read_options(volumes);
    add([&volumes](OptionVisitor& v) { volumes.describe(v); });
  }
  add([this](OptionVisitor& v) { contacts_->law().describe(v); });
  add([this](OptionVisitor& v) { simulation_->problem().integrator().describe(v); });
  add([this](OptionVisitor& v) { initial_.describe(v); });
  add([this](OptionVisitor& v) { feasibility_->describe(v); });
  add([this](OptionVisitor& v) { overlaps_.describe(v); });
  if (joint_law_) add([this](OptionVisitor& v) { joint_law_->describe(v); });
  auto& solver = static_cast<SnesStepSolver&>(simulation_->solver());
  add([&solver](OptionVisitor& v) { solver.describe(v); });
  add([this](OptionVisitor& v) { fallbacks_.describe(v); });
  out.update(solver_record(solver.snes()));
  return out;
}

std::string Model::explain(const StepReport& report) const {
  std::string out = explanation(report, database_value("snes_type").value_or(""));
  if (!report.feasibility.empty()) out += "  " + report.feasibility + "\n";
  if (report.failed) out += initial_.explain(simulation_->problem(), state());
  return out;
}

}  // namespace clarke
