// How long ε is kept before it is lowered again (ncp/strategies/proximal_patience.hpp).

#include "ncp/strategies/proximal_patience.hpp"

#include <boost/test/unit_test.hpp>

namespace clarke {
namespace {

/// Easy proximal steps until ε is lowered, that one counted.
int easy_steps_until_lowered(ProximalPatience& patience) {
  int steps = 1;
  while (!patience.lowers(true) && steps < 1000) ++steps;
  return steps;
}

BOOST_AUTO_TEST_SUITE(proximal_patience)

BOOST_AUTO_TEST_CASE(without_a_failure_every_easy_step_lowers) {
  ProximalPatience patience;
  for (int k = 0; k < 5; ++k) BOOST_TEST(patience.lowers(true));
  BOOST_TEST(!patience.lowers(false));
}

BOOST_AUTO_TEST_CASE(each_lowered_one_that_fails_doubles_the_wait) {
  ProximalPatience patience;
  BOOST_TEST(easy_steps_until_lowered(patience) == 1);
  for (const int wait : {2, 4, 8, 16, 16, 16}) {
    patience.failed(16);
    BOOST_TEST(easy_steps_until_lowered(patience) == wait + 1);
  }
}

BOOST_AUTO_TEST_CASE(one_that_leads_on_halves_it) {
  ProximalPatience patience;
  for (int k = 0; k < 4; ++k) {  // waits of 2, 4, 8 and 16
    (void)easy_steps_until_lowered(patience);
    patience.failed(64);
  }
  (void)easy_steps_until_lowered(patience);
  BOOST_TEST(!patience.lowers(false));  // the lowered one led on, not easily: 8 from now on
  BOOST_TEST(patience.lowers(true));
  patience.failed(64);
  BOOST_TEST(easy_steps_until_lowered(patience) == 17);
}

BOOST_AUTO_TEST_CASE(a_failure_of_what_was_not_lowered_changes_nothing) {
  ProximalPatience patience;
  (void)patience.lowers(true);
  (void)patience.lowers(false);
  patience.failed(64);
  BOOST_TEST(patience.lowers(true));
  patience.failed(64);
  patience.failed(64);  // the same ε once more, raised
  BOOST_TEST(easy_steps_until_lowered(patience) == 3);
}

BOOST_AUTO_TEST_CASE(none_at_all) {
  ProximalPatience patience;
  for (int k = 0; k < 5; ++k) {
    BOOST_TEST(patience.lowers(true));
    patience.failed(0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace clarke
