// Robots from URDF: each feature and each refusal on small files written here.

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "scene/meshes/mesh_file.hpp"
#include "scene/scene.hpp"
#include "scene/urdf/urdf_geometry.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

BOOST_AUTO_TEST_SUITE(urdf)

namespace {

using namespace clarke;

constexpr double kRounding = 1e-14;  // a few rotations of numbers of size one

class TextFile {
 public:
  TextFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("clarke_urdf_" + std::to_string(getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string inertial(double mass, const std::string& xyz = "0 0 0", const std::string& rpy = "0 0 0",
                     const std::string& more = "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'") {
  return "<inertial><origin xyz='" + xyz + "' rpy='" + rpy + "'/><mass value='" + std::to_string(mass) +
         "'/><inertia " + more + "/></inertial>";
}

std::string link_of(const std::string& name, const std::string& inside) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}

/// A joint from base to child at (0, 0, 1) about or along y.
std::string joint(const std::string& name, const std::string& type, const std::string& child,
                  const std::string& more = "", const std::string& parent = "base") {
  return "<joint name='" + name + "' type='" + type + "'><origin xyz='0 0 1'/><parent link='" + parent +
         "'/><child link='" + child + "'/><axis xyz='0 2 0'/>" + more + "</joint>\n";
}

const std::string kLimit = "<limit lower='-1' upper='2' effort='5' velocity='3'/>";

/// A robot whose first element is on line 2.
Scene scene_of(const std::string& elements, const std::string& keys = "") {
  const TextFile file("robot.urdf", "<robot name='r'>\n" + elements + "</robot>\n");
  return scene_from(
      "time: {step: 0.1, end: 1}\nmaterials: {rubber: {}}\nparticles: [{name: p, mass: 1}]\nrobots:\n  - urdf: " +
      file.path() + "\n" + keys);
}

/// `place` is the line of the robot, or of the scene where `in_scene`.
void refused(const std::string& elements, const std::string& keys, int line, bool in_scene, const std::string& words) {
  const std::string place = (in_scene ? ".yaml:" : ".urdf:") + std::to_string(line) + ": ";
  const auto as_expected = [&](const InputError& e) {
    const std::string what = e.what();
    BOOST_TEST(what.find(place) != std::string::npos, what << " lacks: " << place);
    BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
    return true;
  };
  BOOST_CHECK_EXCEPTION(scene_of(elements, keys), InputError, as_expected);
}

const std::string kBase = link_of("base", "");
const std::string kArm = kBase + link_of("arm", inertial(2)) + joint("j", "revolute", "arm", kLimit);

bool contains(const std::vector<std::string>& lines, const std::string& words) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& l) { return l.find(words) != std::string::npos; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(frames_at_the_start) {
  // The base is turned by 90° about z and stands at x = 10; the arm is turned by 90° about its axis, which is y of the
  // base.
  const Scene scene = scene_of(
      kBase + link_of("arm", inertial(2, "0 0 3", "0 0 1.5707963267948966")) + joint("j", "revolute", "arm", kLimit),
      "    position: [10, 0, 0]\n    orientation: {axis: [0, 0, 1], angle_deg: 90}\n"
      "    joints: {j: 1.5707963267948966}\n");
  BOOST_REQUIRE(scene.world.bodies.size() == 2U);
  const BodyDescription &base = scene.world.bodies[0], &arm = scene.world.bodies[1];
  BOOST_TEST(base.name == "r/base");
  BOOST_TEST(base.group == "r");
  BOOST_TEST((base.motion == Motion::fixed));
  BOOST_TEST((base.shape.kind == ShapeDescription::Kind::none));
  BOOST_TEST(arm.name == "r/arm");
  BOOST_TEST((arm.motion == Motion::dynamic));
  BOOST_TEST(*arm.mass == 2);
  // Base frame: joint at (0, 0, 1), the turn takes z to x: centre at (3, 0, 1); world: (10, 3, 1).
  BOOST_TEST(norm(arm.position - Vec3{10, 3, 1}) <= 10 * kRounding);
  // x of the inertial frame is y of the link, y of the base, −x of the world.
  BOOST_TEST(norm(rotate(arm.orientation, Vec3{1, 0, 0}) - Vec3{-1, 0, 0}) <= kRounding);
  BOOST_REQUIRE(scene.world.joints.size() == 1U);
  const JointDescription& j = scene.world.joints[0];
  BOOST_TEST(j.type == "hinge");
  BOOST_TEST(j.name == "r/j");
  BOOST_TEST(j.a == "r/arm");
  BOOST_TEST(j.b == "r/base");
  BOOST_TEST(norm(j.anchor_a - Vec3{10, 0, 1}) <= 10 * kRounding);
  BOOST_TEST(norm(j.anchor_b - j.anchor_a) == 0);
  BOOST_TEST(norm(j.axis - Vec3{-1, 0, 0}) <= kRounding);
  BOOST_TEST(!j.collide);
  const CoordinateDescription& c = j.coordinates.at(0);
  BOOST_TEST(c.start == M_PI / 2);
  BOOST_TEST(*c.lower == -1);
  BOOST_TEST(*c.upper == 2);
  BOOST_TEST(!c.driven);
  BOOST_TEST((scene.world.no_collision == std::vector<std::pair<std::string, std::string>>{{"r", "r"}}));
  BOOST_TEST(contains(scene.warnings, ".urdf:4: joint 'j': the velocity limit is not used"));
}

BOOST_AUTO_TEST_CASE(every_joint_type) {
  std::string text = link_of("base", inertial(1));
  for (const char* name : {"a", "b", "c", "d"}) text += link_of(name, inertial(1));
  text += joint("ja", "continuous", "a", "<dynamics damping='0.5' friction='0.25'/>") +
          joint("jb", "prismatic", "b", kLimit) + joint("jc", "floating", "c") +
          joint("jd", "revolute", "d", kLimit + "<mimic joint='jb' multiplier='-2' offset='0.5'/>");
  const Scene scene = scene_of(text,
                               "    name: hand\n    joints: {jb: 0.5}\n    self_collision: true\n    base: free\n"
                               "    material: rubber\n");
  const World& world = scene.world;
  BOOST_REQUIRE(world.bodies.size() == 5U);
  BOOST_TEST((world.bodies[0].motion == Motion::dynamic));
  BOOST_TEST(world.bodies[2].name == "hand/b");
  BOOST_TEST(world.bodies[2].material == "rubber");
  BOOST_TEST(norm(world.bodies[2].position - Vec3{0, 0.5, 1}) <= kRounding);
  BOOST_TEST(world.no_collision.empty());
  BOOST_REQUIRE(world.joints.size() == 4U);
  const JointDescription &turn = world.joints[0], &slide = world.joints[1], &follow = world.joints[2],
                         &gear = world.joints[3];
  BOOST_TEST(turn.type == "hinge");
  BOOST_TEST(!turn.coordinates[0].lower.has_value());
  BOOST_TEST(turn.coordinates[0].friction_dry == 0.25);
  BOOST_TEST(turn.coordinates[0].friction_viscous == 0.5);
  BOOST_TEST(slide.type == "slider");
  BOOST_TEST(slide.coordinates[0].start == 0.5);
  BOOST_TEST(*slide.coordinates[0].upper == 2);
  BOOST_TEST(follow.coordinates[0].start == -0.5);  // −2 · 0.5 + 0.5
  BOOST_TEST(gear.type == "gear");
  BOOST_TEST(gear.name == "hand/jd/mimic");
  BOOST_TEST(gear.joint_1 == "hand/jd");
  BOOST_TEST(gear.joint_2 == "hand/jb");
  BOOST_TEST(gear.ratio == -2);
  BOOST_TEST(*gear.offset == 0.5);
}

BOOST_AUTO_TEST_CASE(fixed_joints_make_one_body) {
  // 2 kg at the origin of the arm, 1 kg at (0, 0, 3): the tip adds its tensor, turned by 90° about x, and parallel
  // axes.
  const std::string text =
      kArm +
      link_of("tip",
              inertial(1, "0 0 2", "1.5707963267948966 0 0", "ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'") +
                  "<collision><geometry><sphere radius='0.5'/></geometry></collision>") +
      link_of("pad", "<collision><origin xyz='0 0 -1'/><geometry><box size='1 2 3'/></geometry></collision>") +
      joint("fix", "fixed", "tip", "", "arm") + joint("glue", "fixed", "pad", "", "tip");
  const Scene scene = scene_of(text);
  BOOST_REQUIRE(scene.world.bodies.size() == 2U);
  const BodyDescription& arm = scene.world.bodies[1];
  BOOST_TEST(arm.name == "r/arm");
  BOOST_TEST(*arm.mass == 3);
  BOOST_TEST(norm(arm.position - Vec3{0, 0, 2}) <= kRounding);
  const double moved = 2 * 1 + 1 * 4;
  BOOST_TEST(norm(*arm.inertia - Vec3{1 + 1 + moved, 1 + 2.5 + moved, 1 + 2}) <= 10 * kRounding);
  BOOST_TEST(norm(arm.inertia_products) <= 10 * kRounding);
  BOOST_REQUIRE(arm.shape.children.size() == 2U);
  BOOST_TEST(arm.shape.children[0].shape.radius == 0.5);
  BOOST_TEST(norm(arm.shape.children[0].position) <= kRounding);  // at the tip, 1 above the arm, where the centre is
  BOOST_TEST(norm(arm.shape.children[1].position) <= kRounding);  // 1 above the tip and 1 below that
  BOOST_TEST(norm(arm.shape.children[1].shape.half - Vec3{0.5, 1, 1.5}) == 0);
}

BOOST_AUTO_TEST_CASE(a_massless_root_stands_where_it_is_drawn) {
  const Scene scene =
      scene_of(link_of("base", "<collision><origin xyz='1 0 0'/><geometry><box size='1 1 1'/></geometry></collision>") +
               link_of("arm", inertial(2)) + joint("j", "revolute", "arm", kLimit));
  BOOST_TEST(norm(scene.world.bodies[0].position - Vec3{1, 0, 0}) <= kRounding);
  BOOST_TEST(!scene.world.bodies[0].mass.has_value());
}

BOOST_AUTO_TEST_CASE(cylinders_and_meshes) {
  const TextFile mesh("cube.obj",
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv 0.5 0.5 0.5\n"
                      "f 1 2 3\nf 2 3 4\nf 5 6 7\nf 6 7 8\nf 1 9 8\n");
  const std::string file = std::filesystem::path(mesh.path()).filename().string();
  const std::string collisions =
      "<collision><geometry><cylinder radius='2' length='3'/></geometry></collision>"
      "<collision><geometry><mesh filename='package://some/where/" +
      file + "' scale='2 1 -1'/></geometry></collision>";
  const Scene scene =
      scene_of(kBase + link_of("arm", inertial(2) + collisions) + joint("j", "revolute", "arm", kLimit));
  const std::vector<ShapeChild>& parts = scene.world.bodies[1].shape.children;
  BOOST_REQUIRE(parts.size() == 2U);
  BOOST_TEST((parts[0].shape.kind == ShapeDescription::Kind::cylinder));
  BOOST_TEST(parts[0].shape.radius == 2);
  BOOST_TEST(parts[0].shape.half_height == 1.5);
  BOOST_TEST(parts[1].shape.points.size() == 8U);  // without the one inside
  BOOST_TEST(clarke::mass_properties(parts[1].shape, "cube").volume == 2, boost::test_tools::tolerance(kRounding));
  BOOST_TEST(clarke::mass_properties(parts[1].shape, "cube").centre.z == -0.5, boost::test_tools::tolerance(kRounding));
  BOOST_TEST(contains(scene.warnings, ".urdf:3: link 'arm': the collision mesh becomes its convex hull"));
  refused(
      kBase +
          link_of("arm", inertial(2) + "<collision><geometry><mesh filename='nowhere.stl'/></geometry></collision>") +
          joint("j", "revolute", "arm", kLimit),
      "", 3, false, "mesh 'nowhere.stl' is not in ");
}

BOOST_AUTO_TEST_CASE(mesh_files) {
  const std::string facet = "facet normal 0 0 0\nouter loop\n", end = "endloop\nendfacet\n";
  const TextFile stl("t.STL", "solid t\n" + facet + "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n" + end + facet +
                                  "vertex 0 0 0\nvertex 0 1 0\nvertex 0 0 2\n" + end + "endsolid t\n");
  const TextFile ply(
      "t.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 2\n3 0 1 2\n");
  const std::vector<Vec3> four = read_mesh_points(stl.path(), "here"), three = read_mesh_points(ply.path(), "here");
  BOOST_TEST(four.size() == 4U);  // shared corners once
  BOOST_TEST(four.at(3).z == 2);
  BOOST_TEST(three.size() == 3U);
  BOOST_TEST(three.at(2).z == 2);
  const TextFile empty("empty.obj", "# nothing\n"), other("t.dae", "");
  for (const std::string& path : {empty.path(), other.path(), std::string("/nowhere/t.stl")})
    BOOST_CHECK_EXCEPTION(read_mesh_points(path, "here"), InputError,
                          [](const InputError& e) { return std::string(e.what()).rfind("here: mesh '", 0) == 0; });
}

BOOST_AUTO_TEST_CASE(drives) {
  const std::string two = kArm + link_of("b", inertial(1)) +
                          joint("k", "revolute", "b", "<limit lower='-1' upper='1' effort='0' velocity='1'/>");
  const Scene scene =
      scene_of(two,
               "    joints: {j: 0.5}\n    limits: false\n    drives: {stiffness: 30, damping: 1, targets: {k: 0.25}, "
               "joints: {k: {damping: 2, effort: 7}}}\n");
  const CoordinateDescription &j = scene.world.joints[0].coordinates[0], &k = scene.world.joints[1].coordinates[0];
  BOOST_TEST(j.driven);
  BOOST_TEST(j.drive_stiffness == 30);
  BOOST_TEST(j.drive_damping == 1);
  BOOST_TEST(j.effort == 5);
  BOOST_TEST(j.target(0) == 0.5);  // holds where it starts
  BOOST_TEST(!j.lower.has_value());
  BOOST_TEST(k.drive_stiffness == 30);
  BOOST_TEST(k.drive_damping == 2);
  BOOST_TEST(k.effort == 7);
  BOOST_TEST(k.target(0) == 0.25);
  refused(two, "    drives: {stiffness: 1}\n", 6, false, "joint 'k': its effort limit 0 lets no drive act");
  refused(kArm, "    drives: {effort: 1}\n", 6, true, "the drive of 'j' needs a stiffness or a damping above 0");
  refused(kArm, "    drives: {stiffness: 1, targets: {jj: 1}}\n", 6, true, "unknown key 'jj'; its only key is j");
}

BOOST_AUTO_TEST_CASE(a_chain_may_be_long) {
  constexpr int kLinks = 9999;  // and the base
  std::string links = kBase + link_of("0", inertial(1)) + joint("0", "revolute", "0", kLimit), joints;
  for (int i = 1; i < kLinks; ++i) {
    links += link_of(std::to_string(i), inertial(1));
    joints += joint(std::to_string(i), "fixed", std::to_string(i), "", std::to_string(i - 1));
  }
  const Scene scene = scene_of(links + joints);
  BOOST_REQUIRE(scene.world.bodies.size() == 2U);
  BOOST_TEST(*scene.world.bodies[1].mass == kLinks);
  refused(links + link_of("one more", ""), "", kLinks + 4, false, "more than 10000 links in one robot");
}

BOOST_AUTO_TEST_CASE(wrong_scenes) {
  refused(kArm, "    joints: {j: 3}\n", 6, true, "robots[0].joints.j: expected a number");
  refused(kArm, "    joints: {k: 0}\n", 6, true, "robots[0].joints.k: unknown key 'k'");
  refused(kArm, "    name: p\n", 6, true, "the name 'p' is used already");
  refused(kArm, "    material: ruber\n", 6, true, "unknown material 'ruber'");
  refused(kArm, "    bse: free\n", 6, true, "unknown key 'bse'; did you mean 'base'?");
  refused(kBase + link_of("arm", inertial(2)) +
              joint("j", "revolute", "arm", "<limit lower='1' upper='2' effort='5' velocity='3'/>"),
          "", 5, true, "joint 'j': it starts at 0, expected a coordinate within its limits, 1 to 2");
  BOOST_CHECK_EXCEPTION(
      scene_from("time: {step: 0.1, end: 1}\nrobots: [{urdf: none.urdf}]\n"), InputError,
      [](const InputError& e) { return std::string(e.what()).find("none.urdf: cannot be read") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(wrong_robots) {
  const auto arm = [](const std::string& inside) {
    return kBase + link_of("arm", inside) + joint("j", "revolute", "arm", kLimit);
  };
  refused("<link name='base'>\n", "", 3, false, "XML syntax");
  // TinyXML would take minutes for 20,000 levels. Lines and tags of comments do not count as levels, but as lines.
  std::string deep = "<!-- <a>\n<b> -->\n";
  for (int i = 0; i < 20000; ++i) deep += "<a>";
  refused(deep, "", 4, false, "XML: more than 64 elements inside each other");
  // What TinyXML takes for a value or a name does not hide levels.
  for (const char* const level : {R"(<a b="</">)", R"(<a b='/>'>)", "<\xc3\xa9>", "<_>"}) {
    deep = R"(<l b="<!--"/>)";
    for (int i = 0; i < 20000; ++i) deep += level;
    refused(deep, "", 2, false, "XML: more than 64 elements inside each other");
  }
  refused(kBase + link_of("arm", inertial(2)) + joint("j", "fixed", "arm") + joint("k", "fixed", "arm"), "", 5, false,
          "joint 'k': its child 'arm' is the child of another joint already; expected a tree");
  refused(kBase + "<link name='a'/><link name='b'/>\n" + joint("j", "fixed", "b", "", "a") +
              joint("k", "fixed", "a", "", "b"),
          "", 3, false, "link 'a': no joints lead to it from the root 'base'; expected no circles");
  refused(kBase + kBase, "", 3, false, "not a valid robot: link 'base' is not unique");
  refused(kBase + joint("j", "fixed", "arm"), "", 3, false, "not a valid robot");
  refused(arm(inertial(2)) + link_of("other", ""), "", 2, false,
          "not a valid robot: Failed to find root link: Two root links found");
  refused(arm(""), "", 3, false, "link 'arm': it can move and has no mass");
  refused(kArm, "    base: free\n", 2, false, "link 'base': it can move and has no mass");
  refused(arm(inertial(-1)), "", 3, false, "link 'arm': expected a mass of at least 0");
  refused(arm(inertial(1, "0 0 0", "0 0 0", "ixx='1' iyy='1' izz='1' ixy='2' ixz='0' iyz='0'")), "", 3, false,
          "link 'arm': expected a positive definite inertia tensor; the least principal moment is -1");
  refused(arm(inertial(1) + "<collision><geometry><box size='1 0 1'/></geometry></collision>"), "", 3, false,
          "link 'arm': expected a box with three sizes above 0");
  refused(kBase + link_of("arm", inertial(2)) + joint("j", "planar", "arm"), "", 4, false,
          "a planar joint cannot be represented");
  refused(kBase + link_of("arm", inertial(2)) + joint("j", "revolute", "arm", kLimit + "<mimic joint='none'/>"), "", 4,
          false, "it mimics 'none'");
  refused(kBase + link_of("arm", inertial(2)) + joint("j", "revolute", "arm", kLimit + "<mimic joint='j'/>"), "", 4,
          false, "it mimics itself");
  const Scene scene = scene_of(arm(inertial(1, "0 0 0", "0 0 0", "ixx='1' iyy='1' izz='3' ixy='0' ixz='0' iyz='0'")) +
                               "<transmission name='t'/>\n<gazebo/>\n<gazebo reference='arm'/>\n");
  BOOST_TEST(
      contains(scene.warnings, ".urdf:3: link 'arm': no body has its inertia tensor, with principal moments 1, 1, 3"));
  BOOST_TEST(contains(scene.warnings, ".urdf:5: robot: <transmission> is not used"));
  BOOST_TEST(contains(scene.warnings, ".urdf:6: robot and 1 more: <gazebo> is not used"));
}

BOOST_AUTO_TEST_SUITE_END()
