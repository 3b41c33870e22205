#include "scene/urdf/xml_guard.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace clarke {
namespace {

constexpr int kMostElements = 64;

/// Tags in their order, read as TinyXML 2.6 reads them (tinyxmlparser.cpp): what it takes for text, for a value or for
/// something unknown opens nothing. Where it would stop over an error, what follows may be counted or not.
class TagScanner {
 public:
  explicit TagScanner(std::string_view text) : text_(text) {}

  /// +1: an element opens, -1: one ends, 0: the text does.
  int next() {
    for (;;) {
      at_ = std::min(text_.find('<', at_), text_.size());
      if (at_ == text_.size()) return 0;
      tag_ = at_;
      if (begins("<!--")) {
        pass_over("-->", at_ + 4);
      } else if (begins("<![CDATA[")) {
        pass_over("]]>", at_ + 9);
      } else if (begins("</")) {
        at_ += 2;
        return -1;
      } else if (!opens()) {
        pass_over(">", at_ + 1);
      } else if (stays_open()) {
        return 1;
      }
    }
  }
  /// From 1: that of the last tag.
  long line() const { return 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(tag_), '\n'); }

 private:
  bool begins(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void pass_over(std::string_view end, std::size_t from) {
    const std::size_t found = text_.find(end, from);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }
  /// A name begins behind the bracket: with a letter, `_`, or any byte that is not ASCII.
  bool opens() const {
    if (at_ + 1 >= text_.size()) return false;
    const auto first = static_cast<unsigned char>(text_[at_ + 1]);
    return first >= 127 || first == '_' || std::isalpha(first);
  }
  /// Passes over a tag with the values of its attributes, in which there may be brackets; false for `<a/>`.
  bool stays_open() {
    while (at_ < text_.size() && text_[at_] != '>') {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        pass_over(std::string_view(&c, 1), at_ + 1);
      } else {
        ++at_;
      }
    }
    return at_ < text_.size() && text_[at_ - 1] != '/';
  }

  std::string_view text_;
  std::size_t at_ = 0, tag_ = 0;
};

}  // namespace

void check_xml(const std::string& file, const std::string& text) {
  TagScanner tags(text);
  int level = 0;
  while (const int change = tags.next()) {
    level = std::max(0, level + change);
    if (level > kMostElements)
      throw InputError(file + ":" + std::to_string(tags.line()) + ": XML: more than " + std::to_string(kMostElements) +
                       " elements inside each other");
  }
}

}  // namespace clarke
