#!/usr/bin/env python3
"""The list of C symbols is compared in both directions, whatever else a library defines."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import c_symbols

NM = """\
libmctensor.a[a.o]:
mct_one T 0 10
_ZN3mct3twoEv T 10 10
DW.ref._ZTI V 0 8
.gomp_critical_user_mctensor C 8 8
"""


def problems(nm_output, listed="mctensor mct_one\n", header="int mct_one(int a);\n", page="`mct_one(a)`"):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in ((c_symbols.LIST, listed), (c_symbols.HEADER, header), (c_symbols.PAGE, page)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        with mock.patch("subprocess.run") as run:
            run.return_value.stdout = nm_output
            return c_symbols.problems("nm", root, [Path("libmctensor.a")])[0]


class Symbols(unittest.TestCase):
    def test_agree(self):
        self.assertEqual(problems(NM), [])

    def test_symbol_that_is_not_listed(self):
        found = problems(NM + "helper T 0 1\n")
        self.assertEqual(len(found), 1)
        self.assertIn("helper is not in", found[0])

    def test_symbol_that_is_gone(self):
        self.assertIn("mct_one is missing", problems("")[0])

    def test_declared_but_not_listed(self):
        header = "int mct_one(int a);\nconst char* mct_two(void);\n/* mct_three() */\n"
        found = problems(NM, header=header)
        self.assertEqual(len(found), 1)
        self.assertIn("mct_two is not in", found[0])

    def test_not_on_the_page(self):
        self.assertIn("docs/c_api.md", problems(NM, page="nothing")[0])

    def test_line_of_the_list(self):
        with self.assertRaisesRegex(ValueError, ":1: 'mct_one' is not"):
            problems(NM, listed="mct_one\n")


if __name__ == "__main__":
    unittest.main()
