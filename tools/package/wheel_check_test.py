#!/usr/bin/env python3
"""wheel_check.py knows which Python a wheel is for, takes the oldest NumPy promised, and fails when a step fails or
all take too long; try_wheel.py fails where there is a compiler."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import bare_tree
import try_wheel
import wheel_check


def silently(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        return function(*arguments), out.getvalue()


class WheelCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.wheel = self.folder / "mctensor-0.3.0-cp311-cp311-manylinux_2_36_x86_64.whl"
        self.wheel.touch()

    def test_which_python(self):
        stable = Path("mctensor-0.3.0-cp312-abi3-linux_x86_64.whl")
        self.assertEqual([wheel_check.is_for(self.wheel, v) for v in ("3.10", "3.11", "3.12")], [False, True, False])
        self.assertEqual([wheel_check.is_for(stable, v) for v in ("3.11", "3.12", "3.14")], [False, True, True])

    def test_the_oldest_numpy(self):
        self.assertEqual(wheel_check.oldest_numpy("3.10", "1.22"), "1.22.0")
        self.assertEqual(wheel_check.oldest_numpy("3.11", "1.22"), "1.23.2")
        self.assertEqual(wheel_check.oldest_numpy("3.11", "1.100"), "1.100.0")
        self.assertRegex(wheel_check.oldest_numpy("3.10"), r"^\d+\.\d+\.\d+$")

    def test_others_are_refused(self):
        names = ("mctensor-0.3.0.tar.gz", "other-0.3.0-cp311-cp311-linux_x86_64.whl",
                 "mctensor-0.3.0-cp312-abi3-linux_x86_64.whl")
        (self.folder / names[2]).touch()
        for name in names:
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
                wheel_check.main([str(self.folder / name)])
            self.assertEqual(ended.exception.code, 2)

    def test_a_failure_ends_it(self):
        ended = [mock.Mock(returncode=code, stdout="") for code in (0, 0, 0, 1)]
        with mock.patch.object(wheel_check, "fetch_numpy", side_effect=self.fetched), \
                mock.patch.object(bare_tree, "reason_to_skip", return_value=None), \
                mock.patch.object(bare_tree, "make_base", side_effect=self.base), \
                mock.patch.object(bare_tree, "run_step", side_effect=ended):
            code, said = silently(wheel_check.main, ["--folder", str(self.folder / "bare"), str(self.wheel)])
        self.assertEqual(code, 1)
        self.assertIn("FAILED tried", said)
        self.assertFalse((self.folder / "bare" / "tree").exists())

    def test_the_time_is_limited(self):
        for took, code in ((59, 0), (61, 1)):
            with mock.patch.object(wheel_check, "processor_seconds", side_effect=[7, 7 + took]):
                self.assertEqual(silently(wheel_check.in_time, [], lambda todo: 0)[0], code)

    def test_a_compiler_is_noticed(self):
        with mock.patch.object(try_wheel.shutil, "which", side_effect=lambda name: name == "g++"):
            code, said = silently(try_wheel.main, ["mammals.tsv"])
        self.assertEqual(code, 1)
        self.assertIn("FAILED no_compiler", said)

    def fetched(self, version, python, folder):
        folder.mkdir()
        return True

    def base(self, folder, _):
        (folder / "base" / "root").mkdir(parents=True)
        (folder / "base" / "etc").mkdir()
        return folder / "base"


if __name__ == "__main__":
    unittest.main()
