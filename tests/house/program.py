"""The program `mct` as the tests of its commands run it."""
import os
import pathlib
import subprocess
import sys


class Program:
    """Runs `mct` in a directory. Where a command does what the test does not expect, the test ends with its output."""

    def __init__(self, path, directory):
        self.path, self.directory = os.path.abspath(path), pathlib.Path(directory)

    def run(self, code, *arguments, expect=()):
        """The output of a command that must end with this exit code, and say all of these texts.

        What a command refuses, it says on the standard error: there alone the texts of a failure count.
        """
        done = subprocess.run([self.path, *map(str, arguments)], cwd=self.directory, text=True, timeout=60,
                              capture_output=True)
        said = done.stderr if code else done.stdout + done.stderr
        shown = f"mct {' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        if done.returncode != code:
            sys.exit(f"{shown}\nexpected: exit code {code}")
        for text in expect:
            if text not in said:
                sys.exit(f"{shown}\nexpected: '{text}'")
        return said
