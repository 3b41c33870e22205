// Recipes and the fallback sequence: a failed step is solved again from its start with the options of a recipe, as a
// run with those options would have solved it; nothing leaks from a recipe into the run or into the next one; what
// cannot work is refused with its place.

#include "assembly/recipes.hpp"
#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "tests/cross/small_models.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(fallback_sequence)

namespace {

constexpr double kStep = 1.0 / 120;

/// A recipe file for the life of one test.
class File {
 public:
  File(const std::string& name, const std::string& text)
      : path_(
            (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "_" + name + ".options")).string()) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<Vec3> velocities(const Model& model) {
  std::vector<Vec3> u;
  to_host(model.state().u, u);
  return u;
}

bool same(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z) return false;
  return a.size() == b.size();
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Never solved: nothing in contact is before the first iteration from zero.
const std::string kNever = "-newton_start zero -snes_max_it 0 -accept_budget false -snes_atol 1e-10 ";
const char* const kSolves =
    "# solves it\n-snes_max_it 60\n-contact_law soc_fischer_burmeister  # unsymmetric\n-ksp_type preonly\n-pc_type "
    "lu\n-newton_damping 1\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_recipe_solves_as_its_options_would) {
  const File good("good", kSolves);
  for (int which : {1, 3}) {  // slope, pendulum
    const World world = small_models()[which].world;
    std::vector<Vec3> reference;
    {
      const ScopedOptions options(
          "-newton_start zero -accept_budget false -snes_atol 1e-10 -snes_max_it 60 -contact_law "
          "soc_fischer_burmeister -ksp_type "
          "preonly -pc_type lu -newton_damping 1");
      Model model(world, kStep);
      BOOST_TEST(run(model, 10).failed == 0);
      reference = velocities(model);
    }
    const ScopedOptions options(kNever + "-fallback_sequence " + good.path());
    Model model(world, kStep);
    for (int i = 0; i < 10; ++i) {
      const StepReport r = model.step();
      BOOST_TEST(!r.failed);
      BOOST_TEST(r.reason == "converged");
      BOOST_TEST(r.recipe == good.path());
      BOOST_TEST(r.safeguards.at("fallback_sequence") == 1);
      BOOST_TEST(database_value("snes_max_it").value_or("") == "0");
      for (const char* name : {"contact_law", "ksp_type", "pc_type", "newton_damping"})
        BOOST_TEST(!database_value(name).has_value());
    }
    BOOST_TEST(same(velocities(model), reference));  // bit for bit
  }
}

BOOST_AUTO_TEST_CASE(fallbacks_in_turn_and_nothing_leaks) {
  // With the law or the budget of the first in force the second would not be what it is alone.
  const File bad("bad", "-contact_law alart_curnier\n-ksp_type gmres\n-newton_damping 0.001\n-snes_max_it 2\n");
  const File good("good", "-snes_max_it 80\n");  // the run's own law: scalar, pcr
  const World world = small_models()[1].world;
  std::vector<Vec3> reference;
  {
    const ScopedOptions options(
        "-newton_start zero -accept_budget false -snes_atol 1e-10 -snes_max_it 80 -ksp_max_it 200");
    Model model(world, kStep);
    BOOST_TEST(run(model, 5).failed == 0);
    reference = velocities(model);
  }
  const ScopedOptions options(kNever + "-ksp_max_it 200 -fallback_sequence " + bad.path() + "," + good.path());
  Model model(world, kStep);
  for (int i = 0; i < 5; ++i) {
    const StepReport r = model.step();
    BOOST_TEST(!r.failed);
    BOOST_TEST(r.recipe == good.path());
    BOOST_TEST(r.safeguards.at("fallback_sequence") == 2);
    BOOST_TEST(r.warnings.size() == 2u);
  }
  BOOST_TEST(same(velocities(model), reference));
}

BOOST_AUTO_TEST_CASE(when_all_fail_the_state_stays) {
  const File bad("bad", "-newton_damping 0.001\n-snes_max_it 2\n");
  const ScopedOptions options(kNever + "-fallback_sequence " + bad.path());
  Model model(small_models()[1].world, kStep);
  const std::vector<Vec3> before = velocities(model);
  const StepReport r = model.step();
  BOOST_TEST(r.failed);
  BOOST_TEST(contains(r.reason, "-fallback_sequence"));
  BOOST_TEST(model.steps() == 0);
  BOOST_TEST(same(velocities(model), before));
}

BOOST_AUTO_TEST_CASE(without_failure_it_is_not_used) {
  const File good("good", kSolves);
  const std::string own = "-snes_max_it 60 -snes_atol 1e-10 -ksp_max_it 200 ";
  const World world = small_models()[2].world;
  std::vector<Vec3> reference;
  {
    const ScopedOptions options(own);
    Model model(world, kStep);
    run(model, 5);
    reference = velocities(model);
  }
  const ScopedOptions options(own + "-fallback_sequence " + good.path());
  Model model(world, kStep);
  run(model, 5, [](const StepReport& r) {
    BOOST_TEST(r.recipe.empty());
    BOOST_TEST(r.safeguards.count("fallback_sequence") == 0u);
  });
  BOOST_TEST(same(velocities(model), reference));
}

BOOST_AUTO_TEST_CASE(refused_with_their_place) {
  const auto message = [](const std::string& ladder) {
    return message_of([&] {
      const ScopedOptions options("-fallback_sequence " + ladder);
      Model model(small_models()[0].world, kStep);
    });
  };
  BOOST_TEST(contains(message("schur_lv"), "schur_lu"));
  BOOST_TEST(contains(message("no/such/file.options"), "no/such/file.options"));
  const File words("words", "-snes_max_it 3 4\n"), twice("twice", "-snes_max_it 3\n-snes_max_it 4\n"),
      empty("empty", "# nothing\n"), unknown("unknown", "-newton_dampin 1\n"),
      physics("physics", "-newton_damping 1\n-contact_margin 1\n"), value("value", "-newton_damping fast\n");
  BOOST_TEST(contains(message(words.path()), words.path() + ":1"));
  BOOST_TEST(contains(message(twice.path()), twice.path() + ":2"));
  BOOST_TEST(contains(message(empty.path()), empty.path()));
  BOOST_TEST(contains(message(unknown.path()), "-newton_damping"));
  BOOST_TEST(contains(message(physics.path()), physics.path() + ":2: -contact_margin"));
  BOOST_TEST(contains(message(value.path()), value.path()));
  const File good("good", kSolves);
  BOOST_TEST(contains(message(good.path() + "," + good.path()), "second time"));
}

BOOST_AUTO_TEST_CASE(the_database_is_as_before) {
  const File file("file", "-a_given 2\n-b_read 2\n-c_new 2\n");
  const ScopedOptions options("-a_given 1 -b_read 1");
  (void)database_value("b_read");
  const Recipe recipe = read_recipe(file.path());
  {
    const ScopedRecipe scope(recipe);
    BOOST_TEST(scope.unread().size() == 3u);
    for (const char* name : {"a_given", "b_read", "c_new"}) BOOST_TEST(database_value(name).value_or("") == "2");
    BOOST_TEST(scope.unread().empty());
  }
  for (const DatabaseOption& o : database_options()) {
    BOOST_TEST(o.value == "1");
    BOOST_TEST(o.read == (o.name == "b_read"));
  }
  BOOST_TEST(database_options().size() == 2u);
}

// Those that come with the program.
BOOST_AUTO_TEST_CASE(shipped_recipes) {
  BOOST_TEST(recipe_names().size() > 3u);
  for (const std::string& name : recipe_names()) BOOST_TEST_CONTEXT(name) {
      const ScopedOptions options(
          "-newton_start zero -snes_max_it 0 -accept_budget false -snes_atol 1e-8 -ksp_max_it 200 -fallback_sequence " +
          name);
      Model model(small_models()[1].world, kStep);
      const StepReport r = model.step();
      BOOST_TEST(!r.failed);
      BOOST_TEST(r.verdict.velocity_error.value < 1e-6);
    }
}

BOOST_AUTO_TEST_SUITE_END()
