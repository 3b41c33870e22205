// TetGen's .node and .ele files: text, # begins a comment, blank lines do not count.
//
//   .node   points 3 attributes markers, then per point: number x y z …
//   .ele    elements nodes-per-element attributes, then per element: number node… [region]
//
// Source: TetGen manual, "File formats".

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

namespace clarke {
namespace {

/// Lines that say something, as words.
class TextTable {
 public:
  explicit TextTable(const std::string& path) : path_(path), stream_(path) {
    if (!std::filesystem::is_regular_file(path) || !stream_) throw InputError(path + ": cannot be read");
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + text);
  }
  /// Words of the next line, at least `least` of them.
  const std::vector<std::string>& next(std::size_t least, const std::string& what) {
    words_.clear();
    for (std::string line; words_.empty();) {
      if (!std::getline(stream_, line)) fail("the file ends where " + what + " is expected");
      ++line_;
      std::istringstream text(line.substr(0, line.find('#')));
      for (std::string word; text >> word;) words_.push_back(word);
    }
    if (words_.size() < least)
      fail("expected " + what + ", at least " + std::to_string(least) + " numbers, got " +
           std::to_string(words_.size()));
    return words_;
  }
  std::size_t words() const { return words_.size(); }
  long long integer(std::size_t k, const std::string& what) const {
    const auto value = parse_integer(words_[k]);
    if (!value) fail("expected " + what + ", got '" + words_[k] + "'");
    return *value;
  }
  double real(std::size_t k, const std::string& what) const {
    const auto value = parse_any_real(words_[k]);
    if (!value) fail("expected " + what + ", got '" + words_[k] + "'");
    return *value;
  }

 private:
  std::string path_;
  std::ifstream stream_;
  int line_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

VolumeMeshFile read_tetgen(const std::string& path) {
  VolumeMeshFile out;
  std::unordered_map<long long, int> index;
  TextTable nodes(std::filesystem::path(path).replace_extension(".node").string());
  nodes.next(2, "numbers of points and dimensions");
  const long long count = nodes.integer(0, "a number of points");
  if (nodes.integer(1, "3 dimensions") != 3) nodes.fail("expected points in 3 dimensions");
  for (long long k = 0; k < count; ++k) {
    nodes.next(4, "point " + std::to_string(k + 1) + " of " + std::to_string(count));
    const long long number = nodes.integer(0, "a number of a point");
    if (k == 0 && number != 0 && number != 1) nodes.fail("the first point is number 0 or 1");
    if (!index.try_emplace(number, static_cast<int>(k)).second)
      nodes.fail("point " + std::to_string(number) + " twice");
    out.node_number.push_back(number);
    out.nodes.push_back({nodes.real(1, "x"), nodes.real(2, "y"), nodes.real(3, "z")});
  }
  TextTable elements(std::filesystem::path(path).replace_extension(".ele").string());
  elements.next(2, "numbers of elements and of nodes per element");
  const long long total = elements.integer(0, "a number of elements"), per = elements.integer(1, "nodes per element");
  const bool regions = elements.words() > 2 && elements.integer(2, "a number of attributes") > 0;
  if (per != 4 && per != 10) elements.fail("expected 4 nodes per element (or 10), got " + std::to_string(per));
  for (long long k = 0; k < total; ++k) {
    elements.next(static_cast<std::size_t>(1 + per + (regions ? 1 : 0)),
                  "element " + std::to_string(k + 1) + " of " + std::to_string(total));
    const long long number = elements.integer(0, "a number of an element");
    std::array<int, 4> corner{};
    for (std::size_t c = 0; c < static_cast<std::size_t>(per); ++c) {
      const long long node = elements.integer(1 + c, "a node");
      const auto found = index.find(node);
      if (found == index.end())
        elements.fail("element " + std::to_string(number) + ": there is no node " + std::to_string(node));
      if (c < 4) corner[c] = found->second;
    }
    if (per == 10) {
      VolumeMeshFile::Others& others = out.solids["second-order tetrahedra"];
      if (others.count++ == 0) others.first = number;
      continue;
    }
    if (regions) out.groups["region_" + format_real(elements.real(5, "a region"))].push_back(static_cast<int>(k));
    out.tetrahedra.push_back(corner);
    out.element_number.push_back(number);
  }
  return out;
}

}  // namespace clarke
