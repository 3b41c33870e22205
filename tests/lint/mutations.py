"""tests/mutations.yaml: at least five mutations for every case, each of which changes something that is there.

Usage: mutations.py SOURCE_DIR
"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "scripts"))
import mutate  # noqa: E402

solvers, table, problems = mutate.read_mutations()
for problem in problems:
    print(f"mutations: {problem}")
print(f"mutations: {sum(len(m) for m in table.values())} of {len(table)} cases, {len(problems)} problems")
sys.exit(1 if problems else 0)
