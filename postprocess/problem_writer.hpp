#pragma once
// Contact problems as files in FCLIB's HDF5 layout, which the community's own tools read [Acary Brémond Huber Koziara
// Pérignon 2014].
//
//   fclib_global   M, H = Jᵀ, G as compressed columns (nz = −1); vectors f, w, b, mu; spacedim 3; info
//   fclib_local    W, and where there are bilateral rows V, R; vectors q, s, mu
//                  v = W Λ + V Λ_G + q,  0 = Vᵀ Λ + R Λ_G + s
//   solution       v = u, u = v, r = Λ, l = Λ_G; guesses/1 … the same
//   clarke         what has no place there: docs/problems.md
//
// The file is there whole or not at all. Limit: an HDF5 library that was built for MPI wants MPI started before.

#include "postprocess/delassus_form.hpp"

#include <filesystem>
#include <string>

namespace clarke {

/// Creates or replaces `path`: the problem as it is given, global or local. `provenance`: JSON, or "" for none. Throws
/// std::runtime_error with the path.
void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const std::string& provenance);
/// The same as fclib_local by the form given, with what the problem says of contacts, names and solution.
void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const DelassusForm& form,
                   const std::string& provenance);

}  // namespace clarke
