#pragma once
// Contacts that are rigid but for a spring too stiff to be seen, which makes the forces of a pile the only ones there
// are [docs/theory.md, eq. N1c].
//
//   row n   C(q⁺)/b + D(Λ_n) in the place of C(q⁺)/b
//           D(Λ) = a Λ/(1 + a Λ/D_max) for Λ > 0, a Λ else,     a = α W_nn,   D_max = δ/b
//
//   Λ [N s]   impulse      C [m] gap      b [s] weight of the step in q⁺
//   α [1]     -near_rigid_compliance: what the contact gives way to an impulse beside what it moves its sides; 0: hard
//   δ [m]     -near_rigid_depth: the overlap is less than this, whatever the load
//   W_nn      of the contact at the start of the step [1/kg]
//
// Four corners under one face are more rows than the face has motions, and which of them carries what is open. Where
// rows contradict each other, too, by nanometres per second, impulses grow along such a self-stress until one of them
// ends, in small steps and by thousands. A compliance decides: between equal springs a face has one answer.
//
// Limits: rigid contacts of laws of positions. What has a stiffness of its own is softer (compliance.hpp), laws of
// velocities (-integrator moreau_jean) close no gaps, and -contact_slop is for contacts without.
//
// In the near-rigid regime of SAP and in MuJoCo α is the ratio of the regularisation R to W, with no bound of the depth
// [Castro Permenter Han 2023; Todorov 2014].

#include "framework/options.hpp"
#include "framework/sets/near_rigid_law.hpp"

namespace clarke {

struct NearRigidOptions {
  double compliance = 0;  // α [1]
  double depth = 1e-7;    // δ [m]
  void describe(OptionVisitor& v) {
    v.real("near_rigid_compliance", compliance,
           {"1",
            "rigid contacts give way to an impulse by this times what it moves their sides, up to -near_rigid_depth; "
            "0: they are hard",
            0.0});
    v.real("near_rigid_depth", depth,
           {.unit = "m",
            .help = "no load takes a contact of -near_rigid_compliance to an overlap as large as this",
            .min = 0.0,
            .open_min = true});
  }
};

}  // namespace clarke
