// The Allegro hand as a robot of a scene, against a parse of its own by tinyxml.

#include "physics/collision/mass_properties.hpp"
#include "scene/scene.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <tinyxml.h>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(allegro_hand)

namespace {
constexpr double kRounding = 1e-14;  // a few rotations of numbers of size one
}

BOOST_AUTO_TEST_CASE(bodies_and_joints) {
  const std::string hand = CLARKE_SOURCE_DIR "/cases/robots/allegro_hand/allegro_hand_right.urdf";
  const Scene scene =
      scene_from("time: {step: 0.001, end: 1}\nrobots:\n  - {urdf: " + hand +
                 ", name: hand, joints: {joint_12.0: 0.263, joint_1.0: 0.7}, drives: {stiffness: 1}}\n");
  const World& world = scene.world;
  std::map<std::string, const BodyDescription*> body;
  for (const BodyDescription& b : world.bodies) body[b.name] = &b;
  std::map<std::string, const JointDescription*> joints;
  for (const JointDescription& j : world.joints) joints[j.name] = &j;
  BOOST_TEST(world.bodies.size() == 17U);
  BOOST_TEST(world.joints.size() == 16U);
  BOOST_TEST(scene.warnings.size() == 8U);  // 13 tensors of 7 kinds, and the velocity limits

  TiXmlDocument document(hand.c_str());
  BOOST_REQUIRE(document.LoadFile());
  const auto text = [](const TiXmlElement* e, const char* name) {
    const char* value = e ? e->Attribute(name) : nullptr;
    return std::string(value ? value : "");
  };
  const auto number = [&](const TiXmlElement* e, const char* name) { return std::stod(text(e, name)); };
  const auto three = [&](const TiXmlElement* e, const char* name) {
    std::istringstream in(text(e, name).empty() ? "0 0 0" : text(e, name));
    Vec3 v{};
    in >> v.x >> v.y >> v.z;
    return v;
  };

  // Fixed joints: tip → link it is on; all their frames have parallel axes.
  std::map<std::string, std::pair<std::string, Vec3>> on;
  int moving = 0;
  for (auto* e = document.RootElement()->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
    const std::string parent = text(e->FirstChildElement("parent"), "link"),
                      child = text(e->FirstChildElement("child"), "link");
    const TiXmlElement* origin = e->FirstChildElement("origin");
    if (text(e, "type") == "fixed") {
      BOOST_TEST(norm(three(origin, "rpy")) == 0);
      on[child] = {parent, three(origin, "xyz")};
      continue;
    }
    ++moving;
    const JointDescription& j = *joints.at("hand/" + text(e, "name"));
    const CoordinateDescription& c = j.coordinates.at(0);
    BOOST_TEST(j.type == "hinge");
    BOOST_TEST(j.a == "hand/" + child);
    BOOST_TEST(j.b == "hand/" + parent);
    BOOST_TEST(*c.lower == number(e->FirstChildElement("limit"), "lower"));
    BOOST_TEST(*c.upper == number(e->FirstChildElement("limit"), "upper"));
    BOOST_TEST(c.effort == number(e->FirstChildElement("limit"), "effort"));
    BOOST_TEST(c.friction_dry == number(e->FirstChildElement("dynamics"), "friction"));
    BOOST_TEST(c.friction_viscous == number(e->FirstChildElement("dynamics"), "damping"));
  }
  BOOST_TEST(moving == 16);

  // Inertia of every body about the origin of its link, from the world description and from the file.
  std::map<std::string, double> mass;
  std::map<std::string, Vec3> first;
  std::map<std::string, Mat3> second;
  double total = 0;
  int links = 0;
  for (auto* e = document.RootElement()->FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
    ++links;
    const std::string name = text(e, "name");
    const TiXmlElement* given = e->FirstChildElement("inertial");
    const TiXmlElement* tensor = given->FirstChildElement("inertia");
    const double m = number(given->FirstChildElement("mass"), "value");
    const bool tip = on.count(name) > 0;
    const std::string owner = tip ? on[name].first : name;
    const Vec3 c = three(given->FirstChildElement("origin"), "xyz") + (tip ? on[name].second : Vec3{});
    const double xy = number(tensor, "ixy"), xz = number(tensor, "ixz"), yz = number(tensor, "iyz");
    const Mat3 own{{number(tensor, "ixx"), xy, xz}, {xy, number(tensor, "iyy"), yz}, {xz, yz, number(tensor, "izz")}};
    total += m;
    mass[owner] += m;
    first[owner] += m * c;
    second[owner] = second[owner] + own + parallel_axis(m, c);
  }
  BOOST_TEST(links == 21);
  BOOST_TEST(mass.size() == 17U);
  double imported = 0;
  for (const auto& [name, m] : mass) {
    const BodyDescription& b = *body.at("hand/" + name);
    imported += *b.mass;
    BOOST_TEST(std::fabs(*b.mass - m) <= 1e-16);
    const Mat3 expected = second[name] - parallel_axis(m, first[name] / m), got = inertia_tensor(b);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) BOOST_TEST(std::fabs(got(i, k) - expected(i, k)) <= 1e-14 * expected(2, 2));
  }
  BOOST_TEST(std::fabs(imported - total) <= 1e-15);
  BOOST_TEST(std::fabs(total - 0.9549) <= 1e-12);

  // Joint 1 at 0.7 turns the finger from its neighbour in the next: the distance of neighbouring joints stays the
  // file's.
  BOOST_TEST(std::fabs(norm(joints.at("hand/joint_2.0")->anchor_a - joints.at("hand/joint_1.0")->anchor_a) - 0.054) <=
             kRounding);
  const double along = dot(normalized(joints.at("hand/joint_2.0")->anchor_a - joints.at("hand/joint_1.0")->anchor_a),
                           normalized(joints.at("hand/joint_1.0")->anchor_a - joints.at("hand/joint_0.0")->anchor_a));
  BOOST_TEST(std::fabs(along - std::cos(0.7)) <= 10 * kRounding);
  // Every tip is a ball of 12 mm on the last link of its finger.
  for (const char* name : {"link_3.0", "link_7.0", "link_11.0", "link_15.0"}) {
    const std::vector<ShapeChild>& parts = body.at(std::string("hand/") + name)->shape.children;
    BOOST_TEST(parts.size() == 2U);
    BOOST_TEST(parts.at(1).shape.radius == 0.012);
  }
}

BOOST_AUTO_TEST_SUITE_END()
