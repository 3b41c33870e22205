#include "tests/fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>

namespace clarke::fuzz {

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

namespace {

/// Half-open range of bytes.
struct Piece {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

const std::vector<std::string>& numbers() {
  static const std::vector<std::string> list = {"0",          "-0",
                                                "1",          "-1",
                                                "2",          "3",
                                                "1e-320",     "1e-30",
                                                "1e30",       "1e308",
                                                "-1e308",     "1e999",
                                                ".nan",       ".inf",
                                                "-.inf",      "2147483647",
                                                "2147483648", "-2147483649",
                                                "0x10",       "010",
                                                "1_000",      "99999999999999999999",
                                                "0.1.2",      "nan",
                                                "inf",        "1e",
                                                "1000000",    "0.5",
                                                "1e-12"};
  return list;
}

const std::vector<std::string>& tokens() {
  static const std::vector<std::string> list = {"[",
                                                "]",
                                                "{",
                                                "}",
                                                ",",
                                                ": ",
                                                "- ",
                                                "\n",
                                                "\n  ",
                                                "#",
                                                "\"",
                                                "'",
                                                "&a ",
                                                "*a",
                                                "|\n",
                                                ">\n",
                                                "!!binary ",
                                                "!x ",
                                                "---\n",
                                                "...\n",
                                                "<<: ",
                                                "? ",
                                                "~",
                                                "null",
                                                "true",
                                                "false",
                                                "[]",
                                                "{}",
                                                "\t",
                                                "%",
                                                "@",
                                                "`",
                                                "\r\n",
                                                "<",
                                                "/>",
                                                "</robot>",
                                                "<link name=\"x\"/>",
                                                "<!--",
                                                "-->",
                                                "<![CDATA[",
                                                "&lt;",
                                                "&#0;",
                                                "=\"",
                                                "\xff",
                                                "\xc3",
                                                "\xe2\x82\xac",
                                                "\xef\xbb\xbf",
                                                "../",
                                                "t",
                                                "sin(t)",
                                                "1/0",
                                                "0/0",
                                                "sqrt(-1)",
                                                "((",
                                                "t^t"};
  return list;
}

Piece number_at(const std::string& text, std::size_t from) {
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(text[i])) != 0; };
  while (from < text.size() && !digit(from)) ++from;
  std::size_t end = from;
  while (end < text.size() && (digit(end) || text[end] == '.' || text[end] == 'e')) ++end;
  return {from, end};
}

Piece word_at(const std::string& text, std::size_t from) {
  const auto letter = [&](std::size_t i) {
    return std::isalpha(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
  };
  while (from < text.size() && !letter(from)) ++from;
  std::size_t end = from;
  while (end < text.size() && letter(end)) ++end;
  return {from, end};
}

/// The line that holds `at`, with its end.
Piece line_at(const std::string& text, std::size_t at) {
  const std::size_t before = at > 0 ? text.rfind('\n', at - 1) : std::string::npos;
  const std::size_t after = text.find('\n', at);
  return {before == std::string::npos ? 0 : before + 1, after == std::string::npos ? text.size() : after + 1};
}

std::string cut(const std::string& text, Piece p) { return text.substr(p.begin, p.size()); }

void mutate_once(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const std::string& other = random.of(corpus);
  const std::size_t at = random.below(text.size() + 1), there = random.below(other.size());
  const auto replace = [&](Piece p, const std::string& by) { text.replace(p.begin, p.size(), by); };
  switch (random.below(14)) {
    case 0:  // a byte
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
      break;
    case 1:  // bytes away
      if (at < text.size()) text.erase(at, 1 + random.below(16));
      break;
    case 2:
      text.insert(at, random.of(tokens()));
      break;
    case 3:
    case 4:
    case 5:
      replace(number_at(text, at), random.of(numbers()));
      break;
    case 6:  // a word from elsewhere
      replace(word_at(text, at), cut(other, word_at(other, there)));
      break;
    case 7:  // a scalar becomes something else
      replace(number_at(text, at), random.below(2) ? "[1, 2]" : "{a: 1}");
      break;
    case 8: {  // a line twice, and far away
      const std::string line = cut(text, line_at(text, at));
      text.insert(line_at(text, random.below(text.size() + 1)).begin, line);
      break;
    }
    case 9:
      replace(line_at(text, at), "");
      break;
    case 10:  // a line from elsewhere
      text.insert(line_at(text, at).begin, cut(other, line_at(other, there)));
      break;
    case 11: {  // indentation
      const Piece line = line_at(text, at);
      if (random.below(2)) {
        text.insert(line.begin, 1 + random.below(4), ' ');
      } else if (line.size() > 0 && text[line.begin] == ' ') {
        text.erase(line.begin, 1);
      }
      break;
    }
    case 12:  // the end is missing
      if (random.below(4) == 0) text.resize(at);
      break;
    default: {  // much of one thing
      static const std::vector<std::string> kDeep = {"[", "{a: ", "- ", "<a>", "(", "-", "1", "x", " ", "*"};
      const std::string& piece = random.of(kDeep);
      const std::size_t count = std::size_t{1} << random.below(15);
      std::string much;
      for (std::size_t i = 0; i < count; ++i) much += piece;
      text.insert(at, much);
      break;
    }
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, Random& random) {
  std::string text = random.of(corpus);
  const std::size_t count = 1 + random.below(8);
  for (std::size_t i = 0; i < count; ++i) mutate_once(text, corpus, random);
  return text;
}

}  // namespace clarke::fuzz
