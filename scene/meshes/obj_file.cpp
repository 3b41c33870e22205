// Wavefront OBJ: a statement per line, `\` before its end joins the next. Indices count from 1, or back from the last
// one (-1). A face is f v, v/vt, v//vn or v/vt/vn, the same form for all its corners.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/meshes/surface_readers.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace clarke {
namespace {

/// Statements that have nothing to do with a mesh of polygons.
bool passed_over(const std::string& keyword) {
  static const std::set<std::string> all = {
      "vp",     "l",    "p",     "s",        "mg",       "usemtl",     "mtllib",    "usemap",
      "maplib", "lod",  "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "cstype",
      "deg",    "bmat", "step",  "curv",     "curv2",    "surf",       "parm",      "trim",
      "hole",   "scrv", "sp",    "end",      "con",      "ctech",      "stech"};
  return all.count(keyword) > 0;
}

class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : path_(path), stream_(path) {
    if (!stream_) throw InputError(path + ": cannot be read: " + std::strerror(errno));
    std::string statement;
    while (next(statement)) read(statement);
    if (!begun_ && mesh.pieces > 1) --mesh.pieces;
  }
  MeshFile mesh;

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + text);
  }

  bool next(std::string& statement) {
    statement.clear();
    for (std::string part; std::getline(stream_, part);) {
      ++line_;
      while (!part.empty() && (part.back() == '\r' || part.back() == ' ' || part.back() == '\t')) part.pop_back();
      const bool goes_on = !part.empty() && part.back() == '\\';
      if (goes_on) part.back() = ' ';
      statement += part;
      if (!goes_on) return true;
    }
    return !statement.empty();
  }

  void read(const std::string& statement) {
    std::istringstream words(statement.substr(0, statement.find('#')));
    std::string keyword;
    if (!(words >> keyword)) return;
    if (keyword == "v") {
      const Vec3 p{number(words, "x"), number(words, "y"), number(words, "z")};
      mesh.points.push_back(p);  // a weight or a colour may follow
    } else if (keyword == "vt") {
      (void)number(words, "u");
      ++textures_;
    } else if (keyword == "vn") {
      for (const char* what : {"x", "y", "z"}) (void)number(words, what);
      ++normals_;
    } else if (keyword == "f" || keyword == "fo") {
      face(words);
    } else if (keyword == "g" || keyword == "o") {
      if (begun_) ++mesh.pieces;
      begun_ = false;
    } else if (!passed_over(keyword)) {
      fail("unknown statement '" + keyword.substr(0, 40) + "'");
    }
  }

  double number(std::istringstream& words, const char* what) const {
    std::string word;
    if (!(words >> word)) fail(std::string("the line ends where ") + what + " is expected");
    const std::optional<double> value = parse_real(word);
    if (!value) fail(std::string("expected ") + what + " as a number, got '" + word.substr(0, 40) + "'");
    return *value;
  }

  /// 0-based; `have`: how many there are so far.
  int index(const std::string& text, std::size_t have, const char* what) const {
    const std::optional<long long> value = parse_integer(text);
    if (!value) fail(std::string("expected the number of a ") + what + ", got '" + text.substr(0, 40) + "'");
    const long long at = *value < 0 ? static_cast<long long>(have) + *value : *value - 1;
    if (at < 0 || at >= static_cast<long long>(have))
      fail(std::string("there is no ") + what + " " + text + ": so far there are " + std::to_string(have));
    return static_cast<int>(at);
  }

  int corner(const std::string& word) const {
    const std::size_t first = word.find('/');
    const int vertex = index(word.substr(0, first), mesh.points.size(), "vertex");
    if (first == std::string::npos) return vertex;
    const std::size_t second = word.find('/', first + 1);
    const std::string texture =
        word.substr(first + 1, second == std::string::npos ? std::string::npos : second - first - 1);
    if (!texture.empty()) (void)index(texture, textures_, "texture");
    if (second != std::string::npos) (void)index(word.substr(second + 1), normals_, "normal");
    return vertex;
  }

  void face(std::istringstream& words) {
    std::vector<int> corners;
    for (std::string word; words >> word;) corners.push_back(corner(word));
    if (corners.size() < 3) fail("a face has at least 3 corners, got " + std::to_string(corners.size()));
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
      mesh.triangles.push_back({corners[0], corners[k], corners[k + 1]});
      mesh.piece.push_back(mesh.pieces - 1);
    }
    begun_ = true;
  }

  std::string path_;
  std::ifstream stream_;
  int line_ = 0;
  std::size_t textures_ = 0, normals_ = 0;
  bool begun_ = false;  // a face since the last `g` or `o`
};

}  // namespace

MeshFile read_obj(const std::string& path) { return ObjReader(path).mesh; }

}  // namespace clarke
