"""Runs the tests of several subjects, each in a process of its own that is forked off this one, which has imported what
all of them need: PyTorch takes seconds to import. ctest calls it (python/CMakeLists.txt). Imports start no threads but
those of NumPy's OpenBLAS, which ends them itself before a fork.

usage: together.py [--preload MODULE...] [--seconds N] --subject NAME FOLDER FILE... [--subject ...]

  --preload   imported before, and not the package mctensor: a subject takes that of its FOLDER
  --seconds   a subject that takes longer is ended [600]

Exit codes: 0 all pass, 1 some do not, 5 all are skipped.
"""
import argparse
import ctypes
import gc
import importlib
import os
import signal
import sys

SKIPPED = 5  # as of pytest
PR_SET_PDEATHSIG = 1  # linux/prctl.h


def test(folder, files, seconds):
    """In the child: what `python -m pytest` does in that folder."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # ctest may kill the parent
    signal.alarm(seconds)
    os.environ["PYTHONPATH"] = sys.path[0] = folder
    os.chdir(folder)
    import pytest
    return pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *files])


def run(name, folder, *files, seconds):
    """The exit code of a subject, -N if signal N has ended it."""
    print(f"{name}: {folder}, {', '.join(map(os.path.basename, files))}", flush=True)
    child = os.fork()
    if child == 0:
        sys.exit(test(folder, files, seconds))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, SKIPPED):
        reason = f"longer than {seconds} seconds" if code == -signal.SIGALRM else f"exit code {code}"
        print(f"{name}: failed, {reason}", flush=True)
    return code


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preload", nargs="+", default=[])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--subject", nargs="+", action="append", required=True)
    arguments = parser.parse_args()
    for module in arguments.preload:
        importlib.import_module(module)
    gc.freeze()  # a collection in a child would otherwise write to, and so copy, every page
    codes = [run(*subject, seconds=arguments.seconds) for subject in arguments.subject]
    if set(codes) <= {0, SKIPPED}:
        return min(codes)
    return 1


if __name__ == "__main__":
    sys.exit(main())
