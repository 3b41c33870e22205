#pragma once
// From geometry to equations, the same for every contributor with rows: what stands between its kernel and its law.
//
//   bind      Λ and the slice of this evaluation
//   law       cones: the sub-problem of an outer iteration changes the arguments, the law gives F, A and B as if γ
//             were zero, then B ← B + A γ [docs/theory.md, eq. N3]; γ must be equal along the two tangents where the
//             law is written in the slip frame.  Boxes and discs: the law has γ in its arguments
//   blocks    a layout with a general law somewhere wants the dense A and B of diagonal rows too

#include "framework/contributor.hpp"

#include <map>

namespace clarke {

/// Λ at the point, and where the rows stand in the system.
void bind_rows(RowSet& rows, const StepPoint& point, const SystemSlice& slice);

/// Laws of cones; `compliant`: some γ of the step is not zero.
void evaluate_cones(RowLaw& law, RowSet& rows, const StepPoint& point, bool compliant, bool linearise);

/// Laws of boxes and discs, whose a = 1, b = γ and F = v stand already; null where no row has a bound.
void evaluate_bounds(RowLaw* law, const RowSet& rows, const StepPoint& point, bool linearise);

/// Adds the items where the law's own safeguard acted at the last linearisation.
void count_safeguard(const RowLaw& law, const RowSet& rows, std::map<std::string, long>& counts);

/// W_rr + γ of the rows into `out`, which their delassus_diagonal becomes.
void add_compliance_to_diagonal(RowSet& rows, const SystemSlice& slice, const View<double>& out);

}  // namespace clarke
