#include "scene/meshes/png_guard.hpp"

#include "framework/error.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>

namespace clarke {

namespace {

/// CRC-32 of ISO 3309, as in PNG.
std::uint32_t checksum(std::string_view bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    table[k] = k;
    for (int bit = 0; bit < 8; ++bit) table[k] = (table[k] >> 1) ^ (table[k] & 1 ? 0xedb88320u : 0);
  }
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

}  // namespace

void check_png(const std::string& path, const std::string& place) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(place + ": cannot read '" + path + "' as a PNG picture: " + what);
  };
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) refuse("it does not begin as one");
  const auto word = [&bytes](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = (value << 8) | static_cast<unsigned char>(bytes[at + k]);
    return value;
  };
  std::string kind;
  for (std::size_t at = 8; kind != "IEND";) {
    if (bytes.size() - at < 12) refuse("it is cut off");
    const std::size_t length = word(at);
    if (length > bytes.size() - at - 12) refuse("it is cut off");
    kind = bytes.substr(at + 4, 4);
    if (checksum(std::string_view(bytes).substr(at + 4, length + 4)) != word(at + 8 + length)) refuse("it is damaged");
    at += 12 + length;
  }
}

}  // namespace clarke
