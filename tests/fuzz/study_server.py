#!/usr/bin/env python3
"""`clarke study`, thousands of them, without Python's and its libraries' start for each: as fork_server/main.cpp, same requests.

    tests/fuzz/study_server.py PROGRAM
"""

import json
import os
import pathlib
import resource
import signal
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from study import judgement, measures, report, results, run, runner  # noqa: E402, F401  (imported before the fork)
from study.command import main  # noqa: E402


def address_space():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def limit(request):
    seconds, room = int(request["seconds"]), int(address_space() + request["bytes"])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    signal.alarm(int(request["wait"]))


def be_the_program(request):
    os.chdir(request["folder"])
    for name, descriptor in (("/dev/null", 0), ("stdout", 1), ("stderr", 2)):
        file = os.open(name, os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, descriptor)
    limit(request)
    assert request["words"][0] == "study"
    sys.argv = ["study", "--program", sys.argv[1], *request["words"][1:]]
    try:
        code = main()
    except BaseException:  # what the interpreter would print before it ends
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        be_the_program(json.loads(line))
    _, status = os.waitpid(child, 0)
    print(f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}", flush=True)
