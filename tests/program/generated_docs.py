"""docs/options.md is what the program generates, to renew it: clarke options --markdown > docs/options.md; and the table in
docs/compatibility.md is that of clarke list --compatibility.

Usage: generated_docs.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
generated = subprocess.run([program, "options", "--markdown"], capture_output=True, text=True, check=True).stdout
committed = (source / "docs" / "options.md").read_text()
if generated != committed:
    ours, theirs = generated.splitlines(), committed.splitlines()
    line = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    print(f"docs/options.md:{line + 1}: differs from `clarke options --markdown`; renew it with\n"
          "  build/clarke options --markdown > docs/options.md")
    sys.exit(1)
table = subprocess.run([program, "list", "--compatibility"], capture_output=True, text=True, check=True).stdout
if table not in (source / "docs" / "compatibility.md").read_text():
    print("docs/compatibility.md: its table differs from what `clarke list --compatibility` says:\n" + table)
    sys.exit(1)
