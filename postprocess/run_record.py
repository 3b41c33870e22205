"""What a run left in its output directory, read for the programs beside this file.

The format is described in output_writer.hpp, csv_records.hpp and run_summary.hpp. A run that is still going on, or was
stopped, has no summary.json: then the figures are missing and the name of the directory stands for the case.
"""

import csv
import json
import math
import os
import sys
import xml.etree.ElementTree as ElementTree

TEXT_COLUMNS = {"reason", "linear_reason", "recipe", "geometric_penetration_pair"}
# What tells two solvers apart at a glance; more options are named only where they differ.
LABEL_OPTIONS = ("snes_type", "ksp_type", "pc_type", "system_form", "contact_law", "ncp_function", "friction_map",
                 "r_factor", "integrator")


class RecordError(Exception):
    """A file is missing or is not what it should be; the text names it."""


def read_table(path):
    """Column name -> list of floats (texts for reasons). A last line that is still being written is left out."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise RecordError(f"{path}: no header")
    header, rows = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    columns = list(zip(*rows)) if rows else [()] * len(header)
    try:
        return {name: list(values) if name in TEXT_COLUMNS else [float(value or "nan") for value in values]
                for name, values in zip(header, columns)}
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None


def flat(options, prefix=""):
    """Nested settings as one level; groups join with '.'."""
    result = {}
    for key, value in options.items():
        name = prefix + key.lstrip("-")
        if isinstance(value, dict):
            result.update(flat(value, name + "."))
        else:
            result[name] = value
    return result


class RunRecord:
    def __init__(self, directory):
        self.directory = os.path.normpath(directory)
        if not os.path.isdir(self.directory):
            raise RecordError(f"{directory}: no such directory")
        self.summary = {}
        path = self.path("summary.json")
        if os.path.exists(path):
            try:
                with open(path, encoding="utf-8") as file:
                    self.summary = json.load(file)
            except json.JSONDecodeError as error:
                raise RecordError(f"{path}: {error}") from None
        self.name = os.path.basename(os.path.abspath(self.directory))
        self.case = self.summary.get("case") or self.name
        provenance = self.summary.get("provenance") or {}
        self.options = flat(provenance.get("options") or {})
        self.build_options = dict((provenance.get("scene") or {}).get("build_options") or [])
        self.options.update(self.build_options)

    def path(self, name):
        return os.path.join(self.directory, name)

    def steps(self):
        return self._table("steps.csv")

    def newton(self):
        return self._table("newton.csv")

    def _table(self, name):
        if not os.path.exists(self.path(name)):
            raise RecordError(f"{self.path(name)} is not there: {self.directory} is no output directory of a run")
        return read_table(self.path(name))

    def frames(self, series):
        """(time, path) of each frame of 'bodies', 'contacts' or 'particles', by time; empty when there are none."""
        path = self.path(series + ".pvd")
        if not os.path.exists(path):
            return []
        try:
            entries = ElementTree.parse(path).getroot().iter("DataSet")
            return sorted((float(entry.get("timestep")), self.path(entry.get("file"))) for entry in entries)
        except (ElementTree.ParseError, TypeError, ValueError) as error:
            raise RecordError(f"{path}: {error}") from None

    def last_option(self, name):
        """The value of an option by its own name, whatever group it is in."""
        for key, value in self.options.items():
            if key.split(".")[-1] == name:
                return str(value)
        return None


def differing_options(records):
    """Option -> one value per run, for those that are not the same everywhere; None where a run does not have it."""
    result = {}
    for name in sorted(set().union(*(record.options for record in records))):
        values = [record.options.get(name) for record in records]
        if any(value != values[0] for value in values):
            result[name] = values
    return result


def labels(records):
    """A short text per run: the solver options in which the runs differ, else the case; never the same text twice."""
    chosen = []
    if len(records) > 1:
        for option in LABEL_OPTIONS:
            values = {record.last_option(option) for record in records}
            if len(values) > 1:
                chosen.append(option)
    result = [", ".join(record.last_option(option).replace("_", " ") for option in chosen if record.last_option(option))
              for record in records]
    if len({record.case for record in records}) > 1:
        result = [f"{record.case}: {text}" if text else record.case for record, text in zip(records, result)]
    for i, text in enumerate(result):
        if not text or result.count(text) > 1:
            result[i] = f"{text} ({records[i].name})" if text else records[i].name
    if len(set(result)) < len(result):
        result = [record.directory for record in records]
    return result


def readable_time(time):
    return f"t = {time:.3f} s" if math.isfinite(time) else "t unknown"


def open_or_exit(program, directories):
    """The records, or the reason on standard error and exit code 2."""
    try:
        return [RunRecord(directory) for directory in directories]
    except RecordError as error:
        leave(program, error)


def leave(program, error, code=2):
    print(f"{program}: {error}", file=sys.stderr)
    sys.exit(code)
