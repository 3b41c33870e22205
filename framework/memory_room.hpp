#pragma once
// Memory is asked for before it is taken: what cannot fit is refused with the number, and not by the system, which ends
// a program without a word.

#include <string>

namespace clarke {

/// [byte] this process may still take: of the machine, of its container, of its own limit. A guess: others take too.
double memory_room();

/// Throws InputError "WHAT needs about 2.4 TB of memory, and there are 20 GB" where `bytes` are more than that.
void expect_memory(double bytes, const std::string& what);

}  // namespace clarke
