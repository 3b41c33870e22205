// main() of every test executable and of the benchmarks.
//
// PETSc can be initialised once per process only, and Kokkos has to start after it and end before it. So both live
// here, around all tests, and no test touches either's life cycle. Options for PETSc come from the environment
// variable PETSC_OPTIONS: the command line belongs to the test framework.

#if defined(CLARKE_BENCHMARK)
#include <benchmark/benchmark.h>
#else
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#endif

#include "framework/device.hpp"
#include "framework/device_probe.hpp"
#include "framework/single_process.hpp"

#include <Kokkos_Core.hpp>
#include <petscsys.h>

#if __has_include("assembly/register.hpp")
#include "assembly/register.hpp"
#define CLARKE_HAS_REGISTER_ALL
#endif

#include <cstdio>
#include <string>

namespace {

int run_all(int argc, char** argv) {
#if defined(CLARKE_BENCHMARK)
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
#else
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
#endif
}

}  // namespace

/// What CTest takes for "skipped" (SKIP_RETURN_CODE in cmake/tests.cmake).
constexpr int kSkipped = 77;

int main(int argc, char** argv) {
  if (const std::string missing = clarke::missing_device(); !missing.empty()) {
    std::fprintf(stderr, "skipped: %s\n", missing.c_str());
    return kSkipped;
  }
  // Without arguments MPI starts as a single process, which needs no mpiexec.
  clarke::start_as_single_process();
  if (PetscInitializeNoArguments() != 0) {
    std::fputs("PETSc could not be initialised\n", stderr);
    return 1;
  }
  // Signals are the test framework's: it reports the test in which one was raised and goes on.
  PetscPopSignalHandler();
  int result = 1;
  {
    const Kokkos::ScopeGuard kokkos;
    clarke::count_transfers();
#if defined(CLARKE_HAS_REGISTER_ALL)
    clarke::register_all();
#endif
    result = run_all(argc, argv);
  }
  return PetscFinalize() != 0 ? 1 : result;
}
