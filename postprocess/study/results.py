"""What runs left behind: their tables as arrays, and the tidy tables of the whole study.

  runs.csv         a row per run: case, run, options, how it ended, its summary's figures, the measures asked for
  steps.csv, newton.csv, linear.csv   with `tables:`; the runs' own tables under each other, with case, run and repetition
  histories.h5     /case/run/repetition/{steps,newton,linear}: the same as arrays, with options and outcome as attributes
"""

import csv
import functools
import os

import h5py
import numpy as np

from study import measures
from study.run import file_hash
from study.runner import summary_of


TEXTS = ("reason", "linear_reason", "recipe", "geometric_penetration_pair")  # "nan" is a reason, too


def read_table(path):
    """Column -> array of floats, or list of texts where a cell is none. A last line that is still being written is left out."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    except OSError:
        return {}
    if not rows:
        return {}
    header, rows = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    table = {}
    for i, name in enumerate(header):
        column = [row[i] for row in rows]
        try:
            table[name] = column if name in TEXTS else np.array([float(cell or "nan") for cell in column])
        except ValueError:
            table[name] = column
    return table


class Result:
    """A run that has ended, with what it wrote."""

    def __init__(self, run):
        self.run, self.record = run, run.record()
        self.case, self.label, self.repetition = run.case.label, run.variant.label, run.repetition
        self.outcome = self.record["outcome"] if self.record else "not run"
        self.extra = {}  # measures computed so far

    def last_line(self):
        """What the run said last: of a refused one, why."""
        try:
            with open(os.path.join(self.run.directory, "output.txt"), encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file if line.strip()]
        except OSError:
            lines = []
        return lines[-1] if lines else "nothing was said"

    @functools.cached_property
    def summary(self):
        return summary_of(self.run.directory)

    def _table(self, *names):
        for name in names:
            table = read_table(os.path.join(self.run.directory, name))
            if table:
                return table
        return {}

    @functools.cached_property
    def steps(self):
        """A row per step, or per problem of `clarke solve`, whose names for the same things are added; and with -conditioning true
        the columns of conditioning.csv."""
        table = self._table("steps.csv", "problems.csv")
        card = read_table(os.path.join(self.run.directory, "conditioning.csv"))
        if "step" in card and "step" in table:
            row = {step: i for i, step in enumerate(card["step"])}
            for name in set(card) - set(table):
                table[name] = ([card[name][row[step]] if step in row else "" for step in table["step"]] if isinstance(card[name], list)
                               else np.array([card[name][row[step]] if step in row else np.nan for step in table["step"]]))
        for ours, theirs in (("step", "problem"), ("seconds_solve", "seconds")):
            if ours not in table and theirs in table:
                table[ours] = table[theirs]
        return table

    @functools.cached_property
    def newton(self):
        return self._table("newton.csv")

    @functools.cached_property
    def linear(self):
        return self._table("linear.csv")

    @functools.cached_property
    def sensors(self):
        return self._table("sensors.csv")

    def table(self, name):
        return {"steps": self.steps, "newton": self.newton, "linear": self.linear}[name]

    def histories(self, column, table="newton"):
        """The values of a column, step by step: a list of arrays. For `linear` solve by solve."""
        data = self.table(table)
        if column not in data or len(data[column]) == 0:
            return []
        if table == "newton":  # within a step there may be a second beginning with a count of 0
            starts = np.flatnonzero(np.diff(data["step"], prepend=np.nan) != 0)
        else:
            starts = np.flatnonzero(data["iteration"] == 0)
        return np.split(np.asarray(data[column], dtype=float), starts[1:])

    def step_numbers(self):
        """The steps that the histories of `newton` belong to."""
        return [int(steps[0]) for steps in self.histories("step")]

    @functools.cached_property
    def free_steps(self):
        """Steps without contacts of a scene without joints and soft bodies: nothing was to be solved."""
        elastic = np.asarray(self.steps.get("elastic_energy", []), dtype=float)
        return set() if self.summary.get("joints") or (elastic != 0).any() else self.steps_without_contacts

    @functools.cached_property
    def steps_without_contacts(self):
        if "contacts" not in self.steps or "step" not in self.steps:
            return set()
        return {int(step) for step, contacts in zip(self.steps["step"], self.steps["contacts"]) if contacts == 0}

    def value(self, name):
        """A column of runs.csv as a number or a text; None where the run has no such figure."""
        return measures.value(self, name)


def swept_options(runs):
    """Options in which the runs differ, in the order of their appearance."""
    names = list(dict.fromkeys(name for run in runs for name in run.options))
    return [name for name in names if len({run.options.get(name) for run in runs}) > 1]


def write_tables(study, results, directory, command):
    columns, rows = runs_table(study, results)
    _write_csv(os.path.join(directory, "runs.csv"), columns, rows)
    for name in study.tables:
        _write_long_table(os.path.join(directory, name + ".csv"), name, results)
    _write_histories(os.path.join(directory, "histories.h5"), study, results, command)


def runs_table(study, results):
    options = swept_options([result.run for result in results])
    figures = [name for name in measures.SUMMARY if any(name in result.summary for result in results)]
    asked = [name for name in study.measures if name not in figures and name not in measures.RECORD]
    columns = ["case", "run", "repetition", *options, "outcome", *measures.RECORD, *figures, *asked, "key", "directory"]
    rows = [[r.case, r.label, r.repetition, *(r.run.options.get(name, "") for name in options), r.outcome,
             *(r.value(name) for name in (*measures.RECORD, *figures, *asked)), r.run.key, os.path.basename(r.run.directory)]
            for r in results]
    return columns, rows


def cell(value):
    if value is None:
        return ""
    return repr(float(value)).removesuffix(".0") if isinstance(value, (float, np.floating)) else str(value)


def _write_csv(path, columns, rows):
    """Whole or not at all."""
    with open(path + ".part", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([cell(value) for value in row] for row in rows)
    os.replace(path + ".part", path)


def _write_long_table(path, name, results):
    columns = list(dict.fromkeys(column for result in results for column in result.table(name)))
    rows = []
    for result in results:
        table = result.table(name)
        length = len(next(iter(table.values()))) if table else 0
        rows += [[result.case, result.label, result.repetition, *(table[c][i] if c in table else "" for c in columns)]
                 for i in range(length)]
    _write_csv(path, ["case", "run", "repetition", *columns], rows)


def _write_histories(path, study, results, command):
    with h5py.File(path + ".part", "w") as file:
        file.attrs.update({"study": study.name, "question": study.question, "command": command})
        for result in results:
            group = file.create_group("/".join((result.case.replace("/", "_"), result.label.replace("/", "_"), str(result.repetition))))
            group.attrs.update({"outcome": result.outcome, "key": result.run.key, "program_sha256": file_hash(result.run.program)})
            for name, value in result.run.options.items():
                group.attrs["-" + name] = value
            for name in ("steps", "newton", "linear"):
                for column, values in result.table(name).items():
                    data = values if isinstance(values, np.ndarray) else np.array(values, dtype=h5py.string_dtype())
                    group.create_dataset(f"{name}/{column}", data=data, compression="gzip" if len(data) > 64 else None)
    os.replace(path + ".part", path)


