#pragma once
// What a run shows while it goes on: a bar that rewrites itself on a terminal, about ten plain lines elsewhere.

#include "framework/report.hpp"

#include <chrono>
#include <string>

namespace clarke {

class Progress {
 public:
  /// `mode` is auto, bar, lines or none.
  Progress(const std::string& mode, int steps);
  /// Removes an unfinished bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step_done(const StepReport& report);
  /// Prints a line without disturbing the bar.
  void message(const std::string& text);
  /// Before something else writes to the terminal.
  void clear_bar();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line_for(const StepReport& report) const;

  enum class Mode { bar, lines, none };
  Mode mode_ = Mode::none;
  int steps_ = 0;
  int lines_shown_ = 0;
  bool bar_shown_ = false;
  Clock::time_point start_, last_shown_;
};

}  // namespace clarke
