#include "ncp/strategies/strategy_traits.hpp"

#include "framework/state_archive.hpp"
#include "ncp/strategies/snes_needs.hpp"

#include <map>

namespace clarke {

namespace {

struct Strategy {
  StrategyTraits traits;
  DescribeSnes describe = nullptr;
  SnesMemory memory;
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

void add_strategy(const std::string& type, const StrategyTraits& traits, DescribeSnes describe,
                  const SnesMemory& memory) {
  strategies()[type] = {traits, describe, memory};
}

StrategyTraits strategy_traits(SNES snes) {
  if (const Strategy* strategy = ours(snes)) return strategy->traits;
  SNESType type = nullptr;
  (void)SNESGetType(snes, &type);
  return petsc_traits(type ? type : "");
}

void carry_over_snes(SNES snes, StateArchive& archive) {
  SNESType type = nullptr;
  const Strategy* strategy = ours(snes);
  if (!strategy || !strategy->memory.carry_over || SNESGetType(snes, &type)) return;
  // Who continues with another strategy begins without the memory of the first.
  if (archive.has_group(type)) archive.group(type, [&] { strategy->memory.carry_over(snes, archive); });
}

void keep_memory(SNES snes) {
  if (const Strategy* strategy = ours(snes); strategy && strategy->memory.keep) strategy->memory.keep(snes);
}

void take_back_memory(SNES snes) {
  if (const Strategy* strategy = ours(snes); strategy && strategy->memory.take_back) strategy->memory.take_back(snes);
}

void describe_snes(SNES snes, OptionVisitor& visitor) {
  if (const Strategy* strategy = ours(snes)) strategy->describe(snes, visitor);
}

}  // namespace clarke
