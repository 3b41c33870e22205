#include "scene/reader/scene_reader.hpp"

#include "framework/error.hpp"
#include "scene/reader/scene_values.hpp"
#include "scene/reader/yaml_guard.hpp"

#include <yaml-cpp/depthguard.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace clarke {
namespace {

using Names = std::vector<std::string>;

/// Which keys a map may have and must have. Runs before anything is read, so that a misspelt key is reported as such
/// and not as the trouble that follows from it.
class KeyCollector final : public SceneVisitor {
 public:
  Names known, required;

  bool real(const char* key, double&, const FieldInfo& info) override { return add(key, info); }
  bool integer(const char* key, int&, const FieldInfo& info) override { return add(key, info); }
  bool flag(const char* key, bool&, const FieldInfo& info) override { return add(key, info); }
  bool text(const char* key, std::string&, const FieldInfo& info) override { return add(key, info); }
  bool choice(const char* key, std::string&, const Names&, const FieldInfo& info) override { return add(key, info); }
  bool choice_or_real(const char* key, std::string&, std::optional<double>&, const Names&,
                      const FieldInfo& info) override {
    return add(key, info);
  }
  bool vector(const char* key, Vec3&, const FieldInfo& info) override { return add(key, info); }
  bool orientation(const char* key, Quat&, const FieldInfo& info) override { return add(key, info); }
  bool reals(const char* key, std::vector<double>&, const FieldInfo& info) override { return add(key, info); }
  bool texts(const char* key, Names&, const FieldInfo& info) override { return add(key, info); }
  bool vectors(const char* key, std::vector<Vec3>&, const FieldInfo& info) override { return add(key, info); }
  bool real_or_list(const char* key, std::vector<double>&, const FieldInfo& info) override { return add(key, info); }
  bool time_function(const char* key, TimeFunction&, const FieldInfo& info) override { return add(key, info); }
  bool time_vector(const char* key, VectorFunction&, const FieldInfo& info) override { return add(key, info); }
  bool name_pairs(const char* key, std::vector<std::pair<std::string, std::string>>&, const FieldInfo& info) override {
    return add(key, info);
  }
  bool settings(const char* key, std::vector<std::pair<std::string, std::string>>&, Names&,
                const FieldInfo& info) override {
    return add(key, info);
  }
  bool object(const char* key, const FieldInfo& info, const Describe&) override { return add(key, info); }
  bool list(const char* key, const FieldInfo& info, const Describe&) override { return add(key, info); }
  bool map(const char* key, const FieldInfo& info,
           const std::function<void(const std::string&, SceneVisitor&)>&) override {
    return add(key, info);
  }
  bool one_of(const char* key, const FieldInfo& info, const std::vector<Alternative>&) override {
    return add(key, info);
  }
  bool list_of(const char* key, const FieldInfo& info, const std::vector<Alternative>&) override {
    return add(key, info);
  }
  void refuse(const std::string&, const std::string&) override {}
  bool reading() const override { return false; }
  std::string where() const override { return ""; }

 private:
  bool add(const char* key, const FieldInfo& info) {
    known.emplace_back(key);
    if (info.required) required.emplace_back(key);
    return false;
  }
};

/// The nearest key, else all of them: a map has a few dozen at most.
std::string known_keys(const std::string& key, const std::vector<std::string>& known) {
  if (known.empty()) return "; it has no keys";
  if (!nearest_name(key, known).empty()) return suggestion(key, known);
  std::string list = known.size() == 1 ? "; its only key is " : "; its keys are ";
  for (std::size_t i = 0; i < known.size(); ++i) list += (i ? ", " : "") + known[i];
  return list;
}

class MapReader final : public SceneVisitor {
 public:
  static void read(const SceneValue& value, const Describe& describe) {
    MapReader reader(value);
    KeyCollector keys;
    describe(keys);
    for (const SceneEntry& entry : reader.entries_) {
      if (std::find(keys.known.begin(), keys.known.end(), entry.key) == keys.known.end())
        value.place.member(entry.key, entry.key_line)
            .fail(entry.key == "<<" ? "merge keys are not read: write the keys out"
                                    : "unknown key '" + entry.key + "'" + known_keys(entry.key, keys.known));
    }
    for (const std::string& key : keys.required) {
      if (!reader.find(key.c_str())) value.place.member(key, value.place.line).fail("missing; it is required");
    }
    describe(reader);
  }

  bool real(const char* key, double& result, const FieldInfo& info) override {
    return with(key, [&](const SceneValue& value) { result = scene_real(value, info); });
  }
  bool integer(const char* key, int& result, const FieldInfo& info) override {
    return with(key, [&](const SceneValue& value) { result = scene_integer(value, info); });
  }
  bool flag(const char* key, bool& result, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = scene_flag(value); });
  }
  bool text(const char* key, std::string& result, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = scene_text(value); });
  }
  bool choice(const char* key, std::string& result, const Names& allowed, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = scene_choice(value, allowed); });
  }
  bool choice_or_real(const char* key, std::string& word, std::optional<double>& number, const Names& allowed,
                      const FieldInfo& info) override {
    return with(key, [&](const SceneValue& value) {
      if (is_scene_number(value)) {
        number = scene_real(value, info);
      } else {
        word = scene_choice(value, allowed);
      }
    });
  }
  bool vector(const char* key, Vec3& result, const FieldInfo& info) override {
    return with(key, [&](const SceneValue& value) { result = scene_vector(value, info); });
  }
  bool orientation(const char* key, Quat& result, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = read_orientation(value); });
  }
  bool reals(const char* key, std::vector<double>& result, const FieldInfo& info) override {
    return with_items(key, info, "numbers", result, [&](const SceneValue& item) { return scene_real(item, info); });
  }
  bool texts(const char* key, Names& result, const FieldInfo& info) override {
    return with_items(key, info, "names", result, scene_text);
  }
  bool vectors(const char* key, std::vector<Vec3>& result, const FieldInfo& info) override {
    return with_items(key, info, "points", result, [&](const SceneValue& item) { return scene_vector(item, info); });
  }
  bool real_or_list(const char* key, std::vector<double>& result, const FieldInfo& info) override {
    const SceneValue* value = find(key);
    if (value && !value->node.IsSequence()) {
      result = {scene_real(*value, info)};
      return true;
    }
    return reals(key, result, info);
  }
  bool time_function(const char* key, TimeFunction& result, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = scene_time_function(value); });
  }
  bool time_vector(const char* key, VectorFunction& result, const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) {
      FieldInfo three;
      three.min_items = three.max_items = 3;
      const std::vector<SceneValue> items = scene_items(value, three, "numbers or functions of time");
      result = {scene_time_function(items[0]), scene_time_function(items[1]), scene_time_function(items[2])};
    });
  }
  bool name_pairs(const char* key, std::vector<std::pair<std::string, std::string>>& result,
                  const FieldInfo& info) override {
    FieldInfo two;
    two.min_items = two.max_items = 2;
    return with_items(key, info, "pairs of names", result, [&](const SceneValue& item) {
      const std::vector<SceneValue> pair = scene_items(item, two, "names");
      return std::make_pair(scene_text(pair[0]), scene_text(pair[1]));
    });
  }
  bool settings(const char* key, std::vector<std::pair<std::string, std::string>>& result, Names& places,
                const FieldInfo&) override {
    return with(key, [&](const SceneValue& value) { result = scene_settings(value, places); });
  }
  bool object(const char* key, const FieldInfo&, const Describe& describe) override {
    return with(key, [&](const SceneValue& value) { read(value, describe); });
  }
  bool list(const char* key, const FieldInfo& info, const Describe& describe) override {
    return with(key, [&](const SceneValue& value) {
      for (const SceneValue& item : scene_items(value, info, "maps")) read(item, describe);
    });
  }
  bool map(const char* key, const FieldInfo&,
           const std::function<void(const std::string&, SceneVisitor&)>& describe) override {
    return with(key, [&](const SceneValue& value) {
      for (const SceneEntry& entry : scene_entries(value))
        read(entry.value, [&](SceneVisitor& v) { describe(entry.key, v); });
    });
  }
  bool one_of(const char* key, const FieldInfo&, const std::vector<Alternative>& alternatives) override {
    return with(key, [&](const SceneValue& value) { read_alternative(value, alternatives); });
  }
  bool list_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) override {
    return with(key, [&](const SceneValue& value) {
      for (const SceneValue& item : scene_items(value, info, "maps")) read_alternative(item, alternatives);
    });
  }

  void refuse(const std::string& key, const std::string& expected) override {
    const SceneValue* value = find(key.c_str());
    (value ? value->place : key.empty() ? place_ : place_.member(key, place_.line)).fail(expected);
  }
  bool reading() const override { return true; }
  std::string where() const override { return *place_.file + ":" + std::to_string(place_.line); }

 private:
  explicit MapReader(const SceneValue& value) : place_(value.place), entries_(scene_entries(value)) {}

  const SceneValue* find(const char* key) const {
    for (const SceneEntry& entry : entries_) {
      if (entry.key == key) return &entry.value;
    }
    return nullptr;
  }

  template <class Read>
  bool with(const char* key, const Read& read_value) const {
    const SceneValue* value = find(key);
    if (value) read_value(*value);
    return value != nullptr;
  }

  template <class T, class ReadItem>
  bool with_items(const char* key, const FieldInfo& info, const char* what, std::vector<T>& result,
                  const ReadItem& read_item) const {
    return with(key, [&](const SceneValue& value) {
      result.clear();
      for (const SceneValue& item : scene_items(value, info, what)) result.push_back(read_item(item));
    });
  }

  static void read_alternative(const SceneValue& value, const std::vector<Alternative>& alternatives) {
    Names names;
    for (const Alternative& alternative : alternatives) names.push_back(alternative.name);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    if (!value.node.IsMap()) fail_expected(value, "a map with exactly one of " + list);
    if (value.node.size() != 1) {
      std::string given;
      bool flat = false;  // keys of the one stand beside it
      for (const SceneEntry& entry : scene_entries(value)) {
        given += (given.empty() ? "" : ", ") + entry.key;
        flat = flat || std::find(names.begin(), names.end(), entry.key) == names.end();
      }
      value.place.fail("expected a map with exactly one of " + list + (flat ? ", everything else inside it" : "") +
                       "; got " + (given.empty() ? "an empty map" : given));
    }
    const SceneEntry entry = scene_entries(value).front();
    for (const Alternative& alternative : alternatives) {
      if (alternative.name != entry.key) continue;
      if (!alternative.is_list) return read(entry.value, alternative.describe);
      for (const SceneValue& item : scene_items(entry.value, {.min_items = 1}, "maps"))
        read(item, alternative.describe);
      return;
    }
    value.place.member(entry.key, entry.key_line)
        .fail("unknown key '" + entry.key + "'" + known_keys(entry.key, names));
  }

  static Quat read_orientation(const SceneValue& value) {
    if (value.node.IsMap()) {
      Vec3 axis{};
      double angle = 0;
      read(value, [&](SceneVisitor& v) {
        v.vector("axis", axis, {.required = true});
        v.real("angle_deg", angle, {.required = true});
        if (v.reading() && !(norm2(axis) > 0)) v.refuse("axis", "expected an axis that is not zero");
      });
      return from_axis_angle(normalized(axis), angle * std::numbers::pi / 180);
    }
    FieldInfo four;
    four.min_items = four.max_items = 4;
    if (!value.node.IsSequence()) fail_expected(value, "[w, x, y, z] or {axis: [x, y, z], angle_deg: a}");
    const std::vector<SceneValue> items = scene_items(value, four, "numbers (w, x, y, z)");
    const Quat q{scene_real(items[0], {}), scene_real(items[1], {}), scene_real(items[2], {}),
                 scene_real(items[3], {})};
    const double length = std::hypot(std::hypot(q.w, q.x), std::hypot(q.y, q.z));
    if (!(length > 0)) value.place.fail("expected a quaternion that is not zero");
    return {q.w / length, q.x / length, q.y / length, q.z / length};
  }

  ScenePlace place_;
  std::vector<SceneEntry> entries_;
};

/// "; did you mean 'cases/box_pile.yaml'?" of a file that is not there: the nearest name beside it, or that case.
std::string near_file(const std::string& file) {
  const std::filesystem::path path(file);
  std::error_code error;
  if (!path.has_parent_path())
    for (const char* ending : {"", ".yaml"})
      if (const std::string known = "cases/" + file + ending; std::filesystem::is_regular_file(known, error))
        return "; did you mean '" + known + "'?";
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string nearest = nearest_name(path.filename().string(), names);
  return nearest.empty() ? "" : "; did you mean '" + (path.parent_path() / nearest).string() + "'?";
}

std::string read_bytes(const std::string& file) {
  if (std::filesystem::is_directory(file)) throw InputError(file + ": is a directory, expected a scene file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    const std::string why = std::strerror(errno);
    throw InputError(file + ": cannot be read: " + why + near_file(file));
  }
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

/// What a syntax error at this line (0-based) is often about.
std::string tab_hint(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string content;
  for (int k = 0; k <= line && std::getline(lines, content);) ++k;
  const std::size_t first = content.find_first_not_of(" \t");
  const bool tab =
      content.substr(0, first == std::string::npos ? content.size() : first).find('\t') != std::string::npos;
  return tab ? " (a tab indents this line: YAML wants spaces)" : "";
}

/// The same of brackets that are still open where the line begins; those in comments and quoted texts are none.
std::string bracket_hint(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string content;
  std::vector<std::pair<char, int>> open;
  for (int k = 0; k < line && std::getline(lines, content); ++k) {
    char quote = 0;
    for (std::size_t i = 0; i < content.size(); ++i) {
      const char c = content[i];
      if (quote) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '#' && (i == 0 || content[i - 1] == ' ')) {
        break;
      } else if (c == '{' || c == '[') {
        open.emplace_back(c, k + 1);
      } else if ((c == '}' || c == ']') && !open.empty()) {
        open.pop_back();
      }
    }
  }
  if (open.empty()) return "";
  return std::string(" (the '") + open.back().first + "' of line " + std::to_string(open.back().second) +
         " is not closed)";
}

}  // namespace

void read_yaml(const std::string& file, const SceneVisitor::Describe& describe, std::string& text) {
  text = read_bytes(file);
  if (text.starts_with("\x89HDF"))
    throw InputError(file + ": is an HDF5 file, not a scene; contact problems are solved by: clarke solve " + file);
  check_yaml(file, text);
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(text);
  } catch (const YAML::DeepRecursion& error) {
    throw InputError(file + ":" + std::to_string(error.mark.line + 1) + ": YAML syntax: nested too deeply");
  } catch (const YAML::Exception& error) {
    throw InputError(file + ":" + std::to_string(error.mark.line + 1) + ": YAML syntax: " + error.msg +
                     tab_hint(text, error.mark.line) + bracket_hint(text, error.mark.line));
  }
  const ScenePlace top{&file, 1, ""};
  if (documents.empty() || (documents.size() == 1 && documents[0].IsNull()))
    top.fail("the file is empty, expected a scene");
  if (documents.size() > 1) top.fail("expected one YAML document, got " + std::to_string(documents.size()));
  if (documents[0].IsMap() && documents[0]["study"])
    top.fail("is a study, not a scene; run it by: clarke study " + file);
  MapReader::read({documents[0], top}, describe);
}

}  // namespace clarke
