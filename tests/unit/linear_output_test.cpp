// linear.csv: there once a step has linear iterations to tell of, and not before.

#include "postprocess/csv_records.hpp"
#include "postprocess/output_writer.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

BOOST_AUTO_TEST_SUITE(linear_output)

BOOST_AUTO_TEST_CASE(values_stand_in_their_columns) {
  const std::vector<std::string> columns = {"step", "newton_iteration", "iteration", "residual"};
  BOOST_TEST(clarke::linear_columns() == columns, boost::test_tools::per_element());
  BOOST_TEST(clarke::linear_row({1, 2, 3, 4.5}) == "1,2,3,4.5\n");
}

BOOST_AUTO_TEST_CASE(the_file_is_there_once_there_is_something) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "clarke_linear_XXXXXX").string();
  BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
  const fs::path file = fs::path(pattern) / "linear.csv";
  std::ofstream(file) << "of an earlier run";
  {
    clarke::OutputWriter writer(pattern, "test", {}, nlohmann::json::object());
    BOOST_TEST(!fs::exists(file));
    clarke::StepReport report;
    report.step = 1;
    writer.write_step(report);
    BOOST_TEST(!fs::exists(file));
    report.step = 2;
    report.linear = {{2, 0, 0, 1.0}, {2, 0, 1, 0.25}};
    writer.write_step(report);
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  BOOST_TEST(text == "step,newton_iteration,iteration,residual\n2,0,0,1\n2,0,1,0.25\n");
  fs::remove_all(pattern);
}

BOOST_AUTO_TEST_SUITE_END()
