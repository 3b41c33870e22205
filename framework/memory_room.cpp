#include "framework/memory_room.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

namespace clarke {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The first number of a file; `otherwise` where there is none, as in "max".
double number_in(const char* file, double otherwise) {
  std::ifstream stream(file);
  double value = 0;
  return stream >> value ? value : otherwise;
}

double machine() {
  std::ifstream stream("/proc/meminfo");
  std::string word;
  double kilobytes = 0;
  while (stream >> word)
    if (word == "MemAvailable:" && stream >> kilobytes) return 1024 * kilobytes;
  return kUnlimited;
}

double container() {
  const double most = number_in("/sys/fs/cgroup/memory.max", kUnlimited);
  return most < kUnlimited ? most - number_in("/sys/fs/cgroup/memory.current", 0) : kUnlimited;
}

double own_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const double taken = number_in("/proc/self/statm", 0) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return static_cast<double>(limit.rlim_cur) - taken;
}

std::string amount(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 6; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %s", bytes, units[unit]);
  if (bytes >= 100) std::snprintf(text, sizeof text, "%.0f %s", bytes, units[unit]);
  return text;
}

}  // namespace

double memory_room() { return std::max(0.0, std::min({machine(), container(), own_limit()})); }

void expect_memory(double bytes, const std::string& what) {
  if (const double room = memory_room(); bytes > room)
    throw InputError(what + " needs about " + amount(bytes) + " of memory, and there are " + amount(room));
}

}  // namespace clarke
