#include "scene/reader/builder_options.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/text.hpp"

#include <set>

namespace clarke {
namespace {

using Names = std::vector<std::string>;

/// Hands a builder's declarations on to a scene visitor (if there is one), and its single values to an option visitor
/// too, which comes second and so has the last word.
class BuilderVisitor final : public SceneVisitor {
 public:
  BuilderVisitor(SceneVisitor* scene, OptionVisitor& options, std::string builder)
      : scene_(scene), options_(options), builder_(std::move(builder)) {}

  std::vector<std::pair<std::string, std::string>> overruled;

  bool real(const char* key, double& value, const FieldInfo& info) override {
    const bool given = scene_ && scene_->real(key, value, info);
    const bool overrules = overrule(key, [&](const char* name) {
      options_.real(name, value, {info.unit, info.help, info.min, info.max, info.open_min});
    });
    return given || overrules;
  }
  bool integer(const char* key, int& value, const FieldInfo& info) override {
    const bool given = scene_ && scene_->integer(key, value, info);
    const bool overrules = overrule(key, [&](const char* name) {
      options_.integer(name, value, {info.unit, info.help, info.min, info.max, info.open_min});
    });
    return given || overrules;
  }
  bool flag(const char* key, bool& value, const FieldInfo& info) override {
    const bool given = scene_ && scene_->flag(key, value, info);
    return overrule(key, [&](const char* name) { options_.flag(name, value, {"", info.help}); }) || given;
  }
  bool text(const char* key, std::string& value, const FieldInfo& info) override {
    const bool given = scene_ && scene_->text(key, value, info);
    return overrule(key, [&](const char* name) { options_.text(name, value, {"", info.help}); }) || given;
  }
  bool choice(const char* key, std::string& value, const Names& allowed, const FieldInfo& info) override {
    const bool given = scene_ && scene_->choice(key, value, allowed, info);
    return overrule(key, [&](const char* name) { options_.choice(name, value, allowed, {"", info.help}); }) || given;
  }

  // The rest has no form on a command line.
  bool choice_or_real(const char* key, std::string& word, std::optional<double>& number, const Names& allowed,
                      const FieldInfo& info) override {
    return scene_ && scene_->choice_or_real(key, word, number, allowed, info);
  }
  bool vector(const char* key, Vec3& value, const FieldInfo& info) override {
    return scene_ && scene_->vector(key, value, info);
  }
  bool orientation(const char* key, Quat& value, const FieldInfo& info) override {
    return scene_ && scene_->orientation(key, value, info);
  }
  bool reals(const char* key, std::vector<double>& value, const FieldInfo& info) override {
    return scene_ && scene_->reals(key, value, info);
  }
  bool texts(const char* key, Names& value, const FieldInfo& info) override {
    return scene_ && scene_->texts(key, value, info);
  }
  bool vectors(const char* key, std::vector<Vec3>& value, const FieldInfo& info) override {
    return scene_ && scene_->vectors(key, value, info);
  }
  bool real_or_list(const char* key, std::vector<double>& value, const FieldInfo& info) override {
    return scene_ && scene_->real_or_list(key, value, info);
  }
  bool time_function(const char* key, TimeFunction& value, const FieldInfo& info) override {
    return scene_ && scene_->time_function(key, value, info);
  }
  bool time_vector(const char* key, VectorFunction& value, const FieldInfo& info) override {
    return scene_ && scene_->time_vector(key, value, info);
  }
  bool name_pairs(const char* key, std::vector<std::pair<std::string, std::string>>& value,
                  const FieldInfo& info) override {
    return scene_ && scene_->name_pairs(key, value, info);
  }
  bool settings(const char* key, std::vector<std::pair<std::string, std::string>>& value,
                std::vector<std::string>& places, const FieldInfo& info) override {
    return scene_ && scene_->settings(key, value, places, info);
  }
  bool object(const char* key, const FieldInfo& info, const Describe& describe) override {
    return scene_ && scene_->object(key, info, describe);
  }
  bool list(const char* key, const FieldInfo& info, const Describe& describe) override {
    return scene_ && scene_->list(key, info, describe);
  }
  bool map(const char* key, const FieldInfo& info,
           const std::function<void(const std::string&, SceneVisitor&)>& describe) override {
    return scene_ && scene_->map(key, info, describe);
  }
  bool one_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) override {
    return scene_ && scene_->one_of(key, info, alternatives);
  }
  bool list_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) override {
    return scene_ && scene_->list_of(key, info, alternatives);
  }

  void refuse(const std::string& key, const std::string& expected) override {
    if (given_.count(key)) throw InputError("-" + option(key) + ": " + expected);
    if (scene_) scene_->refuse(key, expected);
  }
  bool reading() const override { return scene_ != nullptr; }
  std::string where() const override { return scene_ ? scene_->where() : ""; }

 private:
  std::string option(const std::string& key) const { return builder_ + "_" + key; }

  /// Whether the option of `key` was given; `visit` gets its name in any case.
  template <class Visit>
  bool overrule(const char* key, const Visit& visit) {
    const std::string name = option(key);
    visit(name.c_str());
    if (!scene_) return false;
    const std::optional<std::string> value = database_value(name);
    if (!value) return false;
    overruled.emplace_back(name, *value);
    given_.insert(key);
    return true;
  }

  SceneVisitor* scene_;
  OptionVisitor& options_;
  std::string builder_;
  std::set<std::string> given_;
};

}  // namespace

void describe_builder_options(const std::string& name, Builder& builder, OptionVisitor& options) {
  BuilderVisitor visitor(nullptr, options, name);
  builder.describe(visitor);
}

void describe_builder(SceneVisitor& v, const std::string& name, Builder& builder,
                      std::vector<std::pair<std::string, std::string>>& overruled) {
  if (!v.reading()) return builder.describe(v);
  OptionReader options;
  BuilderVisitor visitor(&v, options, name);
  builder.describe(visitor);
  overruled.insert(overruled.end(), visitor.overruled.begin(), visitor.overruled.end());
}

}  // namespace clarke
