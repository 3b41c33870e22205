#pragma once
// A scene that is ready to run: the only place where the program meets the model.

#include "assembly/model.hpp"
#include "assembly/problem_capture.hpp"
#include "assembly/run_options.hpp"
#include "postprocess/output_estimate.hpp"
#include "scene/scene.hpp"
#include "verdict/conditioning.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace clarke {

class Session {
 public:
  /// Reads the scene, merges all sources of options, checks them, and builds the model. Throws InputError.
  explicit Session(const std::string& scene_file);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Scene& scene() const { return scene_; }
  const RunOptions& options() const { return options_; }
  int steps() const { return steps_; }
  const OutputSelection& selection() const { return selection_; }
  const CaptureOptions& capture_options() const { return capture_; }
  /// The problem of the last step, as it was solved.
  StepProblem& problem() { return model_->problem(); }
  const SystemDump& dump() const { return model_->dump(); }
  /// Of the last step [verdict/conditioning.hpp].
  ConditioningCard conditioning() const;
  /// The last call of step() came to an end, though it may have failed.
  bool stepped() const { return stepped_; }

  /// How the model was brought to its start, and the rank of its constraints now.
  const InitialConfiguration& initial() const { return model_->initial(); }
  const InitialOverlaps& overlaps() const { return model_->overlaps(); }
  ConstraintRank constraint_rank() const { return model_->constraint_rank(); }
  /// After prepare(): whether the first step has a solution.
  std::optional<Infeasibility> feasibility() { return model_->feasibility(); }
  const FeasibilityWatch& feasibility_watch() const { return model_->feasibility_watch(); }

  /// Everything that comes before the first Newton iteration: detection, layout, solvers. All options are read, and
  /// what cannot work is refused. Returns the contacts at the start.
  int prepare();
  StepReport step();
  /// Of the model, for checkpoints.
  void carry_over(StateArchive& archive) { model_->carry_over(archive); }
  int steps_done() const { return model_->steps(); }
  /// After the first step or prepare(): options nobody has read. As check_unused_options().
  std::vector<std::string> unused_options() const;
  /// The present state; its index is the number of steps done.
  Frame frame() const;
  std::vector<Surface> surfaces() const;
  /// What the whole run is going to write, with so many contacts in each frame.
  OutputEstimate output_estimate(double contacts) const;
  /// Where a result comes from: program, machine-independent settings, scene.
  nlohmann::json provenance();

 private:
  void build();
  Scene scene_;
  RunOptions options_;
  int steps_ = 0;
  OutputSelection selection_;
  CaptureOptions capture_;
  bool stepped_ = false;
  std::unique_ptr<Model> model_;
};

}  // namespace clarke
