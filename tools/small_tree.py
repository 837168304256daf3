"""A small tree of files for the tests of tools, gone after each test."""
import stat
import tempfile
import unittest
from pathlib import Path


class SmallTreeTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.root = Path(self.directory.name).resolve()

    def tearDown(self):
        self.directory.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_program(self, name, text):
        self.write(name, text)
        (self.root / name).chmod(stat.S_IRWXU)


def named_sources(output):
    """The sources that a tool has said it read: lines "[1/2] name"."""
    return {line.split()[1] for line in output.splitlines() if line.startswith("[")}
