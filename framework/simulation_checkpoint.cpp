// What a simulation keeps from step to step, for checkpoints.

#include "framework/simulation.hpp"
#include "framework/state_archive.hpp"

#include <string>

namespace clarke {

void Simulation::carry_over(StateArchive& archive) {
  archive.real("time", state_.t);
  archive.view("position", state_.x);
  archive.view("orientation", state_.orientation);
  archive.view("velocity", state_.u);
  archive.integer("steps", steps_);
  archive.integer("unconverged", unconverged_);
  archive.real("time_step", h_);
  archive.real("origin", origin_);
  archive.integer("steps_of_time_step", steps_of_h_);
  carry_over_stages(archive);
  problem_->carry_over(archive);
  archive.group("solver", [&] { solver_->carry_over(archive); });
  for (std::size_t i = 0; i < fallbacks_.size(); ++i)
    archive.group("fallbacks/" + std::to_string(i), [&] { fallbacks_[i].solver->carry_over(archive); });
  for (std::size_t i = 0; i < observers_.size(); ++i)
    archive.group("observers/" + std::to_string(i), [&] { observers_[i]->carry_over(archive); });
}

void Simulation::carry_over_stages(StateArchive& archive) {
  bool stages = stage_.x.extent(0) > 0;
  archive.flag("stages", stages);
  if (!stages) return;
  if (archive.reading()) set_up_stages();
  archive.group("last", [&] {
    archive.real("time_step", history_.h);
    archive.flag("accelerated", history_.accelerated);
    archive.view("position", history_.x);
    archive.view("orientation", history_.orientation);
    archive.view("velocity", history_.u);
    archive.view("acceleration", history_.acceleration);
    archive.view("turning", history_.turning);
  });
}

}  // namespace clarke
