"""The worked examples of CONTRIBUTING.md, compiled from its text (cmake/tests.cmake), do what it says: their commands end well.

Usage: worked_examples.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

program, source, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
program = program.with_name("clarke_worked_examples")
text = (source / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Worked examples", 1)[1]
wrong = []

# What they are called is what the registries list.
listed = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
names = re.findall(r'kName = "(\w+)"', text)
wrong += [f"{name} is not in `clarke list`" for name in names if not re.search(rf"\b{name}\b", listed)]

# Scenes of the text: a block that begins with a comment, its file.
scratch.mkdir(parents=True, exist_ok=True)
scenes = {}
for name, scene in re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", text, re.S):
    scenes[name] = scratch / name
    scenes[name].write_text(scene, encoding="utf-8")

commands = [line for block in re.findall(r"```bash\n(.*?)```", text, re.S) for line in block.splitlines() if line.startswith("clarke run")]
for number, command in enumerate(commands):
    out = scratch / str(number)
    words = [str(scenes.get(word, word)) for word in shlex.split(command)[1:]]
    done = subprocess.run([program, *words, "-output_dir", out, "-output_every", "0", "-progress", "none"],
                          cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        wrong.append(f"{command}: exit code {done.returncode}: {done.stderr[-600:]}")
        continue
    summary = json.loads((out / "summary.json").read_text())
    used = json.dumps(summary["provenance"]["options"]) + "".join(
        path.read_text(encoding="utf-8") for path in scenes.values() if str(path) in words)
    if not any(name in used for name in names):
        wrong.append(f"{command}: no example was in force")
    if summary["converged_steps"] != summary["steps"]:
        wrong.append(f"{command}: {summary['converged_steps']} of {summary['steps']} steps converged")
if len(commands) != len(names):
    wrong.append(f"{len(names)} examples, {len(commands)} commands")

print("\n".join(wrong) or f"{len(names)} examples")
sys.exit(bool(wrong))
