"""What a program made with CLI11 says of itself in --help, as data: for man pages and completions.

read_commands(program) runs `program --help`, then the same of every subcommand, and of theirs.
"""
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SECTIONS = ("Positionals", "Options", "Subcommands")
COLUMN = 30  # where descriptions begin
CHOICES = re.compile(r"\{([^}]*)\}")


@dataclass
class Entry:
    """A line of a section: '--seed UINT=2026' and what it does."""
    head: str
    text: list = field(default_factory=list)

    def names(self):
        """The spellings of an option: -o and --out."""
        return self.head.split()[0].split(",")

    def takes_value(self):
        words = self.head.split()[1:]
        return bool(words) and words[0] not in ("Excludes:", "Needs:", "REQUIRED")

    def choices(self):
        match = CHOICES.search(self.head)
        return match.group(1).split(",") if match else []


@dataclass
class Command:
    path: str  # "mct train gpt"
    about: list = field(default_factory=list)
    usage: str = ""
    sections: dict = field(default_factory=dict)
    rest: list = field(default_factory=list)  # what stands below the sections, examples included

    def subcommands(self):
        return [e.head.split()[0] for e in self.sections.get("Subcommands", [])]

    def options(self):
        return self.sections.get("Options", [])


def parse_entry(line):
    """The first line of an entry. A head that reaches the column has its description on the lines below,
    one that ends in front of it a single blank between."""
    head, gap, text = line[2:].partition("  ")
    before = line[:COLUMN]
    if not gap and len(line) > COLUMN and before.endswith(" ") and before.count("[") == before.count("]") \
            and not re.search(r"(?:Excludes|Needs):", before):
        head, text = before[2:], line[COLUMN:]
    return Entry(head.strip(), [text.strip()] if text.strip() else [])


def parse_help(path, text):
    """The Command that a text of --help describes. Raises ValueError where it has another form."""
    command = Command(path)
    entries = None  # of the section that is being read
    for line in text.splitlines():
        section = line[:-1] if line.endswith(":") and line[:-1] in SECTIONS else None
        if line.startswith("Usage: "):
            command.usage = line[len("Usage: "):]
        elif section:
            entries = command.sections.setdefault(section, [])
        elif not command.usage:
            command.about.append(line)
        elif entries is not None and line.startswith(" " * COLUMN) and entries:
            entries[-1].text.append(line.strip())
        elif entries is not None and re.match(r"  \S", line):
            entries.append(parse_entry(line))
        elif line.strip():
            entries = None
            command.rest.append(line)
        elif command.rest:
            command.rest.append("")
    if not command.usage or not command.options():
        raise ValueError(f"{path} --help: no line 'Usage:' or no options in what it prints")
    return command


def run_help(program, words):
    """The help text in a terminal of any width, whatever the machine's language is."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True,
                          encoding="utf-8", env=environment).stdout


def read_commands(program, words=(), name=None):
    """The command of these words and all below it, depth first."""
    name = name or Path(program).name
    command = parse_help(" ".join([name, *words]), run_help(program, words))
    found = [command]
    for word in command.subcommands():
        found += read_commands(program, (*words, word), name)
    return found


def write_files(usage, arguments, files):
    """What a tool called with PROGRAM DIRECTORY does: writes files(program, commands), {name: text}. Returns its exit code."""
    if len(arguments) != 2:
        print(usage, file=sys.stderr)
        return 2
    program, out = arguments[0], Path(arguments[1])
    try:
        texts = files(program, read_commands(program))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 1
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    return 0
