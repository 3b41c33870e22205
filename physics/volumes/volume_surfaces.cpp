#include "physics/volumes/enclosed_volume.hpp"
#include "physics/volumes/volume_pool.hpp"

#include <map>

namespace clarke {

SurfaceLists surface_lists(const Entities& entities, const World& world, const std::vector<int>& volumes) {
  const auto block_of = host_copy(entities.block_of);
  SurfaceLists out;
  for (const int v : volumes) {
    const auto& triangles = world.volumes[v].triangles;
    std::map<int, int> node_of;  // particle -> node
    std::vector<int> blocks;
    const int first = out.first_node.back();
    for (const auto& t : triangles)
      for (const int particle : t) node_of.emplace(particle, 0);
    for (auto& [particle, node] : node_of) {
      node = static_cast<int>(out.entity.size());
      out.entity.push_back(entities.bodies + particle);
      out.volume_of.push_back(static_cast<int>(out.start.size()));
      const int block = block_of(out.entity.back()).v;
      out.column.push_back(block < 0 ? -1 : static_cast<int>(blocks.size()));
      if (block >= 0) blocks.push_back(block);
    }
    if (blocks.empty()) throw InputError("volume '" + world.volumes[v].name + "': all of its nodes are fixed");
    std::vector<std::vector<std::array<int, 2>>> around(node_of.size());
    const Vec3 origin = world.particles[triangles.front()[0]].position;
    double area = 0, volume = 0;
    for (const auto& t : triangles) {
      Vec3 x[3];
      int node[3];
      std::vector<int> own;
      for (int k = 0; k < 3; ++k) {
        x[k] = world.particles[t[k]].position - origin;
        node[k] = node_of.at(t[k]);
        const int block = block_of(out.entity[node[k]]).v;
        out.corner.push_back(node[k]);
        out.slot.push_back(block < 0 ? -1 : static_cast<int>(own.size()));
        if (block >= 0) own.push_back(block);
      }
      for (int k = 0; k < 3; ++k) around[node[k] - first].push_back({node[(k + 1) % 3], node[(k + 2) % 3]});
      area += 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
      volume += enclosed_volume(x[0], x[1], x[2]);
      out.triangle_blocks.push_back(std::move(own));
    }
    for (const auto& list : around) {
      for (const auto& [next, after] : list) {
        out.next.push_back(next);
        out.after.push_back(after);
      }
      out.around.push_back(static_cast<int>(out.next.size()));
    }
    out.first_node.push_back(static_cast<int>(out.entity.size()));
    out.inverse_area.push_back(1 / area);
    out.start.push_back(volume);
    out.blocks.push_back(std::move(blocks));
  }
  return out;
}

VolumeSurfaces::VolumeSurfaces(const Entities& entities, const World& world, const std::vector<int>& volumes)
    : lists_(surface_lists(entities, world, volumes)),
      views_{to_device("volume_first_node", lists_.first_node),
             to_device("volume_of", lists_.volume_of),
             to_device("volume_entity", lists_.entity),
             to_device("volume_column", lists_.column),
             to_device("volume_around", lists_.around),
             to_device("volume_next", lists_.next),
             to_device("volume_after", lists_.after),
             to_device("volume_corner", lists_.corner),
             to_device("volume_slot", lists_.slot),
             to_device("volume_area", lists_.inverse_area)},
      gradient_("volume_gradient", lists_.entity.size()),
      volume_(to_device("volume", lists_.start)) {}

void VolumeSurfaces::measure(const View<Vec3>& positions, const SystemSlice& slice) {
  const SurfaceViews all = views_;
  const View<Vec3> gradient = gradient_, x = positions;
  const View<double> volume = volume_;
  const SystemSlice& s = slice;
  parallel_for(
      "volume_gradient", static_cast<int>(lists_.entity.size()),
      KOKKOS_LAMBDA(int n) {
        const int v = all.volume_of(n);
        const Vec3 origin = x(all.entity(all.first_node(v)));
        Vec3 sum{};
        for (int k = all.around(n); k < all.around(n + 1); ++k)
          sum += enclosed_volume_gradient(x(all.entity(all.next(k))) - origin, x(all.entity(all.after(k))) - origin);
        gradient(n) = sum;
        if (all.column(n) >= 0)
          s.jacobian(s.pattern.item_value(s.first_item + v) + all.column(n)) = all.inverse_area(v) * sum;
      },
      150);
  parallel_for(  // in the order of the nodes: the same for any number of threads
      "volume", count(),
      KOKKOS_LAMBDA(int v) {
        const Vec3 origin = x(all.entity(all.first_node(v)));
        double sum = 0;
        for (int n = all.first_node(v); n < all.first_node(v + 1); ++n)
          sum += dot(x(all.entity(n)) - origin, gradient(n));
        volume(v) = sum / 3;
      },
      1000);
}

void VolumeSurfaces::clear_forces(const SystemSlice& slice) const {
  const SystemSlice& s = slice;
  const int first = s.first_item + count(), before = count();
  parallel_for(
      "volume_no_force", s.items - count(),
      KOKKOS_LAMBDA(int t) {
        s.slip_frame(2 * (before + t)) = 1;
        s.slip_frame(2 * (before + t) + 1) = 0;
        for (int k = s.pattern.item_slot(first + t); k < s.pattern.item_slot(first + t + 1); ++k) s.force(k) = {};
      },
      10);
}

void VolumeSurfaces::stiffness(double b, const StepPoint& point, const SystemSlice& slice) const {
  const SurfaceViews all = views_;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const int volumes = count();
  parallel_for(
      "volume_stiffness", s.items - volumes,
      KOKKOS_LAMBDA(int t) {
        const int item = s.first_item + volumes + t, tangent = s.item_tangent(item);
        const int columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
        const int v = all.volume_of(all.corner(3 * t));
        const Vec3 origin = at.x(all.entity(all.first_node(v)));
        const double scale = -b * at.impulse(s.first_row + v) * all.inverse_area(v);
        Vec3 x[3];
        for (int k = 0; k < 3; ++k) x[k] = at.x(all.entity(all.corner(3 * t + k))) - origin;
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) {
            const int row = all.slot(3 * t + k), column = all.slot(3 * t + l);
            if (row >= 0 && column >= 0)
              s.tangent(tangent + row * columns + column) = scale * enclosed_volume_hessian(x, k, l);
          }
      },
      100);
}

}  // namespace clarke
