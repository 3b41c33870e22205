// The output directory of a run: the contract on names, columns and keys, and what happens when it cannot be written.

#include "postprocess/output_writer.hpp"

#include "framework/error.hpp"
#include "postprocess/atomic_file.hpp"
#include "postprocess/csv_records.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(output_writer)

namespace {

namespace fs = std::filesystem;
using clarke::Frame;
using clarke::OutputWriter;
using clarke::StepReport;
using nlohmann::json;

/// A fresh directory that goes with the test.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "clarke_output_XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Scratch() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  BOOST_REQUIRE_MESSAGE(file, path << " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().filename());
  return names;
}

std::vector<clarke::Surface> surfaces() {
  const clarke::Surface tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                    {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  const clarke::Surface plane{{{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}}, {{0, 1, 2, 3}}};
  return {tetrahedron, plane};
}

/// Three bodies (one without a surface), a particle and `contacts` contacts.
Frame frame(int index, int contacts = 2) {
  Frame f;
  f.index = index;
  f.time = index / 120.0;
  f.bodies.resize(3);
  f.bodies[0] = {"floor", 1, {}, {}, {}, {}, 0};
  f.bodies[1] = {"stone \"a\" & <b>", 0, {0, 0, 1.0 / 3}, {0, 1, 0, 0}, {3, 0, 4}, {0, 0, 2}, 7.5};
  f.bodies[2].name = "marker";
  f.particles.push_back({"p1", 0.05, 1, {1, 2, 3}, {0, 0, -1}});
  for (int i = 0; i < contacts; ++i) {
    clarke::FrameContact c;
    c.point = {0.1 * i, 0, 0};
    c.normal = {0, 0, 1};
    c.normal_force = {0, 0, 30};
    c.friction_force = {12, 0, 0};
    c.gap = -1e-7;
    c.cone_usage = 0.8;
    c.residual = 3e-9;
    c.status = i % 2 == 0 ? clarke::ContactStatus::stick : clarke::ContactStatus::slip;
    c.body_a = 1;
    c.id = (1LL << 40) + i;
    if (i == 0) c.geometric_penetration = 0.25;  // nobody has looked at the others
    f.contacts.push_back(c);
  }
  f.overlaps = {{"marker/p1", 0.5}, {"floor/stone \"a\" & <b>", 0.25}};
  return f;
}

StepReport report(int step) {
  StepReport r;
  r.step = step;
  r.time = step / 120.0;
  r.contacts = 4 - step;
  r.newton_iterations = 2 * step;
  r.linear_iterations = 30;
  r.reason = "converged";
  r.verdict.momentum_residual = {1.0 / 3 * 1e-9, "stone"};
  r.verdict.penetration = {1e-5 / step, "stone on floor"};
  r.verdict.natural_map = {1e-8, "stone on floor"};
  r.verdict.natural_map_relative = 1e-6 * step;
  r.verdict.kinetic_energy = 10.0 / step;
  r.seconds = {0.25, 0.5, 1, 2, 4};
  r.safeguards = {{"pivot_floor", step}};
  r.newton.resize(2);
  r.newton[1].step = r.newton[0].step = step, r.newton[1].iteration = 1;
  r.newton[0].velocity_error = 0.1;
  r.newton[0].linear_reason = "rtol, after restart";
  return r;
}

void write_run(const fs::path& directory) {
  OutputWriter writer(directory.string(), "test", surfaces(), {{"version", "1"}});
  for (int i = 0; i < 2; ++i) {
    writer.write_frame(frame(2 * i));
    writer.write_step(report(i + 1));
  }
  writer.write_summary({{"dt", 1.0 / 120}, {"bodies", 3}});
}

std::vector<std::string> split(const std::string& line, char separator = ',') {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

int run_program(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(columns_are_those_of_the_contract) {
  const std::string steps =
      "step time contacts newton_iterations linear_iterations reason momentum_residual "
      "bilateral_violation penetration geometric_penetration geometric_penetration_pair complementarity cone_excess "
      "desaxce_gap natural_map natural_map_relative kinetic_energy potential_energy elastic_energy seconds_detect "
      "seconds_assemble seconds_solve seconds_verdict seconds_geometry seconds_output islands island_rows_max "
      "newton_iterations_per_row linear_iterations_per_row recipe velocity_error scaled_residual strict_residual "
      "impulse_growth substeps velocity_rounding";
  BOOST_TEST(clarke::step_columns() == split(steps, ' '), boost::test_tools::per_element());
  const std::string newton =
      "step iteration velocity_error momentum_residual natural_map function_norm linear_iterations "
      "linear_residual linear_reason damping changed_contacts";
  BOOST_TEST(clarke::newton_columns() == split(newton, ' '), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(values_stand_in_their_columns) {
  StepReport r;
  r.step = 1, r.time = 2, r.contacts = 3, r.newton_iterations = 4, r.linear_iterations = 5;
  r.reason = "diverged, \"why\"\nnot";
  clarke::Verdict& v = r.verdict;
  v.momentum_residual.value = 7, v.bilateral_violation.value = 8, v.penetration.value = 9, v.complementarity.value = 10;
  v.cone_excess.value = 11, v.desaxce_gap.value = 12, v.natural_map.value = 13, v.natural_map_relative = 14;
  v.kinetic_energy = 15, v.potential_energy = 16, v.elastic_energy = 17;
  v.geometric_penetration = clarke::Residual{9.5, "a/b"};
  r.seconds = {18, 19, 20, 21, 21.5, 22}, r.recipe = "lu";
  r.islands = 23, r.island_rows_max = 24, r.newton_iterations_per_row = 25, r.linear_iterations_per_row = 26;
  v.velocity_error.value = 27, v.scaled_residual = 28, v.strict_residual = 29, v.impulse_growth = 30;
  r.substeps = 31, r.velocity_rounding = 32;
  BOOST_TEST(clarke::step_row(r) ==
             "1,2,3,4,5,diverged; 'why' "
             "not,7,8,9,9.5,a/b,10,11,12,13,14,15,16,17,18,19,20,21,21.5,22,23,24,25,26,lu,27,28,29,30,31,32\n");
  v.geometric_penetration.reset();  // not looked at: nothing, and no number
  BOOST_TEST(clarke::step_row(r).find(",9,,,10,") != std::string::npos);
  const clarke::NewtonIteration n{1, 2, 3, 4, 5, 6, 7, 8, "a,b", 10, 11};
  BOOST_TEST(clarke::newton_row(n) == "1,2,3,4,5,6,7,8,a;b,10,11\n");
}

BOOST_AUTO_TEST_CASE(numbers_read_back_to_the_same_double) {
  using limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, 1.0 / 3, 0.1, 1e23, -2.5e-300, limits::denorm_min(), limits::max(),
                             limits::epsilon(), 123456789.123456789}) {
    const std::string text = clarke::shortest_number(value);
    BOOST_TEST(text.size() <= 24u);
    double back = 1;
    std::from_chars(text.data(), text.data() + text.size(), back);
    BOOST_TEST(back == value);
    BOOST_TEST(std::signbit(back) == std::signbit(value));
  }
  BOOST_TEST(clarke::shortest_number(0.1) == "0.1");
  BOOST_TEST(clarke::shortest_number(-limits::quiet_NaN()) == "nan");
  BOOST_TEST(clarke::shortest_number(-limits::infinity()) == "-inf");
}

BOOST_AUTO_TEST_CASE(a_run_leaves_its_files_and_the_same_bytes_twice) {
  const Scratch first, second;
  write_run(first.path / "out");
  write_run(second.path / "out");
  const std::set<std::string> expected = {"bodies.pvd",    "bodies_000000.vtp",    "bodies_000002.vtp",
                                          "contacts.pvd",  "contacts_000000.vtp",  "contacts_000002.vtp",
                                          "particles.pvd", "particles_000000.vtp", "particles_000002.vtp",
                                          "steps.csv",     "newton.csv",           "summary.json"};
  BOOST_TEST(names_in(first.path / "out") == expected, boost::test_tools::per_element());
  for (const std::string& name : expected)
    BOOST_TEST((content(first.path / "out" / name) == content(second.path / "out" / name)), name);
  const std::string pvd = content(first.path / "out/bodies.pvd");
  BOOST_TEST(pvd.find("timestep=\"0.016666666666666666\" group=\"\" part=\"0\" "
                      "file=\"bodies_000002.vtp\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(frames_are_appended_compressed_vtk_xml) {
  const Scratch scratch;
  write_run(scratch.path);
  for (const char* name : {"bodies_000000.vtp", "particles_000000.vtp", "contacts_000000.vtp"}) {
    const std::string text = content(scratch.path / name);
    BOOST_TEST(text.find("type=\"PolyData\"") != std::string::npos);
    BOOST_TEST(text.find("header_type=\"UInt64\"") != std::string::npos);
    BOOST_TEST(text.find("compressor=\"vtkZLibDataCompressor\"") != std::string::npos);
    BOOST_TEST(text.find("<AppendedData encoding=\"raw\">") != std::string::npos);
    BOOST_TEST(text.substr(text.size() - 11) == "</VTKFile>\n");
  }
}

BOOST_AUTO_TEST_CASE(contacts_are_written_when_there_are_none) {
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", surfaces(), {});
  writer.write_frame(frame(0, 0));
  const std::string text = content(scratch.path / "contacts_000000.vtp");
  BOOST_TEST(text.find("NumberOfPoints=\"0\"") != std::string::npos);
  BOOST_TEST(text.find("Name=\"friction_force\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_earlier_run_goes_and_nothing_else) {
  const Scratch scratch;
  const std::set<std::string> mine = {"notes.txt",     "bodies.vtp",        "mybodies_000001.vtp",
                                      "bodies_01.vtp", "bodies_00000a.vtp", "contacts_000001.pvd",
                                      "steps.csv.bak"};
  for (const std::string& name : mine) std::ofstream(scratch.path / name) << "mine";
  for (const char* name : {"bodies_000007.vtp", "contacts_1234567.vtp", "particles.pvd", "summary.json",
                           "bodies_000008.vtp.partial", "steps.csv"})
    std::ofstream(scratch.path / name) << "old";
  const OutputWriter writer(scratch.path.string(), "test", {}, {});
  std::set<std::string> expected = mine;
  expected.insert({"steps.csv", "newton.csv", ".clarke.lock"});
  BOOST_TEST(names_in(scratch.path) == expected, boost::test_tools::per_element());
  BOOST_TEST(content(scratch.path / "notes.txt") == "mine");
}

BOOST_AUTO_TEST_CASE(rows_are_there_when_the_call_returns) {
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", {}, {});
  writer.write_step(report(1));
  BOOST_TEST(content(scratch.path / "steps.csv") ==
             clarke::csv_header(clarke::step_columns()) + clarke::step_row(report(1)));
  BOOST_TEST(split(content(scratch.path / "newton.csv"), '\n').size() == 3u);
}

BOOST_AUTO_TEST_CASE(summary_has_every_key_of_the_contract) {
  const Scratch scratch;
  write_run(scratch.path);
  const json summary = json::parse(content(scratch.path / "summary.json"));
  const std::string keys =
      "case steps dt time_end bodies particles soft_bodies tetrahedra cloths triangles joints attachments contacts_max "
      "contacts_last "
      "newton_iterations_mean linear_iterations_mean converged_steps unconverged_steps failed_steps "
      "momentum_residual_max bilateral_violation_max penetration_max complementarity_max "
      "cone_excess_max natural_map_relative_max kinetic_energy_last seconds_total seconds_detect "
      "seconds_assemble seconds_solve seconds_output expectations provenance";
  for (const std::string& key : split(keys, ' ')) BOOST_TEST(summary.contains(key), key);
  BOOST_TEST(summary["case"] == "test");
  BOOST_TEST(summary["steps"] == 2);
  BOOST_TEST(summary["time_end"] == 2 / 120.0);
  BOOST_TEST(summary["bodies"] == 3);
  BOOST_TEST(summary["joints"].is_null());
  BOOST_TEST(summary["contacts_max"] == 3);
  BOOST_TEST(summary["contacts_last"] == 2);
  BOOST_TEST(summary["newton_iterations_mean"] == 3.0);
  BOOST_TEST(summary["converged_steps"] == 2);
  BOOST_TEST(summary["penetration_max"] == 1e-5);
  BOOST_TEST(summary["worst"]["natural_map_relative"]["step"] == 2);
  BOOST_TEST(summary["worst"]["penetration"]["where"] == "stone on floor");
  BOOST_TEST(summary["kinetic_energy_last"] == 5.0);
  BOOST_TEST(summary["seconds_total"] == 15.5);
  BOOST_TEST(summary["safeguards"]["pivot_floor"] == 3);
  BOOST_TEST(summary["provenance"]["version"] == "1");
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_is_never_written_as_one) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", {},
                      {{"options", {{"limit", std::numeric_limits<double>::infinity()}}}});
  writer.write_step(report(1));
  BOOST_CHECK_THROW(writer.write_summary({{"list", {1.0, nan}}}), std::runtime_error);
  BOOST_TEST(!fs::exists(scratch.path / "summary.json"));

  StepReport failed = report(2);
  failed.failed = true;
  failed.reason = "nan";
  failed.verdict.penetration.value = nan;
  writer.write_step(failed);
  writer.write_step(report(3));
  writer.write_summary({{"list", {1.0, nan}}});
  const json summary = json::parse(content(scratch.path / "summary.json"));
  BOOST_TEST(summary["penetration_max"].is_null());
  BOOST_TEST(summary["worst"]["penetration"]["step"] == 2);
  BOOST_TEST(summary["list"][1].is_null());
  BOOST_TEST(summary["failed_steps"] == 1);
  BOOST_TEST(summary["provenance"]["options"]["limit"] == "inf");

  StepReport accepted = report(4);
  accepted.verdict.natural_map_relative = nan;
  BOOST_CHECK_THROW(writer.write_step(accepted), clarke::StepError);
}

BOOST_AUTO_TEST_CASE(a_directory_that_cannot_be_is_an_input_error) {
  const Scratch scratch;
  std::ofstream(scratch.path / "file") << "in the way";
  const std::string directory = (scratch.path / "file" / "out").string();
  BOOST_CHECK_EXCEPTION(
      OutputWriter(directory, "test", {}, {}), clarke::InputError, [&](const clarke::InputError& error) {
        const std::string text = error.what();
        return text.find(directory) != std::string::npos && text.find("Not a directory") != std::string::npos;
      });
  fs::create_directories(scratch.path / "taken" / "steps.csv");
  BOOST_CHECK_THROW(OutputWriter((scratch.path / "taken").string(), "test", {}, {}), clarke::InputError);
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_no_half_files) {
  // The kernel refuses to let any file grow beyond the limit: to the writer, that is a disk that runs full.
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", surfaces(), {});
  writer.write_frame(frame(0, 1));
  writer.write_step(report(1));
  const std::set<std::string> before = names_in(scratch.path);
  const std::string steps = content(scratch.path / "steps.csv"), pvd = content(scratch.path / "bodies.pvd");
  rlimit old_limit{};
  BOOST_REQUIRE(getrlimit(RLIMIT_FSIZE, &old_limit) == 0);
  rlimit limit = old_limit;
  limit.rlim_cur = fs::file_size(scratch.path / "bodies_000000.vtp") + 64;
  BOOST_REQUIRE(limit.rlim_cur > steps.size());
  auto* const old_handler = std::signal(SIGXFSZ, SIG_IGN);
  BOOST_REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  // Bodies fit, so that the frame fails with one of its files already there; then the table until it is full.
  std::string frame_error, row_error;
  try {
    writer.write_frame(frame(1, 1000));
  } catch (const std::runtime_error& error) {
    frame_error = error.what();
  }
  int rows = 1;
  try {
    for (; rows < 1000; ++rows) writer.write_step(report(rows + 1));
  } catch (const std::runtime_error& error) {
    row_error = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  BOOST_TEST(frame_error.find("contacts_000001.vtp: cannot be written: File too large") != std::string::npos);
  BOOST_TEST(row_error.find(".csv: cannot be extended") != std::string::npos);
  BOOST_TEST(names_in(scratch.path) == before, boost::test_tools::per_element());
  BOOST_TEST(content(scratch.path / "bodies.pvd") == pvd);
  BOOST_TEST(content(scratch.path / "steps.csv").back() == '\n');
  BOOST_TEST(content(scratch.path / "newton.csv").back() == '\n');

  // With room again, the run goes on.
  writer.write_frame(frame(1, 1000));
  BOOST_TEST(fs::exists(scratch.path / "contacts_000001.vtp"));
}

BOOST_AUTO_TEST_CASE(a_body_without_its_surface_is_refused_before_a_file_is_touched) {
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", {}, {});
  BOOST_CHECK_THROW(writer.write_frame(frame(0)), std::logic_error);
  BOOST_TEST(names_in(scratch.path).size() == 3u);  // two tables and the lock
  BOOST_CHECK_THROW(OutputWriter(scratch.path.string(), "test", {{{}, {{0}}}}, {}), std::logic_error);
}

// What reads the files is part of the contract. Exit code 77 says that Python lacks VTK or matplotlib here.
BOOST_AUTO_TEST_CASE(the_python_programs_read_them) {
  const Scratch scratch;
  const fs::path run = scratch.path / "run", other = scratch.path / "other";
  write_run(run);
  write_run(other);
  const std::string postprocess = std::string("/usr/bin/python3 ") + CLARKE_SOURCE_DIR + "/postprocess/";
  const std::string check = std::string("/usr/bin/python3 ") + CLARKE_SOURCE_DIR + "/tests/unit/";
  const fs::path picture = scratch.path / "picture.png";
  for (const std::string& command :
       {check + "read_output.py " + run.string(),
        postprocess + "compare.py " + run.string() + ' ' + other.string() + " >" + (scratch.path / "table").string(),
        postprocess + "plot_convergence.py " + run.string() + ' ' + other.string() + " -o " + picture.string(),
        postprocess + "render.py --forces " + run.string() + " -o " + picture.string()}) {
    fs::remove(picture);
    const int code = run_program(command + " >/dev/null");
    if (code == 77) {
      BOOST_TEST_MESSAGE("not tested, a Python package is missing: " << command);
      continue;
    }
    BOOST_TEST(code == 0, command);
    if (command.ends_with(".png")) BOOST_TEST(fs::file_size(picture) > 10000u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
