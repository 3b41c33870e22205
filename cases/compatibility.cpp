#include "cases/compatibility.hpp"

#include "cases/model.hpp"
#include "framework/error.hpp"
#include "framework/scoped_options.hpp"
#include "ncp/contact_laws/scalar.hpp"
#include "physics/friction/friction_cone_type.hpp"

#include <array>

namespace clarke {
namespace {

/// One mass slides, the other rests under gravity that leans to one side. All numbers of the cone differ.
World sample(const std::string& cone) {
  World w;
  w.gravity = Vec3{0.5, 0.3, -9.81};
  MaterialDescription floor, plain;
  floor.surface.cone = cone;
  floor.surface.numbers = {0.6, 0.3, 0.4, 0};
  if (cone == "polygon") floor.surface.numbers = {5};
  floor.surface.structure.direction = normalized(Vec3{1, 0.4, 0});
  w.materials = {{"floor", floor}, {"plain", plain}};
  BodyDescription plane;
  plane.name = "plane";
  plane.motion = Motion::fixed;
  plane.shape.kind = ShapeDescription::Kind::plane;
  plane.material = "floor";
  w.bodies.push_back(plane);
  for (const double speed : {1.5, 0.0}) {
    ParticleDescription p;
    p.name = speed > 0 ? "slides" : "rests";
    p.material = "plain";
    p.position = {0, speed > 0 ? 0.0 : 5.0, 0};
    p.velocity = {speed, 0.4 * speed, 0};
    w.particles.push_back(p);
  }
  return w;
}

enum class Outcome { works, fails, refused };

Outcome try_combination(const std::string& law, const std::string& cone, const std::string& strategy) {
  constexpr int kSteps = 4;
  // An error in m/s, far below what any of them leaves where it does not solve; a budget that suits the slow ones.
  const ScopedOptions options(law + " -snes_type " + strategy +
                          " -newton_damping 1 -snes_atol 1e-7 -snes_max_it 1000 -npc_snes_max_it 100 -accept_budget false "
                          "-ksp_type preonly -pc_type lu");
  try {
    Model model(sample(cone), 0.01);
    for (int k = 0; k < kSteps; ++k)
      if (model.step().failed) return Outcome::fails;
  } catch (const InputError&) {
    return Outcome::refused;
  }
  return Outcome::works;
}

}  // namespace

std::string compatibility_table() {
  std::vector<std::pair<std::string, std::string>> laws;  // heading, options
  for (const std::string& map : friction_map_registry().names())
    laws.emplace_back("scalar, " + map, "-contact_law scalar -friction_map " + map);
  for (const std::string& law : contact_law_registry().names())
    if (law != "scalar") laws.emplace_back(law, "-contact_law " + law);
  std::vector<std::string> strategies;
  for (const Registration& r : registrations())
    if (r.kind == "snes_type") strategies.push_back(r.name);
  const std::vector<std::string>& cones = friction_cone_registry().names();

  std::string out = "| law and map |", rule = "|---|";
  for (const std::string& strategy : strategies) out += " `" + strategy + "` |", rule += "---|";
  out += "\n" + rule + "\n";
  for (const auto& [heading, options] : laws) {
    out += "| " + heading + " |";
    for (const std::string& strategy : strategies) {
      std::array<std::string, 3> list;
      for (const std::string& cone : cones) {
        std::string& to = list[static_cast<std::size_t>(try_combination(options, cone, strategy))];
        to += (to.empty() ? "" : ", ") + cone;
      }
      std::string cell = list[2].empty() && list[1].empty() ? "all" : list[0];
      if (!list[1].empty()) cell += (cell.empty() ? "" : "; ") + std::string("does not converge: ") + list[1];
      if (!list[2].empty()) cell += cell.empty() ? "refused" : "; refused: " + list[2];
      out += " " + cell + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace clarke
