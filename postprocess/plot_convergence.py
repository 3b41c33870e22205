#!/usr/bin/python3
"""Draws how well a run was solved, or compares several.

    plot_convergence.py OUTPUT_DIR [OUTPUT_DIR ...] [-o FILE.png]

Left: the velocity error per Newton iteration (newton.csv), median and quartiles over all steps; a step that has ended
keeps its last value, so that steps which need few iterations count to the end. Where more than half of the steps have
ended the median is thin. Right: the relative natural map, the
penetration and the momentum residual over time (steps.csv). Values of exactly zero cannot be drawn on a logarithmic
axis and are left out. Runs are labelled by the solver options in which they differ. Without -o the picture is
convergence.png in the first directory; the ending of FILE chooses the format (png, pdf, svg).
"""

import argparse
import os
import sys

import run_record

try:
    import numpy as np
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter
except ImportError as error:
    run_record.leave("plot_convergence.py", f"{error}; scripts/setup.sh installs it for /usr/bin/python3", 77)

# Okabe and Ito's colours, told apart with every kind of colour vision, in an order of good contrast on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLE = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 11,
    "axes.titlesize": 11.5, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlepad": 9,
    "axes.labelsize": 11, "axes.labelcolor": "#333333", "axes.edgecolor": "#888888", "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": True, "axes.grid.axis": "y", "grid.color": "#E6E6E6", "grid.linewidth": 0.8,
    "xtick.color": "#888888", "ytick.color": "#888888", "xtick.labelcolor": "#333333", "ytick.labelcolor": "#333333",
    "xtick.direction": "out", "ytick.direction": "out", "legend.frameon": False,
    "lines.solid_capstyle": "round", "savefig.dpi": 160, "svg.hashsalt": "clarke",
}
RESIDUALS = (  # column of steps.csv, title with unit
    ("natural_map_relative", "Natural map of the contact law, relative"),
    ("penetration", "Penetration [m]"),
    ("momentum_residual", "Momentum residual [\u221aJ]"),
)
SMALLEST = 1e-18  # axes do not go below: smaller values are rounding and would squeeze the others


def errors_by_iteration(newton):
    """One row per step, one column per iteration; a step that has ended keeps its last value. And which values are so kept."""
    step, iteration = np.array(newton["step"], int), np.array(newton["iteration"], int)
    error = np.array(newton["velocity_error"])
    if step.size == 0:
        return np.empty((0, 0)), np.empty((0, 0), bool)
    steps, row = np.unique(step, return_inverse=True)
    table = np.full((steps.size, iteration.max() + 1), np.nan)
    table[row, iteration] = error
    kept = np.arange(table.shape[1]) > np.array([iteration[step == s].max() for s in steps])[:, None]
    for column in range(1, table.shape[1]):
        gap = np.isnan(table[:, column])
        table[gap, column] = table[gap, column - 1]
    return table, kept


def positive(values):
    """Zero, infinite and undefined values as gaps."""
    values = np.array(values, float)
    return np.where(np.isfinite(values) & (values > 0), values, np.nan)


def log_axis(axis):
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    low = min(max(low, SMALLEST), high / 10)
    axis.set_ylim(low, high)
    # Less than two decades: widen, so that rounding does not look like a result.
    if high / low < 100:
        middle = np.sqrt(low * high)
        axis.set_ylim(middle / 10, middle * 10)
    axis.yaxis.set_major_locator(LogLocator(numticks=7))
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.tick_params(which="minor", left=False)
    axis.tick_params(length=3)


def say(axis, text):
    axis.set_yticks([])
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axis.grid(False)
    axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color="#888888")


def draw_iterations(axis, records, names):
    drawn = False
    for record, colour, name in zip(records, COLOURS, names):
        table, kept = errors_by_iteration(record.newton())
        table = positive(table)
        some = np.isfinite(table).any(axis=1) if table.size else np.empty(0, bool)
        if not some.any():
            continue
        table, kept = table[some], kept[some]
        iterations = np.flatnonzero(np.isfinite(table).any(axis=0))
        low, median, high = np.nanpercentile(table[:, iterations], (25, 50, 75), axis=0)
        axis.fill_between(iterations, low, high, color=colour, alpha=0.16, linewidth=0)
        half = 1 + np.flatnonzero(kept[:, iterations].mean(axis=0) <= 0.5).max()
        axis.plot(iterations[:half], median[:half], color=colour, linewidth=2, marker="o", markersize=4.5, label=name)
        axis.plot(iterations[half - 1:], median[half - 1:], color=colour, linewidth=0.8, alpha=0.6)
        # The first step starts from nothing; later ones may start warm, where there is little left to converge.
        first = table[0]
        axis.plot(np.flatnonzero(np.isfinite(first)), first[np.isfinite(first)], color=colour, linewidth=1.2,
                  linestyle="--", marker=".", markersize=5)
        drawn = True
    axis.set_title("Velocity error of the iterates [m/s]")
    axis.set_xlabel("Newton iteration\nmedian and quartiles of the steps, thin: most have ended\ndashed: the first step",
                    linespacing=1.5)
    if not drawn:
        say(axis, "no iterations recorded")
        return
    log_axis(axis)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10))


def draw_residual(axis, records, column, title):
    drawn = False
    for record, colour in zip(records, COLOURS):
        steps = record.steps()
        time, values = np.array(steps["time"]), positive(steps[column])
        if np.isfinite(values).any():
            # Isolated values between zeros would be invisible as a line.
            alone = np.isfinite(values) & np.isnan(np.r_[np.nan, values[:-1]]) & np.isnan(np.r_[values[1:], np.nan])
            axis.plot(time, values, color=colour, linewidth=1.2, alpha=0.9)
            axis.plot(time[alone], values[alone], ".", color=colour, markersize=4)
            drawn = True
        for t in time[~np.isfinite(steps[column])]:  # steps that failed
            axis.axvline(t, color=colour, linewidth=1, linestyle=":")
    axis.set_title(title)
    if drawn:
        log_axis(axis)
    else:
        say(axis, "zero throughout" if any(record.steps()["time"] for record in records) else "no steps recorded")


def draw(records):
    plt.rcParams.update(STYLE)
    names = run_record.labels(records)
    figure = plt.figure(figsize=(11.5, 6.4), facecolor="white", layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.06, wspace=0.05)
    grid = figure.add_gridspec(len(RESIDUALS), 2, width_ratios=(1, 1.15))
    iterations = figure.add_subplot(grid[:, 0])
    draw_iterations(iterations, records, names)
    first = None
    for i, (column, title) in enumerate(RESIDUALS):
        axis = figure.add_subplot(grid[i, 1], sharex=first)
        first = first or axis
        draw_residual(axis, records, column, title)
        axis.tick_params(labelbottom=i == len(RESIDUALS) - 1)
    axis.set_xlabel("time [s]")
    first.margins(x=0.01)
    cases = list(dict.fromkeys(record.case for record in records))
    figure.suptitle(", ".join(cases).replace("_", " "), x=0.012, y=0.985, ha="left", va="top", fontsize=14,
                    fontweight="bold")
    if len(records) > 1:
        handles = [plt.Line2D([], [], color=colour, linewidth=2.5) for colour in COLOURS[:len(records)]]
        columns = 4 if max(map(len, names)) < 30 else 2 if max(map(len, names)) < 60 else 1
        figure.legend(handles, names, loc="upper left", bbox_to_anchor=(0.003, 0.95), ncol=columns, columnspacing=2)
        # The legend stands between the title and the axes, outside of what the layout arranges.
        figure.get_layout_engine().set(rect=(0, 0, 1, 0.915 - 0.04 * -(-len(names) // columns)))
    else:
        figure.get_layout_engine().set(rect=(0, 0, 1, 0.94))
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directories", nargs="+", metavar="OUTPUT_DIR")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: convergence.png in the first OUTPUT_DIR")
    arguments = parser.parse_args()
    if len(arguments.directories) > len(COLOURS):
        parser.error(f"at most {len(COLOURS)} runs can be told apart in one picture")
    records = run_record.open_or_exit("plot_convergence.py", arguments.directories)
    output = arguments.output or os.path.join(arguments.directories[0], "convergence.png")
    try:
        draw(records).savefig(output)
    except (run_record.RecordError, OSError, ValueError) as error:
        run_record.leave("plot_convergence.py", error)
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
