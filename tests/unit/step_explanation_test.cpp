// What is said of a step: advice follows from how it failed, and long iterations are told in part.

#include "assembly/step_explanation.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(step_explanation)

namespace {

StepReport failed(const std::string& reason, int contacts, const std::vector<double>& errors, int changed = 0) {
  StepReport r;
  r.step = 3;
  r.reason = reason;
  r.failed = true;
  r.contacts = contacts;
  r.newton_iterations = static_cast<int>(errors.size()) - 1;
  for (const double error : errors) {
    r.newton.emplace_back();
    r.newton.back().iteration = static_cast<int>(r.newton.size()) - 1;
    r.newton.back().velocity_error = error;
    r.newton.back().changed_contacts = changed;
  }
  return r;
}

const std::string kNewton = "nonsmooth_newton";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(advice_fits_the_failure) {
  const std::vector<double> jumps{9, 100, 9, 100, 9, 100, 9};
  struct Case {
    const char* reason;
    int contacts, changed;
    const char* says;
  };
  for (const Case& c :
       {Case{"linear solve failed: DIVERGED_INDEFINITE_PC", 4, 2, "preconditioner is not positive"},
        Case{"linear solve failed: DIVERGED_INDEFINITE_MAT", 4, 2, "system is not positive"},
        Case{"linear solve failed: DIVERGED_PC_FAILED", 4, 2, "-check_constraints"},
        Case{"linear solve failed: DIVERGED_BREAKDOWN", 4, 2, "gmres"}, Case{"nan at body 'a'", 4, 2, "overflowed"},
        Case{"DIVERGED_LINE_SEARCH", 4, 2, "nonsmooth_newton"}, Case{"diverged", 4, 2, "wedge"},
        Case{"diverged", 0, 0, "without contacts"}}) {
    const std::string said = advice(failed(c.reason, c.contacts, jumps, c.changed), kNewton);
    BOOST_TEST(holds(said, c.says), c.reason << ": " << said);
    BOOST_TEST(holds(said, "wedge") == (std::string(c.says) == "wedge"), c.reason << ": " << said);
  }
}

BOOST_AUTO_TEST_CASE(an_iteration_that_stands_still_is_told_from_one_that_jumps) {
  const std::string budget = "budget used up and -accept_budget is false";
  BOOST_TEST(holds(advice(failed(budget, 4, {9, 5, 4.5, 4.5, 4.5, 4.5, 4.5}), kNewton), "cannot all hold"));
  BOOST_TEST(
      holds(advice(failed(budget, 4, {9, 5, 4.5, 4.5, 4.5, 4.5, 4.5}, 1), kNewton), "wedge"));  // statuses still change
  BOOST_TEST(holds(advice(failed(budget, 4, {9, 5, 3, 2, 1, 0.5, 0.2}), kNewton), "wedge"));    // it comes nearer
}

BOOST_AUTO_TEST_CASE(advice_names_what_the_strategy_reads) {
  const StepReport r = failed("diverged", 4, {9, 100, 9, 100, 9, 100, 9}, 2);
  BOOST_TEST(holds(advice(r, kNewton), "-preset robust"));
  const std::string said = advice(r, "ssnal");
  for (const char* unread : {"-newton_damping", "-regularisation_rule", "-preset robust", "-contact_law"})
    BOOST_TEST(!holds(said, unread), unread);
  BOOST_TEST(holds(said, "-time_step"));
}

BOOST_AUTO_TEST_CASE(an_accepted_step_gets_no_advice) {
  StepReport fine = failed("converged", 4, {1, 1e-9});
  fine.failed = false;
  BOOST_TEST(advice(fine, kNewton).empty());
  BOOST_TEST(holds(explanation(fine, kNewton), "ended by 'converged'"));
}

BOOST_AUTO_TEST_CASE(of_a_long_iteration_both_ends_are_told) {
  const std::string said = explanation(failed("diverged", 4, std::vector<double>(101, 2.0), 1), kNewton);
  for (const char* part : {"Newton  0:", "Newton  4:", "... 86 more in newton.csv", "Newton 91:", "Newton 100:"})
    BOOST_TEST(holds(said, part), part);
  for (const char* part : {"Newton  5:", "Newton 90:"}) BOOST_TEST(!holds(said, part), part);
  BOOST_TEST(!holds(explanation(failed("diverged", 4, std::vector<double>(15, 2.0), 1), kNewton), "more in"));
}

BOOST_AUTO_TEST_SUITE_END()
