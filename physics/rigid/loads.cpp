#include "physics/rigid/loads.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <numeric>

namespace clarke {
namespace {

bool is_zero(const VectorFunction& f) { return f.is_constant() && norm2(f(0)) == 0; }

void check(const LoadDescription& load, bool moves, bool particle) {
  const std::string owner = "load '" + load.name + "': ";
  if (!moves) throw InputError(owner + "'" + load.body + "' is static or prescribed and takes no load");
  if (particle && (!is_zero(load.torque) || norm2(load.point) > 0 || load.body_frame))
    throw InputError(owner + "'" + load.body + "' is a particle, which has no torque, point or body frame");
}

}  // namespace

Loads::Loads(const Entities& entities, std::vector<LoadDescription> loads, const std::vector<int>& entity)
    : loads_(std::move(loads)), order_(loads_.size()), entities_(entities) {
  if (loads_.empty()) return;
  std::vector<EntityBlocks> block_of;
  to_host(entities.block_of, block_of);
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    check(loads_[i], block_of[entity[i]].v >= 0, entity[i] >= entities.bodies);
    constant_ = constant_ && loads_[i].force.is_constant() && loads_[i].torque.is_constant();
  }
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return entity[a] < entity[b]; });
  std::vector<int> loaded, first;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    if (k > 0 && entity[order_[k]] == loaded.back()) continue;
    loaded.push_back(entity[order_[k]]);
    first.push_back(static_cast<int>(k));
  }
  first.push_back(static_cast<int>(order_.size()));
  entity_ = to_device("load_entity", loaded);
  first_ = to_device("load_first", first);
  values_ = View<LoadValue>("load_values", loads_.size());
  host_values_ = Kokkos::create_mirror_view(values_);
  fill(0);
}

void Loads::fill(double t) {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const LoadDescription& load = loads_[order_[k]];
    host_values_(k) = {load.force(t), load.torque(t), load.point, load.body_frame};
  }
  Kokkos::deep_copy(values_, host_values_);
}

void Loads::evaluate(double t) {
  if (!constant_) fill(t);
}

void Loads::add_to(const StepContext& context, const State& state, SaddlePointSystem& system) const {
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<int> entity = entity_, first = first_;
  const View<LoadValue> values = values_;
  const View<Vec3> x = state.x, u_tilde = system.u_tilde;
  const View<Quat> orientation = state.orientation;
  const View<Mat3> inverse_mass = system.mass_inverse;
  const int bodies = entities_.bodies;
  const double h = context.h;
  parallel_for(
      "add_loads", static_cast<int>(entity.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const EntityBlocks b = block_of(entity(i));
        const Mat3 R = rotation_matrix(pose_of(entity(i), bodies, x, orientation).q);
        Vec3 force{}, torque{};
        for (int k = first(i); k < first(i + 1); ++k) {
          const LoadValue& load = values(k);
          const Vec3 f = load.body_frame ? R * load.force : load.force;
          force += f;
          torque += (load.body_frame ? R * load.torque : load.torque) + cross(R * load.point, f);
        }
        u_tilde(b.v) += h * (inverse_mass(b.v) * force);
        if (b.w >= 0) u_tilde(b.w) += h * (inverse_mass(b.w) * torque);
      },
      64);
}

}  // namespace clarke
