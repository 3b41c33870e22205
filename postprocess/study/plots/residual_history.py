"""Error against iterations: the median over all steps with a band from the first to the third quartile, a panel per case.

Per Newton iteration (newton.csv) or per linear iteration (linear.csv, with `tables: [linear]`). Of linear solves the residual
is divided by its first value; `first: true` takes the first solve of the first step only: one linear sub-problem.
"""

import numpy as np

from study.plots.plot import NothingToPlot, Plot, bands, cases_of, chosen, labels_of, legend_below, panels, style, visible

UNITS = {"velocity_error": "m/s", "momentum_residual": "√J", "natural_map": "N s", "function_norm": "√J"}


def _histories(result, column, table, contacts):
    """Without those of steps in which nothing was to be solved; with `contacts` only those of steps with contacts."""
    histories = result.histories(column, table)
    if table == "linear":
        return histories
    left_out = result.steps_without_contacts if contacts else result.free_steps
    return [h for step, h in zip(result.step_numbers(), histories) if step not in left_out]


def draw(study, results, parameters):
    results = chosen(results, parameters)
    linear = parameters["per"] == "linear"
    table = "linear" if linear else "newton"
    column = parameters["column"] or ("residual" if linear else "velocity_error")
    figure, axes = panels(len(cases_of(results)))
    drawn = 0
    for axis, case in zip(axes, cases_of(results)):
        for i, label in enumerate(labels_of(results)):
            found = [_histories(r, column, table, parameters["contacts"]) for r in results if (r.case, r.label) == (case, label)]
            histories = [h for all_of_run in found for h in (all_of_run[:1] if parameters["first"] else all_of_run) if len(h)]
            if not histories:
                continue
            if linear:
                histories = [h / h[0] if h[0] > 0 else h for h in histories]
            low, middle, high = (visible(v) for v in bands(histories))
            x = np.arange(len(middle))
            axis.semilogy(x, middle, label=label, **style(i), linewidth=1.4, marker="." if len(x) < 30 else None, markersize=4)
            if len(histories) > 1:
                axis.fill_between(x, low, high, color=style(i)["color"], alpha=0.15, linewidth=0)
            drawn += 1
        axis.set_title(case)
        axis.set_xlabel("linear iteration" if linear else "Newton iteration")
        if parameters["iterations"]:
            axis.set_xlim(0, parameters["iterations"])
    if not drawn:
        raise NothingToPlot(f"no run has a column '{column}' in {table}.csv" + (" (`tables: [linear]`)" if linear else ""))
    unit = "over its start" if linear else UNITS.get(column, "")
    axes[0].set_ylabel(f"{column.replace('_', ' ')} [{unit}]" if unit else column)
    legend_below(figure, axes)
    return [figure]


PLOT = Plot("residual_history", "error per Newton or linear iteration, median and quartiles over the steps",
            {"per": "newton", "column": "", "first": False, "iterations": 0, "contacts": False, "runs": ("",), "cases": ("",)}, draw)
