#include "scene/meshes/tet_mesh_file.hpp"

#include "framework/error.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clarke {
namespace {

/// One file on its way to a TetMesh.
class MeshCheck {
 public:
  MeshCheck(const TetMeshFile& file, VolumeMeshFile& mesh, std::vector<std::string>& repairs)
      : file_(file), mesh_(mesh), repairs_(repairs) {}

  TetMesh run() {
    check_kinds();
    choose_groups();
    for (Vec3& p : mesh_.nodes) p *= file_.scale;
    check_finite();
    merge_nodes();
    drop_duplicates();
    orient();
    check_faces();
    TetMesh out{mesh_.nodes, mesh_.tetrahedra, mesh_.groups};
    drop_unreferenced(out);
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& text) const { throw InputError(file_.path + ": " + text); }
  std::string element(std::size_t e) const { return "element " + std::to_string(mesh_.element_number[e]); }
  std::string node(int n) const { return "node " + std::to_string(mesh_.node_number[n]); }
  bool repairs(const char* name) const { return file_.repair.count(name) > 0; }
  void report(int count, const std::string& what) {
    if (count > 0) repairs_.push_back(std::to_string(count) + " " + what);
  }
  static std::string hint(const char* name) { return std::string(" (repair: ") + name + ")"; }

  void check_kinds() const {
    for (const auto& [kind, others] : mesh_.solids)
      refuse("element " + std::to_string(others.first) + " is one of " + std::to_string(others.count) + " " + kind +
             "; expected tetrahedra with four nodes only");
    if (!mesh_.tetrahedra.empty()) return;
    if (!mesh_.triangles.empty())
      refuse("holds " + std::to_string(mesh_.triangles.size()) +
             " triangles and no tetrahedra: a surface; expected a mesh of its volume");
    refuse("holds no tetrahedra");
  }

  void keep(const std::vector<char>& kept) {
    std::vector<int> number(kept.size(), -1);
    std::size_t to = 0;
    for (std::size_t e = 0; e < kept.size(); ++e) {
      if (!kept[e]) continue;
      number[e] = static_cast<int>(to);
      mesh_.tetrahedra[to] = mesh_.tetrahedra[e];
      mesh_.element_number[to++] = mesh_.element_number[e];
    }
    mesh_.tetrahedra.resize(to);
    mesh_.element_number.resize(to);
    for (auto& [name, elements] : mesh_.groups) {
      std::vector<int> left;
      for (const int e : elements)
        if (number[e] >= 0) left.push_back(number[e]);
      elements = std::move(left);
    }
    std::erase_if(mesh_.groups, [](const auto& group) { return group.second.empty(); });
  }

  void choose_groups() {
    if (file_.groups.empty()) return;
    std::vector<char> kept(mesh_.tetrahedra.size(), 0);
    std::vector<std::string> known;
    for (const auto& [name, elements] : mesh_.groups) known.push_back(name);
    for (const std::string& name : file_.groups) {
      const auto group = mesh_.groups.find(name);
      if (group == mesh_.groups.end())
        refuse("there is no group '" + name + "' of tetrahedra" + suggestion(name, known));
      for (const int e : group->second) kept[e] = 1;
    }
    keep(kept);
    // What only the others use was not asked for.
    std::vector<char> used(mesh_.nodes.size(), 0);
    for (const auto& t : mesh_.tetrahedra)
      for (const int n : t) used[n] = 1;
    drop_nodes(used);
  }

  void drop_nodes(const std::vector<char>& used) {
    std::vector<int> number(used.size(), -1);
    int to = 0;
    for (std::size_t n = 0; n < used.size(); ++n) {
      if (!used[n]) continue;
      mesh_.nodes[to] = mesh_.nodes[n];
      mesh_.node_number[to] = mesh_.node_number[n];
      number[n] = to++;
    }
    mesh_.nodes.resize(to);
    mesh_.node_number.resize(to);
    for (auto& t : mesh_.tetrahedra)
      for (int& n : t) n = number[n];
  }

  void check_finite() const {
    for (std::size_t n = 0; n < mesh_.nodes.size(); ++n)
      if (!std::isfinite(norm2(mesh_.nodes[n]))) refuse(node(static_cast<int>(n)) + " is not finite");
  }

  void merge_nodes() {
    const int count = static_cast<int>(mesh_.nodes.size());
    const bool repair = repairs("merge_nodes");
    std::vector<int> same(count);  // the first node at that place
    std::iota(same.begin(), same.end(), 0);
    int merged = 0;
    const auto meet = [&](int a, int b) {
      if (!repair) refuse(node(a) + " and " + node(b) + " are at the same place" + hint("merge_nodes"));
      merged += same[b] == b;
      same[b] = std::min(same[b], same[a]);
    };
    std::map<std::array<double, 3>, int> places;
    for (int n = 0; n < count; ++n) {
      const Vec3& p = mesh_.nodes[n];
      const auto [place, fresh] = places.try_emplace({p.x, p.y, p.z}, n);
      if (!fresh) meet(place->second, n);
    }
    const double reach = repair ? file_.merge_distance : 0;
    for (auto a = places.begin(); reach > 0 && a != places.end(); ++a)  // in ascending x
      for (auto b = std::next(a); b != places.end() && b->first[0] <= a->first[0] + reach; ++b) {
        const int m = std::min(a->second, b->second), n = std::max(a->second, b->second);
        if (norm(mesh_.nodes[n] - mesh_.nodes[m]) <= reach) meet(m, n);
      }
    if (merged == 0) return;
    std::vector<char> used(count, 0);
    for (int n = 0; n < count; ++n) {
      if (same[n] != n) same[n] = same[same[n]];
      used[n] = same[n] == n;
    }
    for (auto& t : mesh_.tetrahedra)
      for (int& n : t) n = same[n];
    drop_nodes(used);
    report(merged, "nodes merged");
  }

  void drop_duplicates() {
    std::map<std::array<int, 4>, std::size_t> seen;
    std::vector<char> kept(mesh_.tetrahedra.size(), 1);
    for (std::size_t e = 0; e < kept.size(); ++e) {
      std::array<int, 4> key = mesh_.tetrahedra[e];
      std::sort(key.begin(), key.end());
      const auto [first, fresh] = seen.try_emplace(key, e);
      if (fresh) continue;
      if (!repairs("drop_duplicates"))
        refuse(element(first->second) + " and " + element(e) + " have the same nodes" + hint("drop_duplicates"));
      kept[e] = 0;
    }
    const int dropped = static_cast<int>(std::count(kept.begin(), kept.end(), 0));
    if (dropped > 0) keep(kept);
    report(dropped, "elements that were there twice dropped");
  }

  void orient() {
    constexpr double kFlat = 1e-6;  // as check_tet_mesh()
    std::vector<char> kept(mesh_.tetrahedra.size(), 1);
    int flipped = 0;
    for (std::size_t e = 0; e < kept.size(); ++e) {
      std::array<int, 4>& t = mesh_.tetrahedra[e];
      const auto& x = mesh_.nodes;
      const double quality = tet_quality(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
      if (!(std::fabs(quality) > kFlat)) {
        if (!repairs("drop_degenerate")) refuse(element(e) + " is flat" + hint("drop_degenerate"));
        kept[e] = 0;
      } else if (quality < 0) {
        if (!repairs("flip")) refuse(element(e) + " is inverted" + hint("flip"));
        std::swap(t[2], t[3]);
        ++flipped;
      }
    }
    const int dropped = static_cast<int>(std::count(kept.begin(), kept.end(), 0));
    report(flipped, "elements flipped");
    report(dropped, "flat elements dropped");
    if (dropped > 0) keep(kept);
    if (mesh_.tetrahedra.empty()) refuse("all elements are flat");
  }

  void check_faces() const {
    std::map<std::array<int, 3>, int> faces;
    for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
      for (int opposite = 0; opposite < 4; ++opposite) {
        std::array<int, 3> face{};
        for (int k = 0, n = 0; k < 4; ++k)
          if (k != opposite) face[n++] = mesh_.tetrahedra[e][k];
        std::sort(face.begin(), face.end());
        if (++faces[face] > 2)
          refuse(element(e) + " is the third on the face of " + node(face[0]) + ", " + node(face[1]) + " and " +
                 node(face[2]) + ": elements overlap");
      }
  }

  void drop_unreferenced(TetMesh& out) {
    std::vector<char> used(out.nodes.size(), 0);
    for (const auto& t : out.tetrahedra)
      for (const int n : t) used[n] = 1;
    const auto unused = std::find(used.begin(), used.end(), 0);
    if (unused == used.end()) return;
    if (!repairs("drop_unreferenced"))
      refuse(node(static_cast<int>(unused - used.begin())) + " belongs to no element" + hint("drop_unreferenced"));
    report(drop_unreferenced_nodes(out), "nodes of no element dropped");
  }

  const TetMeshFile& file_;
  VolumeMeshFile& mesh_;
  std::vector<std::string>& repairs_;
};

}  // namespace

const std::vector<std::string>& mesh_repairs() {
  static const std::vector<std::string> names{"merge_nodes", "drop_duplicates", "flip", "drop_degenerate",
                                              "drop_unreferenced"};
  return names;
}

TetMesh read_tet_mesh(const TetMeshFile& file, std::vector<std::string>& repairs) {
  VolumeMeshFile mesh = read_volume_mesh(file.path);
  return MeshCheck(file, mesh, repairs).run();
}

}  // namespace clarke
