"""report.html: one file that holds everything, with the plots as SVG in it. Opens without a network, prints on paper.

Every plot says what it was drawn from: which runs, with which options, program and machine, and how to make it again.
"""

import html
import io
import os
import platform
import re
import shlex

from study import plots
from study.plots.plot import NothingToPlot, chosen, pyplot
from study.results import cell, swept_options
from study.run import file_hash

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #1a1a1a; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin: 2em 0 .3em; } .question { font-size: 1.1em; }
figure { margin: 0 0 .5em; overflow-x: auto; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: 13px; } th, td { padding: .15em .6em; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } tr:nth-child(even) { background: #f5f5f5; } th { border-bottom: 1px solid #999; }
td.good { background: #cfe8d5; } td.part { background: #f7ecc4; } td.bad { background: #f3cfc9; }
details { font-size: 13px; color: #444; margin: .2em 0 1em; } pre { white-space: pre-wrap; word-break: break-all; }
.wide { overflow-x: auto; } dt { font-weight: 600; } dd { margin: 0 0 .5em; } .none { color: #a33; }
"""


def svg_of(figure, salt):
    """The figure as an SVG element; `salt` keeps the ids of several on one page apart, and the same from run to run."""
    plt = pyplot()
    plt.rcParams["svg.hashsalt"] = salt
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(figure)
    text = buffer.getvalue()
    text = text[text.index("<svg"):]
    prefix = re.sub(r"[^A-Za-z0-9]", "_", salt)  # ids like "figure_1" are not salted by matplotlib
    text = re.sub(r'\bid="', f'id="{prefix}_', text)
    return re.sub(r'(href="#|url\(#)', rf"\1{prefix}_", text)


def machine():
    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            processor = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{processor}, {len(os.sched_getaffinity(0))} cores usable, {platform.system()} {platform.release()}"


def _escape(text):
    return html.escape(str(text))


def _options_text(options):
    return " ".join(f"-{name} {shlex.quote(value)}" if value else f"-{name}" for name, value in options.items())


def _provenance(results, command):
    """What a plot was drawn from."""
    programs = sorted({str(r.summary.get("provenance", {}).get("git_hash", "")) for r in results if r.summary})
    common = {n: v for n, v in results[0].run.options.items() if all(r.run.options.get(n) == v for r in results)}
    lines = [f"study command: {_escape(command)}", f"machine: {_escape(machine())}",
             f"program: git {_escape(', '.join(filter(None, programs)) or 'unknown')}, "
             f"sha256 {_escape(file_hash(results[0].run.program)[:16])}",
             f"options of all runs: {_escape(_options_text(common)) or '(defaults)'}"]
    rows = "".join(f"<tr><td>{_escape(r.run.name)}</td><td>{r.run.key[:10]}</td><td>{_escape(r.outcome)}</td>"
                   f"<td style='text-align:left'>{_escape(_options_text({n: v for n, v in r.run.options.items() if n not in common}))}"
                   "</td></tr>" for r in results)
    return (f"<details><summary>what this was drawn from ({len(results)} runs)</summary><p>{'<br>'.join(lines)}</p>"
            f"<div class='wide'><table><tr><th>run</th><th>key</th><th>outcome</th><th>its options</th></tr>{rows}</table></div></details>")


def _plot(index, request, study, results, command):
    plot = plots.REGISTRY[request.name]
    title = f"<h2>{_escape(request.title or plot.summary)}</h2>"
    try:
        parts = plot.draw(study, results, request.parameters)
        shown = chosen(results, request.parameters)
    except NothingToPlot as reason:
        return f"{title}<p class='none'>{request.name}: nothing to plot: {_escape(reason)}</p>"
    body = "".join(part if isinstance(part, str) else f"<figure>{svg_of(part, f'{study.name}_{index}_{k}')}</figure>"
                   for k, part in enumerate(parts))
    return title + body + _provenance(shown, command)


def _expectations(judgements):
    """What was expected and what came, beside the figure it is about."""
    if not judgements:
        return ""
    rows = "".join(f"<tr><td>{_escape(j.expectation.name)}</td><td style='text-align:left'>{_escape(j.expectation.text())}</td>"
                   f"<td>{_escape(j.reason or _figure(j.value))}</td><td>{_figure(j.other)}</td><td>{_escape(j.at)}</td>"
                   f"<td class='{'good' if j.held else 'bad'}'>{'held' if j.held else 'FAILED'}</td></tr>" for j in judgements)
    return ("<div class='wide'><table class='expect'><tr><th>expectation</th><th>expected</th><th>got</th><th>the other</th>"
            f"<th>furthest off at</th><th></th></tr>{rows}</table></div>")


def _beside(judgements, index, request, count):
    """Those that name this plot; those that name none stand at the first one."""
    names = (request.title, request.name)
    return [j for j in judgements if (j.expectation.beside in names if j.expectation.beside else index == 0)] if count else []


def _figure(value):
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else cell(value)


def _runs_table(study, results):
    options = swept_options([r.run for r in results])
    names = study.measures or ["newton_iterations_mean", "linear_iterations_mean", "natural_map_relative_max", "wall_seconds"]
    if study.timing and "time_ratio" not in names:
        names = [*names, "time_ratio"]
    head = "".join(f"<th>{_escape(n.replace('_', ' '))}</th>" for n in ("case", "run", *(f"-{o}" for o in options), "outcome", *names))
    rows = []
    for r in results:
        said = (r.record or {}).get("said", "")
        cells = [r.case, r.label + (f" #{r.repetition}" if study.repetitions > 1 else ""), *(r.run.options.get(o, "") for o in options)]
        rows.append("<tr>" + "".join(f"<td>{_escape(c)}</td>" for c in cells)
                    + f'<td class="{"good" if r.outcome in ("ok", "ended") else "bad"}" title="{_escape(said)}">{_escape(r.outcome)}</td>'
                    + "".join(f"<td>{_figure(r.value(n))}</td>" for n in names) + "</tr>")
    return f"<div class='wide'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _commands(results):
    """How to make each run again by hand."""
    lines = [f"# {r.run.name}: {r.outcome}\nOMP_NUM_THREADS={r.run.study.threads} OMP_PROC_BIND=false {shlex.join(r.run.command())}"
             for r in results]
    return f"<details><summary>command lines of all runs</summary><pre>{_escape(chr(10).join(lines))}</pre></details>"


def _count(study, judgements):
    if not study.expect:
        return ""
    held = sum(j.held for j in judgements)
    return (f"<p class='{'' if held == len(judgements) else 'none'}'>{held} of {len(judgements)} expectations held"
            + (f"; {len(study.expect) - len(judgements)} are of the whole study only" if len(judgements) < len(study.expect) else "") + ".</p>")


def write_report(study, results, judgements, directory, command):
    parts = [f"<h1>{_escape(study.name)}</h1><p class='question'>{_escape(study.question)}</p>"]
    if study.paper or study.seen:
        parts.append("<dl>" + "".join(f"<dt>{name}</dt><dd>{_escape(text)}</dd>" for name, text in
                                      (("What the papers saw", study.paper), ("What we see", study.seen)) if text) + "</dl>")
    if study.quick:
        parts.append("<p class='none'>A quick study: shortened, to see that it works. The figures are not those that the text is about.</p>")
    parts.append(_count(study, judgements))
    ended = [r for r in results if r.record]
    for i, request in enumerate(study.plots if ended else []):
        parts.append(_plot(i, request, study, ended, command) + _expectations(_beside(judgements, i, request, len(judgements))))
    if not (study.plots and ended):
        parts.append(_expectations(judgements))
    parts.append(f"<h2>All runs</h2>{_runs_table(study, results)}{_commands(results)}")
    parts.append("<p>Machine-readable: runs.csv, histories.h5"
                 + "".join(f", {name}.csv" for name in study.tables) + " beside this file. "
                 + ("Times were taken one run at a time; compare ratios." if study.timing else
                    "Times were taken with other runs on the machine: they are no measurement.") + "</p>")
    text = (f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{_escape(study.name)}</title>"
            f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n")
    path = os.path.join(directory, "report.html")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)
    return path
