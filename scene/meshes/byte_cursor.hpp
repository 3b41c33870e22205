#pragma once
// A file read from front to back, as text or as bytes; for formats that come in both. Knows the line, and what was
// expected where the file ends.

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace clarke {

class ByteCursor {
 public:
  explicit ByteCursor(const std::string& path) : path_(path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw InputError(path + ": cannot be read");
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  [[noreturn]] void fail(const std::string& text) const {
    std::size_t line = 1;
    for (std::size_t k = 0; k < at_ && k < bytes_.size(); ++k) line += bytes_[k] == '\n';
    throw InputError(path_ + (binary_ ? ": byte " + std::to_string(at_) : ":" + std::to_string(line)) + ": " + text);
  }
  /// From here on numbers are bytes, in the order of this machine.
  void set_binary(bool binary) { binary_ = binary; }

  /// The rest of the line, without blanks at its ends.
  std::string line() {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view text(bytes_.data() + at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    return std::string(text);
  }
  bool at_end() const { return at_ >= bytes_.size(); }
  std::size_t size() const { return bytes_.size(); }
  const char* data() const { return bytes_.data(); }
  bool begins_with(const std::string& text) const { return bytes_.starts_with(text); }
  void skip(std::size_t bytes) { at_ = std::min(at_ + bytes, bytes_.size()); }
  void skip_blanks() {
    while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
  }
  /// Moves behind the next `text`; false where there is none.
  bool skip_behind(const std::string& text) {
    const std::size_t found = bytes_.find(text, at_);
    if (found == std::string::npos) return false;
    at_ = found + text.size();
    return true;
  }

  /// The next word between blanks; `what` says what it should be.
  std::string_view word(const std::string& what) {
    while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && !std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
    if (begin == at_) fail("the file ends where " + what + " is expected");
    return {bytes_.data() + begin, at_ - begin};
  }
  /// The next word has to be this one.
  void expect(const std::string& text) {
    const std::string_view found = word("'" + text + "'");
    if (found != text) fail("expected '" + text + "', got '" + std::string(found.substr(0, 40)) + "'");
  }
  /// A number of a binary file; with `swapped` in the order of another machine.
  template <class Stored>
  Stored number(const std::string& what, bool swapped = false) {
    if (!swapped) return raw<Stored>(what);
    auto bytes = raw<std::array<char, sizeof(Stored)>>(what);
    std::reverse(bytes.begin(), bytes.end());
    Stored value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  /// A whole number that `Stored` holds, which is what a binary file has.
  template <class Stored>
  long long integer(const std::string& what) {
    if (binary_) return static_cast<long long>(raw<Stored>(what));
    const std::string_view text = word(what);
    const auto value = parse_integer(text);
    if (!value || !std::in_range<Stored>(*value))
      fail("expected " + what + ", got '" + std::string(text.substr(0, 40)) + "'");
    return *value;
  }
  /// A number; one that is not finite is the mesh's trouble, not the reader's.
  double real(const std::string& what) {
    if (binary_) return raw<double>(what);
    const std::string_view text = word(what);
    const auto value = parse_any_real(text);
    if (!value) fail("expected " + what + ", got '" + std::string(text.substr(0, 40)) + "'");
    return *value;
  }
  /// `count` things of at least `bytes` each cannot be in what is left of the file: a wrong count, or a truncated file.
  /// `beyond`: bytes that the last one may lack, as a text without a line break at its end does.
  void expect_room(long long count, long long bytes, const std::string& what, long long beyond = 0) const {
    if (count < 0 || count > (static_cast<long long>(bytes_.size() - at_) + beyond) / bytes)
      fail("expected " + std::to_string(count) + " " + what + ", for which the file is too short");
  }

 private:
  template <class T>
  T raw(const std::string& what) {
    if (bytes_.size() - at_ < sizeof(T)) fail("the file ends where " + what + " is expected");
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  std::string path_, bytes_;
  std::size_t at_ = 0;
  bool binary_ = false;
};

}  // namespace clarke
