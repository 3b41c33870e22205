"""Performance profiles [Dolan Moré 2002]: the share of problems that a solver brings below a tolerance at no more than τ times
the cost of the best. A problem is a step of a scene, or a captured problem; the cost is read from the histories, so one run
serves all tolerances:

  iterations   Newton iterations to the tolerance      products   linear iterations until then
  seconds      the step's solve time, times the share of its iterations

The curves begin with the share of problems a solver is best on, and end with the share it solves. In a scene every run walks on
from its own solutions: compare runs by profiles only where these agree, or use captured problems.
"""

import numpy as np

from study.plots.plot import NothingToPlot, Plot, chosen, labels_of, legend_below, panels, style


def costs_of(result, column, tolerance, cost):
    """(case, step) -> cost to the tolerance, infinite where it is not reached."""
    costs = {}
    data = result.newton
    if column not in data:
        return costs
    seconds = dict(zip(result.steps.get("step", ()), result.steps.get("seconds_solve", ())))
    for step, errors, linear in zip(result.step_numbers(), result.histories(column), result.histories("linear_iterations")):
        if step in result.free_steps:
            continue
        reached = np.flatnonzero(errors <= tolerance)
        value = np.inf
        if len(reached):
            at = reached[0]
            if cost == "iterations":
                value = max(1.0, float(at))
            elif cost == "products":
                value = max(1.0, float(np.sum(linear[:at])))
            else:
                value = seconds.get(step, np.inf) * max(1, at) / max(1, len(errors) - 1)
        costs[(result.case, step)] = value
    return costs


def profile(costs, labels, problems):
    """label -> (ratios in order, share), all of the problems counted."""
    table = np.array([[costs[label].get(problem, np.inf) for problem in problems] for label in labels])
    best = table.min(axis=0)
    solvable = np.isfinite(best)
    curves = {}
    for label, row in zip(labels, table):
        ratios = np.sort(row[solvable] / best[solvable])
        ratios = ratios[np.isfinite(ratios)]
        curves[label] = (ratios, np.arange(1, len(ratios) + 1) / len(problems))
    return curves


def draw(study, results, parameters):
    results = chosen(results, parameters)
    labels, tolerances = labels_of(results), parameters["tolerances"]
    figure, axes = panels(len(tolerances))
    for axis, tolerance in zip(axes, tolerances):
        costs = {label: {} for label in labels}
        for result in results:
            for problem, value in costs_of(result, parameters["column"], tolerance, parameters["cost"]).items():
                costs[result.label].setdefault(problem, []).append(value)
        costs = {label: {p: float(np.median(v)) for p, v in found.items()} for label, found in costs.items()}
        problems = list(dict.fromkeys(p for found in costs.values() for p in found))
        if not problems:
            raise NothingToPlot(f"no run has a column '{parameters['column']}' in newton.csv")
        curves = profile(costs, labels, problems)
        right = max([2.0] + [c[0][-1] for c in curves.values() if len(c[0])])
        for i, label in enumerate(labels):
            ratios, share = curves[label]
            x, y = np.concatenate(([1], ratios, [right * 1.1])), np.concatenate(([0], share, share[-1:] if len(share) else [0]))
            axis.step(x, y, where="post", label=label, linewidth=1.4, **style(i))
        axis.set_xscale("log", base=2)
        axis.set_xlim(1, right * 1.1)
        axis.set_ylim(-0.02, 1.02)
        axis.set_title(f"to {tolerance:g}, {len(problems)} problems")
        axis.set_xlabel(f"{parameters['cost']} over the best, τ")
    axes[0].set_ylabel("share of the problems")
    legend_below(figure, axes)
    return [figure]


PLOT = Plot("performance_profile", "share of the problems solved within τ times the cost of the best",
            {"column": "velocity_error", "tolerances": (1e-4, 1e-6, 1e-8), "cost": "iterations", "runs": ("",), "cases": ("",)}, draw)
