#!/usr/bin/env python3
"""workflows.py finds no problem in the tree, and each fault that is planted in a copy of it."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import workflows

ROOT = Path(__file__).resolve().parents[2]
WHEELS, TESTS = ".github/workflows/wheels.yml", ".github/workflows/tests.yml"
#: file, what is replaced by what, a word of what is said
FAULTS = (
    (TESTS, "- run: ./run test --quick", "- run: ./run test --quickly", "no --quickly"),
    (TESTS, "- run: ./run test --quick", "- run: ./run tests", "no ./run tests"),
    (TESTS, "timeout-minutes", "timeout_minutes", "timeout_minutes"),
    (TESTS, "permissions:", "permission:", "permission"),
    (TESTS, "    runs-on: ubuntu-latest\n", "", "no runs-on"),
    (TESTS, "on:\n  push", "on:\n  push: {}\n  push", "push twice"),
    (TESTS, "jobs:\n", "jobs: []\nothers:\n", "no mapping"),
    (TESTS, "jobs:\n", "jobs: [\n", "no YAML"),
    (WHEELS, "needs: [wheel, sources]", "needs: [wheels]", "needs wheels"),
    (WHEELS, "runs-on: ${{ matrix.runner }}", "runs-on: ${{ matrix.machine }}", "no machine"),
    (WHEELS, "@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c", "@v8", "not pinned to a commit"),
    (WHEELS, "twine==7.0.0", "twine", "not pinned to a version"),
    (WHEELS, "--non-interactive", "--non-interactive -p ${{ secrets.PYPI }}", "a password"),
    (WHEELS, "--non-interactive", "--repository-url https://example.org", "an address"),
    (WHEELS, "      - run: pipx run build", "      - uses: a\n        run: pipx run build", "both of uses and run"),
    ("pyproject.toml", "try_wheel.py", "no_such.py", "no_such.py does not exist"),
    ("pyproject.toml", 'py-api = "cp312"', 'py-api = "cp315"', "3.15"),
    ("pyproject.toml", '"cp310-manylinux_*", ', "", "not from 3.10"),
    ("pyproject.toml", '"/include"', '"include"', "no include in the top folder"),
    ("pyproject.toml", ', "/pyproject.toml"', "", "without /pyproject.toml"),
    ("pyproject.toml", "numpy==1.22.0", "numpy==1.26.0", "oldest promised"),
)


class Workflows(unittest.TestCase):
    def problems(self, fault=None):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in (WHEELS, TESTS, "pyproject.toml", "run", "data/wordnet_mammals.tsv", "tools/package/headers.py",
                         "tools/package/try_wheel.py"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)
            (root / "python" / "tests").mkdir(parents=True)
            for name in ("include", "src", "cuda", "cmake", "packaging"):
                (root / name).mkdir()
            for name in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md"):
                (root / name).touch()
            if fault:
                text = (root / fault[0]).read_text("utf-8")
                self.assertIn(fault[1], text)
                (root / fault[0]).write_text(text.replace(fault[1], fault[2], 1), "utf-8")
            return [problem for file in (WHEELS, TESTS) for problem in workflows.workflow_problems(root, root / file)] + \
                workflows.wheel_problems(root)

    def test_the_tree_has_none(self):
        self.assertEqual(self.problems(), [])

    def test_each_fault_is_found(self):
        for fault in FAULTS:
            with self.subTest(fault=fault[:3]):
                self.assertIn(fault[3], "\n".join(self.problems(fault)))


if __name__ == "__main__":
    sys.exit(unittest.main())
