// The `expect` entries of a scene file.

#include "cases/scene_model.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"

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

void check_subject(SceneVisitor& v, const World& world, const Quantity& quantity,
                   const std::string& of) {
  if (quantity.subject == QuantitySubject::run) {
    if (!of.empty())
      v.refuse("of", "'" + quantity.name + "' is of the whole model; expected no `of`");
    return;
  }
  if (of.empty()) {
    if (quantity.subject == QuantitySubject::thing)
      v.refuse("of", "missing; '" + quantity.name + "' is of a body or particle");
    return;
  }
  const std::vector<std::string> things = SceneNames(world).things();
  if (of == "world" || !SceneNames(world).taken(of))
    v.refuse("of", "unknown body or particle '" + of + "'" + suggestion(of, things));
}

void check_limits(SceneVisitor& v, const Expectation& e) {
  if (!e.equals && !e.min && !e.max)
    v.refuse("", "expected `equals` with `tolerance`, `min` or `max`");
  if (e.equals && (e.min || e.max))
    v.refuse("equals", "expected either `equals` or `min` and `max`, not both");
  if (e.equals && !e.tolerance) v.refuse("tolerance", "missing; it is required with `equals`");
  if (e.tolerance && !e.equals) v.refuse("tolerance", "belongs to `equals`, which is missing");
  if (e.min && e.max && *e.min > *e.max)
    v.refuse("min", "expected at most `max`, which is " + format_real(*e.max) + ", got " +
                        format_real(*e.min));
}

}  // namespace

void describe_expectation(SceneVisitor& v, const World& world, double time_end,
                          std::vector<Expectation>& expect) {
  Expectation e;
  std::string word = "end";
  std::optional<double> time;
  v.choice("quantity", e.quantity, names_with_maxima(),
           {.help = "what is judged", .required = true});
  v.text("of", e.of,
         {.help = "a body or particle; displacement, rotation and speed are the largest of all "
                  "when it is missing",
          .has_default = false});
  const bool has_at =
      v.choice_or_real("at", word, time, {"end", "max", "min", "always"},
                       {.help = "when, or a time", .unit = "s", .min = 0, .open_min = true});
  v.optional_real("equals", e.equals, {.help = "with tolerance"});
  v.optional_real("tolerance", e.tolerance,
                  {.help = "absolute, in the unit of the quantity", .min = 0});
  v.optional_real("min", e.min, {});
  v.optional_real("max", e.max, {});
  if (!v.reading()) return;

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
    v.refuse("at", "expected a time up to the end at " + format_real(time_end) + " s, got " +
                       format_real(*time));
  check_subject(v, world, *quantity, e.of);
  check_limits(v, e);
  expect.push_back(e);
}

}  // namespace clarke
