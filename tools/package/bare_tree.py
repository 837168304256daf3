#!/usr/bin/env python3
"""Installs the Debian package in a bare Debian 12 tree and uses it there as a stranger would.

usage: bare_tree.py [--folder DIR] [--mirror URL] [--keep] PACKAGE.deb

  --folder    where trees go; DIR/base is made once and used again [build/bare]
  --mirror    of Debian's packages [that of debootstrap]
  --keep      leave the tree DIR/tree, to look at it

The tree is what `debootstrap --variant=minbase bookworm` makes, so that nothing is there but what the package's
Depends bring. Then, in it: apt installs the package without what it recommends; the program says its version, the
suite checks one operation, a hierarchy is embedded; man finds a page for each command, bash completes; and with g++,
cmake, make and pkg-config alone the consumer of tests/house/consumer is built by CMake and, in C++ and C, with what
pkg-config says. At last the package is removed, and nothing of it may be left.

Needs root, debootstrap, unshare and the mirror; where one of the first three is missing one line says so.

Exit codes: 0 all went well, 1 a step failed, 2 bad usage, 77 skipped.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
APT = "DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"
# /proc and /dev are mounted for the step alone, and what is given as $3 at /mnt: they end with it, whatever happens
INSIDE = """
mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" &&
{ [[ -z $3 ]] || mount --bind -o ro "$3" "$1/mnt"; } && exec chroot "$1" /bin/bash -euo pipefail -c "$2"
"""


def steps(package, version):
    """(what is shown, the commands): each begins where the one before it ended."""
    compiler = "c++ -std=c++20 -O1 main.cpp -o consumer_pc"
    return (
        ("the package with its Depends alone", f"{APT} update && {APT} install --no-install-recommends /root/{package}"),
        ("mct --version, info", f'[[ $(mct --version) == "{version}" ]] && mct info'),
        ("the suite", "cd /root && mct validate --quick --no-peers --filter 'f64x2 add$' --json results.json"),
        ("a hierarchy", "cd /root && mct embed /usr/share/mctensor/wordnet_mammals.tsv --epochs 3 -o mammals && "
                        "mct nearest mammals/embedding.safetensors dog --edges /usr/share/mctensor/wordnet_mammals.tsv"),
        ("man and bash-completion, installed", f"{APT} install --no-install-recommends man-db bash-completion"),
        ("a man page for each command",
         "for c in $(mct --help | sed -n '/^Subcommands:/,/^$/s/^  \\([a-z]\\+\\) .*/\\1/p'); do "
         'MANPAGER=cat MANWIDTH=100 man "mct-$c" | grep -q "mct $c" || { echo "mct-$c"; exit 1; }; done; man -w mct'),
        ("completion", "set +u; . /usr/share/bash-completion/bash_completion; _completion_loader mct || true; "
                       'COMP_WORDS=(mct tr); COMP_CWORD=1; _mct; [[ "${COMPREPLY[*]}" == train ]]'),
        ("g++, cmake and make", f"{APT} install --no-install-recommends g++ cmake make"),
        ("the consumer by CMake", "cd /root/consumer && cmake -S . -B build && cmake --build build && build/consumer"),
        ("pkg-config", f"{APT} install --no-install-recommends pkg-config"),
        ("the consumer by pkg-config", "cd /root/consumer && "
                                       f"{compiler} $(pkg-config --cflags --libs mctensor) && ./consumer_pc && "
                                       "cc -std=c99 main.c -o consumer_c "
                                       "$(pkg-config --static --cflags --libs mctensor) && ./consumer_c"),
        ("the package removed", f"{APT} purge mctensor && ! command -v mct && "
                                "! find / -xdev -path /root -prune -o -path /proc -prune -o -path /dev -prune -o "
                                "-ipath '*mctensor*' -print | grep ."),
    )


def reason_to_skip():
    if os.geteuid() != 0:
        return "not root, which debootstrap and chroot need"
    for program, debian in (("debootstrap", "debootstrap"), ("unshare", "util-linux")):
        if not shutil.which(program):
            return f"{program} not found (Debian: {debian})"
    return None


def make_base(folder, mirror):
    """The bare tree; made in a folder of another name, so that an interrupted one is not taken for whole."""
    base = folder / "base"
    if base.is_dir():
        return base
    begun = folder / "begun"
    shutil.rmtree(begun, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    words = ["debootstrap", "--variant=minbase", "bookworm", str(begun), *([mirror] if mirror else [])]
    made = subprocess.run(words, capture_output=True, text=True)
    if made.returncode:
        print(f"debootstrap fails: {made.stdout[-500:]}{made.stderr[-500:]}", file=sys.stderr)
        return None
    begun.rename(base)
    return base


def prepare(folder, base, files):
    """A copy of the bare tree with the files in /root."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(tree)], check=True)
    if Path("/etc/resolv.conf").exists():
        (tree / "etc" / "resolv.conf").unlink(missing_ok=True)
        shutil.copy("/etc/resolv.conf", tree / "etc" / "resolv.conf")
    for file in files:
        (shutil.copytree if file.is_dir() else shutil.copy)(file, tree / "root" / file.name)
    return tree


def run_step(tree, commands, mounted=""):
    words = ["unshare", "--mount", "bash", "-c", INSIDE, "bash", str(tree), commands, str(mounted)]
    environment = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb", "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL)


def check(tree, todo, mounted=""):
    """Runs the steps and prints a line for each; the number of the failed ones, after the first of which it ends."""
    for title, commands in todo:
        begin = time.monotonic()
        ended = run_step(tree, commands, mounted)
        print(f"{'ok' if ended.returncode == 0 else 'FAILED':6} {title} ({time.monotonic() - begin:.0f} s)", flush=True)
        for line in re.findall("^ok .*$", ended.stdout, re.MULTILINE):  # of a program that has steps of its own
            print(f"       {line}", flush=True)
        if ended.returncode:
            print(f"{commands}\n{ended.stdout[-4000:]}")
            return 1
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="bare_tree.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bare")
    parser.add_argument("--mirror")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("package", type=Path)
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"mctensor_[0-9.]+-\S+\.deb", options.package.name):
        parser.error(f"{options.package}: no package of ours (mctensor_VERSION-RELEASE_ARCHITECTURE.deb)")
    if not options.package.is_file():
        parser.error(f"{options.package}: not found")
    why = reason_to_skip()
    if why:
        print(f"skipped: {why}; the package is not installed in a bare tree")
        return 77
    base = make_base(options.folder.resolve(), options.mirror)
    if base is None:
        return 1
    version = re.match(r"mctensor_([0-9.]+)-", options.package.name).group(1)
    tree = prepare(options.folder.resolve(), base, [options.package, ROOT / "tests" / "house" / "consumer"])
    try:
        return check(tree, steps(options.package.name, version))
    finally:
        if not options.keep:
            shutil.rmtree(tree)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
