#pragma once
// -contact_law: how contact and friction become equations, of a run and of the recipes of its fallback sequence.

#include "framework/options.hpp"
#include "framework/row_law.hpp"

#include <memory>
#include <string>

namespace clarke {

struct ContactLawChoice {
  std::string contact_law = "decoupled";
  void describe(OptionVisitor& v);
  /// Reads the options of its own.
  std::unique_ptr<RowLaw> create() const;
};

}  // namespace clarke
