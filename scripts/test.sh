#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors and runs all tests. The last lines are CTest's
# summary; the exit code is not zero when anything failed.
#
#   scripts/test.sh [DIR] [CTEST ARGUMENT...]     for example: scripts/test.sh build -L unit
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case "${1:-}" in
  -*) sed -n '2,5s/^# //p' scripts/test.sh >&2 && exit 2 ;;  # DIR comes first
esac
dir="${1:-build}"
[ $# -eq 0 ] || shift

scripts/setup.sh
started=$SECONDS
cmake -S . -B "$dir" -G Ninja -DCLARKE_WERROR=ON --log-level=WARNING
ninja -C "$dir" -j"$(env -u OMP_NUM_THREADS nproc)"
echo "test: built in $((SECONDS - started)) s"
exec ctest --test-dir "$dir" --output-on-failure --no-tests=error -j"$(env -u OMP_NUM_THREADS nproc)" "$@"
