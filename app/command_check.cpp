// clarke check SCENE.yaml: everything `run` does before the first Newton iteration, and what is in the scene.

#include "app/commands.hpp"
#include "app/element_counts.hpp"
#include "app/session.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/register.hpp"
#include "scene/reader/scene_schema.hpp"

#include <algorithm>
#include <iostream>

namespace clarke {
namespace {

/// Most scenes begin with bodies in the air: what a body in a pile of boxes has.
constexpr double kContactsPerBody = 8;

template <class Things, class Condition>
long count(const Things& things, const Condition& condition) {
  return std::count_if(things.begin(), things.end(), condition);
}

void print_summary(const Session& session, int contacts) {
  const Scene& scene = session.scene();
  const World& world = scene.world;
  const auto with = [&](Motion motion) {
    return count(world.bodies, [&](const BodyDescription& b) { return b.motion == motion; });
  };
  const Frame frame = session.frame();
  const ElementCounts elements = count_elements(world);
  double mass = 0;
  for (const FrameBody& body : frame.bodies) mass += body.mass;
  for (const FrameParticle& particle : frame.particles) mass += particle.mass;
  std::cout << scene.file << ": " << world.name << "\n"
            << "  bodies        " << world.bodies.size() << " (" << with(Motion::dynamic) << " dynamic, "
            << with(Motion::fixed) << " static, " << with(Motion::prescribed) << " prescribed)\n"
            << "  particles     " << world.particles.size() << "\n"
            << "  soft bodies   " << world.softs.size() << " (" << elements.tetrahedra << " tetrahedra)\n"
            << "  cloths        " << world.cloths.size() << " (" << elements.triangles << " triangles)\n"
            << "  joints        " << world.joints.size() << "\n"
            << "  attachments   " << world.attachments.size() << " points\n"
            << "  contacts      " << contacts << " at the start\n"
            << "  moving mass   " << format_real(mass) << " kg\n"
            << "  time          " << session.steps() << " steps of " << format_real(session.options().time_step)
            << " s\n"
            << "  output        " << session.options().output_dir << ", every " << session.options().output_every
            << " steps\n"
            << "                about " << session.output_estimate(kContactsPerBody * with(Motion::dynamic)).text()
            << "\n"
            << "  memory        " << byte_text(peak_memory()) << " so far\n"
            << "  preset        " << session.options().preset << "\n";
  for (const auto& [name, value] : scene.options) std::cout << "  option        -" << name << " " << value << "\n";
  for (const LoadDescription& load : world.loads)
    std::cout << "  load          " << load.name << " on " << load.body << "\n";
  for (const Sensor& sensor : scene.sensors)
    std::cout << "  sensor        " << sensor.name << ": " << sensor.query.text() << "\n";
  for (const Expectation& expectation : scene.expect) std::cout << "  expectation   " << expectation.text() << "\n";
}

}  // namespace

int command_check(const Arguments& arguments) {
  if (arguments.has_flag("--schema")) {
    std::cout << scene_schema(constraint_registry().names()) << std::endl;
    return 0;
  }
  if (arguments.positionals.empty()) throw InputError("a file name is missing; usage: clarke check SCENE.yaml");
  Session session(arguments.positionals[0]);
  const int contacts = session.prepare();
  const std::vector<std::string> warnings = session.unused_options();  // or an error, and then that alone
  print_summary(session, contacts);
  for (const std::string& warning : warnings) std::cerr << "clarke: warning: " << warning << std::endl;
  if (const auto& moved = session.initial().projection()) std::cerr << "clarke: " << moved->text() << std::endl;
  for (const std::string& line : session.overlaps().lines(session.options().time_step))
    std::cerr << "clarke: " << line << std::endl;
  const ConstraintRank rank = session.constraint_rank();
  const std::vector<std::string> lines = rank.lines();
  if (rank.rows > 0) std::cout << "  " << lines.front() << std::endl;  // of no joint yet
  for (std::size_t i = 1; i < lines.size(); ++i) std::cerr << "clarke: " << lines[i] << std::endl;
  require_consistent(rank);
  const std::optional<Infeasibility> found = session.feasibility();
  if (!found || found->finding == Infeasibility::Finding::solvable || found->text().empty()) return 0;
  std::cerr << "clarke: first step: " << found->text() << std::endl;
  return found->finding == Infeasibility::Finding::impossible ? 1 : 0;
}

}  // namespace clarke
