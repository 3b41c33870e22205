#pragma once
// Two sets of contacts of one step as one: those it was solved with, and those that are found where it ended.

#include "framework/state.hpp"
#include "physics/collision/contact_set.hpp"
#include "physics/collision/shapes.hpp"
#include "physics/contact/turning_normal.hpp"

#include <map>
#include <vector>

namespace clarke {

/// What is known of a contact that was found at the end of a try at the step.
struct FoundAgain {
  double depth = 0;                     // [m] when it was found last
  std::vector<std::uint64_t> beside{};  // contacts of the same features with other normals
};

/// What became of those that were found.
struct MergedCounts {
  int taken = 0, kept = 0, turning = 0;  // all; those that joined one of the same features; whose normals now turn
};

/// Id of the contact that is number `k` of those of a pair that joined another with the same features: the largest
/// numbers of `point` features, which no shape has.
std::uint64_t joined_id(std::uint64_t id, int k);

/// Owner of a set of contacts, on the device.
class ContactStorage {
 public:
  /// A copy of a set and of what its normals turn with, which stays where it is if it is this storage's own.
  ContactSet copy(const ContactSet& set, const View<TurningNormal>& turning);
  /// C of the contacts of a set at the poses of `now` [m]; what turns does so if the set is this storage's own.
  View<double> gaps(const ContactSet& set, const Entities& entities, const State& now);
  /// The largest overlap of a set at the poses of `now` [m], at least 0.
  double overlap(const ContactSet& set, const Entities& entities, const State& now);
  /// What normals of the set that copy() or merged() made last turn with; empty where none does.
  View<TurningNormal> turning() const { return turning_now_; }
  /// What each contact deeper than `tolerance` [m], of a set that was detected at the poses of `now`, touches with;
  /// nothing on surfaces that deform.
  View<TurningNormal> touching_features(const ShapeSet& shapes, const ContactSet& found, const Entities& entities,
                                        const State& now, double tolerance);
  /// A copy of `first`, which is the own set of `present`, with what of `second` is deeper than `tolerance` [m] at the
  /// poses of `now`, in ascending order of ids; of two with the same id that of `second`, unless the one of `first` is
  /// as deep there: what it says itself is no news, as of compliant contacts.
  /// The normals of what is found turn from then on with what it is `touching` with (turning_normal.hpp).
  /// What does not, and what turned and is found all the same, may turn to and fro between two solutions and be found
  /// with the same two normals for ever: one that was taken before and is more than half as deep as then joins the one
  /// of before instead of taking its place, so that from then on the set of the step only grows. `again`: of all that
  /// were taken, by id, since the step began.
  ContactSet merged(ContactStorage& present, const ContactSet& first, const ContactSet& second,
                    const Entities& entities, const State& now, double tolerance, std::vector<TurningNormal> touching,
                    std::map<std::uint64_t, FoundAgain>& again, MergedCounts& counts);

 private:
  ContactBuffers contacts_{"again"};
  View<int> own_;  // `a` of the set that copy() or merged() made last
  View<TurningNormal> turning_now_;
  Buffer<TurningNormal> turning_{"again_turning"}, touching_{"again_touching"};
  Buffer<double> gap_{"again_gap"};
};

}  // namespace clarke
