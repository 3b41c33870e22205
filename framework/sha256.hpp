#pragma once
// SHA-256 of a text (FIPS 180-4), as sha256sum prints it: names the exact scene a result came from, and seals
// checkpoints.

#include <string>

namespace clarke {

std::string sha256(const std::string& text);

}  // namespace clarke
