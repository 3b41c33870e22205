// The stiffness form's matrix, written by ranges of rows: the same entries to the last bit, however many ranges.

#include "linear/operators/stiffness.hpp"
#include "tests/property/newton_systems.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(row_ranges)

namespace {

/// Values of the form as a dense matrix, duplicates added as they come.
std::vector<double> dense_values(const StiffnessForm& form, int ranges) {
  std::vector<int> rows, columns;
  form.coordinates(rows, columns);
  const int size = form.size(), edge = form.in_blocks() ? 3 : 1;
  std::vector<double> values(static_cast<std::size_t>(size) * size);
  std::vector<MatrixEntries::Place> places;
  for (std::size_t k = 0; k < rows.size(); ++k) places.push_back({edge * (rows[k] * size + columns[k]), size, 1});
  MatrixEntries out(values.data(), places.data(), form.in_blocks());
  form.values_by_ranges(out, ranges);
  BOOST_TEST((out.next() == places.data() + places.size()));
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_change_no_digit) {
  int coupled = 0;
  for_each_system([&](MidNewton& m) {
    ReducedSystem reduced;
    reduced.reduce(m.system(), {});
    StiffnessForm form(reduced);
    BOOST_TEST(form.update() == "");
    const std::vector<double> whole = dense_values(form, 1);
    for (int ranges : {2, 3, 8, 64}) BOOST_TEST(dense_values(form, ranges) == whole, boost::test_tools::per_element());
    const int size = form.size();
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) coupled += r / 6 != c / 6 && whole[r * size + c] != 0;
  });
  BOOST_TEST(coupled > 0);
}

BOOST_AUTO_TEST_SUITE_END()
