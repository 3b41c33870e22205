#pragma once
// Text and numbers, strictly: the whole token must be a number, it must be finite, and what is written reads
// back as the same number. Used for options and scene files alike, so that both refuse the same things. Independent of
// the locale.

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace clarke {

/// Empty for anything but one finite number ("1e999", "nan", "1.5x" and "" are refused).
std::optional<double> parse_real(std::string_view text);

/// A decimal number as a mesh file may have it: "nan" and "inf" are left to whoever asks what they mean there, and what
/// is nearer to zero than any number is zero. Empty for anything else, hexadecimal digits among it.
std::optional<double> parse_any_real(std::string_view text);

/// Empty for anything but one whole number that fits.
std::optional<long long> parse_integer(std::string_view text);

/// The shortest text that reads back as `value`; "inf", "-inf" and "nan" for what has no digits.
std::string format_real(double value);

/// What a message says is expected: "a number", "a number in [0, 1]", "a number of at least 0", "a number above 0".
/// `open_min` excludes the minimum itself.
std::string describe_range(const std::string& noun, double min, double max, bool open_min = false);

/// ASCII letters in lower case: PETSc compares option names and words this way.
std::string lower_case(std::string text);

/// Whether `value` is in the range (NaN never is).
bool in_range(double value, double min, double max, bool open_min = false);

}  // namespace clarke
