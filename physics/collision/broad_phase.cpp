#include "physics/collision/broad_phase.hpp"

#include "physics/collision/soft_faces.hpp"

#include <algorithm>

namespace clarke {
namespace {

/// What a query needs to know of the scene.
struct Surroundings {
  ShapeSet shapes;
  Entities entities;
  CollisionFilter filter;
  View<int> movers, resting, planes;
  BoxTreeView mover_tree, resting_tree;
  View<Vec3> x, u;
  View<Quat> orientation;
  double h;
  ContactMargin margin;

  /// Half of the base and the body's own speed: for two bodies together at least the margin of the pair.
  KOKKOS_INLINE_FUNCTION double own_margin(int c) const {
    const Twist twist = owner_twist(shapes, c, entities, u);
    return 0.5 * margin.base + margin.speed * h * (norm(twist.v) + own_spread(shapes, c, twist));
  }
  KOKKOS_INLINE_FUNCTION Pose pose(int c) const {
    return collider_pose(shapes, c, owner_pose(shapes, c, entities, x, orientation));
  }
  KOKKOS_INLINE_FUNCTION Aabb box(int c) const { return bounding_box(shapes, c, pose(c), own_margin(c)); }
  /// Whether contacts between the two make sense, wherever they are.
  KOKKOS_INLINE_FUNCTION bool may_touch(int i, int j) const {
    if (shapes.entity(i) == shapes.entity(j)) return false;
    // Two points have no surface that could touch.
    if (shapes.kind(i) == ShapeKind::sphere && shapes.kind(j) == ShapeKind::sphere &&
        !(contact_radius(shapes, i) + contact_radius(shapes, j) > 0))
      return false;
    if (is_soft(shapes, i) && is_soft(shapes, j) && share_corner(shapes, i, j)) return false;
    for (int k = 0; k < owners(i); ++k)
      for (int l = 0; l < owners(j); ++l)
        if (filter.keeps_apart(owner(i, k), owner(j, l))) return false;
    return true;
  }
  /// Entities of which a collider is: a face of a deforming surface is of its three nodes.
  KOKKOS_INLINE_FUNCTION int owners(int c) const { return is_soft(shapes, c) ? 3 : 1; }
  KOKKOS_INLINE_FUNCTION int owner(int c, int k) const {
    return is_soft(shapes, c) ? shapes.soft_node(c - shapes.soft_begin).node[k] : shapes.entity(c);
  }

  /// Calls visit(partner) for all partners that number `mover` of the movers, with this box, has to find.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void find_partners(const Aabb& box, int mover, Visit& visit) const {
    const int c = movers(mover);
    for (int k = 0; k < static_cast<int>(planes.extent(0)); ++k) {
      const int p = planes(k);
      if (reaches_plane(box, shapes.plane(p), pose(p), own_margin(p) + shapes.thickness(p)) && may_touch(c, p))
        visit(p);
    }
    Accept<Visit> at_rest{*this, resting, c, visit}, moving{*this, movers, c, visit};
    resting_tree.search(box, -1, at_rest);
    mover_tree.search(box, mover, moving);
  }

  template <class Visit>
  struct Accept {
    const Surroundings& all;
    const View<int>& collider;  // of an item of the tree
    int self;
    Visit& visit;
    KOKKOS_INLINE_FUNCTION void operator()(int item) {
      const int other = collider(item);
      if (all.may_touch(self, other)) visit(other);
    }
  };
};

/// Partners of one mover that are kept when they are counted; with more it looks for them a second time. Twice what a
/// body in a heap has.
constexpr int kKept = 32;

struct CountPartners {
  int self;
  int* kept;  // kKept places
  int before = 0, after = 0;
  KOKKOS_INLINE_FUNCTION void operator()(int other) {
    if (before + after < kKept) kept[before + after] = other;
    ++(other < self ? before : after);
  }
};

struct WritePartners {
  int self, before, after;  // next free place in each list
  View<ColliderPair> own;
  View<std::uint64_t> key;
  View<int> value;
  KOKKOS_INLINE_FUNCTION void operator()(int other) {
    if (other < self) {
      key(before) = static_cast<std::uint64_t>(other);
      value(before++) = self;
    } else {
      own(after++) = {self, other};
    }
  }
};

/// Restores the heap of `count` pairs by `second`, largest on top, of which only `root` may be out of order.
KOKKOS_INLINE_FUNCTION void sift_down(ColliderPair* pair, int root, int count) {
  const ColliderPair moved = pair[root];
  for (;;) {
    int child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && pair[child + 1].second > pair[child].second) ++child;
    if (pair[child].second <= moved.second) break;
    pair[root] = pair[child];
    root = child;
  }
  pair[root] = moved;
}

/// Sorts by `second`: by insertion where there are few, else by a heap, so that one huge body does not cost the square
/// of its partners.
KOKKOS_INLINE_FUNCTION void sort_segment(ColliderPair* pair, int count) {
  constexpr int kFew = 32;
  if (count <= kFew) {
    for (int i = 1; i < count; ++i) {
      const ColliderPair moved = pair[i];
      int k = i;
      for (; k > 0 && pair[k - 1].second > moved.second; --k) pair[k] = pair[k - 1];
      pair[k] = moved;
    }
    return;
  }
  for (int root = count / 2 - 1; root >= 0; --root) sift_down(pair, root, count);
  for (int end = count - 1; end > 0; --end) {
    const ColliderPair largest = pair[0];
    pair[0] = pair[end];
    pair[end] = largest;
    sift_down(pair, 0, end);
  }
}

}  // namespace

BroadPhase::BroadPhase(const ShapeSet& shapes, const Entities& entities, CollisionFilter filter)
    : shapes_(shapes), entities_(entities), filter_(std::move(filter)) {
  const auto entity = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.entity);
  const auto kind = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.kind);
  const auto blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  const auto given = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.prescribed);
  std::vector<FaceNodes> soft_node;
  to_host(shapes.soft_node, soft_node);
  const auto moves = [&](int c) {
    if (!is_soft(shapes, c)) return blocks(entity(c)).v >= 0;
    const auto& nodes = soft_node[c - shapes.soft_begin].node;
    return std::any_of(std::begin(nodes), std::end(nodes), [&](int node) { return blocks(node).v >= 0; });
  };
  std::vector<int> movers, mover_last, resting, resting_entities, planes;
  for (int c = 0; c < shapes.count; ++c) {
    if (kind(c) == ShapeKind::none) continue;
    const int e = entity(c);
    const bool can_move = moves(c);
    if (kind(c) == ShapeKind::plane) {
      planes.push_back(c);
    } else if (can_move || norm2(given(e).v) > 0 || norm2(given(e).w) > 0) {
      // A pair of two that can move is for the one with the smaller number.
      mover_last.push_back(can_move ? static_cast<int>(movers.size()) : kAlways);
      movers.push_back(c);
    } else {
      resting.push_back(c);
      if (resting_entities.empty() || resting_entities.back() != e) resting_entities.push_back(e);
    }
  }
  movers_ = to_device("movers", movers);
  mover_last_ = to_device("mover_last", mover_last);
  resting_ = to_device("resting", resting);
  resting_last_ = to_device("resting_last", std::vector<int>(resting.size(), kAlways));
  planes_ = to_device("planes", planes);
  resting_entities_ = to_device("resting_entities", resting_entities);
  resting_pose_ = View<Pose>("resting_pose", resting_entities.size());
  mover_box_ = View<Aabb>("mover_box", movers.size());
  resting_box_ = View<Aabb>("resting_box", resting.size());
}

const CandidatePairs& BroadPhase::find_pairs(const State& state, double h, const ContactMargin& margin) {
  Surroundings all{shapes_, entities_, filter_, movers_,           resting_, planes_, {},
                   {},      state.x,   state.u, state.orientation, h,        margin};
  const int movers = static_cast<int>(movers_.extent(0)), resting = static_cast<int>(resting_.extent(0));
  const View<Aabb> mover_box = mover_box_, resting_box = resting_box_;

  const View<Pose> known = resting_pose_;
  const View<int> resting_entities = resting_entities_;
  // Kernels take no more with them than they need: to copy the views costs small scenes more than the work.
  const Entities& entities = entities_;
  const View<Vec3> x = state.x;
  const View<Quat> orientation = state.orientation;
  const double moved = largest_of(
      "resting_moved", static_cast<int>(resting_entities.extent(0)), KOKKOS_LAMBDA(int i) {
        const int e = resting_entities(i);
        const Pose pose = pose_of(e, entities.bodies, x, orientation);
        const Twist t = entities.prescribed(e);
        const bool same = pose.x.x == known(i).x.x && pose.x.y == known(i).x.y && pose.x.z == known(i).x.z &&
                          pose.q.w == known(i).q.w && pose.q.x == known(i).q.x && pose.q.y == known(i).q.y &&
                          pose.q.z == known(i).q.z;
        return same && norm2(t.v) == 0 && norm2(t.w) == 0 ? 0.0 : 1.0;
      });
  if (moved > 0 || margin.base != resting_margin_) {
    parallel_for(
        "resting_boxes", resting, KOKKOS_LAMBDA(int i) { resting_box(i) = all.box(all.resting(i)); }, 100);
    parallel_for(
        "resting_poses", static_cast<int>(resting_entities.extent(0)),
        KOKKOS_LAMBDA(int i) { known(i) = pose_of(resting_entities(i), entities.bodies, x, orientation); });
    resting_tree_.build(resting_box, resting_last_);
    resting_margin_ = margin.base;
  }
  parallel_for(
      "mover_boxes", movers, KOKKOS_LAMBDA(int i) { mover_box(i) = all.box(all.movers(i)); }, 100);
  all.resting_tree = resting_tree_.view();
  all.mover_tree = mover_tree_.build(mover_box, mover_last_);

  // Movers look for partners in the order of the tree, so that neighbours find the same nodes in the cache.
  const View<int> before = before_.resize(movers), after = after_.resize(movers);
  const View<int> kept = kept_.resize(kKept * movers);
  constexpr int kQueryCost = 500;
  parallel_for(
      "count_pairs", movers,
      KOKKOS_LAMBDA(int leaf) {
        const BoxNode& node = all.mover_tree.node(leaf);
        CountPartners count{all.movers(node.item), kept.data() + kKept * node.item};
        if (node.last != kAlways) all.find_partners(node.box, node.item, count);
        before(node.item) = count.before;
        after(node.item) = count.after;
      },
      kQueryCost);
  const int others = prefix_sum(
      "pairs_before", movers, before, KOKKOS_LAMBDA(int i) { return before(i); });
  const int own_count = prefix_sum(
      "pairs_after", movers, after, KOKKOS_LAMBDA(int i) { return after(i); });
  const View<ColliderPair> own = own_.resize(own_count);
  key_.resize(others);
  value_.resize(others);
  {
    const View<std::uint64_t> key = key_;
    const View<int> value = value_;
    parallel_for(
        "write_pairs", movers,
        KOKKOS_LAMBDA(int leaf) {
          const BoxNode& node = all.mover_tree.node(leaf);
          const int i = node.item;
          if (node.last == kAlways) return;
          WritePartners write{all.movers(i), before(i), after(i), own, key, value};
          const int count = (i + 1 < movers ? before(i + 1) : others) - before(i) +
                            (i + 1 < movers ? after(i + 1) : own_count) - after(i);
          if (count <= kKept) {
            for (int k = 0; k < count; ++k) write(kept(kKept * i + k));
          } else {
            all.find_partners(node.box, i, write);
          }
          sort_segment(own.data() + after(i), write.after - after(i));
        },
        kQueryCost);
  }
  pairs_ = own;
  if (others > 0) {
    radix_sort(others, bits_below(shapes_.count), key_, value_, scratch_);
    const View<std::uint64_t> key = key_;
    const View<int> value = value_;
    const View<int> list = movers_;
    const View<ColliderPair> merged = merged_.resize(own_count + others);
    parallel_for(
        "merge_own", own_count,
        KOKKOS_LAMBDA(int k) {
          const ColliderPair pair = own(k);
          merged(k + count_below(key, static_cast<std::uint64_t>(pair.first))) = pair;
        },
        20);
    parallel_for(
        "merge_others", others,
        KOKKOS_LAMBDA(int k) {
          const int first = static_cast<int>(key(k)), i = count_below(list, first);
          merged(k + (i < movers ? after(i) : own_count)) = {first, value(k)};
        },
        20);
    pairs_ = merged;
  }
  fence();
  return pairs_;
}

}  // namespace clarke
