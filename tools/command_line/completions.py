#!/usr/bin/env python3
"""Writes completions of a program's commands, options and choices for bash, zsh and fish, from its --help.

usage: completions.py PROGRAM DIRECTORY

DIRECTORY gets NAME.bash, _NAME (zsh) and NAME.fish. What is no command, option or choice is completed as a file.

Exit codes: 0 written, 1 the program or its help cannot be read, 2 bad usage.
"""
import re
import sys
from pathlib import Path

from command_help import write_files

# Each shell finds the command that has been typed so far, "mct train gpt", in the same way: a word joins it
# if the table of commands knows the longer one.
BASH = """\
# Completion of {name} for bash; made from --help by tools/command_line/completions.py.
_{name}() {{
  local path={name} word i current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${{COMP_WORDS[i]}}
    case "$path $word" in
{known}
    esac
  done
  local words=
  case "$path $previous" in
{choices}
    *)
      case "$path" in
{commands}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _{name} {name}
"""

ZSH = """\
#compdef {name}
# Completion of {name} for zsh; made from --help by tools/command_line/completions.py.
local path_so_far={name} word previous=${{words[CURRENT-1]}}
for word in ${{words[2,CURRENT-1]}}; do
  case "$path_so_far $word" in
{known}
  esac
done
local -a found
case "$path_so_far $previous" in
{choices}
  *)
    case "$path_so_far" in
{commands}
    esac
    ;;
esac
if (( ${{#found}} )); then _describe -o '{name}' found; fi
_files
"""

FISH = """\
# Completion of {name} for fish; made from --help by tools/command_line/completions.py.
function __{name}_at
    set -l path {name}
    for word in (commandline -opc)[2..]
        switch "$path $word"
            case {known}
                set path "$path $word"
        end
    end
    test "$path" = "$argv"
end
{lines}
"""


def quoted(text):
    """As a word of bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def summary(entry):
    """The first clause of a description."""
    return re.split(r"[.;:] |[.;:]$", " ".join(entry.text))[0] if entry.text else ""


def option_names(command):
    return [name for entry in command.options() for name in entry.names()]


def with_choices(commands):
    return [(c, e) for c in commands for e in c.options() if e.choices()]


def bash(name, commands):
    known = "\n".join(f"      {quoted(c.path)}) path={quoted(c.path)} ;;" for c in commands[1:])
    choices = "\n".join("    {}) words={} ;;".format(
        " | ".join(quoted(f"{c.path} {n}") for n in e.names()), quoted(" ".join(e.choices())))
        for c, e in with_choices(commands))
    lists = "\n".join(f"        {quoted(c.path)}) words={quoted(' '.join(c.subcommands() + option_names(c)))} ;;"
                      for c in commands)
    return BASH.format(name=name, known=known, choices=choices, commands=lists)


def zsh_entry(name, text):
    return quoted(name.replace(":", "\\:") + (":" + text if text else ""))


def zsh(name, commands):
    known = "\n".join(f"    {quoted(c.path)}) path_so_far={quoted(c.path)} ;;" for c in commands[1:])
    choices = "\n".join("  {}) found=({}) ;;".format(
        " | ".join(quoted(f"{c.path} {n}") for n in e.names()), " ".join(map(quoted, e.choices())))
        for c, e in with_choices(commands))
    lists = []
    for c in commands:
        entries = [zsh_entry(e.head.split()[0], summary(e)) for e in c.sections.get("Subcommands", [])]
        entries += [zsh_entry(n, summary(e)) for e in c.options() for n in e.names()]
        lists.append(f"      {quoted(c.path)}) found=({' '.join(entries)}) ;;")
    return ZSH.format(name=name, known=known, choices=choices, commands="\n".join(lists))


def fish_option(command, entry):
    words = ["complete", "-c", command.path.split()[0], "-n", fish_quoted(f"__{command.path.split()[0]}_at "
                                                                         f"{command.path}")]
    for spelling in entry.names():
        words += ["-l", spelling[2:]] if spelling.startswith("--") else ["-s", spelling[1:]]
    if entry.choices():
        words += ["-x", "-a", fish_quoted(" ".join(entry.choices()))]
    elif entry.takes_value():
        words.append("-r")
    return " ".join([*words, "-d", fish_quoted(summary(entry))])


def fish(name, commands):
    lines = []
    for c in commands:
        at = fish_quoted(f"__{name}_at {c.path}")
        lines += [f"complete -c {name} -f -n {at} -a {e.head.split()[0]} -d {fish_quoted(summary(e))}"
                  for e in c.sections.get("Subcommands", [])]
        lines += [fish_option(c, e) for e in c.options()]
    return FISH.format(name=name, known=" ".join(fish_quoted(c.path) for c in commands[1:]),
                       lines="\n".join(lines))


def files(program, commands):
    name = Path(program).name
    return {f"{name}.bash": bash(name, commands), f"_{name}": zsh(name, commands), f"{name}.fish": fish(name, commands)}


if __name__ == "__main__":
    sys.exit(write_files(__doc__, sys.argv[1:], files))
