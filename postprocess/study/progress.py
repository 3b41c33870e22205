"""What the user sees while runs go on: on a terminal a bar with the time left, elsewhere plain lines."""

import shutil
import sys
import time

PLAIN_LINES = 50  # about so many lines for a long study, and one for every run that does not end well


def duration(seconds):
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


class Progress:
    def __init__(self, stream=sys.stderr):
        self.stream, self.bar = stream, stream.isatty()
        self.total = self.finished = self.known = self.failed = 0
        self.jobs, self.names, self.last = 1, [], 0.0

    def start(self, total, known, jobs):
        self.total, self.known, self.finished, self.jobs = total, known, known, jobs
        self.begin = time.monotonic()
        line = f"{total} runs" + (f", {known} of them finished before" if known else "")
        self.write(f"{line}; {jobs} at once")

    def running(self, runs):
        self.names = [run.name for run in runs]

    def time_left(self):
        done = self.finished - self.known
        if not done or self.finished == self.total:
            return ""
        return f", {duration((time.monotonic() - self.begin) / done * (self.total - self.finished))} left"

    def done(self, run, record):
        self.finished += 1
        bad = record["outcome"] not in ("ok", "ended")
        self.failed += bad
        every = max(1, self.total // PLAIN_LINES)
        if bad or (not self.bar and (self.finished % every == 0 or self.finished == self.total)):
            self.write(f"[{self.finished}/{self.total}] {run.name}: {record['outcome']}, "
                       f"{record['wall_seconds']:.1f} s{'' if self.bar else self.time_left()}")

    def tick(self):
        if not self.bar or time.monotonic() < self.last + 0.2:
            return
        self.last = time.monotonic()
        width = shutil.get_terminal_size().columns
        filled = 20 * self.finished // max(1, self.total)
        failed = f", {self.failed} not ok" if self.failed else ""
        line = (f"[{'#' * filled}{'.' * (20 - filled)}] {self.finished}/{self.total}{failed}{self.time_left()}  "
                f"{'; '.join(self.names)}")
        self.stream.write("\r\033[K" + line[:width - 1])
        self.stream.flush()

    def write(self, line):
        self.stream.write(("\r\033[K" if self.bar else "") + line + "\n")
        self.stream.flush()

    def end(self):
        if self.bar:
            self.stream.write("\r\033[K")
            self.stream.flush()
