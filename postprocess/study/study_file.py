"""A study file as plain data. docs/studies.md describes the keys; the reader checks all of them before the first run."""

import collections
import glob
import itertools
import math
import os
import re
from dataclasses import dataclass, field

from study import measures, plots
from study import yaml_reader as reader
from study.expectation import read_expectations
from study.yaml_reader import StudyError, fail, nearest

KEYS = ("study", "question", "paper", "seen", "scenes", "problems", "options", "sweep", "repetitions", "threads", "jobs",
        "timing", "baseline", "limits", "measures", "tables", "plots", "expect", "quick")
SCENE_KEYS = {"case", "time", "bodies", "particles", "build", "robots"}  # no study has any of them
TABLES = ("steps", "newton", "linear")
MOST_VARIANTS = 100000  # of a sweep, and of runs of a study: a second each would be a day


@dataclass
class Case:
    label: str
    kind: str  # "run" a scene, or "solve" a problem
    path: str
    options: dict = field(default_factory=dict)


@dataclass
class Variant:
    label: str
    options: dict


@dataclass
class Limits:
    seconds: float = 600    # [s] of wall time
    memory: float = 0       # [MB] of address space; 0: none
    iterations: int = 0     # -snes_max_it; 0: as the options say


@dataclass
class PlotRequest:
    name: str
    parameters: dict
    title: str = ""


@dataclass
class Study:
    path: str
    name: str = ""
    question: str = ""
    paper: str = ""
    seen: str = ""
    cases: list = field(default_factory=list)
    variants: list = field(default_factory=list)
    options: dict = field(default_factory=dict)
    late_options: dict = field(default_factory=dict)  # of a quick study: they win over everything
    repetitions: int = 1
    threads: int = 1
    jobs: int = 0
    timing: bool = False
    baseline: str = ""
    limits: Limits = field(default_factory=Limits)
    measures: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    plots: list = field(default_factory=list)
    expect: list = field(default_factory=list)
    quick: bool = False

    @property
    def directory(self):
        return os.path.dirname(os.path.abspath(self.path))


def read_study(path, quick=False):
    root = reader.read_root(path)
    if not SCENE_KEYS.isdisjoint(reader.mapping(root, "study file")):
        raise StudyError(f"{path}: is a scene, not a study; run it by: clarke run {path}")
    keys = reader.mapping(root, "study file", KEYS)
    study = Study(path=path)
    if "study" not in keys:
        fail(root, "study", "is missing: the name of the study")
    study.name = reader.text(keys["study"], "study")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", study.name):
        fail(keys["study"], "study", f"expected letters, digits and _.- only, got '{study.name}'")
    for name in ("question", "paper", "seen", "baseline"):
        if name in keys:
            setattr(study, name, reader.text(keys[name], name).strip())
    if not study.question:
        fail(root, "question", "is missing: what the study is to answer, in a sentence")
    for name in ("repetitions", "threads", "jobs"):
        if name in keys:
            setattr(study, name, reader.number(keys[name], name, 1, whole=True))
    if "timing" in keys:
        study.timing = reader.flag(keys["timing"], "timing")
    if "options" in keys:
        study.options = reader.options(keys["options"], "options")
    if "limits" in keys:
        study.limits = _limits(keys["limits"])
    study.cases = _scenes(keys.get("scenes"), study) + _problems(keys.get("problems"), study)
    if not study.cases:
        fail(root, "scenes", "nothing to run: expected scenes or problems")
    _distinct([case.label for case in study.cases], keys.get("scenes") or keys["problems"], "scenes")
    study.variants = _sweep(keys["sweep"]) if "sweep" in keys else [Variant("as given", {})]
    _distinct([variant.label for variant in study.variants], keys.get("sweep"), "sweep")
    _count_runs(keys.get("sweep", root), "study", study.cases, study.variants, study.repetitions)
    study.measures = [_measure(n) for n in reader.sequence(keys["measures"], "measures")] if "measures" in keys else []
    study.tables = [_one_of(n, "tables", TABLES) for n in reader.sequence(keys["tables"], "tables")] if "tables" in keys else []
    study.plots = [_plot(n, study) for n in reader.sequence(keys["plots"], "plots")] if "plots" in keys else []
    if "expect" in keys:
        study.expect = read_expectations(keys["expect"], study)
    if "quick" in keys:
        _apply_quick(keys["quick"], study, quick)
    study.quick = quick
    if study.baseline and study.baseline not in [variant.label for variant in study.variants]:
        fail(keys["baseline"], "baseline",
             f"no run is called '{study.baseline}'" + nearest(study.baseline, [v.label for v in study.variants]))
    if study.timing and not study.baseline:
        fail(keys["timing"], "timing", "needs a baseline: times are reported as ratios against it")
    return study


def _one_of(node, key, names):
    value = reader.text(node, key)
    if value not in names:
        fail(node, key, f"unknown name '{value}'{nearest(value, names)}")
    return value


def _distinct(labels, node, key):
    for label, count in collections.Counter(labels).items():
        if count > 1:
            fail(node, key, f"two are called '{label}': give them labels")


def _limits(node):
    keys = reader.mapping(node, "limits", ("seconds", "memory", "iterations"))
    limits = Limits()
    for name, value in keys.items():
        setattr(limits, name, reader.number(value, name, 1 if name == "iterations" else 0, whole=name == "iterations"))
    return limits


def _existing(node, key, study, name):
    path = os.path.normpath(os.path.join(study.directory, name))
    if not os.path.isfile(path):
        fail(node, key, f"no such file: {path}")
    return path


def _scenes(node, study):
    cases = []
    for entry in reader.sequence(node, "scenes") if node else []:
        options, label, file = {}, "", entry
        if reader.is_mapping(entry):
            keys = reader.mapping(entry, "scenes", ("scene", "label", "options"))
            if "scene" not in keys:
                fail(entry, "scene", "is missing: the file of the scene")
            file = keys["scene"]
            label = reader.text(keys["label"], "label") if "label" in keys else ""
            options = reader.options(keys["options"], "options") if "options" in keys else {}
        path = _existing(file, "scene", study, reader.text(file, "scene"))
        cases.append(Case(label or os.path.splitext(os.path.basename(path))[0], "run", path, options))
    return cases


def _problems(node, study):
    cases = []
    for entry in reader.sequence(node, "problems") if node else []:
        pattern = os.path.join(study.directory, reader.text(entry, "problems"))
        found = sorted(glob.glob(pattern, recursive=True))
        if not found:
            fail(entry, "problems", f"no file matches {os.path.normpath(pattern)}")
        cases += [Case(os.path.splitext(os.path.basename(p))[0], "solve", os.path.normpath(p)) for p in found]
    return cases


def _sweep(node):
    keys = reader.mapping(node, "sweep", ("list", "product"))
    if not keys:
        fail(node, "sweep", "expected list or product")
    variants = [Variant("", {})]
    if "list" in keys:
        variants = []
        for entry in reader.sequence(keys["list"], "list"):
            parts = reader.mapping(entry, "list", ("label", "options"))
            if "label" not in parts:
                fail(entry, "label", "is missing: what the plots call it")
            variants.append(Variant(reader.text(parts["label"], "label"),
                                    reader.options(parts["options"], "options") if "options" in parts else {}))
    if "product" in keys:
        axes = [[(name, reader.text(value, name)) for value in reader.sequence(values, name)]
                for name, values in reader.mapping(keys["product"], "product").items()]
        if not all(axes):
            fail(keys["product"], "product", "expected a list of values for each option")
        count = len(variants) * math.prod(len(axis) for axis in axes)
        if count > MOST_VARIANTS:
            fail(keys["product"], "product", f"makes {count} variants; expected at most {MOST_VARIANTS}")
        variants = [Variant(", ".join(filter(None, [variant.label, *map(_value_label, chosen)])),
                            {**variant.options, **dict(chosen)})
                    for variant in variants for chosen in itertools.product(*axes)]
    return variants


def _value_label(pair):
    """A name speaks for itself, a number or a switch does not."""
    name, value = pair
    return value if re.match(r"[A-Za-z]", value) and value not in ("true", "false", "on", "off") else f"{name} {value}"


def _measure(node):
    value = reader.text(node, "measures")
    problem = measures.unknown(value)
    if problem:
        fail(node, "measures", problem)
    return value


def _plot(node, study):
    if not reader.is_mapping(node):
        name, parameters = reader.text(node, "plots"), {}
    else:
        pairs = reader.mapping(node, "plots")
        if len(pairs) != 1:
            fail(node, "plots", "expected one plot per entry: NAME, or NAME: {parameters}")
        (name, entry), = pairs.items()
        parameters = reader.mapping(entry, name)
    if name not in plots.REGISTRY:
        fail(node, "plots", f"unknown plot '{name}'{nearest(name, plots.REGISTRY)}")
    known = {**plots.REGISTRY[name].parameters, "title": ""}
    chosen = {}
    for key, value in parameters.items():
        if key not in known:
            fail(value, key, f"unknown parameter of {name}{nearest(key, known)}")
        chosen[key] = _parameter(value, key, known[key])
        labels = {"runs": study.variants, "cases": study.cases}.get(key)
        for item in value.value if labels else []:
            _one_of(item, key, [one.label for one in labels])
    title = chosen.pop("title", "")
    return PlotRequest(name, {**plots.REGISTRY[name].parameters, **chosen}, title)


def _parameter(node, key, default):
    """A value of the kind of the default."""
    if isinstance(default, bool):
        return reader.flag(node, key)
    if isinstance(default, (int, float)):
        return reader.number(node, key, float("-inf"), whole=isinstance(default, int))
    if isinstance(default, tuple):
        items = reader.sequence(node, key)
        if default and isinstance(default[0], float):
            return tuple(reader.number(item, key, 0) for item in items)
        return tuple(reader.text(item, key) for item in items)
    return reader.text(node, key)


def _count_runs(node, key, cases, variants, repetitions):
    """Before a list of them is made."""
    count = len(cases) * len(variants) * repetitions
    if count > MOST_VARIANTS:
        fail(node, key, f"makes {count} runs; expected at most {MOST_VARIANTS}")


def _apply_quick(node, study, quick):
    """Checked always, so that an error in it does not wait for the first quick run."""
    keys = reader.mapping(node, "quick", ("cases", "runs", "options", "repetitions", "limits"))
    cases, variants = study.cases, study.variants
    if "cases" in keys:
        wanted = [_one_of(n, "cases", [c.label for c in cases]) for n in reader.sequence(keys["cases"], "cases")]
        cases = [case for case in cases if case.label in wanted]
    if "runs" in keys:
        wanted = [_one_of(n, "runs", [v.label for v in variants]) for n in reader.sequence(keys["runs"], "runs")]
        variants = [variant for variant in variants if variant.label in wanted]
    options = reader.options(keys["options"], "options") if "options" in keys else {}
    repetitions = reader.number(keys["repetitions"], "repetitions", 1, whole=True) if "repetitions" in keys else None
    limits = _limits(keys["limits"]) if "limits" in keys else None
    _count_runs(node, "quick", cases, variants, repetitions or study.repetitions)
    if not quick:
        return
    study.cases, study.variants, study.late_options = cases, variants, options
    for e in study.expect:  # of a quick study only those that say so, of what is left of it
        e.of = [label for label in e.of if label in [v.label for v in variants]]
        e.cases = [label for label in e.cases if label in [c.label for c in cases]]
    study.repetitions = repetitions or study.repetitions
    study.limits = limits or study.limits


__all__ = ["Study", "StudyError", "read_study"]
