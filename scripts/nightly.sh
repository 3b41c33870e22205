#!/usr/bin/env bash
# The checks that take too long for every change. Each stage prints what it did and how long it took; a summary comes last,
# and the exit code is not zero when any stage failed.
#
#   scripts/nightly.sh [STAGE ...]      all stages when none is named
#
#   sanitize   address and undefined-behaviour sanitizers (preset debug) over all tests
#   fence      the suite with device memory that the host cannot touch (preset fence), and the first steps of every case against
#              the host's, bit for bit
#   tidy       clang-tidy over every file of ours, with .clang-tidy: fails on any finding; skipped without clang-tidy
#              (scripts/setup.sh --nightly)
#   cuda       the libraries, the program and the parity tests compiled and linked by nvcc (preset cuda), host code that touches
#              device memory (scripts/host_access.py), and the tests labelled gpu where a device is; skipped without nvcc
#   fuzz       mutated scenes and robots through the readers (tests/fuzz), with a new seed each day
#   libfuzzer  the readers that are our own under libFuzzer and the sanitizers (tests/libfuzzer), FUZZ_SECONDS each; what it found
#              new stays in build-fuzz/corpus for the next night; skipped without clang++
#   mutants    mutants of every kind of input file through the program (tests/fuzz/mutants.py), with a new seed each day
#   restart    fifty interruptions at random moments, SIGKILL and SIGTERM, over four scenes, each run continued: the same bytes
#   ends       full disk, read-only directory, memory limit, SIGHUP, a terminal that goes away (tests/robustness/hard_ends.py)
#   everywhere the first 40 steps of every case, interrupted, on two threads, in another place: the same bytes
#   long       the scenes in cases/long/, which must end with exit code 0, and one step of a pile by five solvers
#   threads    every case on one and on two threads: the same bytes but for the seconds
#   random     2,000 random scenes with -preset robust and no other option (tests/robustness): at least RANDOM_LEAST of them solved,
#              every step of them; failures are named, and a name makes its scene again
#   mutations  every case altered to be wrong (tests/mutations.yaml, scripts/mutate.py): an expectation of it must notice
#   blas       the tests with the kernels that OpenBLAS has for other processors (CORETYPES), and with the reference BLAS: nothing
#              may hang on last digits; skipped without OpenBLAS (scripts/setup.sh --nightly)
#
# Environment:
#   JOBS           compilers and tests side by side (default: all processors)
#   FUZZ_SECONDS   length of the stage fuzz, and of each reader in libfuzzer (default 300)
#   FUZZ_SEED      its seed (default: days since 1970)
#   MUTANTS        for the stage mutants: of each kind (default 10000, 20 ms each)
#   KILLS          for the stage restart (default 50)
#   CTEST_ARGUMENTS  for the stages sanitize, fence and blas, e.g. "-L unit|property"
#   RANDOM_COUNT   for the stage random (default 2000); RANDOM_LEAST, the share that must be solved (0.85)
#   CORETYPES      for the stage blas (default "Haswell SkylakeX Zen Sandybridge")
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
jobs="${JOBS:-$(env -u OMP_NUM_THREADS nproc)}"
export JOBS="$jobs"
# As in the tests (cmake/tests.cmake): idle threads sleep, and BLAS has one.
export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
stages=(sanitize fence tidy cuda fuzz libfuzzer mutants restart ends everywhere long threads random mutations blas)
readonly skipped=77

say() { printf 'nightly: %s\n' "$*"; }

# Eight files of a library at a time: what they include is parsed once. Tests keep their own names and stay apart.
unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8)

# build PRESET DIR [TARGET ...]
build() {
  local preset="$1" dir="$2"
  shift 2
  local -a how=()
  [ "$preset" = release ] || how=("${unity[@]}")
  cmake --preset "$preset" -B "$dir" "${how[@]}" --log-level=WARNING >/dev/null &&
    OMP_NUM_THREADS=1 ninja -C "$dir" -k 0 -j"$jobs" "$@"
}

stage_sanitize() {
  build debug build-debug || return 1
  # shellcheck disable=SC2086  # several words
  ctest --test-dir build-debug --output-on-failure --no-tests=error -j"$jobs" ${CTEST_ARGUMENTS:-}
}

stage_fence() {
  build fence build-fence && build release build clarke || return 1
  # shellcheck disable=SC2086  # several words
  ctest --test-dir build-fence --output-on-failure --no-tests=error -j"$jobs" ${CTEST_ARGUMENTS:-} &&
    scripts/gpu-check.sh --fence build-fence/gpu-check.md
}

stage_tidy() {
  local tool
  tool="$(command -v run-clang-tidy || command -v run-clang-tidy-14)" || { say "clang-tidy is not installed"; return "$skipped"; }
  # Without precompiled headers, which are GCC's; libraries as unity sources in the build folder, tests file by file. The version
  # header is the one file that is made when building.
  cmake --preset ci -B build-tidy "${unity[@]}" --log-level=WARNING >/dev/null && ninja -C build-tidy clarke_version || return 1
  "$tool" -p build-tidy -quiet -j "$jobs" \
    -checks=-bugprone-suspicious-include "^$PWD/build-tidy/CMakeFiles/clarke" "^$PWD/[a-z]+/.*[.]cpp$" \
    >build-tidy/tidy.log 2>build-tidy/tidy.err
  local code=$? findings
  findings="$(sed 's/\x1b\[[0-9;]*m//g' build-tidy/tidy.log | grep -E '(warning|error):' | sort -u)"
  [ -z "$findings" ] || { printf '%s\n' "$findings"; say "$(wc -l <<<"$findings") findings, explained in build-tidy/tidy.log"; return 1; }
  return "$code"
}

stage_cuda() {
  PATH="$PATH:/usr/local/cuda/bin"
  command -v "${CUDACXX:-nvcc}" >/dev/null || { say "nvcc is not here"; return "$skipped"; }
  scripts/setup.sh --cuda && build cuda build-cuda clarke tests_parity || return 1
  scripts/host_access.py build-cuda build-cuda/generated app measure scene assembly tests/parity || return 1
  # Parity needs a program of the host to compare with.
  ! nvidia-smi >/dev/null 2>&1 || build release build clarke || return 1
  # Skipped, each with a message, where there is no device.
  ctest --test-dir build-cuda --output-on-failure --no-tests=error -L gpu
}

stage_fuzz() {
  local dir=build-debug  # leaks and undefined behaviour count there
  [ -x "$dir/clarke_fuzz" ] || build debug "$dir" clarke_fuzz || return 1
  ninja -C "$dir" -j"$jobs" clarke_fuzz >/dev/null || return 1
  ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0" \
    OMP_NUM_THREADS=1 "$dir/clarke_fuzz" "$PWD" "$dir/fuzz_output" \
    --seconds "${FUZZ_SECONDS:-300}" --seed "${FUZZ_SEED:-$(($(date +%s) / 86400))}"
}

stage_libfuzzer() {
  local -a readers=(stl obj ply gmsh tetgen table yaml png urdf checkpoint)
  local reader failed=0
  command -v clang++ >/dev/null || { say "clang++ is not installed"; return "$skipped"; }
  cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DCLARKE_PCH=OFF \
    --log-level=WARNING >/dev/null && ninja -C build-fuzz -j"$jobs" "${readers[@]/#/fuzz_}" || return 1
  "${PYTHON:-/usr/bin/python3}" tests/libfuzzer/seeds.py "$PWD" build-fuzz/seeds || return 1
  for reader in "${readers[@]}"; do
    mkdir -p "build-fuzz/corpus/$reader" build-fuzz/findings
    LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0" \
      build-fuzz/fuzz_"$reader" -max_total_time="${FUZZ_SECONDS:-300}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="build-fuzz/findings/$reader-" "build-fuzz/corpus/$reader" "build-fuzz/seeds/$reader" \
      >"build-fuzz/$reader.log" 2>&1 || { tail -n 40 "build-fuzz/$reader.log"; failed=1; }
    say "$reader: $(grep -E '^Done|^SUMMARY' "build-fuzz/$reader.log")"
  done
  return "$failed"
}

stage_mutants() {
  build release build clarke clarke_fork_server || return 1
  tests/fuzz/mutants.py build/clarke "$PWD" build/mutants --count "${MUTANTS:-10000}" --jobs "$jobs" \
    --seed "${FUZZ_SEED:-$(($(date +%s) / 86400))}"
}

stage_restart() {
  build release build clarke || return 1
  "${PYTHON:-/usr/bin/python3}" tests/program/restart.py build/clarke "$PWD" build/restart_output \
    --kills "${KILLS:-50}" --seed "${FUZZ_SEED:-$(($(date +%s) / 86400))}"
}

stage_ends() {
  build release build clarke || return 1
  tests/robustness/hard_ends.py build/clarke "$PWD" build/ends_output
}

stage_everywhere() {
  build release build clarke || return 1
  "${PYTHON:-/usr/bin/python3}" tests/program/same_everywhere.py build/clarke "$PWD" build/everywhere_output --steps 40
}

# run_case SCENE THREADS OUTPUT
run_case() {
  OMP_NUM_THREADS="$2" build/clarke run "$1" -progress none -output_every 0 -output_dir "$3"
}

stage_long() {
  local scene failed=0
  compgen -G "cases/long/*.yaml" >/dev/null || { say "cases/long/ has no scenes"; return "$skipped"; }
  build release build clarke || return 1
  for scene in cases/long/*.yaml; do
    run_case "$scene" "$jobs" "build/long_output/$(basename "$scene" .yaml)" || failed=1
  done
  return "$failed"
}

stage_threads() {
  build release build clarke || return 1
  local scene name out=build/threads_output failed=0
  for scene in cases/*.yaml; do
    name="$(basename "$scene" .yaml)"
    run_case "$scene" 1 "$out/$name/one" >/dev/null && run_case "$scene" 2 "$out/$name/two" >/dev/null &&
      scripts/same_results.py "$out/$name/one" "$out/$name/two" || { say "$name: not the same on one and two threads"; failed=1; }
  done
  return "$failed"
}

stage_random() {
  build release build clarke || return 1
  # 1,842 of 2,000 were solved (docs/verification/random_scenes.md); some hang on last digits.
  OMP_NUM_THREADS=1 tests/robustness/run_random_scenes.py build/clarke build/random_output --count "${RANDOM_COUNT:-2000}" \
    --least "${RANDOM_LEAST:-0.85}" --table build/random_scenes.csv || return 1
  # and 270 of 300 of those that deform
  OMP_NUM_THREADS=1 tests/robustness/run_random_scenes.py build/clarke build/random_output --count "${DEFORMING_COUNT:-300}" \
    --families soft,soft_pile,attached,cloth,terrain,balloon --least "${DEFORMING_LEAST:-0.82}" --table build/random_deforming.csv
}

stage_mutations() {
  build release build clarke || return 1
  scripts/mutate.py --program build/clarke --output build/mutations_output --jobs "$jobs"
}

# The loader takes BLAS and LAPACK from the folder that is named, whichever the system's alternative is.
stage_blas() {
  local place=/usr/lib/x86_64-linux-gnu core failed=0
  [ -d "$place/openblas-pthread" ] || { say "OpenBLAS (libopenblas0-pthread) is not installed"; return "$skipped"; }
  build release build || return 1
  # suite FOLDER[:FOLDER] CORETYPE
  suite() {
    # shellcheck disable=SC2086  # several words
    LD_LIBRARY_PATH="$1" OPENBLAS_CORETYPE="$2" \
      ctest --test-dir build --output-on-failure --no-tests=error -j"$jobs" ${CTEST_ARGUMENTS:-} || failed=1
  }
  for core in ${CORETYPES:-Haswell SkylakeX Zen Sandybridge}; do
    say "OpenBLAS, OPENBLAS_CORETYPE=$core"
    suite "$place/openblas-pthread" "$core"
  done
  say "reference BLAS"
  suite "$place/blas:$place/lapack" ""
  return "$failed"
}

wanted=("$@")
[ $# -gt 0 ] || wanted=("${stages[@]}")
for stage in "${wanted[@]}"; do
  case "$stage" in
    -h | --help) sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
  esac
  [[ " ${stages[*]} " == *" $stage "* ]] || { say "unknown stage '$stage' (known: ${stages[*]})" >&2; exit 2; }
done

summary=()
failed=0
for stage in "${wanted[@]}"; do
  say "$stage ..."
  started=$SECONDS
  "stage_$stage"
  code=$?
  case "$code" in
    0) result=passed ;;
    "$skipped") result=skipped ;;
    *) result=FAILED; failed=1 ;;
  esac
  summary+=("$(printf '%-10s %-8s %6d s' "$stage" "$result" $((SECONDS - started)))")
  say "$stage $result in $((SECONDS - started)) s"
done
say "summary"
printf '  %s\n' "${summary[@]}"
exit "$failed"
