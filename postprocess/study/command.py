"""clarke study STUDY.yaml [-option value ...]

  -study_jobs N       runs at once; default: the study's `jobs`, else one per core
  -study_threads N    threads of a run; default: the study's `threads`
  -study_timing       one run at a time, times as ratios against the study's baseline
  -study_quick        the study's `quick` part only: shorter, to see that it works
  -study_report       no new runs: tables and report of what is there
  -output_dir DIR     default: out/study/<name>, or out/study/<name>_quick

Exit code 0: all runs have ended, however they ended, and what the study expects came out; 1: it did not, or the study was
interrupted; 2: bad input.
"""

import fcntl
import os
import shlex
import signal
import sys

from study.yaml_reader import StudyError, nearest

FLAGS = ("-study_timing", "-study_quick", "-study_report")
VALUES = ("-study_jobs", "-study_threads", "-output_dir")


def parse(words):
    """(program, file, options)."""
    words = list(words)
    if words[:1] != ["--program"] or len(words) < 3:
        raise StudyError("study: expected `clarke study STUDY.yaml [-option value ...]`")
    program, path, rest = words[1], words[2], words[3:]
    options = {}
    while rest:
        name = rest.pop(0)
        if name in FLAGS:
            value = rest.pop(0) if rest and not rest[0].startswith("-") else "true"
            if value not in ("true", "false", "1", "0", "on", "off", "yes", "no"):
                raise StudyError(f"{name}: expected true or false, got '{value}'")
            options[name] = value in ("true", "1", "on", "yes")
        elif name in VALUES:
            if not rest:
                raise StudyError(f"{name}: expected a value")
            options[name] = rest.pop(0)
        else:
            raise StudyError(f"unknown option '{name}'{nearest(name, (*FLAGS, *VALUES))}")
    for name in ("-study_jobs", "-study_threads"):
        count = options.get(name, "1")
        if not (count.isdigit() and int(count) > 0):
            raise StudyError(f"{name}: expected a whole number above 0, got '{count}'")
    return program, path, options


def exclusive(directory):
    """A lock that ends with this process: two studies in one directory would undo each other."""
    try:
        os.makedirs(directory, exist_ok=True)
        file = open(os.path.join(directory, ".lock"), "w", encoding="utf-8")
    except OSError as error:
        raise StudyError(f"output directory {directory}: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise StudyError(f"output directory {directory}: another study is writing there") from None
    return file


def run_study(words):
    program, path, options = parse(words)
    from study.study_file import read_study  # after the options were checked

    study = read_study(path, options.get("-study_quick", False))
    study.threads = int(options.get("-study_threads", study.threads))
    if options.get("-study_timing"):
        study.timing = True
        if not study.baseline:
            raise StudyError(f"{path}: -study_timing needs a baseline: times are reported as ratios against it")
    from study import judgement, measures, report, results, run, runner  # these take their time to import, a refused study needs none
    from study.progress import Progress

    jobs = int(options.get("-study_jobs", study.jobs or len(os.sched_getaffinity(0))))
    if study.timing:
        jobs = 1
    directory = os.path.abspath(options.get("-output_dir", os.path.join("out", "study", study.name + "_quick" * study.quick)))
    command = "clarke study " + shlex.join([os.path.relpath(path), *words[3:]])
    lock = exclusive(directory)
    runs = run.all_runs(study, program, os.path.join(directory, "runs"))
    interrupted = False
    if not options.get("-study_report"):
        try:
            runner.run_all(runs, jobs, Progress())
        except runner.Interrupted:
            interrupted = True
    ended = [results.Result(one) for one in runs]
    if study.baseline:
        measures.add_time_ratios(study, ended)
    results.write_tables(study, ended, directory, command)
    judged = judgement.judge_all(study, ended) if not interrupted else []
    judgement.write_record(judged, directory)
    page = report.write_report(study, ended, judged, directory, command)
    counts = {}
    for result in ended:
        counts[result.outcome] = counts.get(result.outcome, 0) + 1
    print(f"{study.name}: {len(ended)} runs: {', '.join(f'{n} {outcome}' for outcome, n in counts.items())}; "
          f"report in {os.path.relpath(page)}", flush=True)
    lost = [j for j in judged if not j.held]
    if judged:
        print(f"{study.name}: {len(judged) - len(lost)} of {len(judged)} expectations held", flush=True)
    for j in lost:
        print(f"clarke: {j.text()}", file=sys.stderr)
    lock.close()
    refused = [result for result in ended if result.outcome == "bad input"]
    for line in sorted({result.last_line() for result in refused})[:5]:
        print(f"clarke: bad input: {line}", file=sys.stderr)
    if refused and len(refused) == len(ended):
        print("clarke: all runs were refused", file=sys.stderr)
        return 2
    if interrupted:
        print("clarke: study interrupted; the same command goes on from here", file=sys.stderr)
    return 1 if interrupted or lost else 0


def main():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        return run_study(sys.argv[1:])
    except StudyError as error:
        print(f"clarke: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("clarke: study interrupted", file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, a directory that is gone
        print(f"clarke: {error.filename or 'study'}: {error.strerror or error}; the same command goes on from here", file=sys.stderr)
        return 1
    except MemoryError:
        print("clarke: out of memory", file=sys.stderr)
        return 1
