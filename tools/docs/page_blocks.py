#!/usr/bin/env python3
"""Runs the Python blocks of README.md and docs/*.md, and the sh blocks that are marked `run`, page by page and from
top to bottom, each page in an empty folder. Of every sh block it checks the commands: `mct` and `./run` must know the
subcommands and options that stand there.

usage: tools/docs/page_blocks.py MCT [PAGE...]

Blocks that need mctensor or PyTorch are skipped with a line where these cannot be imported.
"""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import code_blocks

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = ("mctensor", "torch", "numpy", "matplotlib", "mpmath")


class Help:
    """What programs say about themselves."""

    def __init__(self, mct):
        self.mct = mct
        self.texts = {}

    def of(self, words):
        if words not in self.texts:
            command = [ROOT / "run", "help"] if words == ("./run",) else [self.mct, *words[1:], "--help"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.texts[words] = run.stdout if run.returncode == 0 else None
        return self.texts[words]

    def faults(self, command):
        """What the programs do not know of one command."""
        words = re.sub(r"\s#.*", "", command).split()
        while words and words[0] == "mpirun":
            words = words[words.index("mct"):] if "mct" in words else []
        if not words or words[0] not in ("mct", "./run"):
            return []
        if words[0] == "./run":
            known = re.search(rf"^  {re.escape(words[1])}\b", self.of(("./run",)), re.M)
            return [] if known else [f"./run has no '{words[1]}'"]
        path = ["mct"]
        for word in words[1:3]:
            if not re.match(r"[a-z][a-z-]*$", word) or f"\n  {word} " not in (self.of(tuple(path)) or ""):
                break
            path.append(word)
        text = self.of(tuple(path))
        if text is None or len(path) == 1:
            return [f"mct has no '{words[1]}'"]
        options = [word.split("=")[0] for word in words if word.startswith("--")]
        return [f"{' '.join(path)} has no {option}" for option in options
                if not re.search(rf"(^|[\s,]){re.escape(option)}(?![\w-])", text)]


def commands_of(block):
    """The commands of an sh block, here-documents left out."""
    text = re.sub(r"<<'(\w+)'\n.*?\n\1$", "", block.text, flags=re.S | re.M).replace("\\\n", " ")
    for line in text.split("\n"):
        yield from (part.strip() for part in re.split(r"&&|\|", re.sub(r"#.*", "", line)))


def run_shell(block, mct):
    environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(mct)) + os.pathsep + os.environ["PATH"])
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], env=environment, capture_output=True, text=True,
                         check=False)
    return [] if run.returncode == 0 else [run.stdout + run.stderr]


def run_python(block, names):
    """[] if the block ran, else what went wrong. Raises ModuleNotFoundError for what may be missing."""
    source = (block.hidden + "\n" if block.hidden else "") + block.text
    lines = block.line - 1 - (block.hidden.count("\n") + 1 if block.hidden else 0)
    try:
        with open(os.devnull, "w", encoding="utf-8") as nothing, \
                contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
            exec(compile("\n" * max(lines, 0) + source, block.page, "exec"), names)  # noqa: S102
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in OPTIONAL:
            raise
        return [repr(error)]
    except Exception as error:  # noqa: BLE001
        line = error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else block.line
        return [f"line {line}: {error!r}"]
    return []


def run_page(page, blocks, mct, helps):
    faults, names, missing = [], {"__name__": "__main__"}, None
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in blocks:
            found = []
            if "skip" in block.words:
                if block.language == "python":
                    print(f"{page}:{block.line}: not run, {block.reason}")
            elif block.language == "sh":
                found = [fault for command in commands_of(block) for fault in helps.faults(command)]
                found += run_shell(block, mct) if "run" in block.words else []
            elif block.language == "python" and missing is None:
                try:
                    found = run_python(block, names)
                except ModuleNotFoundError as error:
                    missing = error.name
                    print(f"skipped: {page} from line {block.line} on, there is no {missing}")
            faults += [f"{page}:{block.line}: {fault}" for fault in found]
        os.chdir(ROOT)
    return faults


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    mct, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    helps, faults = Help(mct), []
    blocks = code_blocks.read(ROOT)
    for page in code_blocks.pages(ROOT):
        own = [block for block in blocks if block.page == page]
        if own and (not only or page in only):
            faults += run_page(page, own, mct, helps)
    print("\n".join(faults) if faults else f"{len([b for b in blocks if b.language in ('python', 'sh')])} blocks")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
