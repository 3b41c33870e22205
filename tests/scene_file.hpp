#pragma once
// A scene text as a file for one test, removed afterwards.

#include "scene/scene.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace clarke {

class SceneFile {
 public:
  explicit SceneFile(const std::string& text) {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("clarke_scene_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ".yaml"))
                .string();
    std::ofstream(path_) << text;
    if (!std::filesystem::exists(path_)) throw std::runtime_error("cannot write " + path_);
  }
  ~SceneFile() { std::filesystem::remove(path_); }
  SceneFile(const SceneFile&) = delete;
  SceneFile& operator=(const SceneFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline Scene scene_from(const std::string& text) { return read_scene(SceneFile(text).path()); }

}  // namespace clarke
