#!/usr/bin/env python3
"""Looks at an unpacked Debian package: its fields, the program, a man page for each command, completions.

usage: package_content.py TREE VERSION

Exit codes: 0 all is there, 1 something is missing or wrong, 2 bad usage.
"""
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "command_line"))
from command_help import read_commands  # noqa: E402

FILES = ("usr/include/mctensor/mctensor.hpp", "usr/include/mctensor/c_api.h", "usr/include/mctensor/version.h",
         "usr/share/mctensor/wordnet_mammals.tsv", "usr/share/doc/mctensor/copyright",
         "usr/share/doc/mctensor/changelog.gz", "usr/share/doc/mctensor/changelog.Debian.gz",
         "usr/share/lintian/overrides/mctensor",
         "usr/share/bash-completion/completions/mct", "usr/share/zsh/vendor-completions/_mct",
         "usr/share/fish/vendor_completions.d/mct.fish")
# what bash is asked, and what it must offer
LINES = (("mct tr", "train"), ("mct train g", "gpt"), ("mct train gpt --products ''", "bfloat16 float"),
         ("mct embed --check", "--checkpoint-every"))


def fields_of(tree):
    text = (tree / "DEBIAN" / "control").read_text("utf-8")
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line and line[0] != " ")


def package_problems(tree, version):
    fields = fields_of(tree)
    expected = {"Package": "mctensor", "Version": version + "-1"}
    found = [f"control: {name} is {fields.get(name)}, not {value}"
             for name, value in expected.items() if fields.get(name) != value]
    found += [f"control: no field {name}" for name in ("Depends", "Maintainer", "Description", "Architecture")
              if not fields.get(name)]
    return found + [f"{name} is missing" for name in FILES if not (tree / name).is_file()]


def program_problems(tree, version):
    program = tree / "usr" / "bin" / "mct"
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    found = [] if said == version else [f"{program} --version says {said}, not {version}"]
    pages = tree / "usr" / "share" / "man" / "man1"
    commands = read_commands(str(program))
    wanted = {c.path.replace(" ", "-") + ".1.gz" for c in commands}
    have = {p.name for p in pages.glob("*")}
    found += [f"{pages}: {name} is {'missing' if name in wanted else 'of no command'}"
              for name in sorted(wanted ^ have)]
    for command in commands:
        page = pages / (command.path.replace(" ", "-") + ".1.gz")
        if not page.is_file():
            continue
        text = gzip.decompress(page.read_bytes()).decode("utf-8")
        found += [f"man page of {command.path}: {name} is missing" for entry in command.options()
                  for name in entry.names() if name.replace("-", r"\-") not in text]
    return found


def roff_problems(tree):
    """What groff warns of, where it is installed."""
    if not shutil.which("groff"):
        return []
    pages = sorted((tree / "usr" / "share" / "man" / "man1").glob("*.1.gz"))
    text = b"".join(gzip.decompress(page.read_bytes()) for page in pages)
    run = subprocess.run(["groff", "-k", "-man", "-ww", "-z", "-Tutf8"], capture_output=True, input=text)
    lines = [line for line in run.stderr.decode("utf-8").splitlines() if "can't break line" not in line and
             "cannot adjust line" not in line and "cannot break line" not in line]
    return lines[:10]


def completion_problems(tree):
    script = tree / "usr" / "share" / "bash-completion" / "completions" / "mct"
    found = []
    for line, expected in LINES:
        words = f"COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _mct; echo ${{COMPREPLY[@]}}"
        run = subprocess.run(["bash", "-c", f"source '{script}'; {words}"], capture_output=True, text=True)
        if run.stdout.strip() != expected:
            found.append(f"bash completes '{line}' as '{run.stdout.strip()}', not '{expected}' {run.stderr}")
    for shell, name in (("zsh", "zsh/vendor-completions/_mct"), ("fish", "fish/vendor_completions.d/mct.fish")):
        if shutil.which(shell):
            run = subprocess.run([shell, "-n", tree / "usr" / "share" / name], capture_output=True, text=True)
            if run.returncode or run.stderr:
                found.append(f"{shell} does not read {name}: {run.stderr}")
    return found


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    tree, version = Path(arguments[0]), arguments[1]
    found = package_problems(tree, version) + program_problems(tree, version)
    found += roff_problems(tree) + completion_problems(tree)
    print("\n".join([*found, f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
