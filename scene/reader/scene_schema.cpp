#include "scene/reader/scene_schema.hpp"

#include "scene/reader/scene_model.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace clarke {
namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter final : public SceneVisitor {
 public:
  /// The schema of the map that `describe` describes.
  static Json schema_of(const Describe& describe) {
    SchemaWriter writer;
    describe(writer);
    Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", writer.properties_}};
    if (!writer.required_.empty()) schema["required"] = writer.required_;
    return schema;
  }

  bool real(const char* key, double& value, const FieldInfo& info) override {
    return add(key, with_default(number("number", info), value, info), info);
  }
  bool integer(const char* key, int& value, const FieldInfo& info) override {
    return add(key, with_default(number("integer", info), value, info), info);
  }
  bool flag(const char* key, bool& value, const FieldInfo& info) override {
    return add(key, with_default({{"type", "boolean"}}, value, info), info);
  }
  bool text(const char* key, std::string& value, const FieldInfo& info) override {
    return add(key, with_default({{"type", "string"}}, value, info), info);
  }
  bool choice(const char* key, std::string& value, const std::vector<std::string>& allowed,
              const FieldInfo& info) override {
    return add(key, with_default({{"enum", allowed}}, value, info), info);
  }
  bool choice_or_real(const char* key, std::string& word, std::optional<double>&,
                      const std::vector<std::string>& allowed, const FieldInfo& info) override {
    const Json either = Json::array({Json{{"enum", allowed}}, number("number", info)});
    return add(key, with_default({{"anyOf", either}}, word, info), info);
  }
  bool vector(const char* key, Vec3& value, const FieldInfo& info) override {
    return add(key, with_default(vector_schema(info), Json::array({value.x, value.y, value.z}), info), info);
  }
  bool orientation(const char* key, Quat&, const FieldInfo& info) override {
    const Json quaternion = array_of(number("number", {}), 4, 4);
    const Json turn = schema_of([](SceneVisitor& v) {
      Vec3 axis{};
      double angle = 0;
      v.vector("axis", axis, {.required = true});
      v.real("angle_deg", angle, {.required = true});
    });
    return add(key, {{"anyOf", Json::array({quaternion, turn})}}, info);
  }
  bool reals(const char* key, std::vector<double>&, const FieldInfo& info) override {
    return add(key, array_of(number("number", info), info.min_items, info.max_items), info);
  }
  bool texts(const char* key, std::vector<std::string>&, const FieldInfo& info) override {
    return add(key, array_of({{"type", "string"}}, info.min_items, info.max_items), info);
  }
  bool vectors(const char* key, std::vector<Vec3>&, const FieldInfo& info) override {
    return add(key, array_of(vector_schema(info), info.min_items, info.max_items), info);
  }
  bool real_or_list(const char* key, std::vector<double>&, const FieldInfo& info) override {
    const Json list = array_of(number("number", info), info.min_items, info.max_items);
    return add(key, {{"anyOf", Json::array({number("number", info), list})}}, info);
  }
  bool time_function(const char* key, TimeFunction& value, const FieldInfo& info) override {
    return add(key, with_default(time_schema(), time_default(value), info), info);
  }
  bool time_vector(const char* key, VectorFunction& value, const FieldInfo& info) override {
    const Json three = Json::array({time_default(value.x), time_default(value.y), time_default(value.z)});
    return add(key, with_default(array_of(time_schema(), 3, 3), three, info), info);
  }
  bool name_pairs(const char* key, std::vector<std::pair<std::string, std::string>>&, const FieldInfo& info) override {
    return add(key, array_of(array_of({{"type", "string"}}, 2, 2), info.min_items, info.max_items), info);
  }
  bool settings(const char* key, std::vector<std::pair<std::string, std::string>>&, std::vector<std::string>&,
                const FieldInfo& info) override {
    return add(key, {{"type", "object"}}, info);
  }
  bool object(const char* key, const FieldInfo& info, const Describe& describe) override {
    return add(key, schema_of(describe), info);
  }
  bool list(const char* key, const FieldInfo& info, const Describe& describe) override {
    return add(key, array_of(schema_of(describe), info.min_items, info.max_items), info);
  }
  bool map(const char* key, const FieldInfo& info,
           const std::function<void(const std::string&, SceneVisitor&)>& describe) override {
    const Json value = schema_of([&](SceneVisitor& v) { describe("", v); });
    return add(key, {{"type", "object"}, {"additionalProperties", value}}, info);
  }
  bool one_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) override {
    return add(key, alternatives_schema(alternatives), info);
  }
  bool list_of(const char* key, const FieldInfo& info, const std::vector<Alternative>& alternatives) override {
    return add(key, array_of(alternatives_schema(alternatives), info.min_items, info.max_items), info);
  }
  void refuse(const std::string&, const std::string&) override {}
  bool reading() const override { return false; }
  std::string where() const override { return ""; }

 private:
  bool add(const char* key, Json schema, const FieldInfo& info) {
    std::string description = info.help;
    if (*info.unit) description += (description.empty() ? "[" : " [") + std::string(info.unit) + "]";
    if (!description.empty()) schema["description"] = description;
    properties_[key] = std::move(schema);
    if (info.required) required_.emplace_back(key);
    return false;
  }

  template <class T>
  static Json with_default(Json schema, const T& value, const FieldInfo& info) {
    if (!info.required && info.has_default) schema["default"] = value;
    return schema;
  }

  static Json number(const char* type, const FieldInfo& info) {
    Json schema = {{"type", type}};
    if (std::isfinite(info.min)) schema[info.open_min ? "exclusiveMinimum" : "minimum"] = info.min;
    if (std::isfinite(info.max)) schema["maximum"] = info.max;
    return schema;
  }

  static Json array_of(const Json& items, std::size_t min, std::size_t max) {
    Json schema = {{"type", "array"}, {"items", items}};
    if (min > 0) schema["minItems"] = min;
    if (max != FieldInfo{}.max_items) schema["maxItems"] = max;
    return schema;
  }

  static Json vector_schema(const FieldInfo& info) { return array_of(number("number", info), 3, 3); }

  /// A number, an expression, or a table.
  static Json time_schema() {
    const Json points = array_of(array_of(number("number", {}), 2, 2), 1, FieldInfo{}.max_items);
    const Json table = {{"type", "object"},
                        {"additionalProperties", false},
                        {"properties", {{"table", points}}},
                        {"required", {"table"}}};
    return {{"anyOf", Json::array({number("number", {}), Json{{"type", "string"}}, table})}};
  }
  static Json time_default(const TimeFunction& value) {
    return value.is_constant() ? Json(value(0)) : Json(value.text());
  }

  static Json alternatives_schema(const std::vector<Alternative>& alternatives) {
    Json properties = Json::object();
    for (const Alternative& alternative : alternatives) {
      Json schema = schema_of(alternative.describe);
      if (alternative.is_list) schema = array_of(schema, 1, FieldInfo{}.max_items);
      schema["description"] = alternative.help;
      properties[alternative.name] = std::move(schema);
    }
    return {{"type", "object"},
            {"additionalProperties", false},
            {"minProperties", 1},
            {"maxProperties", 1},
            {"properties", properties}};
  }

  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

}  // namespace

std::string scene_schema(const std::vector<std::string>& joint_types) {
  Scene scene;
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Clarke scene"}};
  schema.update(SchemaWriter::schema_of([&](SceneVisitor& v) { describe_scene(v, scene, joint_types); }));
  return schema.dump(2);
}

}  // namespace clarke
