#include "framework/time_function.hpp"

#include "framework/error.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <numbers>

BOOST_AUTO_TEST_SUITE(time_function)

namespace {

using namespace clarke;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string expression_message(const std::string& text) {
  return message_of([&] { TimeFunction::expression(text); });
}

Scene with_gravity(const std::string& gravity) {
  return scene_from("time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\ngravity: " + gravity + "\n");
}

/// What is said about line 3, without the name of the file.
std::string gravity_message(const std::string& gravity) {
  const std::string text = message_of([&] { with_gravity(gravity); });
  const std::size_t place = text.find(".yaml:3: ");
  return place == std::string::npos ? text : text.substr(place + 9);
}

}  // namespace

BOOST_AUTO_TEST_CASE(constants) {
  const TimeFunction f = 0.5;
  BOOST_TEST(f(3) == 0.5);
  BOOST_TEST(f.is_constant());
  BOOST_TEST(f.text() == "0.5");
}

BOOST_AUTO_TEST_CASE(expressions) {
  const TimeFunction f = TimeFunction::expression("0.5 * sin(2 * pi * t) + e");
  BOOST_TEST(!f.is_constant());
  BOOST_TEST(f(0) == std::numbers::e);
  BOOST_TEST(f(0.25) == 0.5 + std::numbers::e);
  BOOST_TEST(f.text() == "0.5 * sin(2 * pi * t) + e");
  const TimeFunction copy = f;
  BOOST_TEST(copy(0) == f(0));
}

// What the header says about the notation.
BOOST_AUTO_TEST_CASE(notation) {
  const auto value = [](const char* text) { return TimeFunction::expression(text)(2); };
  BOOST_TEST(value("-2^2") == -4);
  BOOST_TEST(value("2^3^2") == 512);
  BOOST_TEST(value("1/2") == 0.5);
  BOOST_TEST(value("log(e)") == 1);
  BOOST_TEST(value("t > 1 && t <= 2 ? 7 : 8") == 7);
  BOOST_TEST(value("min(t, 1, 3)") == 1);
}

BOOST_AUTO_TEST_CASE(bad_expressions_say_what_and_where) {
  BOOST_TEST(expression_message("2 * sin(t") == "expression '2 * sin(t': Missing parenthesis at position 10");
  BOOST_TEST(expression_message("2 pi") ==
             "expression '2 pi': Unexpected value \"pi\" at position 3; products are written with '*'");
  BOOST_TEST(expression_message("2 * x") == "expression '2 * x': Unexpected token \"x\" at position 5");
  BOOST_TEST(expression_message("5 % 3") == "expression '5 % 3': Unexpected token \"% 3\" at position 3");
  BOOST_TEST(expression_message("t = 3") == "expression 't = 3': '=' at position 3 assigns; expected '==' to compare");
  BOOST_TEST(expression_message("t == 3 || t <= 1 || t != 2") == "accepted");
  BOOST_TEST(expression_message("0,5") == "expression '0,5': gives 2 values, expected one; the decimal point is '.'");
  BOOST_TEST(expression_message("") == "expression '': Expression is empty");
  BOOST_TEST(expression_message("1 / t") == "expression '1 / t': is inf at t = 0 s, expected a finite number");
}

BOOST_AUTO_TEST_CASE(what_stops_being_finite_is_said_when_it_does) {
  const TimeFunction f = TimeFunction::expression("sqrt(1 - t)");
  BOOST_TEST(f(1) == 0);
  BOOST_CHECK_THROW(f(1.5), InputError);
  BOOST_TEST(f(0) == 1);
}

BOOST_AUTO_TEST_CASE(tables) {
  const TimeFunction f = TimeFunction::table({{0, 1}, {1, 3}, {4, 0}});
  BOOST_TEST(f(-1) == 1);
  BOOST_TEST(f(0) == 1);
  BOOST_TEST(f(0.5) == 2);
  BOOST_TEST(f(1) == 3);
  BOOST_TEST(f(2.5) == 1.5);
  BOOST_TEST(f(4) == 0);
  BOOST_TEST(f(9) == 0);
  BOOST_TEST(f.text() == "table of 3 points");
  BOOST_TEST(TimeFunction::table({{2, 5}})(0) == 5);
}

BOOST_AUTO_TEST_CASE(bad_tables) {
  const double inf = std::numeric_limits<double>::infinity();
  BOOST_TEST(message_of([] { TimeFunction::table({}); }) == "a table needs at least one point");
  BOOST_TEST(message_of([] {
               TimeFunction::table({{0, 1}, {1, 2}, {1, 3}});
             }) == "the times of a table must increase, but point 3 is at 1 s and the one before it at 1 s");
  BOOST_TEST(message_of([&] { TimeFunction::table({{0, inf}}); }) == "point 1 of the table is not finite");
}

BOOST_AUTO_TEST_CASE(scenes_take_numbers_expressions_and_tables) {
  const VectorFunction gravity = with_gravity("[1, 2 * t, {table: [[0, 0], [1, -9.81]]}]").world.gravity;
  BOOST_TEST(gravity.x.is_constant());
  BOOST_TEST(gravity(1).x == 1);
  BOOST_TEST(gravity(1).y == 2);
  BOOST_TEST(gravity(0.5).z == -9.81 / 2);
}

BOOST_AUTO_TEST_CASE(scenes_refuse_with_line_and_key) {
  BOOST_TEST(gravity_message("[0, 0, 2 * x]") ==
             "gravity[2]: expression '2 * x': Unexpected token \"x\" at position 5");
  BOOST_TEST(gravity_message("[0, 0]") ==
             "gravity: expected a list of 3 numbers or functions of time, got a list of 2");
  BOOST_TEST(gravity_message("[0, 0, {tabel: [[0, 0]]}]") ==
             "gravity[2].tabel: unknown key 'tabel'; expected a number, an expression in t, or "
             "{table: [[t, value], ...]}");
  BOOST_TEST(gravity_message("[0, 0, [1]]") ==
             "gravity[2]: expected a number, an expression in t, or {table: [[t, value], ...]}, "
             "got a list of 1");
  BOOST_TEST(gravity_message("[0, 0, {table: [[0, 0], [1]]}]") ==
             "gravity[2].table[1]: expected a list of 2 numbers (t, value), got a list of 1");
  BOOST_TEST(gravity_message("[0, 0, {table: []}]") ==
             "gravity[2].table: expected a list of at least 1 points [t, value], got a list of 0");
  BOOST_TEST(gravity_message("[0, 0, {table: [[1, 0], [0, 0]]}]") ==
             "gravity[2]: the times of a table must increase, but point 2 is at 0 s and the one "
             "before it at 1 s");
  BOOST_TEST(gravity_message("[0, 0, 1e999]").find("position 1") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
