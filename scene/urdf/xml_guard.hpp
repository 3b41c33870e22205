#pragma once
// What is asked of a robot's file before TinyXML sees it.

#include <string>

namespace clarke {

/// TinyXML calls itself for every level of elements: ten thousand of them take it minutes, more end the program. URDF
/// has five levels, and what others write into it not many more. Throws InputError "FILE:LINE: …" where there are more
/// than 64. Whether tags match is TinyXML's to say.
void check_xml(const std::string& file, const std::string& text);

}  // namespace clarke
