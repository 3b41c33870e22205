#pragma once
// What is asked of a PNG file before libpng and zlib see it. Source: PNG (Portable Network Graphics) Specification,
// W3C, section 5.

#include <string>

namespace clarke {

/// Every chunk of the file is as long as it says, and has the checksum it says: the libraries need see no other. Throws
/// InputError "place: …".
void check_png(const std::string& path, const std::string& place);

}  // namespace clarke
