// The scene of cases/box_pile.yaml by Clarke and by Bullet, in one process and on one thread: seconds per step at rest,
// and how deep the boxes are in each other.
//
//   clarke_benchmark --benchmark_filter=box_pile
//
// Both start from the same bodies and take the same time step; Bullet has its defaults (10 iterations of its sequential
// impulse solver, sleeping switched off, since Clarke has none). 300 steps pass first, the following 30 are timed.
// Penetration is what each engine's own contacts report after the last step.

#include "scene/scene.hpp"
#include "tests/model_run.hpp"

#include <benchmark/benchmark.h>

#include <btBulletDynamicsCommon.h>

namespace clarke::benchmark {

namespace {

constexpr int kSettle = 300, kTimed = 30;

Scene box_pile(const ::benchmark::State& state) {
  const test::ScopedOptions options("-preset interactive -box_pile_count " + std::to_string(state.range(0)));
  return read_scene(std::string(CLARKE_SOURCE_DIR) + "/cases/box_pile.yaml");
}

btVector3 bullet(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A world of boxes in Bullet, owner of all its parts.
class BulletWorld {
 public:
  explicit BulletWorld(const World& world) {
    dynamics_.setGravity({0, 0, -9.81});
    for (const BodyDescription& body : world.bodies) add(body, world);
  }
  ~BulletWorld() {
    for (const auto& body : bodies_) dynamics_.removeRigidBody(body.get());
  }
  void step(double h) { dynamics_.stepSimulation(h, 0); }
  int contacts() {
    int count = 0;
    for_each_point([&](const btManifoldPoint&) { ++count; });
    return count;
  }
  double penetration() {
    double deepest = 0;
    for_each_point([&](const btManifoldPoint& p) { deepest = std::fmax(deepest, -p.getDistance()); });
    return deepest;
  }

 private:
  template <class Visit>
  void for_each_point(const Visit& visit) {
    for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(m);
      for (int i = 0; i < manifold.getNumContacts(); ++i) visit(manifold.getContactPoint(i));
    }
  }
  void add(const BodyDescription& body, const World& world) {
    shapes_.push_back(std::make_unique<btBoxShape>(bullet(body.shape.half)));
    const Vec3 h = body.shape.half;
    const MaterialDescription& material = world.materials.at(body.material);
    const double mass = body.motion == Motion::dynamic ? body.mass.value_or(8 * h.x * h.y * h.z * material.density) : 0;
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
    const Quat& q = body.orientation;
    states_.push_back(
        std::make_unique<btDefaultMotionState>(btTransform(btQuaternion(q.x, q.y, q.z, q.w), bullet(body.position))));
    btRigidBody::btRigidBodyConstructionInfo info(mass, states_.back().get(), shapes_.back().get(), inertia);
    info.m_friction = std::sqrt(material.friction);  // Bullet multiplies the two
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    dynamics_.addRigidBody(bodies_.back().get());
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld dynamics_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btBoxShape>> shapes_;
  std::vector<std::unique_ptr<btDefaultMotionState>> states_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

void by_bullet(::benchmark::State& state) {
  const Scene scene = box_pile(state);
  BulletWorld world(scene.world);
  for (int i = 0; i < kSettle; ++i) world.step(scene.time_step);
  for (auto _ : state) world.step(scene.time_step);
  state.counters["contacts"] = world.contacts();
  state.counters["penetration"] = world.penetration();
}

void by_clarke(::benchmark::State& state) {
  const Scene scene = box_pile(state);
  const test::ScopedOptions options("");
  Model model(scene.world, scene.time_step);
  for (int i = 0; i < kSettle; ++i) model.step();
  StepReport last;
  for (auto _ : state) last = model.step();
  state.counters["contacts"] = last.contacts;
  state.counters["penetration"] = last.verdict.penetration.value;
}

}  // namespace

BENCHMARK(by_bullet)
    ->Name("box_pile/bullet")
    ->Arg(100)
    ->Arg(400)
    ->Arg(1000)
    ->Iterations(kTimed)
    ->Unit(::benchmark::kMillisecond);
BENCHMARK(by_clarke)
    ->Name("box_pile/clarke")
    ->Arg(100)
    ->Arg(400)
    ->Arg(1000)
    ->Iterations(kTimed)
    ->Unit(::benchmark::kMillisecond);

}  // namespace clarke::benchmark
