#!/usr/bin/env bash
# Builds the program (Release) and prints its path.
#
#   scripts/build.sh [DIR]     DIR defaults to build; the program is DIR/clarke
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir="${1:-build}"

# A fresh build directory gets warnings as errors, as scripts/test.sh needs it, so that one directory serves both and
# nothing is compiled twice. `cmake -B DIR -DCLARKE_WERROR=OFF` relaxes it for good.
fresh=()
[ -f "$dir/CMakeCache.txt" ] || fresh=(-DCLARKE_WERROR=ON)
cmake -S . -B "$dir" -G Ninja "${fresh[@]}" --log-level=WARNING
# nproc counts no more cores than OMP_NUM_THREADS, which is about runs.
ninja -C "$dir" -j"$(env -u OMP_NUM_THREADS nproc)" clarke
echo "$dir/clarke"
