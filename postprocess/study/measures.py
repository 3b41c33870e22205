"""Figures of a run by name: how it ended, its summary, aggregates of its steps, and a few that are computed from its files.

  velocity_error_last ...   COMPUTED, below          max:penetration   an aggregate of a column of steps.csv, problems.csv or sensors.csv
  penetration_max ...       of summary.json          expected:NAME     what the scene's expectation of that name was judged by
  exit, wall_seconds ...    of the record of the run
"""

import glob
import os

import numpy as np

from study.yaml_reader import nearest

RECORD = ("exit", "signal", "timeout", "wall_seconds", "cpu_seconds", "memory_mb")
SUMMARY = ("steps", "bodies", "particles", "joints", "contacts_max", "contacts_last", "converged_steps", "failed_steps",
           "newton_iterations_mean", "linear_iterations_mean", "momentum_residual_max", "bilateral_violation_max",
           "penetration_max", "complementarity_max", "cone_excess_max", "natural_map_relative_max", "velocity_error_max",
           "strict_residual_max", "geometric_penetration_max", "impulse_growth_max", "unconverged_steps", "kinetic_energy_last",
           "seconds_total", "seconds_detect", "seconds_assemble", "seconds_solve", "seconds_output")
AGGREGATES = {"max": np.max, "min": np.min, "mean": np.mean, "median": np.median, "sum": np.sum, "last": lambda v: v[-1]}


def _contact_forces(result):
    """Per frame with contacts: id -> normal force [N]. Needs frames with contacts: output_every and output_contacts."""
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    frames = []
    for path in sorted(glob.glob(os.path.join(result.run.directory, "contacts_*.vtp"))):
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(path)
        reader.Update()
        data = reader.GetOutput().GetPointData()
        if not data.HasArray("normal_force") or not data.HasArray("id"):
            continue
        force = np.linalg.norm(vtk_to_numpy(data.GetArray("normal_force")).reshape(-1, 3), axis=1)
        if len(force):
            frames.append(dict(zip(vtk_to_numpy(data.GetArray("id")).tolist(), force.tolist())))
    return frames


def force_spread(result):
    """Standard deviation of the normal forces of the last frame over their mean [1]; 0: evenly shared."""
    frames = _contact_forces(result)
    if not frames:
        return None
    force = np.array(list(frames[-1].values()))
    return float(force.std() / force.mean()) if force.mean() > 0 else None


def force_jump(result):
    """Largest change of one contact's normal force from frame to frame over the mean force [1], without the first frames."""
    frames = _contact_forces(result)
    jumps = [max((abs(now[i] - before[i]) for i in now.keys() & before.keys()), default=0)
             / max(1e-300, float(np.mean(list(now.values())))) for before, now in zip(frames[1:], frames[2:])]
    return float(np.max(jumps)) if jumps else None


def force_max(result):
    """Largest normal force of any contact in any frame over the mean of its frame [1]."""
    ratios = [max(f.values()) / max(1e-300, float(np.mean(list(f.values())))) for f in _contact_forces(result)[1:]]
    return float(np.max(ratios)) if ratios else None


def converged_share(result):
    """Share of the steps that converged [1]; steps that a run did not come to count as not converged."""
    reasons = result.steps.get("reason")
    if not reasons:
        return None
    wanted = result.summary.get("steps") or len(reasons)
    return sum(reason == "converged" for reason in reasons) / max(wanted, len(reasons))


def velocity_error_last(result):
    """Median over the steps of the velocity error that they ended with [m/s]."""
    ends = [history[-1] for history in result.histories("velocity_error")]
    return float(np.median(ends)) if ends else None


def newton_iterations_median(result):
    column = result.steps.get("newton_iterations")
    return float(np.median(column)) if column is not None and len(column) else None


def matrix_products(result):
    """Linear iterations of all steps and sweeps at their start: one product with the system's matrix each under Krylov methods, a
    sweep under relaxations, a factorisation of a direct solve."""
    column = result.steps.get("linear_iterations")
    if column is None or not len(column):
        return None
    counts = [of.get("safeguards", {}).get("newton_start_sweeps", 0) for of in (result.summary, *result.summary.get("problems", []))]
    return float(np.sum(column) + sum(counts))


def solve_milliseconds(result):
    """Median time of the solve of a step with contacts [ms]."""
    seconds, contacts = result.steps.get("seconds_solve"), result.steps.get("contacts")
    if seconds is None or contacts is None or not (np.asarray(contacts) > 0).any():
        return None
    return 1000 * float(np.median(np.asarray(seconds)[np.asarray(contacts) > 0]))


def solve_share(result):
    """Share of the solve in the time of assembly and solve [1]."""
    solve, assemble = result.summary.get("seconds_solve"), result.summary.get("seconds_assemble")
    return solve / (solve + assemble) if solve and assemble is not None else None


def residual_over_limit(result):
    """Least residual of the first step over what rounding predicts [1]; 1: it stops where theory says."""
    from study.plots.limiting_accuracy import figures
    found = figures(result)
    return float(np.min(found[0]) / found[2]) if found else None


def step_over_limit(result):
    """Least step of Newton's in the first step over what rounding predicts [1]."""
    from study.plots.limiting_accuracy import figures
    found = figures(result)
    return float(np.min(found[1]) / found[3]) if found else None


COMPUTED = {function.__name__: function for function in
            (converged_share, velocity_error_last, newton_iterations_median, matrix_products, force_spread, force_jump, force_max,
             solve_milliseconds, solve_share, residual_over_limit, step_over_limit)}


def known():
    return (*RECORD, *SUMMARY, *COMPUTED, "time_ratio")


def unknown(name):
    """What is wrong with a name in a study file; '' when nothing is."""
    kind, colon, column = name.partition(":")
    if colon:
        kinds = (*AGGREGATES, "expected")
        return "" if kind in kinds and column else f"unknown aggregate '{kind}'{nearest(kind, kinds)}"
    return "" if name in known() else f"unknown measure '{name}'{nearest(name, known())}"


def _expected(result, name):
    """The value that the scene's expectation of this name was judged by."""
    return next((e["value"] for e in result.summary.get("expectations", []) if e.get("name") == name), None)


def value(result, name):
    if name in result.extra:
        return result.extra[name]
    if name in RECORD:
        return (result.record or {}).get(name)
    if name in COMPUTED:
        result.extra[name] = COMPUTED[name](result)
        return result.extra[name]
    if name in result.summary:
        return result.summary[name]
    if name in result.run.options:
        text = result.run.options[name]
        try:
            return float(text)
        except ValueError:
            return text
    kind, colon, column = name.partition(":")
    if kind == "expected":
        return _expected(result, column)
    values = result.steps.get(column, result.sensors.get(column)) if colon else None
    if isinstance(values, np.ndarray) and len(values):
        return float(AGGREGATES[kind](values))
    return None


def add_time_ratios(study, results):
    """time_ratio: solve time of a run over that of the baseline of the same case, medians over the repetitions."""
    def seconds(case, label):
        found = [value(r, "seconds_solve") for r in results if (r.case, r.label) == (case, label) and r.outcome in ("ok", "ended")]
        found = [s for s in found if s]
        return float(np.median(found)) if found else None

    for result in results:
        base, own = seconds(result.case, study.baseline), seconds(result.case, result.label)
        result.extra["time_ratio"] = own / base if base and own else None
