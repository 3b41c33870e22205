#include "app/progress.hpp"

#include "framework/printable.hpp"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace clarke {
namespace {

constexpr int kLines = 10;        // per run when piped
constexpr int kBarWidth = 20;     // characters
constexpr double kRefresh = 0.1;  // [s] between two states of the bar

std::string duration_text(double seconds) {
  char text[32];
  if (seconds < 60) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else {
    const long minutes = std::lround(seconds / 60);
    minutes < 60 ? std::snprintf(text, sizeof text, "%ld min", minutes)
                 : std::snprintf(text, sizeof text, "%ld h %02ld min", minutes / 60, minutes % 60);
  }
  return text;
}

}  // namespace

Progress::Progress(const std::string& mode, int steps) : steps_(steps), start_(Clock::now()), last_shown_(start_) {
  const bool terminal = isatty(fileno(stdout)) != 0;
  if (mode == "bar" || (mode == "auto" && terminal)) mode_ = Mode::bar;
  if (mode == "lines" || (mode == "auto" && !terminal)) mode_ = Mode::lines;
}

Progress::~Progress() { clear_bar(); }

void Progress::clear_bar() {
  if (!bar_shown_) return;
  std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
  bar_shown_ = false;
}

void Progress::message(const std::string& text) {
  clear_bar();
  std::printf("%s\n", printable(text, true).c_str());
  std::fflush(stdout);
}

std::string Progress::line_for(const StepReport& report) const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = elapsed * (steps_ - report.step) / std::max(1, report.step);
  char text[256];
  std::snprintf(text, sizeof text,
                "step %d/%d  t %.4g s  %d contacts  %d Newton, %d linear its  error %.1e m/s  %s left", report.step,
                steps_, report.time, report.contacts, report.newton_iterations, report.linear_iterations,
                report.verdict.velocity_error.value, duration_text(left).c_str());
  return text;
}

void Progress::step_done(const StepReport& report) {
  const bool last = report.step >= steps_;
  if (mode_ == Mode::bar) {
    const Clock::time_point now = Clock::now();
    if (!last && bar_shown_ && std::chrono::duration<double>(now - last_shown_).count() < kRefresh) return;
    last_shown_ = now;
    const int full = static_cast<int>(static_cast<long long>(kBarWidth) * report.step / std::max(1, steps_));
    const std::string bar =
        std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(kBarWidth - full), '.');
    std::printf("\r\033[K[%s] %s", bar.c_str(), line_for(report).c_str());
    std::fflush(stdout);
    bar_shown_ = true;
  } else if (mode_ == Mode::lines) {
    if (static_cast<long long>(report.step) * kLines < static_cast<long long>(lines_shown_ + 1) * steps_) return;
    lines_shown_ = static_cast<int>(static_cast<long long>(report.step) * kLines / std::max(1, steps_));
    message(line_for(report));
  }
}

}  // namespace clarke
