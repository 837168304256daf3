#!/usr/bin/env python3
"""What --help prints is read as it is meant, and pages and completions have all of it."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import completions
import man_pages
from command_help import parse_help, read_commands

HELP = """\
Draw points: as a picture.
Of a plane. Exit code: 0 done, 2 bad usage.
Usage: mct draw [OPTIONS] FILE

Positionals:
  FILE TEXT REQUIRED          The points

Options:
  -h,--help                   Print this
  -o,--out DIR REQUIRED       Where to; it
                              is made
  --model TEXT=xmc-half-space One of them
  --beta1 FLOAT in [0 - 1]=0.9
                              Of Radam
  --kind {ball,disk}
                              What it is
  --edge FLOAT Excludes: FILE --epsilon
                              It's a length

.A note.

Example:
  mct draw points.npy -o out
"""


class Help(unittest.TestCase):
    def setUp(self):
        self.command = parse_help("mct draw", HELP)
        self.options = {e.names()[-1]: e for e in self.command.options()}

    def test_entries(self):
        self.assertEqual(list(self.options), ["--help", "--out", "--model", "--beta1", "--kind", "--edge"])
        self.assertEqual(self.options["--out"].names(), ["-o", "--out"])
        self.assertEqual(self.options["--out"].text, ["Where to; it", "is made"])
        self.assertEqual(self.options["--model"].text, ["One of them"])
        self.assertEqual(self.options["--beta1"].head, "--beta1 FLOAT in [0 - 1]=0.9")
        self.assertEqual(self.options["--beta1"].text, ["Of Radam"])
        self.assertEqual(self.options["--kind"].choices(), ["ball", "disk"])
        self.assertEqual([self.options[n].takes_value() for n in ("--help", "--out")], [False, True])

    def test_other_texts(self):
        with self.assertRaisesRegex(ValueError, "mct draw --help"):
            parse_help("mct draw", "Segmentation fault\n")

    def test_page(self):
        page = man_pages.page(self.command, "1.2.3")
        for text in (".SH NAME\nmct\\-draw \\- Draw points: as a picture\n", "MCTensor 1.2.3",
                     "\\fB\\-o,\\-\\-out\\fR DIR REQUIRED\nWhere to; it\nis made\n", "{ball,disk}",
                     ".SH NOTES\n\\&.A note.\n", ".nf\n  mct draw points.npy \\-o out\n.fi",
                     ".SH EXIT STATUS\n0 done, 2 bad usage.\n", "\\fBmct\\fR(1)"):
            self.assertIn(text, page)

    def test_bash(self):
        script = completions.bash("mct", [parse_help("mct", HELP), self.command])
        for line, expected in (("mct d", "draw"), ("mct draw --k", "--kind"), ("mct draw --kind ''", "ball disk")):
            # the table has no list of subcommands here: the words are added by hand
            script_of_line = script.replace("'mct') words='", "'mct') words='draw ")
            words = f"COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _mct; echo ${{COMPREPLY[@]}}"
            out = subprocess.run(["bash", "-c", f"{script_of_line}\n{words}"], check=True, capture_output=True,
                                 text=True)
            self.assertEqual((line, out.stdout.strip(), out.stderr), (line, expected, ""))

    def test_every_subcommand_is_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "prog")
            program.write_text("""#!/bin/sh
case "$*" in
  --help) echo "Top
Usage: prog SUBCOMMAND

Options:
  -h,--help  Help

Subcommands:
  one        First" ;;
  "one --help") echo "First
Usage: prog one

Options:
  -h,--help  Help" ;;
esac
""")
            program.chmod(0o755)
            self.assertEqual([c.path for c in read_commands(str(program))], ["prog", "prog one"])


if __name__ == "__main__":
    unittest.main()
