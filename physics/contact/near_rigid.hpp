#pragma once
// Contacts that are rigid but for a spring too stiff to be seen, which makes the forces of a pile the only ones there
// are [docs/theory.md, eq. N1c].
//
//   row n   C(q⁺)/b + D(Λ_n) in the place of C(q⁺)/b
//           D(Λ) = v₀ ln(1 + a Λ/v₀) for Λ > 0, a Λ else,     a = α W_nn,   v₀ = δ/b
//
//   Λ [N s]   impulse      C [m] gap      b [s] weight of the step in q⁺
//   α [1]     -near_rigid_compliance: what the contact gives way to a small impulse, beside what that moves its
//             sides by; 0: it is hard
//   δ [m]     -near_rigid_depth: by as much the overlap grows with every e-fold of the load
//   W_nn      of the contact at the start of the step [1/kg]
//
// The force is exponential in the overlap, as between rough surfaces [Persson 2007]: whatever the load, a change of it
// by some share is the same change of depth, so that heavy contacts are told apart as light ones are, and none is deep.
//
// Four corners under one face are more rows than the face has motions, and which of them carries what is open. Where
// rows contradict each other, too, by nanometres per second, impulses grow along such a self-stress until one of them
// ends, in small steps and by thousands. A compliance decides: between equal springs a face has one answer.
//
// Limits: rigid contacts of laws of positions. What has a stiffness of its own is softer (compliance.hpp), laws of
// velocities (-integrator moreau_jean) close no gaps, and -contact_slop is for contacts without.
//
// In the near-rigid regime of SAP and in MuJoCo α is the ratio of the regularisation R to W, for loads of any size
// [Castro Permenter Han 2023; Todorov 2014].

#include "framework/options.hpp"
#include "framework/sets/near_rigid_law.hpp"

namespace clarke {

struct NearRigidOptions {
  double compliance = 0;  // α [1]
  double depth = 3e-8;    // δ [m]
  void describe(OptionVisitor& v) {
    v.real(
        "near_rigid_compliance", compliance,
        {"1",
         "rigid contacts give way to an impulse by this times what it moves their sides by, to larger ones by less; 0: "
         "they are hard",
         0.0});
    v.real("near_rigid_depth", depth,
           {.unit = "m",
            .help = "by as much the overlap of a contact of -near_rigid_compliance grows with every e-fold of its load",
            .min = 0.0,
            .open_min = true});
  }
};

}  // namespace clarke
