"""The kinds of plots: one file each, one line here."""

from study.plots import (convergence_table, conditioning_scatter, limiting_accuracy, measure_bars, performance_profile, phase_bars,
                         residual_history, sweep_curve, work_precision)

REGISTRY = {plot.name: plot for plot in (
    residual_history.PLOT,
    work_precision.PLOT,
    performance_profile.PLOT,
    phase_bars.PLOT,
    conditioning_scatter.PLOT,
    convergence_table.PLOT,
    sweep_curve.PLOT,
    measure_bars.PLOT,
    limiting_accuracy.PLOT,
)}
