"""What the documentation takes from the program is what the program says; scripts/renew_docs.py writes it anew. Of a page
that was altered the script says so, and writes back what it was.

Usage: generated_docs.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import shutil
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def renew(root, *words, of=program):
    return subprocess.run([sys.executable, str(root / "scripts" / "renew_docs.py"), str(of), *words], capture_output=True,
                          text=True, check=False)


current = renew(source, "--check")
print(current.stdout + current.stderr, end="")
if current.returncode:
    sys.exit(1)

# The script itself, on a copy, with a stand-in that says in no time what the pages hold.
pages = [f"docs/{name}.md" for name in ("options", "compatibility")]
shutil.rmtree(scratch, ignore_errors=True)
for name in ("scripts/renew_docs.py", *pages):
    (scratch / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / name, scratch / name)
table = (source / pages[1]).read_text().split("list --compatibility -->\n\n")[1].split("\n<!-- end")[0]
(scratch / "table.md").write_text(table)
program_of_old = scratch / "program"
program_of_old.write_text(f"#!/bin/sh\ncase $1 in\noptions) cat {source / pages[0]};;\nlist) cat {scratch}/table.md;;\nesac\n")
program_of_old.chmod(0o755)
for page in pages:
    path = scratch / page
    path.write_text(path.read_text().replace("nsgs", "ngss", 1) if "options" in page else
                    path.read_text().replace("| refused |", "| all |", 1))
checked = renew(scratch, "--check", of=program_of_old)
assert checked.returncode == 1 and all(page in checked.stdout for page in pages), checked
assert renew(scratch, of=program_of_old).returncode == 0
for page in pages:
    assert (scratch / page).read_text() == (source / page).read_text(), page
