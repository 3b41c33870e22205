#include "scene/reader/scene_values.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace clarke {
namespace {

/// yaml-cpp counts lines from 0 and has no position for values that are not there.
int line_of(const YAML::Node& node, int otherwise) {
  const int line = node.Mark().line;
  return line < 0 || node.IsNull() ? otherwise : line + 1;
}

std::string what_is_there(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return "'" + node.Scalar() + "'";
    case YAML::NodeType::Sequence:
      return "a list of " + std::to_string(node.size());
    case YAML::NodeType::Map:
      return "a map";
    default:
      return "nothing";
  }
}

/// A number or switch is written plainly; "1" in quotes is a text.
bool is_plain(const YAML::Node& node) { return node.IsScalar() && node.Tag() != "!"; }

std::string counted(std::size_t min, std::size_t max, const std::string& what) {
  if (min == max) return "a list of " + std::to_string(min) + " " + what;
  if (max == FieldInfo{}.max_items)
    return "a list of " + (min ? "at least " + std::to_string(min) + " " : std::string()) + what;
  return "a list of " + std::to_string(min) + " to " + std::to_string(max) + " " + what;
}

std::vector<std::pair<double, double>> table_points(const SceneValue& value) {
  FieldInfo some, two;
  some.min_items = 1;
  two.min_items = two.max_items = 2;
  std::vector<std::pair<double, double>> points;
  for (const SceneValue& item : scene_items(value, some, "points [t, value]")) {
    const std::vector<SceneValue> point = scene_items(item, two, "numbers (t, value)");
    points.emplace_back(scene_real(point[0], {}), scene_real(point[1], {}));
  }
  return points;
}

std::string setting_text(const SceneValue& value) {
  if (value.node.IsNull()) return "";
  if (value.node.IsScalar()) return value.node.Scalar();
  std::string joined;
  for (const SceneValue& item : scene_items(value, {}, "values")) {
    if (!item.node.IsScalar()) fail_expected(item, "a number or a text");
    joined += (joined.empty() ? "" : ",") + item.node.Scalar();
  }
  return joined;
}

void add_settings(const SceneValue& value, const std::string& prefix,
                  std::vector<std::pair<std::string, std::string>>& settings, std::vector<std::string>& places) {
  for (const SceneEntry& entry : scene_entries(value)) {
    if (entry.key[0] == '-') entry.value.place.fail("expected the name of an option without '-'");
    const std::string name = prefix + entry.key;
    if (entry.value.node.IsMap()) {
      add_settings(entry.value, name + "_", settings, places);
      continue;
    }
    const auto same = [&](const auto& other) { return other.first == name; };
    if (std::any_of(settings.begin(), settings.end(), same)) entry.value.place.fail("option given twice");
    settings.emplace_back(name, setting_text(entry.value));
    places.push_back(*entry.value.place.file + ":" + std::to_string(entry.value.place.line));
  }
}

}  // namespace

ScenePlace ScenePlace::member(const std::string& key, int at_line) const {
  return {file, at_line, path.empty() ? key : path + "." + key};
}

ScenePlace ScenePlace::item(std::size_t index, int at_line) const {
  return {file, at_line, path + "[" + std::to_string(index) + "]"};
}

void ScenePlace::fail(const std::string& message) const {
  throw InputError(*file + ":" + std::to_string(line) + ": " + (path.empty() ? "" : path + ": ") + message);
}

void fail_expected(const SceneValue& value, const std::string& expected) {
  value.place.fail("expected " + expected + ", got " + what_is_there(value.node));
}

/// "10 kg", "7cm": a number with a unit behind it.
static bool has_unit(const std::string& text) {
  const std::size_t end = text.find_last_of("0123456789.");
  if (end == std::string::npos || !parse_real(text.substr(0, end + 1))) return false;
  const std::size_t unit = text.find_first_not_of(' ', end + 1);
  return unit != std::string::npos && std::isalpha(static_cast<unsigned char>(text[unit]));
}

double scene_real(const SceneValue& value, const FieldInfo& info) {
  const std::string expected = describe_range("a number", info.min, info.max, info.open_min);
  if (!is_plain(value.node)) fail_expected(value, expected + (value.node.IsScalar() ? " without quotes" : ""));
  const std::optional<double> number = parse_real(value.node.Scalar());
  if (!number && has_unit(value.node.Scalar()))
    fail_expected(value, expected + " without its unit (all are SI units: m, kg, s, N, rad)");
  if (!number || !in_range(*number, info.min, info.max, info.open_min)) fail_expected(value, expected);
  return *number;
}

bool is_scene_number(const SceneValue& value) {
  if (!is_plain(value.node)) return false;
  const std::string& text = value.node.Scalar();
  const bool digits_follow = text.find_first_not_of("+-.") != std::string::npos &&
                             std::isdigit(static_cast<unsigned char>(text[text.find_first_not_of("+-.")]));
  return digits_follow || parse_real(text).has_value();
}

int scene_integer(const SceneValue& value, const FieldInfo& info) {
  const std::string expected = describe_range("a whole number", info.min, info.max, info.open_min);
  if (!is_plain(value.node)) fail_expected(value, expected + (value.node.IsScalar() ? " without quotes" : ""));
  const std::optional<long long> number = parse_integer(value.node.Scalar());
  const double min = std::max(info.min, static_cast<double>(std::numeric_limits<int>::min()));
  const double max = std::min(info.max, static_cast<double>(std::numeric_limits<int>::max()));
  if (!number || !in_range(static_cast<double>(*number), min, max, info.open_min)) fail_expected(value, expected);
  return static_cast<int>(*number);
}

bool scene_flag(const SceneValue& value) {
  if (is_plain(value.node) && value.node.Scalar() == "true") return true;
  if (is_plain(value.node) && value.node.Scalar() == "false") return false;
  fail_expected(value, "true or false");
}

std::string scene_text(const SceneValue& value) {
  if (!value.node.IsScalar() || value.node.Scalar().empty()) fail_expected(value, "a text");
  return value.node.Scalar();
}

std::string scene_choice(const SceneValue& value, const std::vector<std::string>& allowed) {
  std::string text = scene_text(value);
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    value.place.fail("unknown value '" + text + "'" + suggestion(text, allowed, allowed.size()));
  return text;
}

std::vector<SceneValue> scene_items(const SceneValue& value, const FieldInfo& info, const std::string& what) {
  if (!value.node.IsSequence() || value.node.size() < info.min_items || value.node.size() > info.max_items)
    fail_expected(value, counted(info.min_items, info.max_items, what));
  std::vector<SceneValue> items;
  for (const YAML::Node& node : value.node)
    items.push_back({node, value.place.item(items.size(), line_of(node, value.place.line))});
  return items;
}

Vec3 scene_vector(const SceneValue& value, const FieldInfo& info) {
  FieldInfo three;
  three.min_items = three.max_items = 3;
  FieldInfo component;
  component.min = info.min;
  component.max = info.max;
  component.open_min = info.open_min;
  const std::vector<SceneValue> items = scene_items(value, three, "numbers");
  return {scene_real(items[0], component), scene_real(items[1], component), scene_real(items[2], component)};
}

TimeFunction scene_time_function(const SceneValue& value) {
  const char* const expected = "a number, an expression in t, or {table: [[t, value], ...]}";
  try {
    if (value.node.IsScalar() && !value.node.Scalar().empty()) {
      const std::string& text = value.node.Scalar();
      const std::optional<double> number = is_plain(value.node) ? parse_real(text) : std::nullopt;
      return number ? TimeFunction(*number) : TimeFunction::expression(text);
    }
    if (!value.node.IsMap() || value.node.size() != 1) fail_expected(value, expected);
    const SceneEntry entry = scene_entries(value).front();
    if (entry.key != "table")
      value.place.member(entry.key, entry.key_line).fail("unknown key '" + entry.key + "'; expected " + expected);
    return TimeFunction::table(table_points(entry.value));
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.starts_with(*value.place.file + ":")) throw;
    value.place.fail(text);
  }
}

std::vector<SceneEntry> scene_entries(const SceneValue& value) {
  if (!value.node.IsMap()) fail_expected(value, "a map");
  std::vector<SceneEntry> entries;
  std::map<std::string, int> first_line;
  for (const auto& pair : value.node) {
    const int mark = pair.first.Mark().line;
    const int key_line = mark < 0 ? value.place.line : mark + 1;
    ScenePlace here = value.place;
    here.line = key_line;
    if (!pair.first.IsScalar() || pair.first.Scalar().empty()) here.fail("expected a name as key, got an empty key");
    const std::string key = pair.first.Scalar();
    const auto [first, fresh] = first_line.emplace(key, key_line);
    if (!fresh)
      value.place.member(key, key_line).fail("key given twice (first in line " + std::to_string(first->second) + ")");
    entries.push_back({key, {pair.second, value.place.member(key, line_of(pair.second, key_line))}, key_line});
  }
  return entries;
}

std::vector<std::pair<std::string, std::string>> scene_settings(const SceneValue& value,
                                                                std::vector<std::string>& places) {
  std::vector<std::pair<std::string, std::string>> settings;
  add_settings(value, "", settings, places);
  return settings;
}

}  // namespace clarke
