// What crosses between host and device in a step: nothing on host backends; else copies and numbers that are counted
// (framework/device.hpp), on a device and behind the fence alike.
//
// BOOST_TEST_MESSAGE prints the tables of docs/performance/device.md:
//   build-fence/tests_parity --run_test=transfers --log_level=message

#include "assembly/presets.hpp"
#include "scene/scene.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <iomanip>
#include <set>
#include <sstream>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(transfers)

namespace {

/// One step of a case after `before` others, with what crossed in it.
struct Crossing {
  StepReport report;
  Transfers by_name;
  int newton = 0, linear = 0;
  int rows = 0, blocks = 0;
  bool laid_out = false;  // in this step
};

/// The scene's options over those of a preset; the overlap at the poses is the host's to look at, and looked at seldom.
std::string options_of(const Scene& scene, const std::string& preset) {
  std::string out = "-verdict_geometry 0";
  for (const auto& [name, value] : find_preset(preset).options) out += " -" + name + ' ' + value;
  for (const auto& [name, value] : scene.options)
    if (name != "preset") out += " -" + name + ' ' + value;
  return out;
}

/// `settled`: steps before, until the contacts stay.
Crossing step_of(const std::string& name, const std::string& preset, int settled, const std::string& more = "") {
  const Scene scene = read_scene(std::string(CLARKE_SOURCE_DIR) + "/cases/" + name + ".yaml");
  const ScopedOptions scoped(options_of(scene, preset) + more);
  Model model(scene.world, scene.time_step);
  model.prepare();
  for (int i = 0; i < settled; ++i) model.step();
  const std::uint64_t layout = model.problem().system().layout_stamp;
  clarke::transfers() = {};
  Crossing out;
  out.report = model.step();
  out.by_name = clarke::transfers();
  out.laid_out = model.problem().system().layout_stamp != layout;
  out.newton = out.report.newton_iterations;
  out.linear = out.report.linear_iterations;
  out.rows = model.problem().system().pattern.rows;
  out.blocks = model.problem().system().blocks;
  std::ostringstream text;
  const StepTransfers& t = out.report.transfers;
  text << name << " (" << preset << "): " << out.blocks << " blocks, " << out.rows << " rows, " << out.newton
       << " Newton, " << out.linear << " linear iterations; to the host " << t.to_host << " copies of "
       << t.to_host_bytes << " bytes, to the device " << t.to_device << " of " << t.to_device_bytes << ", " << t.results
       << " numbers\n";
  for (const auto& [label, count] : out.by_name.to_host)
    text << "  to_host   " << std::setw(24) << label << std::setw(6) << count.times << std::setw(10) << count.bytes
         << '\n';
  for (const auto& [label, count] : out.by_name.to_device)
    text << "  to_device " << std::setw(24) << label << std::setw(6) << count.times << std::setw(10) << count.bytes
         << '\n';
  for (const auto& [label, times] : out.by_name.results)
    text << "  number    " << std::setw(24) << label << std::setw(6) << times << '\n';
  BOOST_TEST_MESSAGE(text.str());
  return out;
}

}  // namespace

namespace {

std::set<std::string> names_of(const std::map<std::string, Transfers::Count>& counts) {
  std::set<std::string> out;
  for (const auto& [name, count] : counts) out.insert(name);
  return out;
}

long times(const std::map<std::string, Transfers::Count>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second.times;
}

long times(const std::map<std::string, long>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

bool nothing(const StepTransfers& t) {
  return t.to_host == 0 && t.to_device == 0 && t.to_host_bytes == 0 && t.to_device_bytes == 0 && t.results == 0;
}

/// A step of n Newton and l linear iterations of pcr, on whatever number of contacts, that stay.
void check_matrix_free(const Crossing& c) {
  const Transfers& by = c.by_name;
  const int n = c.newton;
  BOOST_TEST((names_of(by.to_host) == std::set<std::string>{"contact_a", "contact_id", "judge_figures",
                                                            "judge_relative", "judge_worst", "krylov_ones",
                                                            "pcr_scalars", "petsc_copy", "sum_partial"}));
  BOOST_TEST((names_of(by.to_device) == std::set<std::string>{"krylov_P"}));
  // The verdict: one struct per evaluation, two at the end of the step, whatever the size.
  BOOST_TEST(times(by.to_host, "judge_figures") == n + 2);
  BOOST_TEST(times(by.to_host, "judge_relative") == 1);
  BOOST_TEST(times(by.to_host, "judge_worst") == 1);
  // A sum at the start of a linear solve, one of the energies; of its iterations what all of them come to.
  BOOST_TEST(times(by.to_host, "sum_partial") == n + 1);
  BOOST_TEST(times(by.to_host, "pcr_scalars") == n);
  // Two numbers for each of at most six names of the verdict.
  BOOST_TEST(times(by.to_host, "contact_a") <= 6);
  BOOST_TEST(times(by.to_host, "contact_id") <= 6);
  // PETSc's vectors are the host's: what kernels write into them goes there. Back comes what PETSc itself has made, the
  // diagonal of the preconditioner.
  BOOST_TEST(times(by.to_host, "petsc_copy") == 7 * n + 2);
  BOOST_TEST(times(by.to_host, "krylov_ones") == n);
  BOOST_TEST(times(by.to_device, "krylov_P") == n);
}

}  // namespace

BOOST_AUTO_TEST_CASE(interactive_steps) {
  const Crossing arch = step_of("arch", "interactive", 20), pile = step_of("box_pile", "interactive", 90);
  for (const Crossing* c : {&arch, &pile}) {
    BOOST_TEST(!c->report.failed);
    BOOST_TEST(c->report.contacts > 80);
    BOOST_TEST(c->newton == 6);
    BOOST_TEST(c->linear == 120);
    if (kDeviceIsHost)
      BOOST_TEST(nothing(c->report.transfers));
    else
      check_matrix_free(*c);
  }
  // Twelve times the rows, as many copies and numbers but for two names of contacts.
  BOOST_TEST(pile.rows > 10 * arch.rows);
  BOOST_TEST(std::abs(pile.report.transfers.to_host - arch.report.transfers.to_host) <= 12);
  BOOST_TEST(pile.report.transfers.to_device == arch.report.transfers.to_device);
  BOOST_TEST(pile.report.transfers.results == arch.report.transfers.results);
}

/// Contacts that change: layout and islands are made where they are. Of it four numbers are the host's to know: slots,
/// islands, the rows of the largest, and whether the search for them has ended, which may be asked again.
BOOST_AUTO_TEST_CASE(step_with_a_new_layout) {
  const Crossing same = step_of("box_pile", "interactive", 130), other = step_of("box_pile", "interactive", 40);
  BOOST_TEST(!same.laid_out);
  BOOST_TEST(other.laid_out);
  BOOST_TEST(other.report.contacts > 80);
  if (kDeviceIsHost) return;
  check_matrix_free(other);
  BOOST_TEST(times(other.by_name.results, "found_slots") == 1);
  BOOST_TEST(times(other.by_name.results, "island_number") == 1);
  BOOST_TEST(times(other.by_name.results, "island_rows") == 1);
  BOOST_TEST(times(other.by_name.results, "island_labels") <= 5);
}

/// Elements as forces: H is factorised on the host, so that its entries and vectors cross as well.
BOOST_AUTO_TEST_CASE(soft_step) {
  const Crossing c = step_of("pneunet", "interactive", 5,
                             " -soft_form stiffness -accept_velocity_error 1e300 -certify_infeasible false");
  BOOST_TEST(!c.report.failed);
  BOOST_TEST(c.newton > 0);
  const StepTransfers& t = c.report.transfers;
  if (kDeviceIsHost) {
    BOOST_TEST(nothing(t));
    return;
  }
  // A solve with H per linear iteration; the rest per Newton iteration.
  BOOST_TEST(t.to_host <= c.linear + 20 * (c.newton + 1));
  BOOST_TEST(t.to_device <= c.linear + 5 * (c.newton + 1));
}

BOOST_AUTO_TEST_SUITE_END()
