// Smoke fuzzing of the readers of scenes and robots: whatever the text, the outcome is a scene or an InputError; never
// a crash, an exception of another kind, or a hang. Leaks are the address sanitizer's, in the debug preset.
//
//   clarke_fuzz SOURCE_DIR SCRATCH_DIR [--count N] [--seconds S] [--seed K] [--replay FILE]
//
// Texts are mutations of cases/*.yaml and cases/robots/*/*.urdf (mutation.hpp). They are read by child processes, a
// batch each, so that a crash ends a batch and no more. A text that fails is kept as SCRATCH_DIR/failed_<number>.yaml
// or .urdf.

#include "assembly/register.hpp"
#include "framework/error.hpp"
#include "framework/single_process.hpp"
#include "scene/scene.hpp"
#include "tests/fuzz/mutation.hpp"

#include <petscsys.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace clarke;
namespace fs = std::filesystem;

constexpr int kBatch = 200;            // texts per child process
constexpr unsigned kHangSeconds = 20;  // a text of some kilobytes is read within milliseconds

struct Settings {
  fs::path source, scratch;
  long count = 1000;
  double seconds = 0;  // 0: until `count` is reached
  unsigned long seed = 1;
  fs::path replay;
};

struct Corpus {
  std::vector<std::string> scenes, robots;
};

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Corpus corpus_of(const fs::path& source) {
  Corpus corpus;
  for (const fs::path& file : files_below(source / "cases", ".yaml")) corpus.scenes.push_back(contents(file));
  for (const fs::path& file : files_below(source / "cases" / "robots", ".urdf"))
    corpus.robots.push_back(contents(file));
  // Big files drown what matters: a small robot with everything that a URDF file may hold.
  corpus.robots.push_back(
      "<robot name=\"r\">\n<link name=\"base\"/>\n<link name=\"arm\">\n<inertial><origin xyz=\"0 0 1\" rpy=\"0 0 0\"/>"
      "<mass value=\"1\"/>\n<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n"
      "<collision><origin xyz=\"0 0 0\"/><geometry><box size=\"1 1 1\"/></geometry></collision>\n"
      "<collision><geometry><cylinder radius=\"1\" length=\"2\"/></geometry></collision>\n"
      "<collision><geometry><mesh filename=\"m.stl\" scale=\"1 1 1\"/></geometry></collision>\n</link>\n"
      "<joint name=\"j\" type=\"revolute\">\n<parent link=\"base\"/><child link=\"arm\"/>\n<axis xyz=\"0 0 1\"/>\n"
      "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>\n<dynamics damping=\"0.1\" friction=\"0.1\"/>\n"
      "<mimic joint=\"j\" multiplier=\"2\" offset=\"1\"/>\n</joint>\n</robot>\n");
  return corpus;
}

/// "" when the outcome is one of the two that are allowed.
std::string outcome(const fs::path& scene) {
  try {
    read_scene(scene.string());
  } catch (const InputError& error) {
    return std::strlen(error.what()) > 0 ? "" : "an InputError without a message";
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  } catch (...) {
    return "something thrown that is no exception";
  }
  return "";
}

constexpr const char* kRobotScene = "time: {step: 0.01, end: 1}\nrobots: [{urdf: input.urdf, name: r}]\n";

/// Input number i of a run: every fourth is a robot, read through a scene.
bool write_input(const Settings& settings, const Corpus& corpus, long i) {
  fuzz::Random random(settings.seed * 1000003UL + static_cast<unsigned long>(i));
  const bool robot = i % 4 == 3;
  const std::string text = fuzz::mutated(robot ? corpus.robots : corpus.scenes, random);
  std::ofstream(settings.scratch / "input.urdf", std::ios::binary) << (robot ? text : corpus.robots.back());
  std::ofstream(settings.scratch / "input.yaml", std::ios::binary) << (robot ? kRobotScene : text);
  return robot;
}

/// Reads inputs first … last − 1; says in `progress` which one it is at, and exits with 1 at the first bad outcome.
[[noreturn]] void read_batch(const Settings& settings, const Corpus& corpus, long first, long last) {
  for (long i = first; i < last; ++i) {
    write_input(settings, corpus, i);
    std::ofstream(settings.scratch / "at") << i;
    alarm(kHangSeconds);
    const std::string problem = outcome(settings.scratch / "input.yaml");
    alarm(0);
    if (!problem.empty()) {
      std::cout << "input " << i << ": " << problem << std::endl;
      std::exit(1);
    }
  }
  std::exit(0);
}

/// Why a child ended, "" when all was well.
std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGALRM) return "hangs for more than " + std::to_string(kHangSeconds) + " s";
    return std::string("crashes: ") + strsignal(WTERMSIG(status));
  }
  return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

int fuzz_all(const Settings& settings) {
  using Clock = std::chrono::steady_clock;
  const Corpus corpus = corpus_of(settings.source);
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  long done = 0;
  int failures = 0;
  while (settings.seconds > 0 ? seconds() < settings.seconds : done < settings.count) {
    const long last = settings.seconds > 0 ? done + kBatch : std::min(done + kBatch, settings.count);
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0) read_batch(settings, corpus, done, last);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
      std::perror("clarke_fuzz");
      return 1;
    }
    const std::string problem = ending(status);
    if (problem.empty()) {
      done = last;
      continue;
    }
    const long at = std::stol("0" + contents(settings.scratch / "at"));
    const bool robot = write_input(settings, corpus, at);
    const fs::path kept = settings.scratch / ("failed_" + std::to_string(at) + (robot ? ".urdf" : ".yaml"));
    fs::copy_file(settings.scratch / (robot ? "input.urdf" : "input.yaml"), kept, fs::copy_options::overwrite_existing);
    std::cout << "input " << at << " " << problem << "; kept as " << kept.string() << std::endl;
    done = at + 1;
    if (++failures == 20) break;
  }
  std::printf("%ld texts read in %.0f s from seed %lu: %d failed\n", done, seconds(), settings.seed, failures);
  return failures > 0 ? 1 : 0;
}

/// Reads one kept text as it was.
int replay(const Settings& settings) {
  fs::path scene = settings.replay;
  if (scene.extension() == ".urdf") {
    fs::copy_file(scene, settings.scratch / "input.urdf", fs::copy_options::overwrite_existing);
    scene = settings.scratch / "input.yaml";
    std::ofstream(scene) << kRobotScene;
  }
  try {
    read_scene(scene.string());
    std::puts("a valid scene");
  } catch (const InputError& error) {
    std::printf("InputError: %s\n", error.what());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) {
    std::fputs("usage: clarke_fuzz SOURCE_DIR SCRATCH_DIR [--count N] [--seconds S] [--seed K] [--replay FILE]\n",
               stderr);
    return 2;
  }
  Settings settings;
  settings.source = argv[1];
  settings.scratch = argv[2];
  for (int i = 3; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--count") settings.count = std::stol(argv[i + 1]);
    if (name == "--seconds") settings.seconds = std::stod(argv[i + 1]);
    if (name == "--seed") settings.seed = std::stoul(argv[i + 1]);
    if (name == "--replay") settings.replay = argv[i + 1];
  }
  fs::create_directories(settings.scratch);
  // Builders and joints are known by name after registration, which wants PETSc; children inherit it and use neither.
  clarke::start_as_single_process();
  if (PetscInitializeNoArguments()) return 1;
  PetscPopSignalHandler();
  register_all();
  return settings.replay.empty() ? fuzz_all(settings) : replay(settings);
}
