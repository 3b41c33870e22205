// Robots of a scene file: the keys, checked against the robot's own file.

#include "framework/error.hpp"
#include "scene/reader/scene_model.hpp"
#include "scene/urdf/urdf_import.hpp"

#include <cmath>
#include <filesystem>
#include <functional>

namespace clarke {
namespace {

using Names = std::vector<std::string>;
using DescribeJoint = std::function<void(SceneVisitor& v, const std::string& joint)>;

/// {joint: …}: the keys are the names of the robot's joints, known only while a file is read; to a schema it is any
/// map.
void describe_by_joint(SceneVisitor& v, const char* key, const char* help, const Names& joints,
                       const DescribeJoint& describe) {
  if (!v.reading()) {
    std::vector<std::pair<std::string, std::string>> any;
    Names places;
    v.settings(key, any, places, {.help = help});
    return;
  }
  v.object(key, {.help = help}, [&](SceneVisitor& map) {
    for (const std::string& joint : joints) describe(map, joint);
  });
}

void describe_drive(SceneVisitor& v, RobotDrive& drive) {
  v.real("stiffness", drive.stiffness, {.help = "of a joint that turns | slides", .unit = "N m/rad | N/m", .min = 0});
  v.real("damping", drive.damping, {.unit = "N m s/rad | N s/m", .min = 0});
  v.optional_real("effort", drive.effort,
                  {.help = "largest torque | force; default: the limit of the file",
                   .unit = "N m | N",
                   .min = 0,
                   .open_min = true});
}

void check_drive(SceneVisitor& v, const std::string& joint, const RobotDrive& drive) {
  if (drive.stiffness == 0 && drive.damping == 0)
    v.refuse("", "the drive of '" + joint + "' needs a stiffness or a damping above 0");
}

void describe_drives(SceneVisitor& v, const Names& joints, RobotDescription& robot) {
  RobotDrive drive;
  describe_drive(v, drive);
  for (const std::string& joint : joints) robot.drives[joint] = drive;
  describe_by_joint(v, "joints", "stiffness, damping and effort of single joints, by name", joints,
                    [&](SceneVisitor& map, const std::string& joint) {
                      map.object(joint.c_str(), {}, [&](SceneVisitor& d) { describe_drive(d, robot.drives[joint]); });
                    });
  describe_by_joint(v, "targets", "coordinates to hold [rad | m], by name; default: those at the start", joints,
                    [&](SceneVisitor& map, const std::string& joint) {
                      TimeFunction target;
                      if (map.time_function(joint.c_str(), target, {})) robot.drives[joint].target = target;
                    });
  if (!v.reading()) return;
  for (const std::string& joint : joints) check_drive(v, joint, robot.drives[joint]);
}

/// A start outside the limits is refused at its own line.
FieldInfo start_range(const UrdfFile& file, const std::string& joint, bool limits) {
  FieldInfo info;
  const auto found = file.model().getJoint(joint);
  if (!limits || !found->limits || found->type == urdf::Joint::CONTINUOUS) return info;
  info.min = found->limits->lower;
  info.max = found->limits->upper;
  return info;
}

void check_name(SceneVisitor& v, const SceneNames& names, const std::string& name) {
  if (names.taken(name) || names.group(name))
    v.refuse("name", "the name '" + name + "' is used already; give the robot another `name`");
}

}  // namespace

void describe_robot(SceneVisitor& v, Scene& scene, SceneNames& names) {
  RobotDescription robot;
  std::string path, base = "fixed";
  std::optional<UrdfFile> file;
  v.text("name", robot.name,
         {.help = "prefix of its bodies and joints, name/link, and their group; default: the robot's own name",
          .has_default = false});
  v.text("urdf", path, {.help = "the robot's file, relative to the scene", .required = true});
  v.choice("base", base, {"fixed", "free"}, {.help = "whether the root link is static"});
  v.vector("position", robot.position, {.help = "of the frame of the root link", .unit = "m"});
  v.orientation("orientation", robot.orientation, {.help = "of the frame of the root link"});
  v.texts("meshes", robot.mesh_folders,
          {.help = "folders with the meshes of package://, relative to the scene; then beside the robot's file and its "
                   "`meshes`",
           .has_default = false});
  v.text("material", robot.material, {.help = "a name from `materials`", .has_default = false});
  v.flag("limits", robot.limits, {.help = "use the limits of the file"});
  v.flag("friction", robot.friction, {.help = "use the friction and damping of the file"});
  v.flag("self_collision", robot.self_collision, {.help = "its links touch each other, except neighbours"});

  Names joints;
  const std::filesystem::path folder = std::filesystem::path(scene.file).parent_path();
  if (v.reading()) {
    file.emplace((folder / path).string());
    joints = file->free_joints();
  }
  describe_by_joint(v, "joints", "coordinates at the start [rad | m], by name; default: 0", joints,
                    [&](SceneVisitor& map, const std::string& joint) {
                      double start = 0;
                      if (map.real(joint.c_str(), start, start_range(*file, joint, robot.limits)))
                        robot.start[joint] = start;
                    });
  v.object("drives", {.help = "one drive on every joint that moves and mimics no other"},
           [&](SceneVisitor& d) { describe_drives(d, joints, robot); });
  if (!v.reading()) return;

  if (robot.name.empty()) robot.name = file->model().getName();
  robot.fixed_base = base == "fixed";
  robot.where = v.where();
  for (std::string& meshes : robot.mesh_folders) meshes = (folder / meshes).string();
  check_name(v, names, robot.name);
  UrdfWarnings warnings = file->ignored();
  add_robot(*file, robot, scene.world, warnings);
  check_built(v, scene.world, names);
  scene.other_files.emplace_back(file->path(), file->hash());
  for (const std::string& line : warnings.lines()) scene.warnings.push_back(line);
}

}  // namespace clarke
