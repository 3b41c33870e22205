#include "framework/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace clarke {
namespace {

/// from_chars knows no leading '+'; "+-1" stays refused.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  text = without_plus(text);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = parse<double>(text);
  if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<double> parse_any_real(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return value;
  return std::strtod(std::string(text).c_str(), nullptr);  // digits all the way, and too large or too small: ±inf or ±0
}

std::optional<long long> parse_integer(std::string_view text) { return parse<long long>(text); }

std::string format_real(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string describe_range(const std::string& noun, double min, double max, bool open_min) {
  const bool lower = std::isfinite(min), upper = std::isfinite(max);
  if (lower && upper) {
    return noun + " in " + (open_min ? "(" : "[") + format_real(min) + ", " + format_real(max) + "]";
  }
  if (lower) return noun + (open_min ? " above " : " of at least ") + format_real(min);
  if (upper) return noun + " of at most " + format_real(max);
  return noun;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool in_range(double value, double min, double max, bool open_min) {
  return (open_min ? value > min : value >= min) && value <= max;
}

}  // namespace clarke
