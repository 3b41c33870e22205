#pragma once
// Options, declared once beside the member they set:
//
//   struct NewtonOptions {
//     double damping = 1;
//     void describe(OptionVisitor& v) {
//       v.real("newton_damping", damping, {"1", "step length α of x ← x + α Δx", 0.0, 1.0});
//     }
//   };
//
// The same describe() reads the PETSc options database (OptionReader), prints -help, writes the options reference
// (`clarke options --markdown`) and records the resolved values in every output. Names are written without the
// leading '-'. There is no second place where an option is named.

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace clarke {

struct OptionInfo {
  const char* unit = "1";  // SI unit; "1" for pure numbers, "" for text and switches
  const char* help = "";
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  // the minimum itself is excluded
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void real(const char* name, double& value, const OptionInfo& info) = 0;
  virtual void integer(const char* name, int& value, const OptionInfo& info) = 0;
  virtual void flag(const char* name, bool& value, const OptionInfo& info) = 0;
  virtual void text(const char* name, std::string& value, const OptionInfo& info) = 0;
  /// One of a closed list, e.g. the names of a registry.
  virtual void choice(const char* name, std::string& value, const std::vector<std::string>& allowed,
                      const OptionInfo& info) = 0;
};

/// Reads every described option from the PETSc options database into its member. Throws InputError naming the
/// option when a value is not of its kind, NaN, out of range, or not in the list (with the nearest valid one).
class OptionReader final : public OptionVisitor {
 public:
  void real(const char* name, double& value, const OptionInfo& info) override;
  void integer(const char* name, int& value, const OptionInfo& info) override;
  void flag(const char* name, bool& value, const OptionInfo& info) override;
  void text(const char* name, std::string& value, const OptionInfo& info) override;
  void choice(const char* name, std::string& value, const std::vector<std::string>& allowed,
              const OptionInfo& info) override;
};

/// A named group of options for the reference: `describe` runs on a default-constructed instance.
struct OptionGroup {
  std::string name;     // heading in the reference, e.g. "nonsmooth_newton"
  std::string summary;  // one sentence
  std::function<void(OptionVisitor&)> describe;
};

/// All groups of the program, filled by the register.cpp files before any option is read; immutable afterwards.
std::vector<OptionGroup>& option_groups();

/// Adds a group whose defaults are those of a default-constructed Options.
template <class Options>
void add_option_group(std::string name, std::string summary) {
  option_groups().push_back({std::move(name), std::move(summary), [](OptionVisitor& v) {
                               Options options;
                               options.describe(v);
                             }});
}

/// Names of all described options.
std::vector<std::string> described_option_names();
/// Whose option it is: names and summaries of its groups; "" where none has it.
std::string owners_of(const std::string& option);
/// The options reference as Markdown, a table per group.
std::string options_markdown();
/// What `-help` prints of our own options; PETSc prints its part itself.
std::string options_help();
/// {name: value} of a described object after reading.
nlohmann::json options_record(const std::function<void(OptionVisitor&)>& describe);

/// Own options that are in the database but described by nobody, and PETSc type names that are not registered
/// (…snes_type, …ksp_type, …pc_type, …mat_type, factor packages): throws InputError with the nearest valid name,
/// before PETSc sees them. `PETSc's` option families (ksp_, snes_, pc_, mat_, log_, …) are left to check_unused.
void check_option_names();
/// After the first step: options nobody has read. Throws InputError for names in no describe() and unknown to the
/// selected PETSc types; returns warnings for known options of types that are not selected.
std::vector<std::string> check_unused_options();

/// Reads the described options of `object` now.
template <class Options>
void read_options(Options& object) {
  OptionReader reader;
  object.describe(reader);
}

}  // namespace clarke
