#pragma once
// Strictly typed values from YAML nodes. Every function throws InputError `file:line: key: expected …, got …`.

#include "scene/scene_visitor.hpp"

#include <yaml-cpp/yaml.h>

#include <string>
#include <utility>
#include <vector>

namespace clarke {

/// Where something stands, for messages.
struct ScenePlace {
  const std::string* file = nullptr;
  int line = 0;      // counted from 1
  std::string path;  // "bodies[2].shape.box"; "" is the whole file

  ScenePlace member(const std::string& key, int at_line) const;
  ScenePlace item(std::size_t index, int at_line) const;
  [[noreturn]] void fail(const std::string& message) const;
};

/// One value and where it stands.
struct SceneValue {
  YAML::Node node;
  ScenePlace place;
};

/// One key of a map, in the order of the file.
struct SceneEntry {
  std::string key;
  SceneValue value;
  int key_line = 0;
};

/// Throws `expected …, got what is there`.
[[noreturn]] void fail_expected(const SceneValue& value, const std::string& expected);

/// Whether it is written as a number, finite or not.
bool is_scene_number(const SceneValue& value);
double scene_real(const SceneValue& value, const FieldInfo& info);
int scene_integer(const SceneValue& value, const FieldInfo& info);
bool scene_flag(const SceneValue& value);
std::string scene_text(const SceneValue& value);
std::string scene_choice(const SceneValue& value, const std::vector<std::string>& allowed);
/// The items of a list whose length is within info.min_items and info.max_items; `what` names them in messages.
std::vector<SceneValue> scene_items(const SceneValue& value, const FieldInfo& info, const std::string& what);
Vec3 scene_vector(const SceneValue& value, const FieldInfo& info);
/// A number, an expression in t, or {table: [[t, value], ...]}.
TimeFunction scene_time_function(const SceneValue& value);
/// The entries of a map; keys are texts, not empty, and not given twice.
std::vector<SceneEntry> scene_entries(const SceneValue& value);
/// `places` gets the "file:line" of each.
std::vector<std::pair<std::string, std::string>> scene_settings(const SceneValue& value,
                                                                std::vector<std::string>& places);

}  // namespace clarke
