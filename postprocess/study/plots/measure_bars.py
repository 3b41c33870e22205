"""Any measure as bars, a panel per measure and case, a bar per run: the median over the repetitions."""

import numpy as np

from study.plots.plot import COLOURS, NothingToPlot, Plot, cases_of, chosen, labels_of, panels


def draw(study, results, parameters):
    results = chosen(results, parameters)
    labels = labels_of(results)
    pairs = [(case, name) for name in parameters["measures"] if name for case in cases_of(results)]
    figure, axes = panels(len(pairs), columns=2, width=4.6, height=0.24 * len(labels) + 1.0)
    drawn = 0
    for axis, (case, name) in zip(axes, pairs):
        values = []
        for label in labels:
            found = [r.value(name) for r in results if (r.case, r.label) == (case, label)]
            found = [v for v in found if isinstance(v, (int, float)) and np.isfinite(v)]
            values.append(float(np.median(found)) if found else np.nan)
        drawn += np.count_nonzero(np.isfinite(values))
        axis.barh(range(len(labels)), np.nan_to_num(values), color=COLOURS[0], height=0.7)
        for k, v in enumerate(values):
            axis.text(0 if np.isnan(v) else v, k, " none" if np.isnan(v) else f" {v:.3g}", va="center", fontsize=8)
        good = [v for v in values if np.isfinite(v) and v > 0]
        if good and max(good) > 100 * min(good):
            axis.set_xscale("log")
        axis.margins(x=0.15)
        axis.set_yticks(range(len(labels)), labels)
        axis.invert_yaxis()
        axis.grid(axis="y", visible=False)
        axis.set_title(case)
        axis.set_xlabel(name.replace("_", " "))
    if not drawn:
        raise NothingToPlot(f"no run has the measures {', '.join(parameters['measures'])}")
    figure.tight_layout()
    return [figure]


PLOT = Plot("measure_bars", "any measure as bars", {"measures": ("newton_iterations_mean",), "runs": ("",), "cases": ("",)}, draw)
