#!/usr/bin/env python3
"""Finds host code that touches memory of the device: elements of a View outside of a kernel.

    scripts/host_access.py BUILD [FILE ...]      BUILD: a build directory configured with the cuda preset

On the host a View is memory like any other, so such a mistake shows only on a machine with a device, as a crash. nvcc's
front end knows better: with CLARKE_CHECK_HOST_ACCESS (framework/device.hpp) the elements of a View may be reached by
functions of the device only, and nvcc refuses calls from functions of the host. It refuses those from functions of both
sides too, kernels among them; these are left out here. What it cannot see: a function of both sides that the host calls
with a View, and templates, which nvcc does not check when it makes functions of them.

Only the front end runs: some seconds per file. Exit code 1 if anything was found.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

# "FILE(LINE): error: calling a __device__ function("...") from a __host__ [__device__ ]function("...") is not allowed"
ERROR = re.compile(r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): error: (?P<text>.*)$", re.M)
CALL = re.compile(r"calling a __device__ function\(.*\) from a __host__ (?P<both>__device__ )?function\(\"(?P<caller>.*)\"\)")


def check(entry, source):
    """The complaints about one file: {(file, line, text)}."""
    words = shlex.split(entry["command"])
    if words[0].endswith("ccache"):
        words = words[1:]
    words = words[:words.index("-MD")] if "-MD" in words else words[:words.index("-x")]
    words += ["-DCLARKE_CHECK_HOST_ACCESS", "-Xcudafe", "--error_limit=100000", "-Xcompiler=-w", "-w",
              "-x", "cu", "--cuda", entry["file"], "-o", os.devnull]
    result = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
    found = set()
    other = False
    for match in ERROR.finditer(result.stderr + result.stdout):
        call = CALL.search(match["text"])
        if call and call["both"]:
            other = True
            continue
        file = os.path.relpath(match["file"], source) if match["file"].startswith(source) else match["file"]
        text = f"the host function {call['caller']} touches an element of a View" if call else match["text"]
        found.add((file, int(match["line"]), text))
    if result.returncode and not found and not other:
        found.add((os.path.relpath(entry["file"], source), 0, (result.stderr or result.stdout).strip()[:500]))
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as file:
        entries = [e for e in json.load(file) if e["file"].startswith(source + os.sep)]
    wanted = [os.path.abspath(name) for name in sys.argv[2:]]
    if wanted:
        entries = [e for e in entries if any(e["file"].startswith(name) for name in wanted)]
    if not entries or "nvcc" not in entries[0]["command"]:
        sys.exit("host_access: no file to check: is this a build directory of the cuda preset?")
    found = set()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        for complaints in pool.map(lambda entry: check(entry, source), entries):
            for file, line, text in sorted(complaints - found):
                print(f"{file}:{line}: {text}", flush=True)
            found |= complaints
    print(f"host_access: {len(entries)} files, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
