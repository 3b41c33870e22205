// The `expect` and `sensors` entries of a scene file.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/constraints/joint_traits.hpp"
#include "scene/reader/scene_model.hpp"

#include <algorithm>
#include <cctype>

namespace clarke {
namespace {

using When = Expectation::When;

When when_of(const std::string& word) {
  if (word == "max") return When::max;
  if (word == "min") return When::min;
  if (word == "always") return When::always;
  return When::end;
}

/// "penetration_max" is the name in summary.json of what is written here as {quantity: penetration, at: max}.
std::vector<std::string> names_with_maxima() {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities()) {
    names.push_back(quantity.name);
    if (quantity.subject == QuantitySubject::run && quantity.name.find('.') == std::string::npos)
      names.push_back(quantity.name + "_max");
  }
  return names;
}

void check_joint(SceneVisitor& v, const World& world, const Quantity& quantity, const std::string& of) {
  std::vector<std::string> names;
  for (const JointDescription& joint : world.joints) {
    names.push_back(joint.name);
    if (joint.name != of) continue;
    const int count = joint_traits(joint.type).coordinates;
    if (quantity.coordinates > count)
      v.refuse("of",
               "'" + of + "' is a " + joint.type + ", which has " + (count == 0 ? "no coordinate" : "one coordinate"));
    return;
  }
  v.refuse("of", "unknown joint '" + of + "'" + suggestion(of, names));
}

void check_volume(SceneVisitor& v, const World& world, const std::string& of) {
  std::vector<std::string> names;
  for (const VolumeDescription& volume : world.volumes) names.push_back(volume.name);
  if (std::find(names.begin(), names.end(), of) == names.end())
    v.refuse("of", "unknown volume '" + of + "'" + suggestion(of, names));
}

void check_thing(SceneVisitor& v, const SceneNames& names, const char* key, const std::string& name) {
  if (name == "world" || !names.taken(name))
    v.refuse(key, "unknown body or particle '" + name + "'" + suggestion(name, names.things()));
}

const char* subject_text(QuantitySubject subject) {
  if (subject == QuantitySubject::joint) return "a joint";
  if (subject == QuantitySubject::volume) return "a volume";
  return subject == QuantitySubject::body ? "a body" : "a body or particle";
}

void check_subject(SceneVisitor& v, const World& world, const SceneNames& names, const Quantity& quantity,
                   const std::string& of) {
  if (quantity.subject == QuantitySubject::run) {
    if (!of.empty()) v.refuse("of", "'" + quantity.name + "' is of the whole model; expected no `of`");
    return;
  }
  if (of.empty()) {
    if (quantity.subject != QuantitySubject::thing_or_largest)
      v.refuse("of", "missing; '" + quantity.name + "' is of " + subject_text(quantity.subject));
    return;
  }
  if (quantity.subject == QuantitySubject::joint) return check_joint(v, world, quantity, of);
  if (quantity.subject == QuantitySubject::volume) return check_volume(v, world, of);
  check_thing(v, names, "of", of);
  if (quantity.subject == QuantitySubject::body && !names.body(of))
    v.refuse("of", "'" + of + "' is a particle; '" + quantity.name + "' is of a body");
}

void check_with(SceneVisitor& v, const SceneNames& names, const Quantity& quantity, const std::string& of,
                const std::string& with) {
  if (with.empty()) return;
  if (!quantity.pairwise) v.refuse("with", "'" + quantity.name + "' is of one thing; only contact forces take `with`");
  check_thing(v, names, "with", with);
  if (with == of) v.refuse("with", "expected another thing than '" + of + "'");
}

void check_limits(SceneVisitor& v, const Expectation& e) {
  if (!e.equals && !e.min && !e.max) v.refuse("", "expected `equals` with `tolerance`, `min` or `max`");
  if (e.equals && (e.min || e.max)) v.refuse("equals", "expected either `equals` or `min` and `max`, not both");
  if (e.equals && !e.tolerance) v.refuse("tolerance", "missing; it is required with `equals`");
  if (e.tolerance && !e.equals) v.refuse("tolerance", "belongs to `equals`, which is missing");
  if (e.min && e.max && *e.min > *e.max)
    v.refuse("min", "expected at most `max`, which is " + format_real(*e.max) + ", got " + format_real(*e.min));
}

void describe_with(SceneVisitor& v, std::string& with) {
  v.text("with", with, {.help = "contact forces: from contacts with this body or particle only", .has_default = false});
}

/// What others refer to: small letters, digits and '_', once in the scene.
void check_expectation_name(SceneVisitor& v, const std::vector<Expectation>& expect, const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; });
  if (!plain) v.refuse("name", "expected small letters, digits and '_', got '" + name + "'");
  const bool taken = std::any_of(expect.begin(), expect.end(), [&](const Expectation& e) { return e.name == name; });
  if (!name.empty() && taken) v.refuse("name", "the name '" + name + "' is used twice");
}

/// The name becomes that of a column.
void check_sensor_name(SceneVisitor& v, const std::vector<Sensor>& sensors, const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; });
  if (!plain) v.refuse("name", "expected letters, digits, '_', '-' and '.', got '" + name + "'");
  if (name == "step" || name == "time") v.refuse("name", "'" + name + "' is a column of its own in sensors.csv");
  if (std::any_of(sensors.begin(), sensors.end(), [&](const Sensor& other) { return other.name == name; }))
    v.refuse("name", "the name '" + name + "' is used twice");
}

}  // namespace

void describe_sensor(SceneVisitor& v, const World& world, const SceneNames& names, std::vector<Sensor>& sensors) {
  Sensor sensor;
  Query& query = sensor.query;
  v.text("name", sensor.name, {.help = "of the column in sensors.csv", .required = true});
  v.choice("quantity", query.quantity, quantity_names(), {.help = "what is recorded", .required = true});
  v.text("of", query.of, {.help = "a body, particle, joint or volume", .has_default = false});
  describe_with(v, query.with);
  if (!v.reading()) return;

  check_sensor_name(v, sensors, sensor.name);
  check_subject(v, world, names, query.found(), query.of);
  check_with(v, names, query.found(), query.of, query.with);
  sensors.push_back(sensor);
}

void describe_expectation(SceneVisitor& v, const World& world, const SceneNames& names, double time_end,
                          std::vector<Expectation>& expect) {
  Expectation e;
  std::string word = "end";
  std::optional<double> time;
  v.choice("quantity", e.quantity, names_with_maxima(), {.help = "what is judged", .required = true});
  v.text("of", e.of,
         {.help = "a body, particle, joint or volume; displacement, rotation and speed are the largest of "
                  "all when it is missing",
          .has_default = false});
  describe_with(v, e.with);
  const bool has_at = v.choice_or_real("at", word, time, {"end", "max", "min", "always"},
                                       {.help = "when, or a time", .unit = "s", .min = 0, .open_min = true});
  v.optional_real("equals", e.equals, {.help = "with tolerance"});
  v.optional_real("tolerance", e.tolerance, {.help = "absolute, in the unit of the quantity", .min = 0});
  v.optional_real("min", e.min, {});
  v.optional_real("max", e.max, {});
  v.text("name", e.name, {.help = "what claims and studies call it", .has_default = false});
  std::string basis = "purpose";
  v.choice("basis", basis, kExpectationBases, {.help = "where the expected number is from"});
  if (!v.reading()) return;

  check_expectation_name(v, expect, e.name);
  e.basis = basis;
  e.when = time ? When::time : when_of(word);
  e.time = time.value_or(0);
  e.where = v.where();
  const Quantity* quantity = find_quantity(e.quantity);
  if (!quantity) {  // a name with _max
    if (has_at) v.refuse("at", "'" + e.quantity + "' says already when; expected no `at`");
    e.quantity.resize(e.quantity.size() - std::string("_max").size());
    e.when = When::max;
    quantity = find_quantity(e.quantity);
  }
  if (time && *time > time_end * (1 + 1e-6))
    v.refuse("at", "expected a time up to the end at " + format_real(time_end) + " s, got " + format_real(*time));
  check_subject(v, world, names, *quantity, e.of);
  check_with(v, names, *quantity, e.of, e.with);
  check_limits(v, e);
  expect.push_back(e);
}

}  // namespace clarke
