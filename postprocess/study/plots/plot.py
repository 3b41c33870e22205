"""What all plots are made of: a Plot is a name, its parameters with defaults, and a function that draws it.

draw(study, results, parameters) gives a list of parts, each a matplotlib figure or a text of HTML. Results with the same case
and run are repetitions of each other.
"""

import functools
import math
from dataclasses import dataclass
from typing import Callable

import numpy as np

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#222222", "#a5aa99", "#b5651d")
DASHES = ("-", "--", "-.", ":")
LEAST = 1e-17  # what is zero has no place on a logarithmic axis


@dataclass(frozen=True)
class Plot:
    name: str
    summary: str
    parameters: dict
    draw: Callable


class NothingToPlot(Exception):
    """The runs have not left what the plot needs; the text says what that is."""


@functools.lru_cache(maxsize=None)
def pyplot():
    """matplotlib takes a second to import, and a study file that is refused needs none."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({
        "font.size": 9, "font.family": "sans-serif", "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.6,
        "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "svg.fonttype": "none"})
    return plt


def style(i):
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i // len(COLOURS) % len(DASHES)]}


def cases_of(results):
    return list(dict.fromkeys(result.case for result in results))


def labels_of(results):
    return list(dict.fromkeys(result.label for result in results))


def chosen(results, parameters):
    """The results of the runs and cases that the plot is asked for; all without being asked."""
    runs = [name for name in parameters.get("runs", ()) if name]
    cases = [name for name in parameters.get("cases", ()) if name]
    found = [r for r in results if (not runs or r.label in runs) and (not cases or r.case in cases)]
    if not found:
        raise NothingToPlot("none of its runs is in this study")
    return found


def panels(count, columns=3, width=3.6, height=2.8, **keywords):
    columns = min(columns, count)
    rows = math.ceil(count / columns)
    figure, axes = pyplot().subplots(rows, columns, figsize=(max(4.2, width * columns), height * rows + 0.5), squeeze=False, **keywords)
    for axis in axes.flat[count:]:
        axis.set_visible(False)
    return figure, list(axes.flat[:count])


def legend_below(figure, axes):
    """One legend for all panels."""
    entries = {}
    for axis in axes:
        handles, labels = axis.get_legend_handles_labels()
        entries.update(zip(labels, handles))
    if entries:
        longest = max(len(label) for label in entries)
        columns = max(1, min(len(entries), int(figure.get_figwidth() * 13 / (longest + 6))))
        rows = math.ceil(len(entries) / columns)
        figure.tight_layout(rect=(0, 0.19 * rows / figure.get_figheight(), 1, 1))
        figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=columns)
    else:
        figure.tight_layout()


def bands(histories):
    """First quartile, median, third quartile at every iteration; a history that ended keeps its last value."""
    length = max(len(history) for history in histories)
    filled = np.array([np.pad(history, (0, length - len(history)), mode="edge") for history in histories])
    filled = np.where(np.isfinite(filled), filled, np.inf)
    with np.errstate(invalid="ignore"):
        return [np.quantile(filled, q, axis=0, method="nearest") for q in (0.25, 0.5, 0.75)]


def visible(values):
    """For a logarithmic axis: nothing that is not finite, nothing below LEAST."""
    values = np.asarray(values, dtype=float)
    return np.where(np.isfinite(values), np.maximum(values, LEAST), np.nan)
