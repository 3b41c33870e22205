// The broad phase by itself: boxes in a heap, alone and over a static mesh, from 10³ to 10⁵.

#include "physics/collision/broad_phase.hpp"
#include "tests/benchmark/measure.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace clarke::benchmark {
namespace {

/// A heap of n boxes of edge 0.2 m, turned at random and nearly touching, in random order; moving slowly.
World heap(int n) {
  constexpr double kPitch = 0.25;  // [m]
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  World world;
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  for (int i = 0; i < n; ++i) {
    BodyDescription b;
    b.shape.kind = ShapeDescription::Kind::box;
    b.shape.half = {0.1, 0.1, 0.1};
    const int row = i / side % side, layer = i / side / side;
    b.position = {kPitch * (i % side), kPitch * row, kPitch * layer};
    b.orientation = normalized(Quat{1, number(random), number(random), number(random)});
    b.velocity = {number(random), number(random), number(random)};
    world.bodies.push_back(b);
  }
  std::shuffle(world.bodies.begin(), world.bodies.end(), random);
  return world;
}

/// A wavy ground of some `triangles` under it.
void add_ground(World& world, int triangles) {
  BodyDescription b;
  b.motion = Motion::fixed;
  b.shape.kind = ShapeDescription::Kind::height_field;
  b.shape.columns = b.shape.rows = 1 + static_cast<int>(std::sqrt(triangles / 2));
  b.shape.spacing_x = b.shape.spacing_y = 0.1;
  for (int j = 0; j < b.shape.rows; ++j)
    for (int i = 0; i < b.shape.columns; ++i)
      b.shape.heights.push_back(-0.2 + 0.05 * std::sin(0.3 * i) * std::cos(0.2 * j));
  world.bodies.insert(world.bodies.begin(), b);
}

struct Scene {
  Entities entities;
  State state;
};

Scene scene_of(const World& world) {
  const int n = static_cast<int>(world.bodies.size());
  std::vector<EntityBlocks> blocks(n);
  std::vector<Vec3> x, u;
  std::vector<Quat> q;
  for (int e = 0; e < n; ++e) {
    const BodyDescription& b = world.bodies[e];
    x.push_back(b.position);
    q.push_back(b.orientation);
    if (b.motion != Motion::dynamic) continue;
    const int first = static_cast<int>(u.size());
    blocks[e] = {first, first + 1};
    u.push_back(b.velocity);
    u.push_back(b.angular_velocity);
  }
  Scene scene;
  scene.entities.bodies = scene.entities.count = n;
  scene.entities.blocks = static_cast<int>(u.size());
  scene.entities.block_of = to_device("block_of", blocks);
  scene.entities.prescribed = View<Twist>("prescribed", n);
  scene.state.x = to_device("x", x);
  scene.state.orientation = to_device("orientation", q);
  scene.state.u = to_device("u", u);
  return scene;
}

void time_broad_phase(::benchmark::State& state, int boxes, int triangles) {
  World world = heap(boxes);
  if (triangles > 0) add_ground(world, triangles);
  const Scene scene = scene_of(world);
  BroadPhase broad_phase(build_shapes(world), scene.entities, CollisionFilter({}));
  std::size_t pairs = broad_phase.find_pairs(scene.state, 1.0 / 120, {0.005, 1}).extent(0);
  for (auto _ : state) pairs = broad_phase.find_pairs(scene.state, 1.0 / 120, {0.005, 1}).extent(0);
  state.counters["pairs"] = static_cast<double>(pairs);
  // Box and node of each collider that moves, written and read twice, and the pairs.
  record(state, static_cast<double>(boxes) * 3 * (sizeof(Aabb) + sizeof(BoxNode)) +
                    static_cast<double>(pairs) * sizeof(ColliderPair));
}

const bool kRegistered = [] {
  for (const int boxes : {10, 100, 1000, 10000, 100000})
    add_benchmark("broad_phase/heap/" + std::to_string(boxes),
                  [=](::benchmark::State& state) { time_broad_phase(state, boxes, 0); });
  for (const int triangles : {1000, 100000, 1000000})
    add_benchmark("broad_phase/ground/" + std::to_string(triangles),
                  [=](::benchmark::State& state) { time_broad_phase(state, 1000, triangles); });
  return true;
}();

}  // namespace
}  // namespace clarke::benchmark
