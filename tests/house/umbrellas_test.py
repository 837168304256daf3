#!/usr/bin/env python3
"""Tests umbrellas.py on small trees."""
import tempfile
import unittest
from pathlib import Path

import umbrellas

GOOD = {
    "mctensor.hpp": '#include "mctensor/eft/all.hpp"\n#include "mctensor/expansion/all.hpp"\n',
    "eft/all.hpp": '#include "mctensor/eft/two_sum.hpp"\n',
    "eft/two_sum.hpp": "#include <cmath>\n",
    "expansion/all.hpp": '#include "mctensor/expansion/add.hpp"\n',
    "expansion/add.hpp": '#include "mctensor/eft/two_sum.hpp"\n',
    "expansion/fmt.hpp": "#include <fmt/format.h>\n",
    "expansion/published_algorithms.hpp": "",
    "interop/mpfr.hpp": "#include <mpfr.h>\n",
}


class UmbrellasTest(unittest.TestCase):
    def found(self, changes):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**GOOD, **changes}.items():
                path = Path(root, "include", "mctensor", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return umbrellas.problems(root)[0]

    def test_good_tree(self):
        self.assertEqual(self.found({}), [])

    def test_forgotten_header(self):
        self.assertEqual(self.found({"eft/ulp.hpp": ""}),
                         ["mctensor.hpp does not reach eft/ulp.hpp",
                          "eft/all.hpp does not reach eft/ulp.hpp"])

    def test_forgotten_layer(self):
        self.assertIn("math/all.hpp is missing", self.found({"math/exp.hpp": ""}))
        self.assertIn("mctensor.hpp does not reach math/all.hpp", self.found({"math/all.hpp": ""}))

    def test_opt_in_headers_stay_out(self):
        extra = '#include "mctensor/expansion/add.hpp"\n#include "mctensor/expansion/fmt.hpp"\n'
        self.assertEqual(self.found({"expansion/all.hpp": extra}),
                         ["mctensor.hpp reaches expansion/fmt.hpp, which is opt-in",
                          "expansion/all.hpp reaches expansion/fmt.hpp, which is opt-in"])


if __name__ == "__main__":
    unittest.main()
