#include "measure/probe.hpp"

#include "framework/error.hpp"

#include <cmath>
#include <stdexcept>

namespace clarke {
namespace {

std::vector<ThingSample> samples_of(const Frame& frame) {
  std::vector<ThingSample> samples;
  for (const FrameBody& body : frame.bodies)
    samples.push_back({body.position, body.velocity, body.angular_velocity, body.orientation, {}, 0});
  for (const FrameParticle& particle : frame.particles)
    samples.push_back({particle.position, particle.velocity, {}, {}, {}, 0});
  for (const FrameContact& contact : frame.contacts) {
    const Vec3 force = contact.normal_force + contact.friction_force;
    const double magnitude = norm(contact.normal_force);
    ThingSample& a = samples.at(static_cast<std::size_t>(contact.body_a));
    ThingSample& b = samples.at(static_cast<std::size_t>(contact.body_b));
    a.contact_force += force;
    b.contact_force -= force;
    a.normal_force += magnitude;
    b.normal_force += magnitude;
  }
  return samples;
}

/// The forces on `of` from its contacts with `with`; nothing else of it.
ThingSample between(const Frame& frame, std::size_t of, std::size_t with) {
  ThingSample sample;
  for (const FrameContact& contact : frame.contacts) {
    const auto a = static_cast<std::size_t>(contact.body_a);
    const auto b = static_cast<std::size_t>(contact.body_b);
    if (!(a == of && b == with) && !(a == with && b == of)) continue;
    const Vec3 force = contact.normal_force + contact.friction_force;
    sample.contact_force += a == of ? force : -force;
    sample.normal_force += norm(contact.normal_force);
  }
  return sample;
}

}  // namespace

std::string Query::text() const {
  return quantity + (of.empty() ? "" : " of " + of) + (with.empty() ? "" : " with " + with);
}

const Quantity& Query::found() const {
  const Quantity* const known = find_quantity(quantity);
  if (!known) throw InputError("unknown quantity '" + quantity + "'" + suggestion(quantity, quantity_names()));
  return *known;
}

Moment::Moment(const StepReport& report_, const Frame& frame_)
    : report(report_), frame(frame_), things(samples_of(frame_)) {}

Probe::Probe(const World& world) {
  for (const BodyDescription& body : world.bodies) {
    if (body.motion == Motion::dynamic) movable_.push_back(body.name);
  }
  for (const ParticleDescription& particle : world.particles) {
    if (!particle.fixed) movable_.push_back(particle.name);
  }
}

void Probe::start(const Frame& initial, const std::vector<Query>& queries) {
  things_.clear();
  joints_.clear();
  volumes_.clear();
  for (const FrameBody& body : initial.bodies) things_.emplace(body.name, things_.size());
  for (const FrameParticle& particle : initial.particles) things_.emplace(particle.name, things_.size());
  for (const FrameJoint& joint : initial.joints) joints_.emplace(joint.name, joints_.size());
  for (const FrameVolume& volume : initial.volumes) volumes_.emplace(volume.name, volumes_.size());
  volumes_at_start_ = initial.volumes;
  movable_index_.clear();
  for (const std::string& name : movable_) movable_index_.push_back(things_.at(name));
  start_ = samples_of(initial);
  for (const Query& query : queries) {
    const QuantitySubject subject = query.found().subject;
    const auto& names = subject == QuantitySubject::joint    ? joints_
                        : subject == QuantitySubject::volume ? volumes_
                                                             : things_;
    if ((!query.of.empty() && !names.count(query.of)) || (!query.with.empty() && !things_.count(query.with)))
      throw std::logic_error(query.text() + ": not in the frame");
  }
}

double Probe::value(const Query& query, const Moment& now) const {
  const Quantity& quantity = query.found();
  if (quantity.of_run) return quantity.of_run(now.report);
  if (quantity.of_joint) return quantity.of_joint(now.frame.joints.at(joints_.at(query.of)));
  if (quantity.of_volume) {
    const std::size_t i = volumes_.at(query.of);
    return quantity.of_volume(now.frame.volumes.at(i), volumes_at_start_.at(i));
  }
  const auto of_thing = [&](std::size_t i) {
    if (query.with.empty()) return quantity.of_thing(now.things.at(i), start_.at(i));
    return quantity.of_thing(between(now.frame, i, things_.at(query.with)), start_.at(i));
  };
  if (!query.of.empty()) return of_thing(things_.at(query.of));
  double largest = 0;
  for (const std::size_t i : movable_index_) {
    const double value = of_thing(i);
    if (!(value <= largest)) largest = value;
    if (std::isnan(value)) return value;
  }
  return largest;
}

}  // namespace clarke
