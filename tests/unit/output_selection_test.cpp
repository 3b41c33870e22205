// What goes into files: contacts, fields, surfaces or poses; and how much that will be.

#include "framework/error.hpp"
#include "postprocess/output_estimate.hpp"
#include "postprocess/output_writer.hpp"
#include "postprocess/vtk_frames.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(output_selection)

namespace {

namespace fs = std::filesystem;
using namespace clarke;

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("clarke_selection_" + std::to_string(getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.insert(entry.path().filename());
    return names;
  }
};

std::vector<Surface> surfaces() {
  const Surface tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  return std::vector<Surface>(100, tetrahedron);
}

Frame frame(int index) {
  Frame f;
  f.index = index;
  f.time = 0.1 * index;
  for (int i = 0; i < 100; ++i) {
    const Vec3 x{0.1 * i, std::sqrt(i), 1. / (1 + i)};
    f.bodies.push_back({"b" + std::to_string(i), i, x, normalized(Quat{1, x.y, x.z, 0.3}), x, x, 1});
  }
  f.contacts.resize(3);
  return f;
}

bool has_array(const std::string& vtp, const std::string& name) {
  return vtp.find("Name=\"" + name + "\"") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fields_are_left_out_by_name) {
  OutputSelection selection;
  select_fields(selection, "speed,gap");
  const std::string bodies = bodies_vtp(frame(1), surfaces(), selection), contacts = contacts_vtp(frame(1), selection);
  for (const char* name : {"body", "speed", "mass"}) BOOST_TEST(has_array(bodies, name), name);
  for (const char* name : {"velocity", "angular_velocity"}) BOOST_TEST(!has_array(bodies, name), name);
  for (const char* name : {"body_a", "body_b", "gap"}) BOOST_TEST(has_array(contacts, name), name);
  for (const char* name : {"normal", "id", "status"}) BOOST_TEST(!has_array(contacts, name), name);
  select_fields(selection, "none");
  BOOST_TEST(!has_array(bodies_vtp(frame(1), surfaces(), selection), "speed"));
  select_fields(selection, "all");
  BOOST_TEST(has_array(bodies_vtp(frame(1), surfaces(), selection), "velocity"));
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_refused_with_the_nearest_name) {
  OutputSelection selection;
  BOOST_CHECK_EXCEPTION(select_fields(selection, "gap,velocty"), InputError, [](const InputError& error) {
    return std::string(error.what()) == "-output_fields: unknown field 'velocty'; did you mean 'velocity'?";
  });
}

BOOST_AUTO_TEST_CASE(poses_are_small_and_their_surfaces_written_once) {
  const Scratch scratch;
  OutputSelection selection;
  selection.contacts = false;
  selection.poses = true;
  {
    OutputWriter writer(scratch.path.string(), "test", surfaces(), {}, {}, selection);
    writer.write_frame(frame(0));
    writer.write_frame(frame(1));
  }
  const std::set<std::string> expected{"bodies.pvd",   "bodies_000000.vtp", "bodies_000001.vtp",
                                       "surfaces.vtp", "newton.csv",        "steps.csv"};
  BOOST_TEST((scratch.names() == expected));
  BOOST_TEST(fs::file_size(scratch.path / "bodies_000001.vtp") < bodies_vtp(frame(1), surfaces()).size());
  const OutputWriter next(scratch.path.string(), "test", surfaces(), {});
  BOOST_TEST(!fs::exists(scratch.path / "surfaces.vtp"));
}

BOOST_AUTO_TEST_CASE(the_estimate_is_what_is_written) {
  const Scratch scratch;
  OutputSelection selection;
  selection.contacts = false;
  {
    OutputWriter writer(scratch.path.string(), "test", surfaces(), {}, {}, selection);
    for (int i = 0; i <= 10; i += 2) writer.write_frame(frame(i));
  }
  double written = 0;
  for (const auto& entry : fs::directory_iterator(scratch.path))
    if (entry.path().extension() == ".vtp") written += static_cast<double>(entry.file_size());
  const OutputEstimate estimate = estimate_output(frame(0), surfaces(), selection, 10, 2, 0, 0);
  BOOST_TEST(estimate.frames == 6);
  // Frames differ in their time only, which changes a few bytes of the compressed file.
  BOOST_TEST(estimate.frames * estimate.bytes_per_frame == written, boost::test_tools::tolerance(0.01));
  BOOST_TEST(estimate_output(frame(0), surfaces(), selection, 10, 0, 0, 0).frames == 0);
  BOOST_TEST(byte_text(2.5e6) == "2.5 MB");
  BOOST_TEST(byte_text(481e6) == "481 MB");
}

BOOST_AUTO_TEST_SUITE_END()
