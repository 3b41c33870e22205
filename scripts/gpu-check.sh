#!/usr/bin/env bash
# What a machine with a GPU is asked when one is at hand: parity with the host, what crosses between the two, how much of the
# device's bandwidth kernels reach, and how its times compare with all threads of the host; as one report.
#
#   scripts/gpu-check.sh [REPORT]            the report (default out/gpu-check.md)
#   scripts/gpu-check.sh --fence [REPORT]    the same of the fenced host build (preset fence): no bandwidth of a device,
#                                            but every step of this script is tried where there is no device
#
# Builds what is missing: a program of the host to compare with (build), and the one that is checked (build-cuda, or
# build-fence), each with what it takes of tests and benchmarks. Exit code 1 when something did not agree; 77 without nvcc or a
# device, unless --fence is given.
#
# Environment:
#   JOBS        compilers side by side (default: all processors)
#   BUILD       a build directory to check that is there already, instead of building one
#   REFERENCE   a program of the host to compare with, instead of building one; a clarke_benchmark beside it is the host's, and is
#               called so or, where both lie in one folder, clarke_benchmark_host
#   STEPS       steps of every case for parity (default 20)
#   CASES       cases for parity (default: all of cases/)
#   IMPACTS     cases that run on until what falls has landed, by their own settings (default: those below)
#   PARITY_JOBS, PARITY_SECONDS   of tests/program/device_parity.py
#   SECONDS_PER_BENCHMARK   (default 0.5), REPETITIONS (3) of each benchmark
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
jobs="${JOBS:-$(env -u OMP_NUM_THREADS nproc)}"
preset=cuda
if [ "${1:-}" = --fence ]; then
  preset=fence
  shift
fi
report="${1:-out/gpu-check.md}"
dir="${BUILD:-build-$preset}"
say() { printf 'gpu-check: %s\n' "$*"; }

PATH="$PATH:/usr/local/cuda/bin"
if [ "$preset" = cuda ]; then
  command -v "${CUDACXX:-nvcc}" >/dev/null || { say "nvcc is not here (try --fence)"; exit 77; }
  nvidia-smi -L >/dev/null 2>&1 || { say "no device is here (try --fence)"; exit 77; }
fi

if [ -z "${BUILD:-}" ]; then
  [ "$preset" = fence ] || scripts/setup.sh --cuda || exit 1
  cmake --preset "$preset" -B "$dir" --log-level=WARNING >/dev/null &&
    ninja -C "$dir" -j"$jobs" clarke tests_parity clarke_benchmark || exit 1
fi
reference="$(realpath "${REFERENCE:-build/clarke}")"
if [ -z "${REFERENCE:-}" ]; then
  cmake --preset release -B build --log-level=WARNING >/dev/null && ninja -C build -j"$jobs" clarke clarke_benchmark || exit 1
fi
host_benchmark="$(dirname "$reference")/clarke_benchmark"
[ ! -x "${host_benchmark}_host" ] || host_benchmark+=_host

mkdir -p "$(dirname "$report")"
work="$(mktemp -d "${TMPDIR:-/tmp}/clarke-gpu.XXXXXX")"
trap 'rm -rf "$work"' EXIT
failed=0

# part TITLE COMMAND ...: a section of the report with what the command says, as it is when that are tables; a part that fails
# fails the check.
part() {
  local title="$1" code mark='```'
  shift
  say "$title"
  "$@" >"$work/part" 2>&1
  code=$?
  ! grep -q '^| ' "$work/part" || mark=''
  { printf '\n## %s\n\n%s\n' "$title" "$mark"; cat "$work/part"; printf '%s\n' "$mark"; } | cat -s >>"$report"
  case "$code" in
    0) ;;
    77) printf '\nskipped\n' >>"$report"; say "  skipped" ;;
    *) printf '\n**failed** with exit code %s\n' "$code" >>"$report"; say "  FAILED ($code)"; failed=1 ;;
  esac
}

# Every test and its time; of a failure everything that was said.
results() {
  local code
  "$dir/tests_parity" --run_test='!transfers' --log_level=test_suite --color_output=no >"$work/log" 2>&1
  code=$?
  if [ "$code" -eq 0 ]; then
    sed -nE 's/.*Leaving test case "(.*)"; testing time: (.*)/\1: \2/p' "$work/log"
  else
    cat "$work/log"
  fi
  return "$code"
}

# Without matrices: PETSc's are the host's.
timed='^(triad/.*|launch/.*|krylov/.*/(product|pcr|pcg|petsc_cr)|assembly/.*/(evaluate|evaluate_linearise|reduce)|detection/.*|step/.*/6x20)(/real_time)?$'

# time_by PROGRAM FILE: the clock of the host is the processor time of a thread, which waits actively (tests/benchmark/measure.hpp).
time_by() {
  OMP_WAIT_POLICY=active "$1" --benchmark_filter="$timed" --benchmark_repetitions="${REPETITIONS:-3}" \
    --benchmark_min_time="${SECONDS_PER_BENCHMARK:-0.5}" --benchmark_out="$2" --benchmark_out_format=json \
    >"$work/bench.log" 2>&1 || { tail -n 20 "$work/bench.log"; return 1; }
}

bandwidth() {
  [ -x "$dir/clarke_benchmark" ] || { echo "$dir/clarke_benchmark is not there"; return 77; }
  local -a files=("$work/device.json")
  OMP_NUM_THREADS=1 time_by "$dir/clarke_benchmark" "$work/device.json" || return 1
  if [ -x "$host_benchmark" ]; then
    OMP_NUM_THREADS="$(nproc --all)" time_by "$host_benchmark" "$work/host.json" || return 1
    files+=("$work/host.json")
  fi
  tests/benchmark/report.py "${files[@]}"
}

# cases STEPS PRESET "NAME ..."
cases() {
  CLARKE_REFERENCE="$reference" PARITY_STEPS="$1" PARITY_PRESET="$2" PARITY_CASES="$3" \
    "${PYTHON:-/usr/bin/python3}" tests/program/device_parity.py "$dir/clarke" "$PWD" "$work/parity"
}

{
  printf '# Device check\n\n'
  printf '`scripts/gpu-check.sh%s` on %s, commit %s\n\n' "$([ "$preset" = fence ] && echo ' --fence')" "$(date -u +%F)" \
    "$(git describe --always --dirty 2>/dev/null || echo unknown)"
  "$dir/clarke" --version
  printf '\n'
  if [ "$preset" = cuda ]; then
    nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
    nvcc --version | tail -n 2
  else
    printf 'Device memory is fenced memory of the host: times and bandwidths are of no device.\n'
  fi
} >"$report"

part "Results of the host, bit for bit or to rounding" results
part "What crosses in a step" "$dir/tests_parity" --run_test=transfers --log_level=message --color_output=no
part "Bandwidth, beside all threads of the host" bandwidth
part "Falling and landing, by the default" cases 40 none "${IMPACTS:-bowls box_pile card_house marble_funnel mixed_pile table_pile}"
part "The first steps of every case, by preset accurate" cases "${STEPS:-20}" accurate "${CASES:-}"

say "report: $report"
exit "$failed"
