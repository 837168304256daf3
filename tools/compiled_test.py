#!/usr/bin/env python3
"""Tests compiled.py on a small tree, with a stand-in for the compiler."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

from small_tree import SmallTreeTest, named_sources

HERE = Path(__file__).resolve().parent
# refuses a source that says so, itself or in a header of its folder
COMPILER = """#!/bin/sh
[ "$1" = --version ] && cat "$(dirname "$0")/version" && exit
grep -rl BAD "$(dirname "$0")/include" "$3" && exit 1
exit 0
"""


class CompiledTest(SmallTreeTest):
    def setUp(self):
        super().setUp()
        self.write("tools/compiled.py", "rules\n")
        self.write("tools/lint.py", "rules\n")
        self.write(".clang-tidy", "\n")
        self.write("version", "1\n")
        self.write("include/mctensor/low.hpp", "int low();\n")
        self.write("include/mctensor/high.hpp", '#include "mctensor/low.hpp"\n')
        self.write("build/a.cpp", "#include <mctensor/high.hpp>\n")
        self.write("build/b.cpp", "#include <mctensor/low.hpp>\n")
        self.write("build/other.cpp", "BAD\n")
        self.write_program("compiler", COMPILER)
        self.database("-O0")

    def database(self, option):
        def entry(name, target):
            file = f"{self.root}/build/{name}.cpp"
            return {"file": file, "directory": str(self.root / "build"),
                    "command": f"{self.root}/compiler {option} -c {file} "
                               f"-o x/CMakeFiles/{target}.dir/{name}.cpp.o"}
        self.write("db.json", json.dumps(
            [entry("a", "alone"), entry("b", "alone"), entry("other", "other")]))

    def run_it(self, *words, targets=("alone",)):
        """The exit code and the sources that were compiled."""
        done = subprocess.run(
            [sys.executable, "-B", str(HERE / "compiled.py"), "--root", str(self.root),
             "--database", str(self.root / "db.json"), *words, *targets],
            capture_output=True, text=True, check=False)
        return done.returncode, named_sources(done.stdout)

    def test_everything_without_a_stamp_then_nothing(self):
        both = {"alone/a.cpp", "alone/b.cpp"}
        self.assertEqual(self.run_it(), (0, both))
        self.assertEqual(self.run_it("--stamp"), (0, both))
        self.assertEqual(self.run_it(), (0, set()))
        self.assertEqual(self.run_it("--all"), (0, both))

    def test_what_reaches_a_changed_header(self):
        self.run_it("--stamp")
        self.write("include/mctensor/high.hpp", '#include "mctensor/low.hpp"\nint high();\n')
        self.assertEqual(self.run_it("--stamp"), (0, {"alone/a.cpp"}))
        self.write("include/mctensor/low.hpp", "int lower();\n")
        self.assertEqual(self.run_it(), (0, {"alone/a.cpp", "alone/b.cpp"}))

    def test_options_version_and_rules(self):
        both = (0, {"alone/a.cpp", "alone/b.cpp"})
        self.run_it("--stamp")
        self.database("-O1")
        self.assertEqual(self.run_it("--stamp"), both)
        self.write("version", "2\n")
        self.assertEqual(self.run_it("--stamp"), both)
        self.write("tools/compiled.py", "other rules\n")
        self.assertEqual(self.run_it("--stamp"), both)
        self.assertEqual(self.run_it(), (0, set()))

    def test_failures_are_not_stamped(self):
        self.run_it("--stamp")
        self.write("build/b.cpp", "BAD\n")
        self.assertEqual(self.run_it("--stamp"), (1, {"alone/b.cpp"}))
        self.assertEqual(self.run_it("--stamp"), (1, {"alone/b.cpp"}))

    def test_other_targets_keep_their_lines(self):
        self.run_it("--stamp")
        self.assertEqual(self.run_it("--stamp", targets=("other",)), (1, {"other/other.cpp"}))
        self.assertEqual(self.run_it(), (0, set()))
        self.assertEqual(self.run_it(targets=("nothing",)), (2, set()))


if __name__ == "__main__":
    unittest.main()
