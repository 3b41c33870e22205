"""Starts runs, several at once, each in a process group of its own, and records how each ended.

A run that crashes, hangs, is out of memory or refuses its input is a result like any other. At its time limit a run is asked
to end (SIGTERM: it writes what it has), two seconds later it is killed, with everything it has started. If the study itself
is killed, so are its runs.
"""

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import time

GRACE = 2.0        # [s] from SIGTERM to SIGKILL
POLL = 0.02        # [s]
ERROR_TEXT = 2000  # characters of a run's last words that are kept
LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


class Interrupted(Exception):
    """The user has ended the study; what is finished is recorded."""


class Started:
    def __init__(self, run):
        self.run = run
        shutil.rmtree(run.directory, ignore_errors=True)  # the rest of one that did not end
        os.makedirs(run.directory)
        self.output = open(os.path.join(run.directory, "output.txt"), "wb")
        self.start, self.asked, self.timeout = time.monotonic(), None, False
        memory = int(run.study.limits.memory * 1e6)
        parent = os.getpid()

        def prepare():  # in the child, before it becomes the run
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(127)
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        self.process = subprocess.Popen(run.command(), stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output,
                                        env=run.environment(), start_new_session=True, preexec_fn=prepare)

    def poll(self):
        """(status, usage) when it has ended, else None; enforces the time limit."""
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self.process.returncode = status
            return status, usage
        seconds = time.monotonic() - self.start
        if self.asked is None and seconds > self.run.study.limits.seconds:
            self.timeout, self.asked = True, seconds
            self.signal_all(signal.SIGTERM)
        elif self.asked is not None and seconds > self.asked + GRACE:
            self.signal_all(signal.SIGKILL)
        return None

    def signal_all(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def finish(self, status, usage):
        seconds = time.monotonic() - self.start
        self.signal_all(signal.SIGKILL)  # what it has left behind
        self.output.close()
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        record = {"exit": code, "signal": signal.Signals(number).name if number else None, "timeout": self.timeout,
                  "wall_seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime,
                  "memory_mb": usage.ru_maxrss / 1e3, "said": last_words(self.run.directory),
                  "command": self.run.command(), "files": self.run.files,
                  "load_average": os.getloadavg()[0]}
        record["outcome"] = outcome(record, self.run)
        self.run.write_record(record)
        return record


def last_words(directory):
    with open(os.path.join(directory, "output.txt"), "rb") as file:
        return file.read()[-ERROR_TEXT:].decode("utf-8", "replace").strip()


def summary_of(directory):
    try:
        with open(os.path.join(directory, "summary.json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, json.JSONDecodeError):
        return {}


def outcome(record, run):
    """In a word or two. 'ended' is a run that came to its end and did not hold all that its scene expects, as most do when they
    are cut short."""
    if record["timeout"]:
        return "time limit"
    if "bad_alloc" in record["said"] or "out of memory" in record["said"].lower() or "Cannot allocate memory" in record["said"]:
        return "out of memory"
    if record["signal"]:
        return "killed" if record["signal"] == "SIGKILL" else f"crash {record['signal']}"
    if record["exit"] == 2:
        return "bad input"
    if record["exit"] == 0:
        return "ok"
    summary = summary_of(run.directory)
    if summary.get("failure"):
        return "failed step"
    return "ended" if summary else f"exit {record['exit']}"


def run_all(runs, jobs, progress):
    """Runs what has no record yet. An interrupt ends the running ones, which stay without a record."""
    waiting = [run for run in runs if run.record() is None]
    running = []
    progress.start(len(runs), len(runs) - len(waiting), jobs)
    waiting.reverse()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(Started(waiting.pop()))
                progress.running([started.run for started in running])
            for started in list(running):
                ended = started.poll()
                if ended:
                    running.remove(started)
                    progress.done(started.run, started.finish(*ended))
            time.sleep(POLL)
            progress.tick()
    except KeyboardInterrupt:
        raise Interrupted() from None
    finally:
        for started in running:
            started.signal_all(signal.SIGKILL)
            started.process.wait()
        progress.end()
