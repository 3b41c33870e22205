#include "framework/printable.hpp"

namespace clarke {

namespace {

constexpr std::size_t kLongestLine = 4000;  // bytes: longer than any message with names of a sensible length

/// Bytes of the character of UTF-8 that begins at `i`; 0: none does (RFC 3629: no overlong ones, no surrogates).
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i), second = byte(i + 1);
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xc0u) == 0x80u; };
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(i + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool allowed = (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0);
    return allowed && follows(i + 1) && follows(i + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool allowed = (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
    return allowed && follows(i + 1) && follows(i + 2) && follows(i + 3) ? 4 : 0;
  }
  return 0;
}

std::string escaped(unsigned char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  return std::string("\\x") + "0123456789abcdef"[c >> 4] + "0123456789abcdef"[c & 15];
}

}  // namespace

std::string error_line(const std::string& message) {
  if (message.size() <= kLongestLine) return printable(message);
  // Not within a character of UTF-8, whose later bytes are 10xxxxxx.
  const auto whole = [&](std::size_t at) {
    while (at < message.size() && (static_cast<unsigned char>(message[at]) & 0xc0u) == 0x80u) ++at;
    return at;
  };
  const std::size_t head = whole(kLongestLine / 2), tail = whole(message.size() - kLongestLine / 4);
  return printable(message.substr(0, head)) + " ... (" + std::to_string(tail - head) + " bytes) ... " +
         printable(message.substr(tail));
}

std::string printable(const std::string& text, bool lines) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    const bool control = c < 0x20 || c == 0x7f ||  // C1 control characters are c2 80 … c2 9f in UTF-8
                         (length == 2 && c == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    if (length > 0 && (!control || (lines && c == '\n'))) {
      out.append(text, i, length);
      i += length;
      continue;
    }
    for (const std::size_t end = i + (length > 0 ? length : 1); i < end; ++i)
      out += escaped(static_cast<unsigned char>(text[i]));
  }
  return out;
}

}  // namespace clarke
