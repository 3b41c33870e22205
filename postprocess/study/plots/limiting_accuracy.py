"""How far Newton gets in finite precision, against what theory predicts [Tisseur 2001; thesis eqs. 102-103], in the maximum norm:

  ‖r‖ ≈ ‖A*‖ ‖x*‖ δ        ‖Δx‖ ≈ ‖A*⁻¹‖ ν + ‖x*‖ δ,  ν = δ ‖r‖ at the end

r = F in √J, scaled as PETSc sees it; x = (u⁺, Λ); A* the Jacobian at the last iterate; δ = 2.2e-16 (doubles). Redundant contacts
leave part of Λ undetermined: A*⁻¹ is the pseudo-inverse, and steps are taken without their part in the null space of A*.

Needs the runs' own files, for one step of a small scene:
  -snes_monitor_solution binary:{output}/iterates.bin
  -snes_test_jacobian true -snes_test_jacobian_view binary:{output}/jacobian.bin
"""

import os

import numpy as np

from study.petsc_binary import read_objects
from study.plots.plot import NothingToPlot, Plot, cases_of, chosen, labels_of, legend_below, panels, style, visible

RANK = 1e-11  # singular values below this share of the largest count as zero: far above rounding, far below the shift


def figures(result):
    """(‖F‖₂ per iterate, ‖Δx‖∞ per iterate, bound of r, bound of Δx), or None."""
    files = [os.path.join(result.run.directory, name) for name in ("iterates.bin", "jacobian.bin")]
    residuals = result.histories("function_norm")
    if not all(os.path.isfile(file) for file in files) or not residuals:
        return None
    iterates = read_objects(files[0])
    matrices = [m for m in read_objects(files[1]) if m.ndim == 2]  # hand-coded, by differences, difference
    if len(iterates) < 2 or not matrices or not np.all(np.isfinite(matrices[0])):
        return None
    left, values, right = np.linalg.svd(matrices[0])
    rank = int(np.count_nonzero(values > RANK * values[0]))
    inverse = right[:rank].T @ np.diag(1 / values[:rank]) @ left[:, :rank].T
    determined = right[:rank].T @ right[:rank]
    steps = [float(np.max(np.abs(determined @ (b - a)))) for a, b in zip(iterates, iterates[1:])]
    delta = np.finfo(float).eps
    size = float(np.max(np.abs(determined @ iterates[-1])))
    norm, inverse_norm = (float(np.max(np.abs(m).sum(axis=1))) for m in (matrices[0], inverse))
    residual = float(np.min(residuals[0]))
    return residuals[0], steps, norm * size * delta, inverse_norm * delta * residual + size * delta


def draw(study, results, parameters):
    results = chosen(results, parameters)
    cases = cases_of(results)
    figure, axes = panels(2 * len(cases), columns=2, width=4.2)
    drawn = 0
    for k, case in enumerate(cases):
        for i, label in enumerate(labels_of(results)):
            found = [f for r in results if (r.case, r.label) == (case, label) and (f := figures(r))]
            if not found:
                continue
            drawn += 1
            for axis, values, bound in ((axes[2 * k], found[0][0], found[0][2]), (axes[2 * k + 1], found[0][1], found[0][3])):
                axis.semilogy(visible(values), label=label, marker=".", linewidth=1.2, **style(i))
                axis.axhline(max(bound, 1e-18), color=style(i)["color"], linestyle=(0, (5, 3)), linewidth=0.9)
        axes[2 * k].set_title(f"{case}: residual")
        axes[2 * k].set_ylabel("‖F‖ [√J]")
        axes[2 * k + 1].set_title(f"{case}: step")
        axes[2 * k + 1].set_ylabel("‖Δx‖∞ [m/s, rad/s, N s]")
        for axis in axes[2 * k:2 * k + 2]:
            axis.set_xlabel("Newton iteration")
    if not drawn:
        raise NothingToPlot("no run has left iterates.bin and jacobian.bin")
    legend_below(figure, axes)
    return [figure, "<p>Dashed: the predicted limits, in the colour of their run.</p>"]


PLOT = Plot("limiting_accuracy", "residual and step size per iteration with the limits that rounding predicts",
            {"runs": ("",), "cases": ("",)}, draw)
