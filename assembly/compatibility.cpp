#include "assembly/compatibility.hpp"

#include "assembly/model.hpp"
#include "framework/error.hpp"
#include "framework/scoped_options.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "physics/friction/friction_cone_type.hpp"

#include <array>
#include <functional>
#include <memory>

namespace clarke {
namespace {

/// One mass slides, the other rests under gravity that leans to one side; or a box slides, four contacts that share one
/// mass. All numbers of the cone differ.
enum class Sample { masses, box };
World world_of(Sample sample, const std::string& cone) {
  World w;
  w.gravity = Vec3{0.5, 0.3, -9.81};
  MaterialDescription floor, plain;
  floor.surface.cone = cone;
  floor.surface.numbers = {0.6, 0.3, 0.4, 0.5};
  int k = 0;
  for (const ConeKey& key : friction_cone_registry().create(cone)->keys())
    if (double& number = floor.surface.numbers[k++]; key.whole) number = key.least + 3;
  floor.surface.structure.direction = normalized(Vec3{1, 0.4, 0});
  w.materials = {{"floor", floor}, {"plain", plain}};
  BodyDescription plane;
  plane.name = "plane";
  plane.motion = Motion::fixed;
  plane.shape.kind = ShapeDescription::Kind::plane;
  plane.material = "floor";
  w.bodies.push_back(plane);
  if (sample == Sample::box) {
    BodyDescription b;
    b.name = "box";
    b.shape.kind = ShapeDescription::Kind::box;
    b.shape.half = {0.1, 0.1, 0.05};
    b.mass = 1;
    b.position = {0, 0, 0.05};
    b.velocity = {1.5, 0.6, 0};
    b.material = "plain";
    w.bodies.push_back(b);
    return w;
  }
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

/// A strategy that eliminates impulses wants contacts that give way.
const std::string kSoft = " -contact_stiffness 1e4 -friction_stiffness 1e4";

enum class Outcome { works, fails, refused };

Outcome try_combination(Sample sample, const std::string& law, const std::string& cone, const std::string& strategy) {
  constexpr int kSteps = 4;
  // An error in m/s, far below what any of them leaves where it does not solve; a budget that suits the slow ones.
  const ScopedOptions options(
      law + " -snes_type " + strategy +
      " -newton_damping 1 -snes_atol 1e-7 -snes_max_it 1000 -npc_snes_max_it 100 -accept_budget false "
      "-ksp_type preonly -pc_type lu" +
      (strategy.starts_with("primal") ? kSoft : ""));
  std::unique_ptr<Model> model;
  try {
    model = std::make_unique<Model>(world_of(sample, cone), 0.01);
    (void)model->prepare();
  } catch (const InputError&) {
    return Outcome::refused;  // before the first step: what a step throws is a mistake and goes through
  }
  for (int k = 0; k < kSteps; ++k)
    if (model->step().failed) return Outcome::fails;
  return Outcome::works;
}

struct Cells {
  const std::function<void(int, int)>& done;
  int total, count = 0;
};

/// What a cell of a table says of all cones.
std::string cell_of(Sample sample, const std::string& options, const std::string& strategy, Cells& cells) {
  if (cells.done) cells.done(cells.count, cells.total);
  ++cells.count;
  std::array<std::string, 3> list;
  for (const std::string& cone : friction_cone_registry().names()) {
    std::string& to = list[static_cast<std::size_t>(try_combination(sample, options, cone, strategy))];
    to += (to.empty() ? "" : ", ") + cone;
  }
  std::string cell = list[2].empty() && list[1].empty() ? "all" : list[0];
  if (!list[1].empty()) cell += (cell.empty() ? "" : "; ") + std::string("does not converge: ") + list[1];
  if (!list[2].empty()) cell += cell.empty() ? "refused" : "; refused: " + list[2];
  return " " + cell + " |";
}

std::string head_of(const std::string& first, const std::vector<std::string>& columns) {
  std::string out = "| " + first + " |", rule = "|---|";
  for (const std::string& column : columns) out += " `" + column + "` |", rule += "---|";
  return out + "\n" + rule + "\n";
}

}  // namespace

std::string compatibility_table(const std::function<void(int done, int total)>& progress) {
  std::vector<std::pair<std::string, std::string>> laws;  // heading, options
  for (const std::string& map : friction_map_registry().names())
    laws.emplace_back("decoupled, " + map, "-contact_law decoupled -friction_map " + map);
  for (const std::string& law : contact_law_registry().names())
    if (law != "decoupled") laws.emplace_back(law, "-contact_law " + law);
  std::vector<std::string> strategies;
  for (const Registration& r : registrations())
    if (r.kind == "snes_type") strategies.push_back(r.name);

  const std::vector<std::string> newton{"decoupled, disc_projection", "alart_curnier"},
      factors = r_factor_registry().names();
  Cells cells{progress, static_cast<int>(laws.size() * strategies.size() + factors.size() * newton.size())};
  std::string out = head_of("law and map", strategies);
  for (const auto& [heading, options] : laws) {
    out += "| " + heading + " |";
    for (const std::string& strategy : strategies) out += cell_of(Sample::masses, options, strategy, cells);
    out += "\n";
  }
  out += "\n" + head_of("r-factor, a box", newton);
  for (const std::string& factor : factors) {
    out += "| `" + factor + "` |";
    out += cell_of(Sample::box, "-contact_law decoupled -friction_map disc_projection -r_factor " + factor,
                   "nonsmooth_newton", cells);
    out += cell_of(Sample::box, "-contact_law alart_curnier -r_factor " + factor, "nonsmooth_newton", cells);
    out += "\n";
  }
  return out;
}

}  // namespace clarke
