"""A host access to device memory is caught with the name of the view; kernels and declared copies are not, and are counted.

Usage: planted_access.py PROBE      tests/fence/probe.cpp, compiled with CLARKE_FENCE_DEVICE
"""
import os
import signal
import subprocess
import sys

probe = sys.argv[1]


def run(*planted):
    result = subprocess.run([probe, *planted], capture_output=True, text=True, timeout=60, check=False,
                            env=dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="false"))
    return result.returncode, result.stdout, result.stderr


code, out, err = run()
assert code == 0, (code, err)
MANY = 2 * 16384  # kGrain
expected = {f"to_host contact_gap 1 {8 * MANY}", "to_host contact_normal 1 2400", "to_host sum_partial 1 8",
            "to_device back 1 12", "result largest 1", "result sizes 1"}
assert set(out.split("\n")) - {""} == expected, out

for planted, verb, name in (("read", "reads", "'impulse_of_joints', byte 24 of 400"),
                            ("write", "writes", "'impulse_of_joints', byte 24 of 400"),
                            ("released", "reads", "no view's any more")):
    code, out, err = run(planted)
    assert code == -signal.SIGSEGV, (planted, code, err)
    line = next((text for text in err.splitlines() if text.startswith("clarke:")), "")
    assert verb in line or "touches" in line, (planted, err)  # "touches" where the processor does not say which
    assert name in line, (planted, err)
# A kernel may touch all of it: what is no view's any more is no number.
code, out, err = run("stale")
assert code == 0 and out.splitlines()[-1] == "stale nan", (code, out, err)
print("what is planted is caught with its name; what is declared passes and is counted")
