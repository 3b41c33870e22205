// What is written as a problem file is read back: every list, in both forms. Files that are wrong are in
// program.solve_problems.

#include "scene/reader/problem_file.hpp"

#include "framework/error.hpp"
#include "postprocess/problem_writer.hpp"
#include "tests/matrix_problems.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <limits>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(problem_file)

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A file that goes away again.
struct Scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "clarke_problem_file_test.hdf5";
  ~Scratch() { std::filesystem::remove(path); }
};

ContactProblem written_and_read(const ContactProblem& problem) {
  const Scratch scratch;
  write_problem(scratch.path, problem, problem.provenance);
  return read_problem(scratch.path.string());
}

void check_matrix(const SparseMatrix& a, const SparseMatrix& b) {
  BOOST_TEST(a.rows == b.rows);
  BOOST_TEST(a.columns == b.columns);
  BOOST_TEST(a.start == b.start, boost::test_tools::per_element());
  BOOST_TEST(a.column == b.column, boost::test_tools::per_element());
  BOOST_TEST(a.value == b.value, boost::test_tools::per_element());
}

void check_solution(const ProblemSolution& a, const ProblemSolution& b) {
  BOOST_TEST(a.velocity == b.velocity, boost::test_tools::per_element());
  BOOST_TEST(a.contact_velocity == b.contact_velocity, boost::test_tools::per_element());
  BOOST_TEST(a.contact_impulse == b.contact_impulse, boost::test_tools::per_element());
  BOOST_TEST(a.joint_impulse == b.joint_impulse, boost::test_tools::per_element());
}

void check_rest(const ContactProblem& a, const ContactProblem& b) {
  BOOST_TEST(a.title == b.title);
  BOOST_TEST(a.description == b.description);
  BOOST_TEST(a.provenance == b.provenance);
  BOOST_TEST(a.friction == b.friction, boost::test_tools::per_element());
  BOOST_TEST(a.joint_offset == b.joint_offset, boost::test_tools::per_element());
  BOOST_TEST(a.joint_lower == b.joint_lower, boost::test_tools::per_element());
  BOOST_TEST(a.joint_upper == b.joint_upper, boost::test_tools::per_element());
  BOOST_TEST(a.contact_names == b.contact_names, boost::test_tools::per_element());
  BOOST_TEST(a.joint_row_names == b.joint_row_names, boost::test_tools::per_element());
  check_solution(a.solution, b.solution);
  BOOST_TEST_REQUIRE(a.guesses.size() == b.guesses.size());
  for (std::size_t i = 0; i < a.guesses.size(); ++i) check_solution(a.guesses[i], b.guesses[i]);
}

/// What both forms have.
ContactProblem rest() {
  ContactProblem p;
  p.title = "two";
  p.description = "µ, names and bounds";
  p.provenance = "{\"by\": \"hand\"}";
  p.contacts = 1;
  p.friction = {0.25};
  p.joint_offset = {0.5, -0.5};
  p.joint_lower = {-kInf, 0};
  p.joint_upper = {kInf, 3};
  p.contact_names = {"a/b:0"};
  p.joint_row_names = {"hinge", "limit"};
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(global) {
  ContactProblem p = rest();
  p.mass = test::dense(3, 3, {2, 0, 0, 0, 2, 0.5, 0, 0.5, 1});
  p.jacobian = test::dense(3, 3, {0, 0, 1, 1, 0, 0, 0, 1, 0});
  p.force = {1, 2, 1.0 / 3};
  p.offset = {-1, 0, 1e-300};
  p.compliance = {0.1, 0, 0};
  p.joint_jacobian = test::dense(2, 3, {1, 0, 0, 0, 1, 1});
  p.joint_compliance = {0, 1e-3};
  p.solution = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11}};
  p.guesses = {{{}, {}, {1, 0, 0}, {}}, p.solution};
  const ContactProblem q = written_and_read(p);
  BOOST_TEST(!q.local());
  check_matrix(q.mass, p.mass);
  check_matrix(q.jacobian, p.jacobian);
  check_matrix(q.joint_jacobian, p.joint_jacobian);
  for (const auto list : {&ContactProblem::force, &ContactProblem::offset, &ContactProblem::compliance,
                          &ContactProblem::joint_compliance})
    BOOST_TEST((q.*list) == (p.*list), boost::test_tools::per_element());
  check_rest(q, p);
}

BOOST_AUTO_TEST_CASE(local) {
  ContactProblem p = rest();
  p.delassus = test::dense(3, 3, {1, 0.1, 0, 0.2, 2, 0, 0, 0, 2});  // unsymmetric: rows and columns are not mixed up
  p.free_velocity = {-1, 3, 0};
  p.joint_coupling = test::dense(3, 2, {1, 0, 0, 2, 3, 0});
  p.joint_delassus = test::dense(2, 2, {4, 1, 1, 5});
  p.solution = {{}, {4, 5, 6}, {7, 8, 9}, {10, 11}};
  const ContactProblem q = written_and_read(p);
  BOOST_TEST(q.local());
  BOOST_TEST(q.joint_rows() == 2);
  check_matrix(q.delassus, p.delassus);
  check_matrix(q.joint_coupling, p.joint_coupling);
  check_matrix(q.joint_delassus, p.joint_delassus);
  BOOST_TEST(q.free_velocity == p.free_velocity, boost::test_tools::per_element());
  check_rest(q, p);
}

BOOST_AUTO_TEST_CASE(a_bilateral_row_of_nothing) {
  ContactProblem p = rest();
  p.delassus = test::dense(3, 3, {1, 0, 0, 0, 2, 0, 0, 0, 2});
  p.free_velocity = {-1, 3, 0};
  p.joint_coupling = test::dense(3, 2, {1, 0, 0, 2, 3, 0});
  p.joint_delassus = test::dense(2, 2, {4, 1, 1, 0});
  BOOST_CHECK_EXCEPTION(written_and_read(p), InputError, [](const InputError& e) {
    const std::string text = e.what();
    return text.find("fclib_local/R") != std::string::npos && text.find("row 1") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
