#!/usr/bin/env bash
# Runs the shipped studies (cases/studies/*.yaml, and scripts/budget_study.py as `budget`) and writes a report for each, with a page that lists them.
#
#   scripts/reproduce.sh [--quick] [--jobs N] [--threads N] [--output DIR] [--program PROGRAM] [STUDY ...]
#
# --quick runs the short part of each, to see that it works; its figures are not those of docs/studies.md. STUDY is a name like
# r_factor; default: all. What is finished is not run again. Says at the end how many expectations of the studies held (docs/studies.md),
# and ends with 1 when one did not, or when a study could not be run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
quick=() threads=() jobs=$(env -u OMP_NUM_THREADS nproc) output="" program=$root/build/clarke studies=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=(-study_quick) ;;
    --jobs) jobs=${2:?--jobs: expected a number}; shift ;;
    --threads) threads=(-study_threads "${2:?--threads: expected a number}"); shift ;;
    --output) output=${2:?--output: expected a folder}; shift ;;
    --program) program=${2:?--program: expected a file}; shift ;;
    -*) echo "reproduce.sh: unknown option '$1'; expected --quick, --jobs N, --threads N, --output DIR or --program PROGRAM" >&2; exit 2 ;;
    *) studies+=("$1") ;;
  esac
  shift
done
[ -x "$program" ] || { echo "reproduce.sh: $program is not there: build it first (scripts/build.sh)" >&2; exit 2; }
[ -n "$output" ] || output=$root/out/${quick:+quick_}studies
if [ ${#studies[@]} -eq 0 ]; then
  for file in "$root"/cases/studies/*.yaml; do studies+=("$(basename "$file" .yaml)"); done
  [ ${#quick[@]} -gt 0 ] || studies+=(budget)  # has no short part: it captures its problems first
fi
mkdir -p "$output"

# held FOLDER ...: "HELD ALL" of what studies expected
held() {
  /usr/bin/python3 - "$@" <<'END'
import json, os, sys
files = [os.path.join(folder, "expectations.json") for folder in sys.argv[1:]]
records = [record for file in files if os.path.isfile(file) for record in json.load(open(file, encoding="utf-8"))]
print(sum(record["held"] for record in records), len(records))
END
}

run_study() {
  if [ "$1" = budget ]; then
    "$root/scripts/budget_study.py" "$program" "$root" "$output/budget"
  else
    "$program" study "$root/cases/studies/$1.yaml" "${quick[@]}" "${threads[@]}" -study_jobs "$jobs" -output_dir "$output/$1"
  fi
}

begin=$SECONDS failed=() links="" folders=()
for name in "${studies[@]}"; do
  start=$SECONDS
  folders+=("$output/$name")
  rm -f "$output/$name/expectations.json"
  run_study "$name" || failed+=("$name")
  read -r good all <<<"$(held "$output/$name")"
  links+="<li><a href='$name/report.html'>$name</a>: $good of $all expectations held, $((SECONDS - start)) s</li>"
done
echo "<!DOCTYPE html><meta charset='utf-8'><title>Studies</title><h1>Studies</h1><ul>$links</ul>" >"$output/index.html"
echo "${#studies[@]} studies in $((SECONDS - begin)) s; $output/index.html"
read -r good all <<<"$(held "${folders[@]}")"
echo "$good of $all expectations held"
if [ ${#failed[@]} -gt 0 ]; then
  echo "reproduce.sh: not run to their end, or not as expected: ${failed[*]}" >&2
  exit 1
fi
