#pragma once
// An expression of two variables over a grid of points: heights of a terrain, directions of a field. Internal to
// cases/.

#include <string>
#include <utility>
#include <vector>

namespace clarke {

/// Where a row or column of a grid lies: first + number · spacing.
struct GridAxis {
  const char* name;  // of the variable
  int count;
  double first, spacing;
};

/// Values row by row, `x` along the rows; `pi` is known. Throws InputError "cannot evaluate …".
std::vector<double> sample_expression(const std::string& text, const GridAxis& x, const GridAxis& y);

}  // namespace clarke
