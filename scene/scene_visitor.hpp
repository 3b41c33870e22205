#pragma once
// The keys of a scene, declared once beside the member they set, like options (framework/options.hpp):
//
//   void describe(SceneVisitor& v, Stack& stack) {
//     v.integer("count", stack.count, {.help = "number of boxes", .min = 1, .required = true});
//   }
//
// The same declaration reads a YAML file (scene/reader/scene_reader.hpp) and writes the JSON schema for editors
// (scene/reader/scene_schema.hpp). A describing function runs with either, so it keeps to this pattern: describe
// everything first, then check with refuse(), then use the values only if reading().

#include "framework/math/quat.hpp"
#include "framework/time_function.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarke {

struct FieldInfo {
  const char* help = "";
  const char* unit = "";  // SI; "" for pure numbers, texts and switches
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  // the minimum itself is excluded
  bool required = false;
  bool has_default = true;    // false: absence means something else than the value in the member
  std::size_t min_items = 0;  // lists
  std::size_t max_items = std::numeric_limits<std::size_t>::max();
};

class SceneVisitor {
 public:
  using Describe = std::function<void(SceneVisitor&)>;
  /// One of several forms of a thing, told apart by the key it is written under: {box: {...}} or {sphere: {...}}.
  struct Alternative {
    std::string name;
    std::string help;
    Describe describe;
    bool is_list = false;  // under the key is a list of maps, {compound: [{...}, {...}]}; `describe` runs once per item
  };

  virtual ~SceneVisitor() = default;

  // Each returns whether the key is there; where it is not, the value stays as it is.
  virtual bool real(const char* key, double& value, const FieldInfo& info) = 0;
  virtual bool integer(const char* key, int& value, const FieldInfo& info) = 0;
  virtual bool flag(const char* key, bool& value, const FieldInfo& info) = 0;
  virtual bool text(const char* key, std::string& value, const FieldInfo& info) = 0;
  virtual bool choice(const char* key, std::string& value, const std::vector<std::string>& allowed,
                      const FieldInfo& info) = 0;
  /// One of the words, or a number instead.
  virtual bool choice_or_real(const char* key, std::string& word, std::optional<double>& number,
                              const std::vector<std::string>& allowed, const FieldInfo& info) = 0;
  virtual bool vector(const char* key, Vec3& value,
                      const FieldInfo& info) = 0;  // min, max hold for each component
  /// Unit quaternion from [w, x, y, z] (normalised; zero is refused) or {axis: [x, y, z], angle_deg: a}.
  virtual bool orientation(const char* key, Quat& value, const FieldInfo& info) = 0;
  virtual bool reals(const char* key, std::vector<double>& value, const FieldInfo& info) = 0;
  virtual bool texts(const char* key, std::vector<std::string>& value, const FieldInfo& info) = 0;
  virtual bool vectors(const char* key, std::vector<Vec3>& value, const FieldInfo& info) = 0;
  /// A number, which becomes a list of one, or a list of min_items to max_items numbers.
  virtual bool real_or_list(const char* key, std::vector<double>& value, const FieldInfo& info) = 0;
  /// A number, an expression in t, or {table: [[t, value], ...]}.
  virtual bool time_function(const char* key, TimeFunction& value, const FieldInfo& info) = 0;
  /// A list of three of those.
  virtual bool time_vector(const char* key, VectorFunction& value, const FieldInfo& info) = 0;
  /// [[a, b], [c, d], …]
  virtual bool name_pairs(const char* key, std::vector<std::pair<std::string, std::string>>& value,
                          const FieldInfo& info) = 0;
  /// {name: value} in the order of the file; nested maps join their names with '_', lists become "a,b,c". `places` gets
  /// the "file:line" of each.
  virtual bool settings(const char* key, std::vector<std::pair<std::string, std::string>>& value,
                        std::vector<std::string>& places, const FieldInfo& info) = 0;

  virtual bool object(const char* key, const FieldInfo& info, const Describe& describe) = 0;
  /// A list of maps; `describe` runs once per item.
  virtual bool list(const char* key, const FieldInfo& info, const Describe& describe) = 0;
  /// {name: {...}, name: {...}}; `describe` gets the name as well.
  virtual bool map(const char* key, const FieldInfo& info,
                   const std::function<void(const std::string& name, SceneVisitor&)>& describe) = 0;
  /// A map with exactly one of the alternatives as its key.
  virtual bool one_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) = 0;
  /// A list of such maps.
  virtual bool list_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) = 0;

  /// Reports what is wrong with the value of `key`, "" for the map itself. Misspelt and missing keys are reported
  /// first, because they are often the reason.
  virtual void refuse(const std::string& key, const std::string& expected) = 0;
  /// Values are there (not so while a schema is written) and nothing was wrong so far.
  virtual bool reading() const = 0;
  /// "file:line" of the map being described, for messages at a later time.
  virtual std::string where() const = 0;

  /// A number whose absence means something of its own.
  bool optional_real(const char* key, std::optional<double>& value, FieldInfo info) {
    info.has_default = false;
    double number = 0;
    const bool given = real(key, number, info);
    if (given) value = number;
    return given;
  }
};

}  // namespace clarke
