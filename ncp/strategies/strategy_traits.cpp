#include "ncp/strategies/strategy_traits.hpp"

#include "ncp/strategies/snes_needs.hpp"

#include <map>

namespace clarke {

namespace {

struct Strategy {
  StrategyTraits traits;
  DescribeSnes describe = nullptr;
};

std::map<std::string, Strategy>& strategies() {
  static std::map<std::string, Strategy> all;
  return all;
}

const Strategy* ours(SNES snes) {
  SNESType type = nullptr;
  if (SNESGetType(snes, &type) || !type) return nullptr;
  const auto found = strategies().find(type);
  return found == strategies().end() ? nullptr : &found->second;
}

}  // namespace

void add_strategy(const std::string& type, const StrategyTraits& traits, DescribeSnes describe) {
  strategies()[type] = {traits, describe};
}

StrategyTraits strategy_traits(SNES snes) {
  if (const Strategy* strategy = ours(snes)) return strategy->traits;
  SNESType type = nullptr;
  (void)SNESGetType(snes, &type);
  return petsc_traits(type ? type : "");
}

void describe_snes(SNES snes, OptionVisitor& visitor) {
  if (const Strategy* strategy = ours(snes)) strategy->describe(snes, visitor);
}

}  // namespace clarke
