#include "scene/urdf/urdf_file.hpp"

#include "framework/error.hpp"
#include "framework/sha256.hpp"
#include "scene/urdf/xml_guard.hpp"

#include <algorithm>
#include <cerrno>
#include <console_bridge/console.h>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

namespace clarke {
namespace {

/// Keeps what urdfdom would print while it lives.
class ParserMessages final : public console_bridge::OutputHandler {
 public:
  ParserMessages() { console_bridge::useOutputHandler(this); }
  ~ParserMessages() override { console_bridge::restorePreviousOutputHandler(); }
  ParserMessages(const ParserMessages&) = delete;
  ParserMessages& operator=(const ParserMessages&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_WARN) texts.push_back(text);
  }

  std::vector<std::string> texts;
};

/// urdfdom calls itself for every link of a chain when it lets the robot go: some hundred thousand end the program.
constexpr int kMostLinks = 10000;

std::string read_text(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw InputError(path + ": is a directory, expected a URDF file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string attribute(const TiXmlElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value ? value : "";
}

bool one_of(const std::string& tag, std::initializer_list<const char*> tags) {
  return std::any_of(tags.begin(), tags.end(), [&](const char* known) { return tag == known; });
}

}  // namespace

void UrdfWarnings::add(const std::string& place, const std::string& subject, const std::string& what) {
  for (Entry& entry : entries_) {
    if (entry.what != what) continue;
    ++entry.more;
    return;
  }
  entries_.push_back({place, subject, what, 0});
}

std::vector<std::string> UrdfWarnings::lines() const {
  std::vector<std::string> lines;
  for (const Entry& e : entries_)
    lines.push_back(e.place + ": " + e.subject + (e.more > 0 ? " and " + std::to_string(e.more) + " more" : "") + ": " +
                    e.what);
  return lines;
}

UrdfFile::UrdfFile(const std::string& path) : path_(path) {
  const std::string text = read_text(path);
  hash_ = sha256(text);
  read_lines(text);
  read_model(text);
}

void UrdfFile::read_lines(const std::string& text) {
  check_xml(path_, text);
  TiXmlDocument document;
  document.Parse(text.c_str());
  if (document.Error())
    throw InputError(path_ + ":" + std::to_string(std::max(1, document.ErrorRow())) +
                     ": XML syntax: " + document.ErrorDesc());
  const TiXmlElement* robot = document.RootElement();
  if (!robot || robot->ValueStr() != "robot")
    throw InputError(path_ + ":" + std::to_string(robot ? robot->Row() : 1) + ": expected a <robot>" +
                     (robot ? ", got <" + robot->ValueStr() + ">" : ""));
  const auto unused = [&](const TiXmlElement& element, const std::string& subject) {
    ignored_.add(path_ + ":" + std::to_string(element.Row()), subject, "<" + element.ValueStr() + "> is not used");
  };
  int links = 0;
  for (auto* e = robot->FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string tag = e->ValueStr(), name = attribute(*e, "name");
    if (!one_of(tag, {"link", "joint", "material"})) {
      unused(*e, "robot");
      continue;
    }
    lines_[tag + " " + name] = e->Row();
    if (tag == "link" && ++links > kMostLinks)
      throw InputError(path_ + ":" + std::to_string(e->Row()) + ": more than " + std::to_string(kMostLinks) +
                       " links in one robot");
    int collisions = 0;
    for (auto* part = e->FirstChildElement(); part && tag != "material"; part = part->NextSiblingElement()) {
      const std::string inner = part->ValueStr();
      if (inner == "collision") lines_["collision " + std::to_string(collisions++) + " " + name] = part->Row();
      const bool known = tag == "link"
                             ? one_of(inner, {"inertial", "visual", "collision"})
                             : one_of(inner, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
      if (!known) unused(*part, tag + " '" + name + "'");
    }
  }
}

void UrdfFile::read_model(const std::string& text) {
  ParserMessages messages;
  try {
    model_ = urdf::parseURDF(text);
  } catch (const std::exception& error) {
    messages.texts.emplace_back(error.what());
    model_ = nullptr;
  }
  if (model_ && messages.texts.empty()) return;
  std::string all;
  int at = 1;
  for (const std::string& message : messages.texts) {
    all += (all.empty() ? "" : "; ") + message;
    for (const auto& [part, row] : lines_) {
      const std::string name = part.substr(part.find(' ') + 1);
      const bool named =
          message.find("'" + name + "'") != std::string::npos || message.find("[" + name + "]") != std::string::npos;
      if (at == 1 && named && part.rfind("collision", 0) != 0) at = row;
    }
  }
  throw InputError(path_ + ":" + std::to_string(at) +
                   ": not a valid robot: " + (all.empty() ? "the URDF parser gives no reason" : all));
}

int UrdfFile::line(const std::string& part) const {
  const auto found = lines_.find(part);
  return found == lines_.end() ? 1 : found->second;
}

std::string UrdfFile::place(const std::string& part) const { return path_ + ":" + std::to_string(line(part)); }

std::string UrdfFile::collision_place(const std::string& link, std::size_t index) const {
  return place("collision " + std::to_string(index) + " " + link);
}

std::vector<std::string> UrdfFile::free_joints() const {
  std::vector<std::string> names;
  for (const auto& [name, joint] : model_->joints_)
    if (has_coordinate(*joint) && !joint->mimic) names.push_back(name);
  std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return joint_order(a) != joint_order(b) ? joint_order(a) < joint_order(b) : a < b;
  });
  return names;
}

bool has_coordinate(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
         joint.type == urdf::Joint::PRISMATIC;
}

}  // namespace clarke
