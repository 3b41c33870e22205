#pragma once
// Pictures as arrays of numbers: PNG files, by VTK.

#include <string>
#include <vector>

namespace clarke {

/// Channels from 0 to 1, row by row from the bottom, each row from the left. Grey pictures have green = blue = red.
struct ImageFile {
  int columns = 0, rows = 0;
  std::vector<double> red, green, blue;
};

/// Throws InputError "place: …" for what cannot be read.
ImageFile read_png(const std::string& path, const std::string& place);

}  // namespace clarke
