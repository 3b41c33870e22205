#include "assembly/register.hpp"

#include "assembly/initial_configuration.hpp"
#include "assembly/initial_overlaps.hpp"
#include "assembly/model.hpp"
#include "assembly/presets.hpp"
#include "assembly/problem_capture.hpp"
#include "assembly/problem_model.hpp"
#include "assembly/run_options.hpp"
#include "assembly/solve_options.hpp"
#include "framework/options.hpp"
#include "integrators/register.hpp"
#include "linear/register.hpp"
#include "ncp/register.hpp"
#include "physics/register.hpp"
#include "scene/builders/arch.hpp"
#include "scene/builders/beam.hpp"
#include "scene/builders/bowls.hpp"
#include "scene/builders/box_pile.hpp"
#include "scene/builders/card_house.hpp"
#include "scene/builders/chain.hpp"
#include "scene/builders/domino_run.hpp"
#include "scene/builders/fingers.hpp"
#include "scene/builders/marble_funnel.hpp"
#include "scene/builders/mixed_shapes.hpp"
#include "scene/builders/redundant_box.hpp"
#include "scene/builders/rope.hpp"
#include "scene/builders/scissor_lift.hpp"
#include "scene/builders/slope.hpp"
#include "scene/builders/spheres_column.hpp"
#include "scene/builders/spring_chain.hpp"
#include "scene/builders/spring_sheet.hpp"
#include "scene/builders/stack.hpp"
#include "scene/builders/table_pile.hpp"
#include "scene/builders/wall_of_bricks.hpp"
#include "scene/reader/builder_options.hpp"

namespace clarke {

Registry<Builder>& builder_registry() {
  static Registry<Builder> registry("builder");
  return registry;
}

namespace {

template <class B>
void add_builder(const char* name, const char* citation) {
  builder_registry().add(name, B().summary(), citation, [] { return std::make_unique<B>(); });
}

void register_cases() {
  add_builder<Arch>("arch", "Macklin et al. 2019, fig. 20");
  add_builder<Stack>("stack", "Macklin et al. 2019, fig. 20");
  add_builder<Slope>("slope", "");
  add_builder<RedundantBox>("redundant_box", "");
  add_builder<Chain>("chain", "");
  add_builder<Beam>("beam", "Macklin 2020, fig. 10");
  add_builder<CardHouse>("card_house", "");
  add_builder<ScissorLift>("scissor_lift", "");
  add_builder<BoxPile>("box_pile", "");
  add_builder<TablePile>("table_pile", "Macklin et al. 2019, fig. 20");
  add_builder<SpheresColumn>("spheres_column", "Macklin et al. 2020, fig. 1");
  add_builder<DominoRun>("domino_run", "");
  add_builder<WallOfBricks>("wall_of_bricks", "");
  add_builder<MarbleFunnel>("marble_funnel", "");
  add_builder<MixedShapes>("mixed_shapes", "");
  add_builder<Rope>("rope", "");
  add_builder<SpringChain>("spring_chain", "Macklin et al. 2020, fig. 6");
  add_builder<SpringSheet>("spring_sheet", "Macklin et al. 2020, fig. 12");
  add_builder<Bowls>("bowls", "Macklin et al. 2020, fig. 2");
  add_builder<Fingers>("fingers", "Macklin 2020, fig. 2");
  for (const Preset& preset : presets())
    registrations().push_back({"preset", preset.name, preset.summary, preset.citation});
  add_option_group<RunOptions>("run", "what `clarke run` does with a scene");
  add_option_group<SolveOptions>("solve", "what `clarke solve` does with contact problems");
  add_option_group<ProblemOptions>("problem", "how a contact problem from a file is solved");
  add_option_group<CaptureOptions>("capture", "steps of a run that become problem files");
  add_option_group<SystemDumpOptions>("system dump", "Newton's linear system as files");
  add_option_group<ModelOptions>("model", "how a scene becomes equations");
  add_option_group<FallbackOptions>("fallback_sequence", "what is tried when a step has failed");
  add_option_group<StepHalvingOptions>("step_halving", "what is made of a step that did not converge");
  add_option_group<InitialOptions>("initial configuration", "joints at the start of a run");
  add_option_group<OverlapOptions>("initial overlaps", "bodies that overlap at the start of a run");
  add_option_group<GeometricOptions>("geometric verdict", "overlap that is really there");
  add_option_group<InfeasibilityOptions>("infeasibility", "whether what was not solved has a solution");
  add_option_group<ConstraintRankOptions>("constraint rank", "which joints are redundant or contradict each other");
}

void register_builder_options() {
  for (const std::string& name : builder_registry().names()) {
    const std::string summary = builder_registry().create(name)->summary();
    option_groups().push_back({"builder " + name, summary, [name](OptionVisitor& v) {
                                 describe_builder_options(name, *builder_registry().create(name), v);
                               }});
  }
}

}  // namespace

void register_all() {
  static bool done = false;
  if (done) return;
  done = true;
  register_cases();
  register_physics();
  register_ncp();
  register_linear();
  register_integrators();
  register_builder_options();  // last in the reference
}

}  // namespace clarke
