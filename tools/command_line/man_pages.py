#!/usr/bin/env python3
"""Writes a man page of a program and of each of its subcommands, from what --help says.

usage: man_pages.py PROGRAM DIRECTORY

DIRECTORY gets mct.1, mct-embed.1, mct-train-gpt.1 and so on. help2man makes one page of one
call; this walks through the subcommands, and the completions are made from the same reading.

Exit codes: 0 written, 1 the program or its help cannot be read, 2 bad usage.
"""
import re
import subprocess
import sys

from command_help import write_files

EXIT_CODES = re.compile(r"(?:^|(?<= ))Exit code: (.*)$")


def escaped(text):
    """Text as roff prints it unchanged."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def name_of(path):
    return path.replace(" ", "-")


def described(entry):
    first, _, value = escaped(entry.head).partition(" ")
    return [".TP", f"\\fB{first}\\fR {value}".rstrip(), *(escaped(line) for line in entry.text)]


def one_line(command):
    """The first sentence of what a command is about."""
    return re.split(r"(?<=\.)\s", " ".join(command.about))[0].rstrip(".")


def page(command, version):
    exit_codes = [code for line in command.about for code in EXIT_CODES.findall(line)]
    about = [EXIT_CODES.sub("", line).rstrip() for line in command.about]
    name = name_of(command.path)
    lines = [f'.TH "{escaped(name.upper())}" 1 "" "MCTensor {version}" "User commands"',
             ".SH NAME", f"{escaped(name)} \\- {escaped(one_line(command))}",
             ".SH SYNOPSIS", f".B {escaped(command.usage)}",
             ".SH DESCRIPTION", *(escaped(line) for line in about if line)]
    for section, title in (("Positionals", "ARGUMENTS"), ("Options", "OPTIONS"),
                           ("Subcommands", "COMMANDS")):
        entries = command.sections.get(section, [])
        if entries:
            lines.append(f".SH {title}")
        for entry in entries:
            lines += described(entry)
    if command.rest:
        at = next((i for i, line in enumerate(command.rest) if re.match(r"Examples?:$", line)),
                  len(command.rest))
        if any(command.rest[:at]):
            lines += [".SH NOTES", *(escaped(line) if line else ".PP" for line in command.rest[:at])]
        if at < len(command.rest):
            lines += [".SH EXAMPLES", ".nf", *(escaped(line) for line in command.rest[at + 1:]), ".fi"]
    if exit_codes:
        lines += [".SH EXIT STATUS", *(escaped(code) for code in exit_codes)]
    parent = command.path.rpartition(" ")[0]
    also = [parent] * bool(parent) + [f"{command.path} {word}" for word in command.subcommands()]
    if also:
        lines += [".SH SEE ALSO", ",\n".join(f"\\fB{escaped(name_of(p))}\\fR(1)" for p in also)]
    return "\n".join(lines) + "\n"


def files(program, commands):
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return {f"{name_of(c.path)}.1": page(c, version) for c in commands}


if __name__ == "__main__":
    sys.exit(write_files(__doc__, sys.argv[1:], files))
