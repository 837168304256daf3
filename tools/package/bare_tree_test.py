#!/usr/bin/env python3
"""bare_tree.py skips with a reason, ends at the first step that fails, and takes no half-made tree for a whole one."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import bare_tree


class BareTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.package = self.folder / "mctensor_0.3.0-1_amd64.deb"
        self.package.touch()

    def said_by(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            return function(*arguments), out.getvalue()

    def test_other_names_are_refused(self):
        for name in ("other_1.0_amd64.deb", "mctensor.deb", "mctensor_9.9.9-1_amd64.deb"):
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
                bare_tree.main([str(self.folder / name)])
            self.assertEqual(ended.exception.code, 2)

    def test_it_is_skipped_with_a_reason(self):
        with mock.patch.object(bare_tree.os, "geteuid", return_value=1000):
            code, said = self.said_by(bare_tree.main, [str(self.package)])
        self.assertEqual(code, 77)
        self.assertIn("skipped: not root", said)
        with mock.patch.object(bare_tree.os, "geteuid", return_value=0), \
                mock.patch.object(bare_tree.shutil, "which", return_value=None):
            self.assertIn("debootstrap not found", bare_tree.reason_to_skip())

    def test_the_first_failure_ends_it(self):
        codes = [0, 1]
        ended = [mock.Mock(returncode=code, stdout="ok a part\nwhat it said") for code in codes]
        with mock.patch.object(bare_tree, "run_step", side_effect=ended):
            failures, said = self.said_by(bare_tree.check, self.folder, bare_tree.steps(self.package.name, "0.3.0"))
        self.assertEqual(failures, 1)
        self.assertIn("FAILED mct --version", said)
        self.assertEqual(said.count("       ok a part"), 2)
        self.assertIn("what it said", said)

    def test_the_version_is_that_of_the_file(self):
        commands = dict(bare_tree.steps(self.package.name, "0.3.0"))
        self.assertIn('== "0.3.0"', commands["mct --version, info"])
        self.assertIn(f"/root/{self.package.name}", commands["the package with its Depends alone"])

    def test_an_interrupted_base_is_made_again(self):
        (self.folder / "begun").mkdir()
        with mock.patch.object(bare_tree.subprocess, "run", return_value=mock.Mock(returncode=1, stdout="", stderr="")):
            self.assertIsNone(self.said_by(bare_tree.make_base, self.folder, None)[0])
        self.assertFalse((self.folder / "base").exists())

        def debootstrap(words, **_):
            Path(words[3]).mkdir()
            return mock.Mock(returncode=0)
        with mock.patch.object(bare_tree.subprocess, "run", side_effect=debootstrap):
            self.assertEqual(bare_tree.make_base(self.folder, None), self.folder / "base")
        self.assertTrue((self.folder / "base").is_dir())


if __name__ == "__main__":
    unittest.main()
