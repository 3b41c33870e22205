#include "postprocess/output_estimate.hpp"

#include "postprocess/vtk_frames.hpp"

#include <cmath>
#include <cstdio>
#include <sys/resource.h>

namespace clarke {
namespace {

// Guesses of the right order, not measured: compressed bytes of one contact with all fields, and of table rows.
constexpr double kContactBytes = 130, kStepRow = 420, kNewtonRow = 130, kSensorCell = 20;
constexpr double kNewtonRows = 7;  // of a step at the default budget

}  // namespace

std::string byte_text(double bytes) {
  const char* const unit[] = {"byte", "kB", "MB", "GB", "TB"};
  int u = 0;
  for (; bytes >= 1000 && u < 4; ++u) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
  return text;
}

std::string OutputEstimate::text() const {
  std::string text = byte_text(bytes());
  if (frames > 0)
    text += ": " + std::to_string(static_cast<long>(frames)) + " frames of " + byte_text(bytes_per_frame) + ", and ";
  else
    text += ": ";
  return text + byte_text(other_bytes) + " of tables" + (frames > 0 ? " and surfaces" : "");
}

OutputEstimate estimate_output(const Frame& initial, const std::vector<Surface>& surfaces,
                               const OutputSelection& selection, int steps, int every, double contacts,
                               std::size_t sensors) {
  OutputEstimate estimate;
  estimate.other_bytes = steps * (kStepRow + kNewtonRows * kNewtonRow + kSensorCell * static_cast<double>(sensors));
  if (every <= 0) return estimate;
  estimate.frames = 1 + std::ceil(static_cast<double>(steps) / every);
  const auto size = [](const std::string& content) { return static_cast<double>(content.size()); };
  if (selection.poses) {
    estimate.bytes_per_frame = size(poses_vtp(initial, selection));
    estimate.other_bytes += size(surfaces_vtp(surfaces));
  } else {
    estimate.bytes_per_frame = size(bodies_vtp(initial, surfaces, selection));
  }
  if (!initial.softs.empty()) estimate.bytes_per_frame += size(soft_vtu(initial, selection));
  if (!initial.particles.empty()) estimate.bytes_per_frame += size(particles_vtp(initial, selection));
  if (!initial.joints.empty()) estimate.bytes_per_frame += size(joints_vtp(initial, selection));
  if (selection.contacts) estimate.bytes_per_frame += contacts * kContactBytes;
  return estimate;
}

double peak_memory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024. * static_cast<double>(usage.ru_maxrss) : 0;
}

}  // namespace clarke
