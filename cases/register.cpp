#include "cases/register.hpp"

#include "cases/builders/arch.hpp"
#include "cases/builders/beam.hpp"
#include "cases/builders/card_house.hpp"
#include "cases/builders/chain.hpp"
#include "cases/builders/redundant_box.hpp"
#include "cases/builders/scissor_lift.hpp"
#include "cases/builders/slope.hpp"
#include "cases/builders/stack.hpp"
#include "cases/initial_configuration.hpp"
#include "cases/initial_overlaps.hpp"
#include "cases/model.hpp"
#include "cases/presets.hpp"
#include "cases/run_options.hpp"
#include "framework/options.hpp"
#include "integrators/register.hpp"
#include "linear/register.hpp"
#include "ncp/register.hpp"
#include "physics/register.hpp"

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
  for (const Preset& preset : presets())
    registrations().push_back({"preset", preset.name, preset.summary, preset.citation});
  add_option_group<RunOptions>("run", "what `clarke run` does with a scene");
  add_option_group<ModelOptions>("model", "how a scene becomes equations");
  add_option_group<InitialOptions>("initial configuration", "joints at the start of a run");
  add_option_group<OverlapOptions>("initial overlaps", "bodies that overlap at the start of a run");
  add_option_group<ConstraintRankOptions>("constraint rank", "which joints are redundant or contradict each other");
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
}

}  // namespace clarke
