#include "scene/reader/yaml_guard.hpp"

#include "framework/error.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

namespace clarke {
namespace {

constexpr std::size_t kMostLevels = 100;               // a scene has about ten
constexpr double kMostTimes = 100, kAlwaysFine = 1e5;  // nodes that aliases stand for, over those that are written

class Guard final : public YAML::EventHandler {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  /// The parser leaves what belongs to nothing where it is, and begins another document there, for ever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos <= document_) fail(mark, "what is here belongs to nothing before it (a bracket or colon too many?)");
    document_ = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(mark, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string&) override {
    leaf(mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto size = size_.find(anchor);
    if (size == size_.end()) fail(mark, "an alias inside of what it stands for");
    add(mark, size->second);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

 private:
  struct Level {
    YAML::Mark mark;
    YAML::anchor_t anchor;
    double nodes;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    throw InputError(file_ + ":" + std::to_string(mark.line + 1) + ": YAML: " + what);
  }
  void leaf(const YAML::Mark& mark, YAML::anchor_t anchor) {
    ++written_;
    if (anchor != 0) size_[anchor] = 1;
    add(mark, 1);
  }
  void begin(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (levels_.size() >= kMostLevels) fail(mark, "nested deeper than " + std::to_string(kMostLevels) + " levels");
    ++written_;
    levels_.push_back({mark, anchor, 1});
  }
  void end() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.anchor != 0) size_[level.anchor] = level.nodes;
    add(level.mark, level.nodes);
  }
  void add(const YAML::Mark& mark, double nodes) {
    if (nodes > kMostTimes * written_ + kAlwaysFine)
      fail(mark, "aliases stand for more than " + std::to_string(static_cast<long long>(std::fmin(nodes, 1e18))) +
                     " values, " + std::to_string(static_cast<long long>(written_)) + " are written");
    if (levels_.empty()) return;
    levels_.back().nodes += nodes;
    if (levels_.back().nodes > kMostTimes * written_ + kAlwaysFine) add(mark, levels_.back().nodes);
  }

  const std::string& file_;
  int document_ = -1;  // where the last one began
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, double> size_;  // nodes of what has an anchor, aliases in it counted in full
  double written_ = 0;
};

/// [byte] length of the character at `at`, 0 where there is none: a byte that begins none, one that is cut off, a form
/// that is longer than it need be, a surrogate, beyond Unicode, or a control character that YAML does not have.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&text](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() - at < length) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(at + k) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

void check_text(const std::string& file, const std::string& text) {
  std::size_t line = 1;
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    length = character(text, at);
    if (length == 0)
      throw InputError(file + ":" + std::to_string(line) + ": byte " + std::to_string(at) +
                       " is no text: expected UTF-8 without control characters");
    line += text[at] == '\n';
  }
}

}  // namespace

void check_yaml(const std::string& file, const std::string& text) {
  check_text(file, text);
  std::istringstream stream(text);
  Guard guard(file);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(guard)) {}
  } catch (const YAML::DeepRecursion& error) {
    throw InputError(file + ":" + std::to_string(error.mark.line + 1) + ": YAML: nested too deeply");
  } catch (const YAML::Exception&) {}
}

}  // namespace clarke
