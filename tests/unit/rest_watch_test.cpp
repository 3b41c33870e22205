#include "assembly/rest_watch.hpp"

#include <boost/test/unit_test.hpp>

using clarke::RestWatch;

BOOST_AUTO_TEST_SUITE(rest_watch)

BOOST_AUTO_TEST_CASE(rest_takes_its_time) {
  RestWatch watch(1e-6, 0.2);
  BOOST_TEST(!watch.at_rest());
  watch.observe(0.1, 1);
  watch.observe(0.2, 1e-7);
  BOOST_TEST(!watch.at_rest());
  watch.observe(0.3, 1e-7);
  BOOST_TEST(!watch.at_rest());
  watch.observe(0.4, 0);  // 0.4 - 0.2 is a little less than 0.2 in doubles
  BOOST_TEST(watch.at_rest());
  BOOST_TEST(*watch.since() == 0.2);
}

BOOST_AUTO_TEST_CASE(any_motion_starts_it_again) {
  RestWatch watch(1e-6, 0.2);
  watch.observe(0.1, 0);
  watch.observe(0.2, 1e-6);  // the bound itself is motion
  BOOST_TEST(!watch.since().has_value());
  watch.observe(0.3, 0);
  BOOST_TEST(!watch.at_rest());
  watch.observe(0.5, 0);
  BOOST_TEST(watch.at_rest());
  watch.observe(0.6, std::nan(""));
  BOOST_TEST(!watch.at_rest());
}

BOOST_AUTO_TEST_CASE(without_duration_the_first_moment_counts) {
  RestWatch watch(1, 0);
  watch.observe(0.1, 2);
  BOOST_TEST(!watch.at_rest());
  watch.observe(0.2, 0.5);
  BOOST_TEST(watch.at_rest());
}

BOOST_AUTO_TEST_SUITE_END()
