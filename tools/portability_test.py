#!/usr/bin/env python3
"""The table of portability.py says what failed, and combinations are told to compilers as they are named."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import portability
from portability import Combination

GXX = Combination("g++-12", "c++23", "libstdc++", "x86-64-v3")
ROW = {"cells": {"eft": "2 of 3 passed", "expansion": "5 passed", "math": "3 passed"}, "note": "eft/fp8: fails: A.b",
       "good": False, "warnings": 0, "seconds": 12.3}


class Portability(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(GXX.command(), ["g++-12", "-std=c++23", "-march=x86-64-v3"])
        self.assertEqual(Combination("clang++-22", "c++20", "libc++", "arm64").command(),
                         ["clang++-22", "-std=c++20", "-stdlib=libc++", "--target=aarch64-linux-gnu"])
        cross = Combination("aarch64-linux-gnu-g++", "c++20", "libstdc++", "arm64")
        self.assertEqual(cross.command(), ["aarch64-linux-gnu-g++", "-std=c++20"])

    def test_each_is_named_once(self):
        names = [c.name() for c in portability.combinations()]
        self.assertEqual(len(names), len(set(names)))
        for part in ("g++-12 c++20", "c++23 libc++ x86-64-v4", "aarch64-linux-gnu-g++ c++23", "x86-64-v2"):
            self.assertTrue(any(part in name for name in names), part)

    def test_tests_exist(self):
        for subject, tests in portability.SUBJECTS.items():
            for test in tests:
                self.assertTrue((portability.ROOT / "tests" / subject / f"{test}_test.cpp").is_file(), test)

    def test_table(self):
        text = portability.table([(GXX, ROW)])
        self.assertIn("| g++-12 c++23 libstdc++ x86-64-v3 | 2 of 3 passed | 5 passed | 3 passed | 0 | 12 |", text)
        self.assertIn("- g++-12 c++23 libstdc++ x86-64-v3: eft/fp8: fails: A.b", text)

    def outcome(self, *runs, launcher=()):
        """Of a test whose compilation and run end with these codes and texts."""
        results = [mock.Mock(returncode=code, stdout=text, stderr=text) for code, text in runs]
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(portability, "run", side_effect=results):
            for name in ("g_12_c_23_libstdc_x86_64_v3_eft_fp8",):
                Path(folder, name).touch()
            return portability.try_test(GXX, "eft", "fp8", Path(folder), [], launcher)

    def test_outcomes(self):
        self.assertEqual(self.outcome((0, ""), (0, "")), ("passed", []))
        self.assertEqual(self.outcome((0, ""), launcher=None), ("compiled", []))
        self.assertEqual(self.outcome((1, "a.cpp:1: error: no\n"))[0], "does not compile: a.cpp:1: error: no")
        self.assertEqual(self.outcome((0, ""), (1, "[  FAILED  ] A.b (1 ms)\n"))[0], "fails: A.b")
        ours = "/x/include/mctensor/a.hpp:1:2: warning: narrow [-Wconversion]"
        self.assertEqual(self.outcome((0, ours + "\nb.cpp:1:2: warning: other"), (0, ""))[1], [ours])

    def test_32_bits_are_refused(self):
        with mock.patch.object(portability, "run", return_value=mock.Mock(returncode=0, stderr="")):
            self.assertIsNone(portability.refuses_32_bits())


if __name__ == "__main__":
    unittest.main()
