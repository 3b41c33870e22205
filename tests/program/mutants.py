"""A few mutants of every kind of input, and the files that once ended the program, hung it or passed as whole ones.

Usage: mutants.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
mutants = [sys.executable, str(source / "tests" / "fuzz" / "mutants.py"), program, str(source), str(scratch)]
for words in (["--count", "25"], ["--count", "1", "--start", "process"], ["--replay", str(source / "tests" / "fuzz" / "regressions")]):
    code = subprocess.run([*mutants, *words], check=False).returncode
    if code != 0:
        sys.exit(code)
