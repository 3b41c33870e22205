#include "framework/options.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/option_values.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace clarke {
namespace {

std::string quoted(const std::string& text) { return text.empty() ? "nothing" : "'" + text + "'"; }

[[noreturn]] void refuse(const std::string& name, const std::string& expected, const std::string& text) {
  throw InputError("-" + name + ": expected " + expected + ", got " + quoted(text));
}

/// Checks what is in the database and leaves it unread: options of types that are not selected must stay visible as
/// unused.
class OptionChecker final : public OptionVisitor {
 public:
  OptionChecker() {
    for (const DatabaseOption& option : database_options()) texts_[lower_case(option.name)] = option.value;
  }
  void real(const char* name, double&, const OptionInfo& info) override {
    if (const std::string* text = find(name)) option_real(name, *text, info);
  }
  void integer(const char* name, int&, const OptionInfo& info) override {
    if (const std::string* text = find(name)) option_integer(name, *text, info);
  }
  void flag(const char* name, bool&, const OptionInfo&) override {
    if (const std::string* text = find(name)) option_flag(name, *text);
  }
  void text(const char* name, std::string&, const OptionInfo&) override {
    if (const std::string* given = find(name)) option_text(name, *given);
  }
  void choice(const char* name, std::string&, const std::vector<std::string>& allowed, const OptionInfo&) override {
    if (const std::string* text = find(name)) option_choice(name, *text, allowed);
  }

 private:
  const std::string* find(const char* name) const {
    const auto it = texts_.find(lower_case(name));
    return it == texts_.end() ? nullptr : &it->second;
  }
  std::map<std::string, std::string> texts_;
};

}  // namespace

double option_real(const std::string& name, const std::string& text, const OptionInfo& info) {
  const std::optional<double> number = parse_real(text);
  if (!number || !in_range(*number, info.min, info.max, info.open_min))
    refuse(name, describe_range("a number", info.min, info.max, info.open_min), text);
  return *number;
}

int option_integer(const std::string& name, const std::string& text, const OptionInfo& info) {
  using Limits = std::numeric_limits<int>;
  const double min = std::max(info.min, static_cast<double>(Limits::min()));
  const double max = std::min(info.max, static_cast<double>(Limits::max()));
  const std::optional<long long> number = parse_integer(text);
  if (!number || !in_range(static_cast<double>(*number), min, max, info.open_min))
    refuse(name, describe_range("a whole number", info.min, info.max, info.open_min), text);
  return static_cast<int>(*number);
}

bool option_flag(const std::string& name, const std::string& text) {
  const std::string word = lower_case(text);
  if (word.empty() || word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  refuse(name, "true or false", text);
}

std::string option_text(const std::string& name, const std::string& text) {
  if (text.empty()) refuse(name, "a text", text);
  return text;
}

std::string option_choice(const std::string& name, const std::string& text, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    throw InputError("-" + name + ": unknown value " + quoted(text) + suggestion(text, allowed));
  return text;
}

std::vector<OptionGroup>& option_groups() {
  static std::vector<OptionGroup> groups;
  return groups;
}

void check_described_values() {
  OptionChecker checker;
  for (const OptionGroup& group : option_groups()) group.describe(checker);
}

void OptionReader::real(const char* name, double& value, const OptionInfo& info) {
  if (const auto text = database_value(name)) value = option_real(name, *text, info);
}

void OptionReader::integer(const char* name, int& value, const OptionInfo& info) {
  if (const auto text = database_value(name)) value = option_integer(name, *text, info);
}

void OptionReader::flag(const char* name, bool& value, const OptionInfo&) {
  if (const auto text = database_value(name)) value = option_flag(name, *text);
}

void OptionReader::text(const char* name, std::string& value, const OptionInfo&) {
  if (const auto text = database_value(name)) value = option_text(name, *text);
}

void OptionReader::choice(const char* name, std::string& value, const std::vector<std::string>& allowed,
                          const OptionInfo&) {
  if (const auto text = database_value(name)) value = option_choice(name, *text, allowed);
}

}  // namespace clarke
