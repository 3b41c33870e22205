#pragma once
// A robot's file in URDF, read: the model as the library urdfdom understands it, and the lines at which its parts
// begin, which that library does not keep. Nothing is printed: what the library says becomes an InputError `file:line:
// …`.

#include <map>
#include <memory>
#include <string>
#include <urdf_model/model.h>
#include <vector>

namespace clarke {

/// Things of the file that are read but not used, for the user to know: `file:line: joint 'j1' and 15 more: …`.
class UrdfWarnings {
 public:
  /// `place` is "file:line"; the same `what` of several subjects becomes one line, at the first place.
  void add(const std::string& place, const std::string& subject, const std::string& what);
  std::vector<std::string> lines() const;

 private:
  struct Entry {
    std::string place, subject, what;
    int more;
  };
  std::vector<Entry> entries_;
};

class UrdfFile {
 public:
  /// Throws InputError: unreadable, not XML, not a robot, or refused by urdfdom.
  explicit UrdfFile(const std::string& path);

  const urdf::ModelInterface& model() const { return *model_; }
  const std::string& path() const { return path_; }
  /// SHA-256 of its bytes, hexadecimal.
  const std::string& hash() const { return hash_; }
  /// "file:line" of a part; of the whole file where it is not known.
  std::string link_place(const std::string& link) const { return place("link " + link); }
  std::string joint_place(const std::string& joint) const { return place("joint " + joint); }
  std::string collision_place(const std::string& link, std::size_t index) const;
  /// Position among the joints of the file.
  int joint_order(const std::string& joint) const { return line("joint " + joint); }
  /// Names of the joints that move and follow no other, in the order of the file.
  std::vector<std::string> free_joints() const;
  /// Elements that nothing here reads: transmissions, simulator extensions, …
  const UrdfWarnings& ignored() const { return ignored_; }

 private:
  int line(const std::string& part) const;
  std::string place(const std::string& part) const;
  void read_lines(const std::string& text);
  void read_model(const std::string& text);

  std::string path_, hash_;
  std::shared_ptr<urdf::ModelInterface> model_;
  std::map<std::string, int> lines_;  // "link a", "joint b", "collision 0 a": from 1
  UrdfWarnings ignored_;
};

/// Whether the joint has a coordinate.
bool has_coordinate(const urdf::Joint& joint);

}  // namespace clarke
