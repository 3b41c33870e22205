"""What must come out of a study, as its file says it: the words of the `expect` of scenes, and those that compare runs.

  - {name: pcr_below_pcg, quantity: residual, of: PCR, below: PCG, at: always}
  - {name: only_the_diagonal, outcome: converges_in_all, of: "* delassus_diagonal", equals: 12, tolerance: 0}

docs/studies.md has the keys. Read and checked before the first run; judged by judgement.py.
"""

import fnmatch
import re
from dataclasses import dataclass, field

from study import measures
from study import yaml_reader as reader
from study.yaml_reader import fail, nearest

KEYS = ("name", "quantity", "of", "cases", "below", "above", "over", "in", "factor", "at", "first", "contacts", "from", "until",
        "reaches", "against", "correlates", "together", "outcome", "equals", "tolerance", "min", "max", "beside", "quick")
NEWTON = ("velocity_error", "momentum_residual", "natural_map", "function_norm")  # histories of newton.csv
LINEAR = ("residual",)  # and of linear.csv
WHEN = ("end", "max", "min", "always", "growth")
OUTCOMES = ("converges_in_all", "fails", "refused", "ends", "holds")
COMPARISONS = ("below", "above", "over")


@dataclass
class Expectation:
    name: str
    quantity: str = ""
    outcome: str = ""
    of: list = field(default_factory=list)      # labels of runs
    cases: list = field(default_factory=list)   # labels of cases
    relation: str = ""                          # "", below, above or over
    other: str = ""                             # the run that is compared with ...
    other_case: str = ""                        # ... in another case
    factor: float = 1
    at: str = "end"                             # of a history; a number: that iteration
    first: bool = False
    contacts: bool = False
    start: int = 1
    until: float = 0
    reaches: float = None
    against: str = ""
    correlates: str = ""
    together: bool = False                      # one figure of all cases: their median
    equals: float = None
    tolerance: float = None
    min: float = None
    max: float = None
    beside: str = ""
    quick: bool = False
    where: str = ""

    @property
    def bounded(self):
        return self.equals is not None or self.min is not None or self.max is not None

    @property
    def is_history(self):
        return self.quantity in NEWTON + LINEAR

    def bounds_text(self):
        if self.equals is not None:
            return f"{self.equals:g} ± {self.tolerance:g}"
        if self.min is not None and self.max is not None:
            return f"in [{self.min:g}, {self.max:g}]"
        return f"at least {self.min:g}" if self.min is not None else f"at most {self.max:g}"

    def text(self):
        """One line for people: "residual of PCR at every iteration: below that of PCG"."""
        if self.outcome:
            return f"runs with outcome {self.outcome}: {self.bounds_text()}" if self.bounded else f"outcome: {self.outcome}"
        what = self.quantity.replace("_", " ")
        if self.reaches is not None:
            what = f"iterations until {what} is below {self.reaches:g}"
        elif self.is_history:
            what += {"always": " at every iteration", "growth": ", largest factor from one iteration to the next",
                     "max": ", largest over its start" if self.quantity in LINEAR else ", largest", "min": ", least",
                     "end": " at the end"}.get(self.at, f" at iteration {self.at}")
        if self.together:
            what = f"median over {len(self.cases)} cases of {what}"
        if self.against:
            what = f"slope of {what} against {self.against} (both logarithmic)"
        if self.correlates:
            what = f"rank correlation of {what} with {self.correlates.replace('_', ' ')}"
        whose = (f"that of {self.other}" if self.other else "that") + (f" in {self.other_case}" if self.other_case else "")
        if self.relation in ("below", "above"):
            return f"{what}: {self.relation} {f'{self.factor:g} times ' if self.factor != 1 else ''}{whose}"
        if self.relation == "over":
            return f"{what} over {whose}: {self.bounds_text()}"
        return f"{what}: {self.bounds_text()}"

    def excess(self, value):
        """How far `value` is outside of the bounds; infinite for what is not a number."""
        if value is None or value != value:
            return float("inf")
        outside = 0.0
        if self.equals is not None:
            outside = max(outside, abs(value - self.equals) - self.tolerance)
        if self.min is not None:
            outside = max(outside, self.min - value)
        if self.max is not None:
            outside = max(outside, value - self.max)
        return outside


def _chosen(node, key, labels):
    """Labels by name or by pattern ("* delassus_diagonal"), each of which must mean something."""
    items = [node] if not hasattr(node, "value") or isinstance(node.value, str) else reader.sequence(node, key)
    found = []
    for item in items:
        pattern = reader.text(item, key)
        matching = [label for label in labels if label == pattern] or fnmatch.filter(labels, pattern)
        if not matching:
            fail(item, key, f"nothing is called '{pattern}'{nearest(pattern, labels)}")
        found += [label for label in matching if label not in found]
    return found


def _one(node, key, labels):
    value = reader.text(node, key)
    if value not in labels:
        fail(node, key, f"nothing is called '{value}'{nearest(value, labels)}")
    return value


def _quantity(node):
    name = reader.text(node, "quantity")
    if name in NEWTON + LINEAR:
        return name
    problem = measures.unknown(name)
    if problem and ":" not in name:
        known = (*NEWTON, *LINEAR, *measures.known())
        problem = f"unknown quantity '{name}'{nearest(name, known)}"
    if problem:
        fail(node, "quantity", problem)
    return name


def _at(node):
    word = reader.text(node, "at")
    if word not in WHEN and not word.isdigit():
        fail(node, "at", f"expected a whole number (an iteration) or one of {', '.join(WHEN)}, got '{word}'")
    return word


def _finite(node, key):
    """A number of any sign."""
    return reader.number(node, key, float("-inf"))


def _check_bounds(node, e):
    """The same words as for the expectations of scenes."""
    needs = not e.outcome and e.relation not in ("below", "above")
    if needs and not e.bounded:
        fail(node, "expect", "expected `equals` with `tolerance`, `min` or `max`, or `below` or `above` a run")
    if e.relation in ("below", "above") and e.bounded:
        fail(node, e.relation, "is an ordering, which takes no `equals`, `min` or `max`; bounds of a ratio go with `over`")
    if e.equals is not None and (e.min is not None or e.max is not None):
        fail(node, "equals", "expected either `equals` or `min` and `max`, not both")
    if e.equals is not None and e.tolerance is None:
        fail(node, "tolerance", "missing; it is required with `equals`")
    if e.tolerance is not None and e.equals is None:
        fail(node, "tolerance", "belongs to `equals`, which is missing")
    if e.min is not None and e.max is not None and e.min > e.max:
        fail(node, "min", f"expected at most `max`, which is {e.max:g}, got {e.min:g}")


def _check_kind(node, keys, e):
    if bool(e.quantity) == bool(e.outcome):
        fail(node, "expect", "expected either `quantity` or `outcome`")
    if sum(name in keys for name in COMPARISONS) > 1:
        fail(node, "expect", "expected one of `below`, `above` and `over`")
    if "in" in keys and not e.relation:
        fail(keys["in"], "in", "is the case of the run that is compared with; expected `below`, `above` or `over`")
    if "factor" in keys and e.relation not in ("below", "above"):
        fail(keys["factor"], "factor", "belongs to `below` and `above`")
    for name in ("at", "first", "contacts", "from", "until", "reaches"):
        if name in keys and not e.is_history:
            fail(keys[name], name, f"is of a history; expected one of {', '.join(NEWTON + LINEAR)} as `quantity`")
    if e.at == "always" and not e.relation and not e.bounded:
        fail(keys["at"], "at", "`always` compares, or has bounds")
    if "reaches" in keys and "at" in keys:
        fail(keys["at"], "at", "`reaches` says already when; expected no `at`")
    if e.outcome:
        for name in (*COMPARISONS, "against", "correlates", "together"):
            if name in keys:
                fail(keys[name], name, "does not go with `outcome`")
    if e.together and ("in" in keys or e.against or e.correlates or e.at == "always"):
        fail(keys["together"], "together", "does not go with `in`, `against`, `correlates` and `at: always`")
    if e.against and e.correlates:
        fail(keys["against"], "against", "does not go with `correlates`")


def _read(node, study, shown):
    keys = reader.mapping(node, "expect", KEYS)
    if "name" not in keys:
        fail(node, "name", "is missing: what docs/claims.yaml calls it")
    e = Expectation(reader.text(keys["name"], "name"), where=reader.place(node))
    if not re.fullmatch(r"[a-z][a-z0-9_]*", e.name):
        fail(keys["name"], "name", f"expected small letters, digits and _, got '{e.name}'")
    labels, cases = [v.label for v in study.variants], [c.label for c in study.cases]
    if "quantity" in keys:
        e.quantity = _quantity(keys["quantity"])
    if "outcome" in keys:
        e.outcome = reader.text(keys["outcome"], "outcome")
        if e.outcome not in OUTCOMES:
            fail(keys["outcome"], "outcome", f"unknown outcome '{e.outcome}'{nearest(e.outcome, OUTCOMES)}")
    e.of = _chosen(keys["of"], "of", labels) if "of" in keys else labels
    e.cases = _chosen(keys["cases"], "cases", cases) if "cases" in keys else cases
    for name in COMPARISONS:
        if name in keys:
            e.relation, e.other = name, _one(keys[name], name, labels)
    if "in" in keys:
        e.other_case = _one(keys["in"], "in", cases)
    if "at" in keys:
        e.at = _at(keys["at"])
    for name in ("first", "contacts", "together", "quick"):
        if name in keys:
            setattr(e, name, reader.flag(keys[name], name))
    if "from" in keys:
        e.start = reader.number(keys["from"], "from", 0, whole=True)
    for name in ("factor", "until", "reaches"):
        if name in keys:
            setattr(e, name, reader.number(keys[name], name, 0))
    for name in ("equals", "min", "max"):
        if name in keys:
            setattr(e, name, _finite(keys[name], name))
    if "tolerance" in keys:
        e.tolerance = reader.number(keys["tolerance"], "tolerance", 0)
    if "against" in keys:
        swept = sorted({name for v in study.variants for name in v.options} | {n for c in study.cases for n in c.options})
        e.against = _one(keys["against"], "against", swept)
    if "correlates" in keys:
        e.correlates = reader.text(keys["correlates"], "correlates")
    if "beside" in keys:
        e.beside = _one(keys["beside"], "beside", shown)
    _check_kind(node, keys, e)
    _check_bounds(node, e)
    return e


def read_expectations(node, study):
    shown = [request.title or request.name for request in study.plots]
    found = []
    for entry in reader.sequence(node, "expect"):
        e = _read(entry, study, shown)
        if any(e.name == other.name for other in found):
            fail(entry, "name", f"two expectations are called '{e.name}'")
        found.append(e)
    return found
