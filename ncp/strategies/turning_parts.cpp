#include "ncp/strategies/turning_parts.hpp"

#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace clarke {

namespace {

constexpr int kFewestNodes = 4;
constexpr double kStraight = 1e-9;    // det I/(tr I)³ of nodes on a straight line, which have no inertia about it
constexpr double kSmallAngle = 1e-4;  // rad: below it two terms of a series have all digits

int root_of(std::vector<int>& parent, int b) {
  while (parent[b] != b) b = parent[b] = parent[parent[b]];
  return b;
}

/// Per velocity block: the particle it is of, or −1 where it is a body's.
std::vector<int> particles_of(const StepProblem& problem) {
  const auto block_of = host_copy(problem.entities().block_of);
  std::vector<int> entity(problem.system().blocks, -1);
  for (int e = 0; e < problem.entities().count; ++e)
    if (block_of(e).v >= 0 && block_of(e).w < 0) entity[block_of(e).v] = e;
  return entity;
}

/// The blocks of each part, both in order.
std::vector<std::vector<int>> parts_of(const SaddlePointSystem& s, const std::vector<int>& entity) {
  const auto pattern = host_copy(s.pattern);
  const auto item_tangent = host_copy(s.forces.item_tangent);
  std::vector<int> parent(s.blocks), size(s.blocks, 0), number(s.blocks, -1);
  std::iota(parent.begin(), parent.end(), 0);
  for (int i = 0; i < pattern.items; ++i) {
    if (pattern.item_row(i + 1) > pattern.item_row(i) || item_tangent(i + 1) == item_tangent(i)) continue;
    int last = -1;
    for (int k = pattern.item_slot(i); k < pattern.item_slot(i + 1); ++k) {
      const int b = pattern.slot_block(k);
      if (b < 0 || entity[b] < 0) continue;
      if (last >= 0) parent[root_of(parent, b)] = root_of(parent, last);
      last = b;
    }
  }
  for (int b = 0; b < s.blocks; ++b) ++size[root_of(parent, b)];
  std::vector<std::vector<int>> parts;
  for (int b = 0; b < s.blocks; ++b) {
    const int root = root_of(parent, b);
    if (entity[b] < 0 || size[root] < kFewestNodes) continue;
    if (number[root] < 0) {
      number[root] = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[number[root]].push_back(b);
  }
  return parts;
}

View<int> on_device(const std::string& label, const std::vector<int>& from) {
  const View<int> to(label, static_cast<int>(from.size()));
  const auto host = Kokkos::create_mirror_view(to);
  std::copy(from.begin(), from.end(), host.data());
  Kokkos::deep_copy(to, host);
  return to;
}

}  // namespace

void TurningParts::find(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  if (s.forces.tangents == tangents_ && s.blocks == blocks_) return;
  tangents_ = s.forces.tangents;
  blocks_ = s.blocks;
  parts_ = 0;
  if (tangents_ == 0) return;
  const std::vector<int> particle = particles_of(problem);
  const std::vector<std::vector<int>> parts = parts_of(s, particle);
  std::vector<int> first{0}, block, entity;
  for (const std::vector<int>& part : parts) {
    for (const int b : part) {
      block.push_back(b);
      entity.push_back(particle[b]);
    }
    first.push_back(static_cast<int>(block.size()));
  }
  parts_ = static_cast<int>(parts.size());
  first_ = on_device("part_first", first);
  block_ = on_device("part_block", block);
  entity_ = on_device("part_entity", entity);
}

void TurningParts::take(const StepProblem& problem, Vec base, Vec from, Vec y, double a, Vec to) {
  const int blocks = problem.system().blocks;
  clarke::take(problem.system(), from, y, a, to);
  const VecRead start(base), x(from), step(y);
  VecUpdate out(to);
  take(problem, as_vec3(start.view(), 0, blocks), as_vec3(x.view(), 0, blocks), as_vec3(step.view(), 0, blocks), -a,
       as_vec3(out.view(), 0, blocks));
}

void TurningParts::turn(const StepProblem& problem, Vec base, Vec change, Vec point) {
  const int blocks = problem.system().blocks;
  const VecRead start(base);
  VecUpdate du(change), x(point);
  const View<Vec3> still = still_.resize(blocks), step = step_.resize(blocks), at = as_vec3(start.view(), 0, blocks),
                   d = as_vec3(du.view(), 0, blocks), u = as_vec3(x.view(), 0, blocks);
  fill(still, Vec3{});
  Kokkos::deep_copy(step, d);
  take(problem, at, still, step, 1, d);
  const View<int> block = block_;
  parallel_for(
      "turned_point", static_cast<int>(block.extent(0)),
      KOKKOS_LAMBDA(int k) { u(block(k)) = at(block(k)) + d(block(k)); });
}

void TurningParts::take(const StepProblem& problem, const View<Vec3>& at, const View<Vec3>& from,
                        const View<Vec3>& step, double scale, const View<Vec3>& out) {
  const View<Vec3> u0 = at, du = from, d = step, t = out, q = problem.state().x;
  const View<Mat3> inverse_mass = problem.system().mass_inverse;
  const View<int> first = first_, block = block_, entity = entity_;
  const View<double> angle = angles_.resize(parts_);
  const double h = problem.context().h, a = scale;
  parallel_for(
      "turning_parts", parts_,
      KOKKOS_LAMBDA(int part) {
        const int begin = first(part), end = first(part + 1);
        double mass = 0;
        Vec3 centre{}, mean{};
        for (int k = begin; k < end; ++k) {
          const int b = block(k);
          const double m = 1 / inverse_mass(b)(0, 0);
          mass += m;
          centre += m * (q(entity(k)) + h * (u0(b) + du(b)));
          mean += (m * a) * d(b);
        }
        centre = (1 / mass) * centre;
        mean = (1 / mass) * mean;
        Mat3 inertia{};
        Vec3 momentum{};
        for (int k = begin; k < end; ++k) {
          const int b = block(k);
          const double m = 1 / inverse_mass(b)(0, 0);
          const Vec3 r = q(entity(k)) + h * (u0(b) + du(b)) - centre;
          inertia = inertia + m * (dot(r, r) * Mat3::identity() - outer(r, r));
          momentum += m * cross(r, a * d(b) - mean);
        }
        const double trace = inertia(0, 0) + inertia(1, 1) + inertia(2, 2);
        angle(part) = 0;
        if (!(determinant(inertia) > kStraight * trace * trace * trace)) return;
        const Vec3 turn = h * (inverse(inertia) * momentum);
        const double theta = norm(turn), half = std::sin(0.5 * theta);
        angle(part) = theta;
        // R − 1 = s [θ]× + c [θ]×²
        const bool small = theta < kSmallAngle;
        const double s_less_1 = small ? -theta * theta / 6 : std::sin(theta) / theta - 1,
                     c = small ? 0.5 - theta * theta / 24 : 2 * half * half / (theta * theta);
        for (int k = begin; k < end; ++k) {
          const int b = block(k);
          const Vec3 r = q(entity(k)) + h * (u0(b) + du(b)) - centre, e = a * d(b) - mean - (1 / h) * cross(turn, r),
                     across = cross(turn, r + h * e);
          t(b) = du(b) + a * d(b) + (1 / h) * (s_less_1 * across + c * cross(turn, across)) + cross(turn, e);
        }
      },
      100);
  angle_ = largest_of(
      "part_angle", parts_, KOKKOS_LAMBDA(int part) { return angle(part); });
}

}  // namespace clarke
