#!/usr/bin/env python3
"""Tests changed.py on a small repository, with stand-ins for clang-tidy and the compiler."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
# alarms on a source that says so
TIDY = """#!/bin/sh
[ "$1" = --version ] && echo 1 && exit
[ "$3" = -- ] || exit 2
grep -l ALARM "$2" && exit 1
exit 0
"""
# refuses a source that says so, itself or in a header
COMPILER = """#!/bin/sh
[ "$1" = --version ] && cat "$(dirname "$0")/version" && exit
[ "$2" = -c ] || exit 2
grep -rl BAD "$(dirname "$0")/include" "$3" && exit 1
exit 0
"""


class ChangedTest(unittest.TestCase):
    """low.hpp is included by high.hpp and b.cpp, high.hpp by a.cpp; t.cpp is not in a folder that is linted."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name).resolve()
        self.write(".gitignore", "build/\ndb.json\ntidy\ncompiler\nversion\n")
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("include/mctensor/low.hpp", "int low();\n")
        self.write("include/mctensor/high.hpp", '#include "mctensor/low.hpp"\n')
        self.write("docs/page.md", "page\n")
        self.write("src/a.cpp", '#include "mctensor/high.hpp"\n')
        self.write("src/b.cpp", '#include "mctensor/low.hpp"\n')
        self.write("tests/t.cpp", "ALARM\n")
        self.write("build/Unity/unity_0.cxx", f'#include "{self.root}/src/a.cpp"\n#include "{self.root}/src/b.cpp"\n')
        self.write("build/high.cpp", "#include <mctensor/high.hpp>\n")
        self.write("build/low.cpp", "#include <mctensor/low.hpp>\n")
        self.write("build/page.cpp", '#line 3 "docs/page.md"\n')
        self.write("build/other.cpp", "BAD\n")
        self.write("version", "1\n")
        for name, text in (("tidy", TIDY), ("compiler", COMPILER)):
            self.write(name, text)
            (self.root / name).chmod(0o700)
        self.database("-O0")
        self.git("init", "-q", "-b", "main")
        self.commit()
        self.commit()
        self.git("checkout", "-q", "-b", "mine")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def database(self, option):
        def entry(file, target):
            return {"file": str(self.root / file), "directory": str(self.root / "build"),
                    "command": f"cache {self.root}/compiler {option} -include /x/cmake_pch.hxx -Winvalid-pch "
                               f"-o x/CMakeFiles/{target}.dir/{Path(file).name}.o -c {self.root / file}"}
        self.write("db.json", json.dumps([
            entry("build/Unity/unity_0.cxx", "library"), entry("tests/t.cpp", "tests"), entry("build/high.cpp", "alone"),
            entry("build/low.cpp", "alone"), entry("build/page.cpp", "alone"), entry("build/other.cpp", "other")]))

    def git(self, *words):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=n", "-c", "user.email=e", *words], check=True,
                       stdout=subprocess.DEVNULL)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def run_it(self, *words):
        """(exit code, the sources that were read, all output)"""
        done = subprocess.run(
            [sys.executable, "-B", str(HERE / "changed.py"), "--root", str(self.root), "--database",
             str(self.root / "db.json"), "--passed", str(self.root / "build/passed"), *words],
            capture_output=True, text=True, check=False)
        read = {Path(line.split()[1]).name for line in done.stdout.splitlines() if line.startswith("[")}
        return done.returncode, read, done.stdout + done.stderr

    def lint(self, *words):
        return self.run_it("--tidy", str(self.root / "tidy"), *words)[:2]

    def compiled(self, *words):
        return self.run_it(*words, "alone")[:2]

    def test_nothing_has_changed(self):
        self.assertEqual(self.lint(), (0, set()))
        self.assertEqual(self.compiled(), (0, set()))

    def test_everything(self):
        for _ in range(2):
            self.assertEqual(self.lint("--all"), (0, {"a.cpp", "b.cpp"}))
            self.assertEqual(self.compiled("--all"), (0, {"high.cpp", "low.cpp", "page.cpp"}))

    def test_a_commit_a_change_and_a_new_file(self):
        self.write("src/b.cpp", "int b;\n")
        self.assertEqual(self.lint(), (0, {"b.cpp"}))
        self.assertEqual(self.lint(), (0, set()))  # it has passed
        self.commit()
        self.assertEqual(self.lint(), (0, set()))
        self.write("src/b.cpp", "int c;\n")
        self.assertEqual(self.lint(), (0, {"b.cpp"}))
        self.write("src/a.cpp", '#include "new.hpp"\n')
        self.write("src/new.hpp", "int c;\n")
        self.assertEqual(self.lint(), (0, {"a.cpp"}))
        self.write("docs/page.md", "another\n")
        self.assertEqual(self.compiled(), (0, {"page.cpp"}))

    def test_a_header_is_seen_by_all_or_once(self):
        self.write("include/mctensor/low.hpp", "int lower();\n")
        self.assertEqual(self.lint("--once"), (0, {"b.cpp"}))
        self.assertEqual(self.lint(), (0, {"a.cpp"}))
        self.assertEqual(self.compiled("--limit", "1"), (0, {"low.cpp"}))  # the nearer one
        code, read, output = self.run_it("--limit", "0", "alone")
        self.assertEqual((code, read), (0, set()))
        self.assertIn("1 more see a change", output)
        self.assertEqual(self.compiled("--limit", "1"), (0, {"high.cpp"}))

    def test_a_deleted_header(self):
        (self.root / "include/mctensor/high.hpp").unlink()
        self.assertEqual(self.compiled(), (0, {"high.cpp"}))

    def test_on_the_upstream_branch_the_last_commit(self):
        self.write("src/b.cpp", "int b;\n")
        self.commit()
        self.git("branch", "-f", "main", "mine")
        self.assertEqual(self.lint(), (0, {"b.cpp"}))
        self.write("docs/page.md", "another\n")
        self.commit()
        self.git("update-ref", "refs/remotes/origin/main", "mine")
        self.assertEqual(self.lint(), (0, set()))
        self.assertEqual(self.compiled(), (0, {"page.cpp"}))

    def test_without_history_everything_within_the_limit(self):
        subprocess.run(["rm", "-r", str(self.root / ".git")], check=True)
        code, read, output = self.run_it("--tidy", str(self.root / "tidy"), "--limit", "1", "--once")
        self.assertEqual((code, len(read)), (0, 1))
        self.assertIn("no history", output)
        self.assertIn("1 more see a change", output)
        self.assertEqual(self.lint(), (0, {"a.cpp", "b.cpp"} - read))

    def test_alarms_do_not_pass(self):
        self.write("src/a.cpp", "ALARM\n")
        self.write("src/b.cpp", "int b;\n")
        self.assertEqual(self.lint(), (1, {"a.cpp", "b.cpp"}))
        self.assertEqual(self.lint(), (1, {"a.cpp"}))
        self.write("include/mctensor/high.hpp", "BAD\n")
        self.assertEqual(self.compiled(), (1, {"high.cpp"}))
        self.assertEqual(self.compiled(), (1, {"high.cpp"}))

    def test_rules_options_and_version(self):
        self.write(".clang-tidy", "Checks: '-*'\n")
        both = {"a.cpp", "b.cpp"}
        self.assertEqual(self.lint("--once"), (0, both))
        self.write("docs/page.md", "another\n")
        alone = {"high.cpp", "low.cpp", "page.cpp"}
        self.assertEqual(self.compiled(), (0, alone))
        self.database("-O1")
        self.assertEqual(self.compiled(), (0, alone))
        self.write("version", "2\n")
        self.assertEqual(self.compiled(), (0, alone))
        self.assertEqual(self.compiled(), (0, set()))

    def test_bad_usage(self):
        for words in (["--nonsense"], [], ["alone", "--tidy", "x"], ["nothing"],
                      ["alone", "--database", str(self.root / "nowhere")]):
            self.assertEqual(self.run_it(*words)[0], 2, words)


if __name__ == "__main__":
    unittest.main()
