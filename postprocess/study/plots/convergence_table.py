"""Which run converges on which case: the share of the steps that converged and their mean Newton iterations, or why not."""

import html
from collections import Counter

import numpy as np

from study.plots.plot import Plot, cases_of, chosen, labels_of


def _cell(found):
    """(class, text, tip) of the repetitions of one run on one case; they are alike unless time decided."""
    result = found[0]
    reasons = result.steps.get("reason") or []
    steps = result.summary.get("steps") or len(reasons)
    counts = Counter(reasons)
    tip = ", ".join(f"{count} × {reason}" for reason, count in counts.most_common())
    if result.outcome not in ("ok", "ended", "failed step"):
        text = "refused" if result.outcome == "bad input" else result.outcome
        return "bad", html.escape(text), html.escape(tip or (result.record or {}).get("said", ""))
    if not reasons:
        return "bad", html.escape(result.outcome), html.escape(result.record["said"])
    converged = counts["converged"]
    iterations = np.asarray(result.steps["newton_iterations"], dtype=float)
    if converged == steps:
        return "good", f"{iterations.mean():.1f}", html.escape(tip)
    others = Counter({r: c for r, c in counts.items() if r != "converged"})
    reason = others.most_common(1)[0][0] if others else result.outcome
    return ("part" if converged else "bad"), f"{html.escape(reason)} ({converged}/{steps})", html.escape(tip)


def draw(study, results, parameters):
    results = chosen(results, parameters)
    cases = cases_of(results)
    rows, good = [], Counter()
    for label in labels_of(results):
        cells = []
        for case in cases:
            found = [r for r in results if (r.case, r.label) == (case, label)]
            kind, text, tip = _cell(found) if found else ("", "", "")
            good[label] += kind == "good"
            good[case] += kind == "good"
            cells.append(f'<td class="{kind}" title="{tip}">{text}</td>')
        rows.append(f"<tr><th>{html.escape(label)}</th>{''.join(cells)}<td>{good[label]}/{len(cases)}</td></tr>")
    head = "".join(f"<th>{html.escape(case)}</th>" for case in cases)
    total = len(labels_of(results))
    foot = "".join(f"<td>{good[case]}/{total}</td>" for case in cases)
    return [f'<div class="wide"><table class="verdicts"><tr><th></th>{head}<th>converge</th></tr>{"".join(rows)}'
            f"<tr><th>converge</th>{foot}<td></td></tr></table></div>"
            "<p>A number is the mean of Newton iterations per step where all steps converged; otherwise the most frequent reason, with "
            "the share of steps that converged.</p>"]


PLOT = Plot("convergence_table", "which run converges on which case", {"runs": ("",), "cases": ("",)}, draw)
