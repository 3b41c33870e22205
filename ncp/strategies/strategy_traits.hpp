#pragma once
// What a SNES type is to those who set a step up. A type of ours says it where it is defined (S::kTraits,
// snes_type.hpp); PETSc's have the defaults, but for those that snes_needs.cpp knows better.

#include "framework/options.hpp"

#include <petscsnes.h>

#include <string>

namespace clarke {

class StateArchive;  // framework/state_archive.hpp

struct StrategyTraits {
  bool linear = true;     // solves linear systems, by its KSP
  bool inner = false;     // iterates by an inner SNES of its own (prefix npc_)
  bool combines = false;  // only combines the iterates of an inner SNES
  bool sweeps = false;    // sweeps over the items and solves the law of their sets itself, De Saxcé's term included
  bool freezes_term = false;   // gives its inner SNES cones with a fixed term: nothing for who adds his own
  bool dense_law = false;      // the sub-problems it makes have a slope that symmetric laws leave out
  bool by_island = false;      // can end each island by itself
  bool general_rows = false;   // writes A and B of all rows itself, dense and regular, whatever the laws
  bool compliant = false;      // eliminates impulses: every row has to give way
  bool explicit_mass = false;  // velocities are those of given impulses: no forces that follow them
};

/// Of the type of this SNES.
StrategyTraits strategy_traits(SNES snes);
/// Describes the options of the type of this SNES; nothing for PETSc's.
void describe_snes(SNES snes, OptionVisitor& visitor);

/// What the type of this SNES remembers from step to step, for checkpoints; nothing for PETSc's.
void carry_over_snes(SNES snes, StateArchive& archive);

/// The same, kept when a step begins and taken back when it failed, which then leaves no trace.
void keep_memory(SNES snes);
void take_back_memory(SNES snes);

/// What a type of ours remembers from step to step: how it goes into checkpoints and out of them, and what begin and
/// failure of a step do with it. Null where it remembers nothing.
struct SnesMemory {
  void (*carry_over)(SNES, StateArchive&) = nullptr;
  void (*keep)(SNES) = nullptr;
  void (*take_back)(SNES) = nullptr;
};

/// Announces a type of ours.
using DescribeSnes = void (*)(SNES, OptionVisitor&);
void add_strategy(const std::string& type, const StrategyTraits& traits, DescribeSnes describe,
                  const SnesMemory& memory = {});

}  // namespace clarke
