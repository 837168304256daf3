#!/usr/bin/env python3
"""Tests lint.py on a small tree, with a stand-in for clang-tidy."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

from small_tree import SmallTreeTest, named_sources

HERE = Path(__file__).resolve().parent
# alarms on every file that says so, itself or in a header of its folder
TIDY = """#!/bin/sh
for last; do :; done
grep -l ALARM "$last" && exit 1
exit 0
"""


class LintTest(SmallTreeTest):
    def setUp(self):
        super().setUp()
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("tools/lint.py", "rules\n")
        self.write("include/mctensor/low.hpp", "int low();\n")
        self.write("include/mctensor/high.hpp", '#include "mctensor/low.hpp"\n')
        self.write("src/a.cpp", '#include "mctensor/high.hpp"\n')
        self.write("src/b.cpp", '#include "mctensor/low.hpp"\n')
        self.write("tests/t.cpp", "ALARM\n")  # not among the linted folders
        self.write_program("tidy", TIDY)
        commands = [{"file": str(self.root / f), "directory": str(self.root),
                     "command": f"cache g++ -include /x/cmake_pch.hxx -Winvalid-pch -c {f}"}
                    for f in ("src/a.cpp", "src/b.cpp", "tests/t.cpp")]
        self.write("db.json", json.dumps(commands))

    def lint(self, *words):
        """The exit code and the sources that were read."""
        done = subprocess.run(
            [sys.executable, str(HERE / "lint.py"), "--root", str(self.root), "--tidy",
             str(self.root / "tidy"), "--database", str(self.root / "db.json"), *words],
            capture_output=True, text=True, check=False)
        return done.returncode, named_sources(done.stdout)

    def test_everything_without_a_stamp_then_nothing(self):
        self.assertEqual(self.lint("--stamp"), (0, {"src/a.cpp", "src/b.cpp"}))
        self.assertEqual(self.lint(), (0, set()))
        self.assertEqual(self.lint("--all"), (0, {"src/a.cpp", "src/b.cpp"}))

    def test_changed_source(self):
        self.lint("--stamp")
        self.write("src/b.cpp", "int b;\n")
        self.assertEqual(self.lint(), (0, {"src/b.cpp"}))
        self.assertEqual(self.lint("--stamp"), (0, {"src/b.cpp"}))
        self.assertEqual(self.lint(), (0, set()))

    def test_changed_header_is_read_through_one_source(self):
        self.lint("--stamp")
        self.write("include/mctensor/high.hpp", '#include "mctensor/low.hpp"\nint high();\n')
        self.assertEqual(self.lint(), (0, {"src/a.cpp"}))
        self.write("include/mctensor/low.hpp", "int lower();\n")
        self.assertEqual(self.lint(), (0, {"src/a.cpp"}))

    def test_alarms_are_not_stamped(self):
        self.lint("--stamp")
        self.write("src/a.cpp", "ALARM\n")
        self.write("src/b.cpp", "int b;\n")
        self.assertEqual(self.lint("--stamp"), (1, {"src/a.cpp", "src/b.cpp"}))
        self.assertEqual(self.lint(), (1, {"src/a.cpp"}))  # what passed beside it is stamped

    def test_new_rules_concern_everything(self):
        self.lint("--stamp")
        self.write(".clang-tidy", "Checks: '-*'\n")
        self.assertEqual(self.lint(), (0, {"src/a.cpp", "src/b.cpp"}))

    def test_bad_usage(self):
        self.assertEqual(self.lint("--nonsense")[0], 2)
        self.assertEqual(self.lint("--database", str(self.root / "nowhere"))[0], 2)


if __name__ == "__main__":
    unittest.main()
