#include "framework/printable.hpp"

namespace clarke {

std::string printable(const std::string& text, bool lines) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // C1 control characters are c2 80 … c2 9f in UTF-8.
    const bool second = c >= 0x80 && c < 0xa0 && i > 0 && static_cast<unsigned char>(text[i - 1]) == 0xc2;
    if ((lines && c == '\n') || (c >= 0x20 && c != 0x7f && !second)) {
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += std::string("\\x") + "0123456789abcdef"[c >> 4] + "0123456789abcdef"[c & 15];
    }
  }
  return out;
}

}  // namespace clarke
