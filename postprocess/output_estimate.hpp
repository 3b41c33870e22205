#pragma once
// How much a run is going to write, before it does. The bodies', particles' and joints' part is measured: the
// first frame is made as it would be written. Contacts come later, and are counted as `contacts` points of a guessed
// size, as are the rows of tables. Limit: frames of a pile compress less well than those of the lattice it fell from,
// so the estimate is rather low.

#include "framework/frame.hpp"
#include "postprocess/output_selection.hpp"

#include <string>
#include <vector>

namespace clarke {

struct OutputEstimate {
  double frames = 0;           // that are going to be written
  double bytes_per_frame = 0;  // [byte]
  double other_bytes = 0;      // [byte] tables, surfaces

  double bytes() const { return frames * bytes_per_frame + other_bytes; }
  /// "1.2 GB: 481 frames of 2.5 MB, and 1.1 MB of tables and surfaces"
  std::string text() const;
};

/// `every`: steps from frame to frame, 0 for none.
OutputEstimate estimate_output(const Frame& initial, const std::vector<Surface>& surfaces,
                               const OutputSelection& selection, int steps, int every, double contacts,
                               std::size_t sensors);

/// "2.5 MB"
std::string byte_text(double bytes);

/// [byte] largest memory of the process so far.
double peak_memory();

}  // namespace clarke
