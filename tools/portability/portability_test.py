#!/usr/bin/env python3
"""The table of portability.py says what failed, and combinations are told to compilers as they are named."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import portability
import portability_library
from portability import Combination, Row

GXX = Combination("g++-12", "c++23", "libstdc++", "x86-64-v3")
CLANG = Combination("clang++-22", "c++20", "libc++", "arm64", True)


class Portability(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(GXX.command(), ["g++-12", "-std=c++23", "-march=x86-64-v3"])
        self.assertEqual(CLANG.command(), ["clang++-22", "-std=c++20", "-stdlib=libc++",
                                           "-DBOOST_NO_CXX98_FUNCTION_BASE", "--target=aarch64-linux-gnu"])
        cross = Combination("aarch64-linux-gnu-g++", "c++20", "libstdc++", "arm64")
        self.assertEqual(cross.command(), ["aarch64-linux-gnu-g++", "-std=c++20"])

    def test_each_is_named_once(self):
        names = [c.name() for c in portability.combinations()]
        self.assertEqual(len(names), len(set(names)))
        for part in ("g++-12 c++20", "c++23 libc++ x86-64-v4", "aarch64-linux-gnu-g++ c++23", "x86-64-v2"):
            self.assertTrue(any(part in name for name in names), part)

    def test_tests_exist(self):
        with_library = {s: [t for names in programs for t in names]
                        for s, programs in portability_library.LIBRARY_SUBJECTS.items()}
        for subject, tests in {**portability.SUBJECTS, **with_library}.items():
            for test in tests:
                self.assertTrue((portability.ROOT / "tests" / subject / f"{test}_test.cpp").is_file(), test)

    def test_a_combination_compiles_the_library_or_not(self):
        names = [c.name().removesuffix(" + library") for c in portability.combinations()]
        self.assertEqual(len(names), len(set(names)))
        compiled = [c for c in portability.combinations() if c.compiled]
        self.assertTrue(any(c.processor == "arm64" for c in compiled))
        self.assertTrue(any(c.library == "libc++" for c in compiled))
        self.assertTrue(any(c.has_fma() for c in compiled))
        self.assertFalse(all(c.has_fma() for c in compiled))

    def test_configuration(self):
        words = portability_library.configuration(GXX.command(), GXX.processor, "/i")
        self.assertIn("-DCMAKE_CXX_STANDARD=23", words)
        self.assertIn("-DMCT_KERNELS=NATIVE", words)
        self.assertIn("-DMCT_KERNELS=BASELINE",
                      portability_library.configuration(["g++-12", "-std=c++20", "-march=x86-64-v2"], "x86-64-v2", "/i"))
        self.assertIn("-DCMAKE_CXX_FLAGS=", words)
        cross = portability_library.configuration(["aarch64-linux-gnu-g++", "-std=c++20"], "arm64", "/i")
        self.assertIn("-DCMAKE_SYSTEM_PROCESSOR=aarch64", cross)
        self.assertIn("-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc", cross)

    def row(self, combination=GXX, output="f64x2 add 1\nf64x2 sub 2\n", references=None):
        row = Row(combination)
        row.put("eft", [("edge_cases", 1, "fails: A.b", []), ("transforms", 1, "passed", [])], "passed")
        row.put("tensor", [("view and others", 9, "passed", [])], "passed")
        row.put_bits("bits", ("passed", [], output), {} if references is None else references)
        return row

    def test_table(self):
        references = {}
        row = self.row(references=references)
        text = portability.table([(row, None)], references)
        self.assertIn("| g++-12 c++23 libstdc++ x86-64-v3 |  | 1 of 2 passed |  |  | 2 of 2 | 9 passed |", text)
        self.assertIn("- g++-12 c++23 libstdc++ x86-64-v3: eft/edge_cases: fails: A.b", text)
        self.assertIn("- bits: operations whose results are bit for bit those of g++-12 c++23", text)
        self.assertFalse(row.good())

    def test_other_bits_are_named(self):
        references = {}
        self.row(references=references)
        same = self.row(CLANG, references=references)
        self.assertEqual(same.cells["bits"], "2 of 2")
        self.assertNotIn("differing", same.note())
        other = self.row(CLANG, "f64x2 add 1\nf64x2 sub 3\n", references)
        self.assertEqual(other.cells["bits"], "1 of 2")
        self.assertIn("differing: f64x2 sub", other.note())
        shorter = self.row(CLANG, "f64x2 add 1\n", references)
        self.assertIn("1 lines, 2 of g++-12", shorter.note())
        failed = Row(CLANG)
        failed.put_bits("bits", ("fails: x", [], ""), references)
        self.assertFalse(failed.good())

    def test_the_report_stands_between_its_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            portability.write_report(page, "one\n")
            self.assertEqual(page.read_text(), f"{portability.BEGIN}\none\n{portability.END}\n")
            page.write_text(f"before\n{portability.BEGIN}\nold\n{portability.END}\nafter\n")
            portability.write_report(page, "two\n")
            self.assertEqual(page.read_text(), f"before\n{portability.BEGIN}\ntwo\n{portability.END}\nafter\n")
            page.write_text("no marks\n")
            with self.assertRaises(ValueError):
                portability.write_report(page, "three\n")

    def outcome(self, *runs, launcher=()):
        """Of a test whose compilation and run end with these codes and texts."""
        results = [mock.Mock(returncode=code, stdout=text, stderr=text) for code, text in runs]
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(portability, "run", side_effect=results):
            Path(folder, "g_12_c_23_libstdc_x86_64_v3_eft_transforms").touch()
            return portability.try_test(GXX, "eft", "transforms", Path(folder), [], launcher)

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
