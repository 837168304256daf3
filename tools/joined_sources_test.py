#!/usr/bin/env python3
"""Tests joined_sources.py on a database of two entries."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent / "joined_sources.py"


class JoinedSourcesTest(unittest.TestCase):
    def test_a_unit_becomes_its_sources(self):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            unit = root / "Unity/unity_0_cxx.cxx"
            unit.parent.mkdir()
            unit.write_text('/* generated */\n\n#undef X\n#include "/p/a.cpp"\n\n#include "/p/b.cpp"\n',
                            encoding="utf-8")
            alone = {"file": "/p/c.cpp", "directory": "/p", "command": "g++ -c /p/c.cpp"}
            (root / "in.json").write_text(json.dumps(
                [{"file": str(unit), "directory": "/p", "command": f"g++ -c {unit}"}, alone]),
                encoding="utf-8")
            subprocess.run([sys.executable, str(TOOL), str(root / "in.json"), str(root / "out.json")],
                           check=True)
            entries = json.loads((root / "out.json").read_text(encoding="utf-8"))
        self.assertEqual([(e["file"], e["command"]) for e in entries],
                         [(f"/p/{n}.cpp", f"g++ -c /p/{n}.cpp") for n in "abc"])
        self.assertEqual(entries[2], alone)

    def test_usage(self):
        done = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage", done.stderr)


if __name__ == "__main__":
    unittest.main()
