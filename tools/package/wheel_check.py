#!/usr/bin/env python3
"""Installs a wheel where there is no compiler, with the oldest NumPy that it promises to work with, and tries it.

usage: wheel_check.py [--python FILE] [--torch FOLDER] [--folder DIR] [--mirror URL] [--keep] WHEEL.whl

  --python    an interpreter that the wheel is for: it is tried in an environment of this interpreter, with no program
              in PATH, instead of in a bare tree
  --torch     site-packages with PyTorch for such an interpreter
              [build/torch_environment/lib/python3.11/site-packages, where it is there]
  --folder    where trees and environments go; DIR/base is made once and used again [build/bare]
  --mirror    of Debian's packages [that of debootstrap]
  --keep      leave the tree DIR/tree, to look at it

The bare tree is that of bare_tree.py, with Debian's Python and what makes environments, but without headers; a wheel
for another Python than Debian's needs --python. Wheel and NumPy are installed without a network, try_wheel.py runs,
and once more with the PyTorch and the NumPy of --torch. All but the tree itself must take less than a minute
of processor time.

Exit codes: 0 all went well, 1 a step failed or all took longer, 2 bad usage.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bare_tree

ROOT = bare_tree.ROOT
DEBIAN_PYTHON = "3.11"
LIMIT = 60  # seconds of processor time: what else the machine does must not matter
#: the first NumPy with wheels for a Python, where that is newer than the promise
FIRST_NUMPY = {"3.11": "1.23.2", "3.12": "1.26.0", "3.13": "2.1.0", "3.14": "2.3.2"}
MAMMALS = ROOT / "data" / "wordnet_mammals.tsv"
TRIAL = Path(__file__).with_name("try_wheel.py")


def oldest_numpy(python, promise=None):
    """The version that the wheel is tried with: the promised one (pyproject.toml), or the first for this Python."""
    if promise is None:
        promise = re.search(r'^dependencies = \["numpy>=([0-9.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"),
                            re.MULTILINE).group(1)
    if promise.count(".") == 1:
        promise += ".0"
    return max(promise, FIRST_NUMPY.get(python, promise), key=lambda v: [int(part) for part in v.split(".")])


def is_for(wheel, python):
    """Whether the wheel's name says that it is for this Python: 3.11, or with the Stable ABI 3.12 and later."""
    tag, abi = wheel.name.split("-")[2:4]
    minor = int(tag[3:])
    return int(python[2:]) >= minor if abi == "abi3" else int(python[2:]) == minor


def steps(wheel, numpy, python, home, torch):
    """(title, commands) for a shell in which `python` is the interpreter, everything lies in the folder home, and the
    packages of PyTorch in the folder torch, if not None."""
    trial = f"{home}/env/bin/python {home}/try_wheel.py {home}/{MAMMALS.name}"
    found = [(f"wheel and NumPy {numpy} installed", f"{python} -m venv {home}/env && "
              f"{home}/env/bin/python -m pip --quiet install --no-index {home}/{wheel} {home}/numpy/*.whl"),
             ("tried", f"PATH={home}/none {trial}")]
    if torch:
        found.append(("tried with PyTorch and its NumPy", f"PATH={home}/none PYTHONPATH={torch} {trial}"))
    return found


def fetch_numpy(version, python, folder):
    """The wheel of NumPy for a Python on this machine, from PyPI; false where it cannot be had."""
    words = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps",
             "--only-binary=:all:", "--python-version", python, "--dest", str(folder), f"numpy=={version}"]
    return subprocess.run(words, check=False).returncode == 0


def version_of(python):
    words = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_time(todo, run):
    """Runs the steps by run(list); 1 where one fails or all of them together take too long."""
    wall, processor = time.monotonic(), processor_seconds()
    if run(todo):
        return 1
    wall, processor = time.monotonic() - wall, processor_seconds() - processor
    print(f"{'ok' if processor < LIMIT else 'FAILED':6} together {processor:.0f} s of processor time in {wall:.0f} s; "
          f"at most {LIMIT} are allowed")
    return 0 if processor < LIMIT else 1


def check_in_tree(options, numpy, numpy_folder):
    base = bare_tree.make_base(options.folder, options.mirror)
    if base is None:
        return 1
    tree = bare_tree.prepare(options.folder, base, [options.wheel, MAMMALS, TRIAL, numpy_folder])
    before = [("Debian's Python", f"{bare_tree.APT} update && {bare_tree.APT} install --no-install-recommends python3-venv"),
              ("neither compiler nor headers", f"! command -v cc g++ cmake && ! test -e /usr/include/python{DEBIAN_PYTHON} "
                                               "&& ! test -e /usr/include/boost")]
    todo = steps(options.wheel.name, numpy, "python3", "/root", "/mnt" if options.torch else None)
    try:
        return bare_tree.check(tree, before) or in_time(todo, lambda t: bare_tree.check(tree, t, options.torch or ""))
    finally:
        if not options.keep:
            shutil.rmtree(tree)


def check_in_environment(options, python, numpy, numpy_folder):
    with tempfile.TemporaryDirectory() as home:
        for file in (options.wheel, MAMMALS, TRIAL):
            shutil.copy(file, home)
        shutil.copytree(numpy_folder, Path(home) / "numpy")
        todo = steps(options.wheel.name, numpy, python, home, options.torch)

        def run(todo):
            for title, commands in todo:
                ended = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], check=False, stdin=subprocess.DEVNULL,
                                       env={"PATH": bare_tree.PATH, "HOME": home})
                if ended.returncode:
                    print(f"FAILED {title}: {commands}")
                    return 1
                print(f"ok     {title}", flush=True)
            return 0
        return in_time(todo, run)


def main(arguments):
    parser = argparse.ArgumentParser(prog="wheel_check.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python")
    parser.add_argument("--torch", type=Path)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bare")
    parser.add_argument("--mirror")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("wheel", type=Path)
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"mctensor-[0-9.]+-cp3\d+-(cp3\d+|abi3)-\S+\.whl", options.wheel.name) or not options.wheel.is_file():
        parser.error(f"{options.wheel}: no wheel of ours (mctensor-VERSION-cp3NN-ABI-PLATFORM.whl)")
    version = version_of(options.python) if options.python else DEBIAN_PYTHON
    if not is_for(options.wheel, version):
        parser.error(f"{options.wheel.name} is not for Python {version}{'' if options.python else ', which Debian has'}")
    options.folder = options.folder.resolve()
    usual = ROOT / "build" / "torch_environment" / "lib" / f"python{version}" / "site-packages"
    if options.torch is None and (usual / "torch").is_dir():
        options.torch = usual
    if options.torch is None:
        print("skipped: no PyTorch (./run test fetches it); MCAdamW is not tried")
    numpy = oldest_numpy(version)
    with tempfile.TemporaryDirectory() as folder:
        numpy_folder = Path(folder) / "numpy"
        if not fetch_numpy(numpy, version, numpy_folder):
            print(f"NumPy {numpy} cannot be had from PyPI", file=sys.stderr)
            return 1
        why = bare_tree.reason_to_skip()
        if options.python is None and why is None:
            return check_in_tree(options, numpy, numpy_folder)
        if options.python is None:
            print(f"skipped: {why}; the wheel is tried in an environment instead of a bare tree")
        return check_in_environment(options, options.python or "/usr/bin/python3", numpy, numpy_folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
