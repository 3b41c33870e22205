#include "framework/rehearsal.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace clarke {
namespace {

constexpr double kRoom = 1e9, kRoomPerByte = 100;
constexpr double kSeconds = 5, kBytesPerSecond = 2e6;
constexpr double kWaits = 20;                         // times as long by the clock, on a busy machine or a slow disk
constexpr int kWell = 0, kThrown = 3, kNoMemory = 4;  // exit codes of the child
constexpr std::size_t kMostText = 4096;               // [byte] of what it says

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLARKE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CLARKE_SANITIZED)
constexpr bool kLimitsMemory = false;  // the sanitizer's shadow is terabytes of address space
#else
constexpr bool kLimitsMemory = true;
#endif

/// [byte] address space of this process.
double address_space() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void limit(double file_size) {
  if (kLimitsMemory) {
    rlimit room{};
    (void)::getrlimit(RLIMIT_AS, &room);
    const double most = address_space() + kRoom + kRoomPerByte * file_size;
    room.rlim_cur = static_cast<rlim_t>(std::min(most, static_cast<double>(room.rlim_cur)));
    (void)::setrlimit(RLIMIT_AS, &room);
  }
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGXCPU, SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    (void)std::signal(signal, SIG_DFL);
  const double seconds = kSeconds + file_size / kBytesPerSecond;
  const auto whole = static_cast<rlim_t>(seconds);
  const rlimit time{whole, whole + 1};
  (void)::setrlimit(RLIMIT_CPU, &time);
  (void)::alarm(static_cast<unsigned>(kWaits * seconds));
}

/// What the child process does. `said`: the pipe to its parent.
[[noreturn]] void rehearse_here(const std::function<void()>& read, int said, double file_size) {
  (void)::dup2(said, STDERR_FILENO);
  (void)::dup2(said, STDOUT_FILENO);
  limit(file_size);
  int code = kWell;
  std::string text;
  try {
    read();
  } catch (const std::bad_alloc&) {
    code = kNoMemory;
  } catch (const std::exception& error) {
    code = kThrown;
    text = error.what();
  } catch (...) {
    code = kThrown;
    text = "something thrown that is no exception";
  }
  std::cout.flush();
  std::cerr.flush();
  text.resize(std::min(text.size(), kMostText));
  // A zero divides what libraries printed from what was thrown.
  if (code == kThrown && (::write(said, "", 1) < 0 || ::write(said, text.data(), text.size()) < 0)) code = kNoMemory;
  ::_exit(code);
}

std::string everything_from(int pipe) {
  std::string all;
  char buffer[1024];
  for (ssize_t n; (n = ::read(pipe, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    if (all.size() < 4 * kMostText) all.append(buffer, static_cast<std::size_t>(n));
  }
  return all;
}

/// The line of a library's output that says what is wrong: of VTK's "ERROR: In file, line n / object: what" the second.
std::string complaint_of(const std::string& printed) {
  std::string found;
  std::size_t begin = 0;
  while (begin < printed.size()) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    const std::string line = printed.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.find("iCCP") != std::string::npos) continue;
    if (line.find(": In ") != std::string::npos && line.find(", line ") != std::string::npos) continue;
    if (found.empty()) found = line;
  }
  return found;
}

}  // namespace

void rehearse(const std::string& path, const std::function<void()>& read) {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(path, ignored);
  const double bytes = ignored ? 0 : static_cast<double>(size);
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]), ::close(ends[1]);
    throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
  }
  if (child == 0) rehearse_here(read, ends[1], bytes);
  ::close(ends[1]);
  const std::string said = everything_from(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  const std::size_t zero = said.find('\0');
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU))
    throw InputError(path + ": cannot be read: damaged, its reader comes to no end");
  if (WIFSIGNALED(status))
    throw InputError(path + ": cannot be read: damaged, its reader ends with " + ::strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == kNoMemory)
    throw InputError(path + ": cannot be read: damaged, or too large: its reader asks for more memory than its " +
                     std::to_string(static_cast<long long>(bytes)) + " bytes can need");
  if (WEXITSTATUS(status) == kThrown)
    throw InputError(zero == std::string::npos ? path + ": cannot be read" : said.substr(zero + 1));
  if (WEXITSTATUS(status) != kWell) throw InputError(path + ": cannot be read: damaged");
  if (const std::string complaint = complaint_of(said); !complaint.empty())
    throw InputError(path + ": cannot be read: " + complaint);
}

}  // namespace clarke
