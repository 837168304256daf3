#!/usr/bin/env python3
"""Tests include_graph.py on small trees, good and bad ones."""
import tempfile
import unittest
from pathlib import Path

import include_graph

GOOD = {
    "include/mctensor/config.hpp": "",
    "include/mctensor/eft/two_sum.hpp": '#include "mctensor/config.hpp"\n#include <cmath>\n',
    "include/mctensor/expansion/add.hpp": '#include "mctensor/eft/two_sum.hpp"\n',
    "include/mctensor/mctensor.hpp": '#include "mctensor/expansion/add.hpp"\n',
    "src/expansion/io.cpp": '#include "local.hpp"\n#include "mctensor/expansion/add.hpp"\n',
    "src/expansion/local.hpp": "#include <boost/multiprecision/cpp_int.hpp>\n",
    "apps/mct/main.cpp": '#include "validation/suite.hpp"\n#include "mctensor/mctensor.hpp"\n',
    "validation/suite.hpp": '#include "mctensor/expansion/add.hpp"\n',
}


class IncludeGraphTest(unittest.TestCase):
    def problems(self, changes):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**GOOD, **changes}.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return include_graph.check(root)[0]

    def assert_one_problem(self, changes, *words):
        problems = self.problems(changes)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_good_tree(self):
        self.assertEqual(self.problems({}), [])

    def test_upward_include(self):
        bad = '// first line\n#include "mctensor/expansion/add.hpp"\n'
        self.assert_one_problem({"include/mctensor/eft/bad.hpp": bad}, "eft/bad.hpp:2:",
                                "eft includes expansion")

    def test_bridge_below_others(self):
        bridge = {"include/mctensor/interop/xsimd.hpp": ""}
        kernel = '#include "mctensor/interop/xsimd.hpp"\n'
        self.assertEqual(self.problems({**bridge, "src/tensor/kernels/add.cpp": kernel}), [])
        self.assert_one_problem({**bridge, "include/mctensor/eft/bad.hpp": kernel},
                                "eft includes math")

    def test_upward_include_in_angle_brackets(self):
        bad = "#  include <mctensor/expansion/add.hpp>\n"
        self.assert_one_problem({"include/mctensor/eft/bad.hpp": bad}, "eft includes expansion")

    def test_upward_include_by_relative_path(self):
        bad = '#include "../expansion/add.hpp"\n'
        self.assert_one_problem({"include/mctensor/eft/bad.hpp": bad}, "eft includes expansion")

    def test_upward_include_in_compiled_code(self):
        self.assert_one_problem(
            {"include/mctensor/tensor/tensor.hpp": "",
             "src/expansion/bad.cpp": '#include "mctensor/tensor/tensor.hpp"\n'},
            "expansion includes tensor")

    def test_upward_include_in_cuda(self):
        self.assert_one_problem(
            {"include/mctensor/tensor/tensor.hpp": "",
             "cuda/expansion/bad.cu": '#include "mctensor/tensor/tensor.hpp"\n'},
            "expansion includes tensor")

    def test_device_is_between_tensor_and_linalg(self):
        tree = {"include/mctensor/device/stream.hpp": "",
                "cuda/tensor/map.hpp": "",
                "src/device/good.cpp": '#include "cuda/tensor/map.hpp"\n',
                "cuda/linalg/good.cpp": '#include "mctensor/device/stream.hpp"\n'}
        self.assertEqual(self.problems(tree), [])
        self.assert_one_problem(
            {**tree, "cuda/tensor/bad.cu": '#include "mctensor/device/stream.hpp"\n'},
            "tensor includes device")
        self.assert_one_problem(
            {**tree, "cuda/linalg/gemm.hpp": "",
             "src/device/bad.cpp": '#include "cuda/linalg/gemm.hpp"\n'},
            "device includes linalg")

    def test_layers_of_one_rank(self):
        self.assert_one_problem(
            {"include/mctensor/nn/layer.hpp": "",
             "include/mctensor/optim/bad.hpp": '#include "mctensor/nn/layer.hpp"\n'},
            "optim includes nn")

    def test_base_header_that_uses_a_layer(self):
        self.assert_one_problem(
            {"include/mctensor/error.hpp": '#include "mctensor/eft/two_sum.hpp"\n'},
            "root includes eft")

    def test_umbrella_header_inside_a_layer(self):
        self.assert_one_problem(
            {"src/expansion/bad.cpp": '#include "mctensor/mctensor.hpp"\n'}, "umbrella")

    def test_public_header_that_uses_private_code(self):
        self.assert_one_problem(
            {"include/mctensor/expansion/bad.hpp": '#include "src/expansion/local.hpp"\n'},
            "private")

    def test_library_that_uses_the_suite(self):
        self.assert_one_problem(
            {"src/expansion/bad.cpp": '#include "validation/suite.hpp"\n'}, "the library may not")

    def test_rooms(self):
        suite = '#include "validation/suite.hpp"\n'
        private = '#include "src/expansion/local.hpp"\n'
        self.assertEqual(self.problems({"bench/b.cpp": suite, "tests/t.cpp": suite + private}), [])
        self.assert_one_problem({"examples/e.cpp": suite}, "examples may not include validation")
        self.assert_one_problem({"apps/mct/a.cpp": private}, "apps may not include src")
        self.assert_one_problem(
            {"bench/b.hpp": "", "validation/bad.cpp": '#include "bench/b.hpp"\n'},
            "validation may not include bench")

    def test_missing_header(self):
        self.assert_one_problem(
            {"include/mctensor/eft/bad.hpp": '#include "mctensor/eft/nowhere.hpp"\n'},
            "does not exist")

    def test_unknown_layer(self):
        self.assert_one_problem({"include/mctensor/misc/bad.hpp": ""}, "'misc' is not a layer")
        self.assert_one_problem({"include/mctensor/bad.hpp": ""}, "'bad.hpp' is not a layer")

    def test_commented_include_does_not_count(self):
        text = '// #include "mctensor/expansion/add.hpp"\n/*\n#include "mctensor/mctensor.hpp"\n*/\n'
        self.assertEqual(self.problems({"include/mctensor/eft/good.hpp": text}), [])


if __name__ == "__main__":
    unittest.main()
