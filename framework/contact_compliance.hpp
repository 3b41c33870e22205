#pragma once
// What compliance adds to a contact law's linearisation. Laws give A and B as if γ were zero
// (framework/contact_rows.hpp), so
//
//   dF = A (J du + γ dΛ) + B dΛ        B ← B + A γ
//
// γ must be equal along the two tangents of a contact where a law turns them.

#include "framework/contact_rows.hpp"

namespace clarke {

/// B += A γ of all rows, after the law.
void add_compliance(const ContactRows& rows);

}  // namespace clarke
