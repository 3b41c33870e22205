#!/usr/bin/env python3
"""Tables of docs/performance.md from results of clarke_benchmark.

    report.py one.json two.json ...

Every file is one run (--benchmark_out=FILE --benchmark_out_format=json), usually with another number of threads. Of repetitions the
median is taken. Ratios are of figures of the same file.
"""
import json
import statistics
import sys

KRYLOV = {"pcg": "`pcg`", "petsc_cr": "`cr`", "pcr_aij": "`pcr` AIJ", "petsc_cr_aij": "`cr` AIJ", "petsc_cr_aij_ungrouped": "`cr` AIJ, no inodes"}
MOST_THREADS = 4096  # of processors; a device holds more


def read(path):
    """{name: {counter: median over the repetitions}} of one file, in the order of the file."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    values = {}
    for row in rows:
        if row["run_type"] != "iteration":
            continue
        if row.get("error_occurred"):
            sys.exit(f"{path}: {row['name']}: {row['error_message']}")
        of_name = values.setdefault(row["run_name"].removesuffix("/real_time"), {})
        for key, value in row.items():
            if isinstance(value, (int, float)):
                of_name.setdefault(key, []).append(value)
    return {name: {key: statistics.median(list_) for key, list_ in counters.items()}
            for name, counters in values.items()}


def quantity(value, unit):
    """Three digits with a prefix: 0.00123 s is 1.23 ms."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ")):
        if value >= factor:
            return f"{digits(value / factor)} {prefix}{unit}"
    return f"{digits(value / 1e-9)} n{unit}"


def digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head, rows):
    align = ["---"] + ["--:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, align] + rows) + "\n"


def threads(run):
    return int(next(iter(run.values()))["threads"])


def workers(run):
    """Threads, or that it was a device: it says how many threads it can hold."""
    return "device" if threads(run) > MOST_THREADS else str(threads(run))


def krylov_table(runs):
    head = ["system", "rows", "entries per row", "threads", "`pcr`", "of triad"]
    head += KRYLOV.values()
    rows = []
    for system in [name.removesuffix("/pcr") for name in runs[0] if name.startswith("krylov/") and name.endswith("/pcr")]:
        for run in runs:
            pcr = run[system + "/pcr"]
            aij = run.get(system + "/product_aij")  # a device leaves matrices out: they are PETSc's, on the host
            rows.append([system.removeprefix("krylov/"), f"{pcr['rows']:.0f}",
                         f"{aij['entries'] / pcr['rows']:.0f}" if aij else "–", workers(run),
                         quantity(pcr["seconds"], "s"), digits(pcr["of_triad"])]
                        + [digits(run[f"{system}/{name}"]["seconds"] / pcr["seconds"]) if f"{system}/{name}" in run else "–"
                           for name in KRYLOV])
    return table(head, rows)


def other_table(runs, prefixes):
    head = ["what", "bytes"]
    for run in runs:
        head += [f"time, {workers(run)}{' thr.' if workers(run) != 'device' else ''}", "of triad"]
    rows = []
    for name in runs[0]:
        if not name.startswith(prefixes) or not all(name in run for run in runs):
            continue
        cells = [name, quantity(runs[0][name]["bytes"], "B") if runs[0][name]["bytes"] else "–"]
        for run in runs:
            of_triad = run[name]["of_triad"]
            cells += [quantity(run[name]["seconds"], "s"), digits(of_triad) if of_triad else "–"]
        rows.append(cells)
    return table(head, rows)


def phase_table(run):
    phases = ["detect", "layout", "solve", "verdict"]
    rows = [[name, f"{row['newton']:.1f} × {row['linear'] / row['newton']:.0f}"]
            + [f"{100 * row[phase]:.0f} %" for phase in phases]
            for name, row in run.items() if name.startswith("step/")]
    return table(["step", "Newton × linear"] + phases, rows)


def main(paths):
    if not paths:
        sys.exit(__doc__)
    runs = sorted((read(path) for path in paths), key=threads)
    print("One iteration of a Krylov method. The last four columns are times relative to `pcr` on the operator.\n")
    print(krylov_table(runs))
    print("Assembly, detection, steps.\n")
    print(other_table(runs, ("krylov/arch/20/product", "krylov/wall/8192/product", "assembly/", "detection/", "step/")))
    for run in (runs[0], runs[-1]) if workers(runs[-1]) == "device" else (runs[0],):
        print(f"Where a step spends its time, {workers(run)}{' thread(s)' if workers(run) != 'device' else ''}.\n")
        print(phase_table(run))
    print("The machine's floor.\n")
    print(other_table(runs, ("triad/", "launch/")))


if __name__ == "__main__":
    main(sys.argv[1:])
