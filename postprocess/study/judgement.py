"""Whether what a study expects came out: judged on medians, over the steps of a history and over the repetitions of a run.

An expectation is judged for every case and run that it is of, and holds when it holds for all of them; the one that is furthest
off is shown. A figure that is missing never holds.
"""

import json
import os
from dataclasses import dataclass

import numpy as np

from study.expectation import LINEAR
from study.plots.plot import bands

ENDED = ("ok", "ended")
TOGETHER = "all cases"  # in the place of one, with `together`


@dataclass
class Judgement:
    expectation: object
    held: bool = False
    value: object = None   # of the case and run that is furthest off
    other: object = None   # what it was compared with
    at: str = ""           # "arch, PCR"
    reason: str = ""       # where nothing could be judged

    def text(self):
        got = self.reason or f"got {_figure(self.value)}" + (f", the other {_figure(self.other)}" if self.other is not None else "")
        return f"{'held' if self.held else 'FAILED'}: {self.expectation.name}: {self.expectation.text()}; {got}" + \
               (f" ({self.at})" if self.at else "")


class NoFigure(Exception):
    """Nothing to judge, and why."""


def _figure(value):
    return f"{value:.4g}" if isinstance(value, (int, float, np.floating)) else str(value)


def _repetitions(results, case, label):
    found = [r for r in results if (r.case, r.label) == (case, label) and r.record]
    if not found:
        raise NoFigure("was not run")
    return found


def curve(results, e, case, label):
    """Median over the steps (solves) of all repetitions, iteration by iteration; of linear solves over their start."""
    linear = e.quantity in LINEAR
    histories = []
    for r in _repetitions(results, case, label):
        found = r.histories(e.quantity, "linear" if linear else "newton")
        if not linear:
            left_out = r.steps_without_contacts if e.contacts else r.free_steps
            found = [h for step, h in zip(r.step_numbers(), found) if step not in left_out]
        histories += found[:1] if e.first else found
    histories = [h / h[0] if linear and h[0] > 0 else h for h in histories if len(h)]
    if not histories:
        raise NoFigure(f"has no history of {e.quantity}")
    return bands(histories)[1]


def _of_curve(values, e):
    if e.reaches is not None:
        below = np.flatnonzero(values <= e.reaches)
        return float(below[0]) if len(below) else float("inf")
    if e.at == "growth":
        before, after = values[max(e.start, 1) - 1:-1], values[max(e.start, 1):]
        steps = (after / np.maximum(before, 1e-300))[before > e.until]
        return float(np.max(steps)) if len(steps) else 0.0
    if e.at.isdigit():
        return float(values[min(int(e.at), len(values) - 1)])
    return float({"end": lambda v: v[-1], "max": np.max, "min": np.min, "always": np.max}[e.at](values))


def figure(results, e, case, label):
    """The one number of a case and a run."""
    if case == TOGETHER:
        return float(np.median([figure(results, e, each, label) for each in e.cases]))
    if e.is_history:
        return _of_curve(curve(results, e, case, label), e)
    if e.correlates:
        return _rank_correlation(_repetitions(results, case, label), e.quantity.partition(":")[2] or e.quantity, e.correlates)
    values = [r.value(e.quantity) for r in _repetitions(results, case, label)]
    values = [v for v in values if isinstance(v, (int, float, np.floating))]
    if not values:
        raise NoFigure(f"has no {e.quantity}")
    return float(np.median(values))


def _rank_correlation(results, column, other):
    """Spearman's, over the steps of all repetitions."""
    pairs = []
    for r in results:
        x, y = r.steps.get(other), r.steps.get(column)
        if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
            pairs += [(a, b) for a, b in zip(x, y) if np.isfinite(a) and np.isfinite(b)]
    if len(pairs) < 3:
        raise NoFigure(f"has no three steps with {column} and {other}")
    ranks = [_ranks(np.array(values)) for values in zip(*pairs)]
    if ranks[0].std() == 0 or ranks[1].std() == 0:
        raise NoFigure(f"has one value of {column} or {other} only")
    return float(np.corrcoef(*ranks)[0, 1])


def _ranks(values):
    """Equal values share the mean of their places."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def _slope(results, e, case):
    points = []
    for label in e.of:
        option = _repetitions(results, case, label)[0].run.options.get(e.against, "")
        try:
            x = float(option)
        except ValueError:
            raise NoFigure(f"has no number for -{e.against}") from None
        y = figure(results, e, case, label)
        if x > 0 and y > 0 and np.isfinite(y):
            points.append((np.log(x), np.log(y)))
    if len({x for x, _ in points}) < 2:
        raise NoFigure(f"has no two points against -{e.against}")
    return float(np.polyfit(*zip(*points), 1)[0])


def outcome_of(result, wanted):
    """converges_in_all, fails, refused, ends, holds: of one run."""
    if wanted == "refused":
        return result.outcome == "bad input"
    if wanted == "holds":
        return result.outcome == "ok"
    if wanted == "ends":
        return result.outcome in ENDED
    all_converged = result.outcome in ENDED and result.value("converged_share") == 1
    return all_converged if wanted == "converges_in_all" else not all_converged and result.outcome != "bad input"


def _outcomes(results, e):
    """Label -> the cases where the outcome is another one. Of repetitions all must have it."""
    return {label: [case for case in e.cases if not all(outcome_of(r, e.outcome) for r in _repetitions(results, case, label))]
            for label in e.of}


def _judge_outcome(results, e):
    others = _outcomes(results, e)
    good = [label for label, cases in others.items() if not cases]
    if e.bounded:
        return Judgement(e, e.excess(len(good)) <= 0, len(good), at=f"of {len(others)} runs")
    bad = [(cases[0], label) for label, cases in others.items() if cases]
    if not bad:
        return Judgement(e, True, e.outcome, at=f"{len(others)} runs, {len(e.cases)} cases")
    return Judgement(e, False, "another outcome", at=", ".join(bad[0]))


def _ordered(e, own, other):
    """(how far off, own, other): of two figures, or of two histories at their worst iteration. More than 0 is wrong."""
    own, other = np.atleast_1d(own), np.atleast_1d(other) * e.factor
    if len(own) > 1 or len(other) > 1:
        length = max(len(own), len(other))
        own, other = (np.pad(v, (0, length - len(v)), mode="edge") for v in (own, other))
        counted = np.arange(length) >= e.start
        counted &= np.minimum(own, other) >= e.until
        own, other = own[counted], other[counted]
        if not len(own):
            raise NoFigure(f"has no iteration from {e.start} on that is above {e.until:g}")
    with np.errstate(divide="ignore", invalid="ignore"):
        wrong = own / other if e.relation == "below" else other / own
    wrong = np.where(np.isfinite(wrong), wrong, np.inf)
    worst = int(np.argmax(wrong))
    return float(wrong[worst]), float(own[worst]), float(other[worst] / e.factor)


def _judge_one(results, e, case, label):
    """(how far off: above 0 is wrong, value, other)."""
    other_case = e.other_case or case
    if e.relation in ("below", "above"):
        if e.is_history and e.at == "always":
            off, own, other = _ordered(e, curve(results, e, case, label), curve(results, e, other_case, e.other))
        else:
            off, own, other = _ordered(e, figure(results, e, case, label), figure(results, e, other_case, e.other))
        return (off if off >= 1 else 0.0), own, other
    if e.is_history and e.at == "always":  # bounds at every iteration
        values = curve(results, e, case, label)[e.start:]
        worst = max(values, key=e.excess) if len(values) else None
        return e.excess(worst), worst, None
    value = figure(results, e, case, label)
    if e.relation == "over":
        other = figure(results, e, other_case, e.other)
        ratio = value / other if other else float("inf") if value else float("nan")
        return e.excess(ratio), ratio, None
    return e.excess(value), value, None


def judge(results, e):
    try:
        if e.outcome:
            return _judge_outcome(results, e)
        if e.against:
            found = [(e.excess(v), v, None, case) for case in e.cases for v in [_slope(results, e, case)]]
        else:
            found = [(*_judge_one(results, e, case, label), f"{case}, {label}") for case in ([TOGETHER] if e.together else e.cases) for label in e.of
                     if (case, label) != (e.other_case or case, e.other)]
    except NoFigure as reason:
        return Judgement(e, reason=f"a run {reason}")
    if not found:
        return Judgement(e, reason="nothing to compare")
    off, value, other, at = max(found, key=lambda one: one[0])
    return Judgement(e, off <= 0, value, other, at)


def judge_all(study, results):
    """Of a quick study those that say `quick: true`, of a full one all."""
    return [judge(results, e) for e in study.expect if e.quick or not study.quick]


def _plain(value):
    """JSON has no infinity."""
    if value is None or isinstance(value, (int, str)):
        return value
    return float(value) if np.isfinite(value) else _figure(value)


def write_record(judgements, directory):
    """expectations.json, whole or not at all."""
    path = os.path.join(directory, "expectations.json")
    records = [{"name": j.expectation.name, "expected": j.expectation.text(), "held": bool(j.held), "at": j.at, "reason": j.reason,
                "value": _plain(j.value)}
               for j in judgements]
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(records, file, indent=1, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".part", path)
