#include "framework/options.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/printable.hpp"
#include "framework/text.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

BOOST_AUTO_TEST_SUITE(options)

namespace {

using namespace clarke;

struct Sample {
  double damping = 0.5;
  int restarts = 3;
  bool exact = false;
  std::string label = "none";
  std::string map = "disc_projection";
  void describe(OptionVisitor& v) {
    v.real("sample_damping", damping, {"1", "step length", 0.0, 1.0});
    v.integer("sample_restarts", restarts, {"1", "how often | at most", 1.0});
    v.flag("sample_exact", exact, {"", "exact Jacobian"});
    v.text("sample_label", label, {"", "a label"});
    v.choice("sample_map", map, {"disc_projection", "fixed_point"}, {"", "friction map"});
  }
};

/// An option in PETSc's database for the duration of one test.
class GivenOption {
 public:
  GivenOption(const std::string& name, const std::string& value) : name_(name) { set_database_option(name, value); }
  ~GivenOption() { clear_database_option(name_); }
  GivenOption(const GivenOption&) = delete;
  GivenOption& operator=(const GivenOption&) = delete;

 private:
  std::string name_;
};

/// The sample's group among the groups of the program, for the duration of one test.
class SampleGroup {
 public:
  SampleGroup() { add_option_group<Sample>("sample", "options of the tests"); }
  ~SampleGroup() { option_groups().pop_back(); }
  SampleGroup(const SampleGroup&) = delete;
  SampleGroup& operator=(const SampleGroup&) = delete;
};

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string reading(const std::string& name, const std::string& value) {
  const GivenOption given(name, value);
  return message_of([] {
    Sample sample;
    read_options(sample);
  });
}

std::string checking(const std::string& name, const std::string& value) {
  const GivenOption given(name, value);
  return message_of(check_option_names);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_are_read_strictly_and_written_back_exactly) {
  for (const char* text : {"0", "-1.5", "+2", "1e-8", ".5", "3.", "1e300"})
    BOOST_TEST(parse_real(text).has_value(), text);
  for (const char* text : {"", "abc", "1.5x", "1,5", "nan", "inf", "1e999", " 1", "+-1", "0x10", "--1"})
    BOOST_TEST(!parse_real(text).has_value(), text);
  for (const char* text : {"1.0", "1e3", "", "99999999999999999999"})
    BOOST_TEST(!parse_integer(text).has_value(), text);
  for (const double value : {0.1, 1. / 120, -1e-300, 12345678.9}) BOOST_TEST(*parse_real(format_real(value)) == value);
}

BOOST_AUTO_TEST_CASE(numbers_of_meshes_are_decimal_and_may_be_beyond_all_numbers) {
  for (const char* text : {"", "abc", "1.5x", "1,5", " 1", "+-1", "0x10", "--1", "1e", "-"})
    BOOST_TEST(!parse_any_real(text).has_value(), text);
  BOOST_TEST(*parse_any_real("+2.5") == 2.5);
  BOOST_TEST(*parse_any_real("-1e999") == -std::numeric_limits<double>::infinity());
  BOOST_TEST(*parse_any_real("1e-999") == 0);
  BOOST_TEST(std::isnan(*parse_any_real("nan")));
  BOOST_TEST(std::isinf(*parse_any_real("-inf")));
}

BOOST_AUTO_TEST_CASE(an_error_of_megabytes_is_one_line_of_a_sensible_length) {
  BOOST_TEST(error_line("a.yaml:1: unknown\nkey") == "a.yaml:1: unknown\\nkey");
  std::string huge = "a.yaml:1: unknown key '";
  for (int i = 0; i < 1000000; ++i) huge += "\u00fc";  // two bytes each: no cut may fall between them
  const std::string line = error_line(huge + "', known are ...");
  BOOST_TEST(line.size() < 4000U);
  BOOST_TEST(line.starts_with("a.yaml:1: unknown key"));
  BOOST_TEST(line.ends_with("known are ..."));
  BOOST_TEST(!contains(line, "\\x"));
  BOOST_TEST(contains(line, " bytes) ... "));
}

BOOST_AUTO_TEST_CASE(described_options_reach_their_members) {
  const GivenOption damping("sample_damping", "0.75"), restarts("sample_restarts", "7"), exact("sample_exact", ""),
      label("sample_label", "a b c"), map("sample_map", "fixed_point");
  Sample sample;
  read_options(sample);
  BOOST_TEST(sample.damping == 0.75);
  BOOST_TEST(sample.restarts == 7);
  BOOST_TEST(sample.exact);
  BOOST_TEST(sample.label == "a b c");
  BOOST_TEST(sample.map == "fixed_point");
}

BOOST_AUTO_TEST_CASE(absent_options_leave_the_default) {
  Sample sample;
  read_options(sample);
  BOOST_TEST(sample.damping == 0.5);
  BOOST_TEST(!sample.exact);
}

BOOST_AUTO_TEST_CASE(bad_values_are_refused_by_name) {
  BOOST_TEST(reading("sample_damping", "abc") == "-sample_damping: expected a number in [0, 1], got 'abc'");
  BOOST_TEST(reading("sample_damping", "1.5") == "-sample_damping: expected a number in [0, 1], got '1.5'");
  BOOST_TEST(reading("sample_damping", "nan") == "-sample_damping: expected a number in [0, 1], got 'nan'");
  BOOST_TEST(reading("sample_damping", "1e999") == "-sample_damping: expected a number in [0, 1], got '1e999'");
  BOOST_TEST(reading("sample_damping", "") == "-sample_damping: expected a number in [0, 1], got nothing");
  BOOST_TEST(reading("sample_restarts", "2.5") == "-sample_restarts: expected a whole number of at least 1, got '2.5'");
  BOOST_TEST(reading("sample_restarts", "0") == "-sample_restarts: expected a whole number of at least 1, got '0'");
  BOOST_TEST(reading("sample_restarts", "3000000000") ==
             "-sample_restarts: expected a whole number of at least 1, got '3000000000'");
  BOOST_TEST(reading("sample_exact", "maybe") == "-sample_exact: expected true or false, got 'maybe'");
  BOOST_TEST(reading("sample_label", "") == "-sample_label: expected a text, got nothing");
  BOOST_TEST(reading("sample_map", "disc_projectoin") ==
             "-sample_map: unknown value 'disc_projectoin'; did you mean 'disc_projection'?");
  BOOST_TEST(reading("sample_map", "xyz") == "-sample_map: unknown value 'xyz'; one of disc_projection, fixed_point");
}

BOOST_AUTO_TEST_CASE(words_of_the_command_line) {
  for (const char* word : {"-ksp_type", "--help", "-a"}) BOOST_TEST(is_option_word(word), word);
  for (const char* word : {"-1.5", "-1e5", "-inf", "-.5", "scene.yaml", "-", "--", ""})
    BOOST_TEST(!is_option_word(word), word);
}

BOOST_AUTO_TEST_CASE(database_keeps_values_whole_and_unread) {
  const GivenOption first("sample_label", "a -b c"), second("sample_damping", "-1.5");
  const auto find = [](const std::string& name) {
    for (const DatabaseOption& option : database_options())
      if (option.name == name) return option;
    return DatabaseOption{"missing", "", false};
  };
  BOOST_TEST(find("sample_label").value == "a -b c");
  BOOST_TEST(find("sample_damping").value == "-1.5");
  BOOST_TEST(!find("sample_label").read);
  BOOST_TEST(find("b").name == "missing");
  BOOST_TEST(*database_value("sample_label") == "a -b c");
  BOOST_TEST(find("sample_label").read);
  BOOST_TEST(find("sample_label").value == "a -b c");
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused_with_the_nearest) {
  const SampleGroup group;
  BOOST_TEST(checking("sample_dampping", "1") == "-sample_dampping: unknown option; did you mean '-sample_damping'?");
  BOOST_TEST(checking("qqqqqqqq", "") == "-qqqqqqqq: unknown option; see clarke options, and -help for PETSc's");
  BOOST_TEST(checking("sample_damping", "0.5") == "");
  BOOST_TEST(checking("SAMPLE_damping", "0.5") == "");  // PETSc ignores case, too
  BOOST_TEST(checking("sample_damping", "2") == "-sample_damping: expected a number in [0, 1], got '2'");
}

BOOST_AUTO_TEST_CASE(petsc_types_and_values_are_checked_before_petsc) {
  BOOST_TEST(checking("ksp_type", "gmres") == "");
  BOOST_TEST(checking("ksp_type", "gmers") == "-ksp_type: unknown type 'gmers'; did you mean 'gmres'?");
  BOOST_TEST(checking("ksp_type", "") == "-ksp_type: expected type, got nothing");
  BOOST_TEST(checking("outer_pc_type", "choleski") ==
             "-outer_pc_type: unknown type 'choleski'; did you mean 'cholesky'?");
  BOOST_TEST(checking("snes_type", "newtonsl") == "-snes_type: unknown type 'newtonsl'; did you mean 'newtonls'?");
  BOOST_TEST(checking("snes_linesearch_type", "basci") ==
             "-snes_linesearch_type: unknown type 'basci'; did you mean 'basic'?");
  BOOST_TEST(checking("mat_type", "aij") == "");
  BOOST_TEST(checking("mat_type", "ajj") == "-mat_type: unknown type 'ajj'; did you mean 'aij'?");
  BOOST_TEST(checking("pc_factor_mat_solver_type", "mumps") == "");
  BOOST_TEST(contains(checking("pc_factor_mat_solver_type", "mumsp"), "did you mean 'mumps'?"));
  BOOST_TEST(contains(checking("ksp_max_it", "abc"), "-ksp_max_it: expected a whole number"));
  BOOST_TEST(contains(checking("outer_ksp_rtol", "-1"), "-outer_ksp_rtol: expected a number in [0, 1], got '-1'"));
  BOOST_TEST(contains(checking("snes_atol", "nan"), "-snes_atol: expected a number of at least 0, got 'nan'"));
  BOOST_TEST(checking("snes_rtol", "default") == "");
  BOOST_TEST(checking("ksp_norm_type", "Unpreconditioned") == "");
  BOOST_TEST(contains(checking("ksp_norm_type", "natrual"), "did you mean 'natural'?"));
}

BOOST_AUTO_TEST_CASE(factorisation_must_exist_in_the_package) {
  const GivenOption type("pc_type", "cholesky");
  BOOST_TEST(checking("pc_factor_mat_solver_type", "mumps") == "");
  BOOST_TEST(contains(checking("pc_factor_mat_solver_type", "superlu"), "has no factorisation for -pc_type cholesky"));
}

BOOST_AUTO_TEST_CASE(what_nobody_has_read_is_an_error_or_a_warning) {
  const SampleGroup group;
  {
    const GivenOption own("sample_damping", "1");
    const std::vector<std::string> warnings = check_unused_options();  // described, but its owner was not selected
    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(contains(warnings[0], "nothing that is selected reads it (it is of sample, "));
    Sample sample;
    read_options(sample);
    BOOST_TEST(check_unused_options().empty());
  }
  {
    const GivenOption restart("ksp_bcgsl_ell", "4");
    const std::vector<std::string> warnings = check_unused_options();
    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(contains(warnings[0], "it belongs to -ksp_type bcgsl, which is not selected"));
  }
  {
    const GivenOption misspelt("ksp_maxit", "4");
    BOOST_TEST(message_of([] { check_unused_options(); }) ==
               "-ksp_maxit: no such option (nothing has read it); did you mean '-ksp_max_it'?");
    const GivenOption another("snes_maxit", "4");  // all are named
    BOOST_TEST(message_of([] { check_unused_options(); }) ==
               "-ksp_maxit: no such option (nothing has read it); did you mean '-ksp_max_it'? And "
               "-snes_maxit: no such option (nothing has read it); did you mean '-snes_max_it'?");
  }
  {
    const GivenOption late("options_left", "");  // PETSc reads it when it ends
    BOOST_TEST(check_unused_options().empty());
  }
}

BOOST_AUTO_TEST_CASE(reference_lists_every_described_option_once) {
  const SampleGroup group;
  const std::vector<std::string> names = described_option_names();
  const std::string markdown = options_markdown(), help = options_help();
  for (const char* name : {"sample_damping", "sample_restarts", "sample_exact", "sample_label", "sample_map"}) {
    BOOST_TEST(std::count(names.begin(), names.end(), name) == 1, name);
    BOOST_TEST(contains(markdown, "| `-" + std::string(name) + "` |"), name);
    BOOST_TEST(contains(help, "  -" + std::string(name) + " <"), name);
  }
  BOOST_TEST(contains(markdown, "| `-sample_damping` | number | `0.5` | [0, 1] | step length |"));
  BOOST_TEST(contains(markdown, "how often \\| at most"));
}

BOOST_AUTO_TEST_CASE(record_holds_the_values_in_force) {
  const GivenOption damping("sample_damping", "0.25");
  Sample sample;
  read_options(sample);
  const nlohmann::json record = options_record([&](OptionVisitor& v) { sample.describe(v); });
  BOOST_TEST(record["sample_damping"].get<double>() == 0.25);
  BOOST_TEST(record["sample_map"].get<std::string>() == "disc_projection");
  BOOST_TEST(record.size() == 5U);
}

BOOST_AUTO_TEST_CASE(nearest_name_is_near) {
  BOOST_TEST(nearest_name("massss", {"mass", "name"}) == "mass");
  BOOST_TEST(nearest_name("reductoin", {"none", "reduction"}) == "reduction");
  BOOST_TEST(nearest_name("xyz", {"mass", "name"}) == "");
  BOOST_TEST(suggestion("xyz", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
