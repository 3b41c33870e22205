#pragma once
// How idle threads wait at the end of a kernel. GNU's OpenMP lets them spin for milliseconds before they sleep, which
// on cores of their own is the fastest. Beside any other program a thread that spins keeps from its core the one it
// waits for, and a run takes several times as long. So they spin for kSpins turns, about as long as it takes to wake a
// thread, and sleep then (docs/performance.md).
//
// The runtime reads its environment before main() begins, so the program begins anew with GOMP_SPINCOUNT in it. What
// the user has set (OMP_WAIT_POLICY, GOMP_SPINCOUNT) stays, and one thread waits for nobody.

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace clarke {

inline constexpr const char* kSpins = "1000";

/// Before any thread starts; does not come back where the program begins anew.
inline void wait_briefly(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (threads != nullptr && std::strcmp(threads, "1") == 0) return;
  if (setenv("GOMP_SPINCOUNT", kSpins, 0) == 0) (void)execv("/proc/self/exe", argv);  // without it all goes on as it is
}

}  // namespace clarke
