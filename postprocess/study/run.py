"""One run of a study: its command line, its key, its directory, and the record of how it ended.

The key is a hash of everything that the result depends on: options, the scene or problem and the files it refers to, the
program, limits, threads and the repetition. A run whose record is there is never run again; with another key it is another run.
The record, result.json, is written last and whole: a directory without one is the rest of a run that did not end.
"""

import functools
import hashlib
import json
import os
import re

import yaml

FORMAT = 1  # changes when old records can no longer be read
RECORD = "result.json"


@functools.lru_cache(maxsize=None)
def file_hash(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _texts(node):
    """All scalars of a YAML tree."""
    if isinstance(node, yaml.ScalarNode):
        yield node.value
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(item)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _texts(name)
            yield from _texts(value)


@functools.lru_cache(maxsize=None)
def files_behind(path):
    """The file and what it refers to. Of a robot everything in its folder counts: rather a run too many than a stale one."""
    found = {path}
    if path.endswith((".yaml", ".yml")):
        folder = os.path.dirname(path)
        try:
            with open(path, encoding="utf-8") as file:
                root = yaml.compose(file, Loader=yaml.SafeLoader)
        except (yaml.YAMLError, UnicodeDecodeError):
            root = None  # the program says what is wrong with it
        for text in _texts(root):
            file = os.path.join(folder, text)
            if not text or len(text) > 4096 or "\0" in text or not os.path.isfile(file):
                continue
            found.add(os.path.normpath(file))
            if file.endswith(".urdf"):
                for at, _, names in os.walk(os.path.dirname(file)):
                    found.update(os.path.normpath(os.path.join(at, name)) for name in names)
    return sorted(found)


def slug(text):
    return re.sub(r"[^A-Za-z0-9.]+", "_", text).strip("_")[:60]


class Run:
    def __init__(self, study, case, variant, repetition, program, root):
        self.study, self.case, self.variant, self.repetition = study, case, variant, repetition
        self.options = {**study.options, **case.options, **variant.options, **study.late_options}
        if study.limits.iterations:
            self.options["snes_max_it"] = str(study.limits.iterations)
        if case.kind == "run" and "output_every" not in self.options:
            self.options["output_every"] = "0"
        if "linear" in study.tables and "output_linear" not in self.options:
            self.options["output_linear"] = "true"
        self.program = program
        self.files = {file: file_hash(file) for file in files_behind(case.path)}
        for value in self._values(""):
            if os.path.isfile(value):
                self.files[value] = file_hash(value)
        self.key = self._key()
        self.directory = os.path.join(root, f"{slug(case.label)}-{slug(variant.label)}-{self.key[:10]}")

    def _values(self, output):
        """Option values with {output} and {study} filled in."""
        return [value.replace("{output}", output).replace("{study}", self.study.directory) for value in self.options.values()]

    def _key(self):
        limits = self.study.limits
        parts = {"format": FORMAT, "kind": self.case.kind, "options": self.options, "files": sorted(self.files.values()),
                 "program": file_hash(self.program), "limits": [limits.seconds, limits.memory],
                 "threads": self.study.threads, "timing": self.study.timing, "repetition": self.repetition}
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def name(self):
        return f"{self.case.label} · {self.variant.label}" + (f" #{self.repetition}" if self.study.repetitions > 1 else "")

    def command(self):
        words = [self.program, self.case.kind, self.case.path, "-output_dir", self.directory]
        if self.case.kind == "run":
            words += ["-progress", "none"]
        for name, value in zip(self.options, self._values(self.directory)):
            words += ["-" + name, value] if value else ["-" + name]  # "" is an option without a value
        return words

    def environment(self):
        """One thread for BLAS, and idle threads that sleep: runs stand side by side."""
        return {**os.environ, "OMP_NUM_THREADS": str(self.study.threads), "OMP_PROC_BIND": "false",
                "OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": "1"}

    def record(self):
        """How it ended, or None when it has not."""
        try:
            with open(os.path.join(self.directory, RECORD), encoding="utf-8") as file:
                record = json.load(file)
        except (OSError, json.JSONDecodeError):
            return None
        return record if record.get("key") == self.key else None

    def write_record(self, record):
        path = os.path.join(self.directory, RECORD)
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump({"key": self.key, **record}, file, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".part", path)
        descriptor = os.open(self.directory, os.O_RDONLY)  # the name is on the disk too
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def all_runs(study, program, root):
    """Repetitions are outermost: what changes with the hour changes for all."""
    return [Run(study, case, variant, repetition, program, root)
            for repetition in range(1, study.repetitions + 1) for case in study.cases for variant in study.variants]
