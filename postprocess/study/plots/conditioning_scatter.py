"""How hard a step is against what it took: any column of steps.csv (problems.csv) against another, a point per step. With
-conditioning true the columns of the conditioning card are among them: contact_density, rank_ratio, eigenvalue_max, mass_ratio ..."""

import numpy as np

from study.plots.plot import COLOURS, NothingToPlot, Plot, chosen, labels_of, legend_below, panels


def draw(study, results, parameters):
    results = chosen(results, parameters)
    columns, y = [name for name in parameters["x"] if name], parameters["y"]
    figure, axes = panels(len(columns))
    drawn = 0
    for axis, x in zip(axes, columns):
        for i, label in enumerate(labels_of(results)):
            pairs = [(r.steps[x], r.steps[y]) for r in results if r.label == label
                     and isinstance(r.steps.get(x), np.ndarray) and isinstance(r.steps.get(y), np.ndarray)]
            if not pairs:
                continue
            drawn += 1
            across, up = (np.concatenate(values) for values in zip(*pairs))
            axis.plot(across, up, linestyle="", marker="o", markersize=3, alpha=0.5, label=label, color=COLOURS[i % len(COLOURS)])
            positive = across[np.isfinite(across) & (across > 0)]
            if len(positive) and positive.max() > 100 * positive.min():
                axis.set_xscale("log")
        axis.set_xlabel(x.replace("_", " "))
        axis.set_ylabel(y.replace("_", " "))
    if not drawn:
        raise NothingToPlot(f"no run has columns {', '.join(columns)} and {y}")
    legend_below(figure, axes)
    return [figure]


PLOT = Plot("conditioning_scatter", "any column of a step against what it took",
            {"x": ("contacts",), "y": "newton_iterations", "runs": ("",), "cases": ("",)}, draw)
