"""Checks object files of kernels for functions that the linker could share with other code.

usage: kernel_symbols.py NM OBJECT...

An inline function or template that is emitted in several object files becomes one function in the
program: the linker keeps any copy. In a kernel's object file such a copy may hold AVX-512
instructions, and then a program that never asked for them stops on an older processor. So every
weak function of a kernel must bear its instruction set in its name.
"""
import re
import subprocess
import sys

OWN = re.compile(r"isa_avx|kernels_avx|avx2|avx512|fma3")
WEAK_FUNCTION = "W"


def shared_functions(nm, path):
    """Names of weak functions of an object file that other code could come to call."""
    listing = subprocess.run([nm, "--defined-only", path], check=True, text=True,
                             capture_output=True).stdout
    names = (line.split()[1:] for line in listing.splitlines() if len(line.split()) == 3)
    return [name for kind, name in names if kind == WEAK_FUNCTION and not OWN.search(name)]


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    bad = 0
    for path in sys.argv[2:]:
        for name in shared_functions(sys.argv[1], path):
            print(f"{path}: {name} could replace a function of code for older processors")
            bad += 1
    print(f"{len(sys.argv) - 2} object files, {bad} functions in danger")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
