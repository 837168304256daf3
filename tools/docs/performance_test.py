#!/usr/bin/env python3
"""Tables of times follow the stored results, and the check sees where they do not."""
import json
import tempfile
import unittest
from pathlib import Path

import performance

RESULTS = {"format": "mctensor benchmark", "hardware": "CPU", "compiler": "g++", "date": "2026-11-21",
           "repetitions": "best of 3", "command": "./run bench --filter 'a b'",
           "timings": [["dot", "f64x2", "ours", 0.2], ["dot", "f64x2", "QD", 0.5], ["dot", "f64x4", "Arb", 40.0],
                       ["mm", "f64x2", "ours", 0.1, "1.00"], ["mm", "f64x2", "QD", 0.3, "3.01"]]}
TABLE = """CPU, g++, 2026-11-21, best of 3: `./run bench --filter 'a b'`.

| work | type | implementation | ns per operation | times ours |
|---|---|---|---:|---:|
| dot | f64x2 | ours | 0.200 | 1.00 |
| dot | f64x2 | QD | 0.500 | 2.50 |
| dot | f64x4 | Arb | 40.000 |  |
| mm | f64x2 | ours | 0.100 | 1.00 |
| mm | f64x2 | QD | 0.300 | 3.01 |
"""


class Performance(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / performance.RESULTS).mkdir(parents=True)
        (self.root / "docs").mkdir()
        for page in performance.PAGES:
            self.write(page, "# Page\n")
        self.store("one", RESULTS)
        self.write("docs/performance.md", f"# Page\n\n<!-- results: one -->\n{TABLE}<!-- end -->\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, page, text):
        (self.root / page).write_text(text, "utf-8")

    def store(self, name, results):
        self.write(performance.RESULTS / f"{name}.json", json.dumps(results))

    def faults(self):
        return list(performance.faults(self.root))

    def test_a_table_as_the_benchmarks_print_it(self):
        self.assertEqual(performance.block(self.root, "one"), TABLE)
        self.assertEqual(self.faults(), [])

    def test_peers_side_by_side_with_their_errors(self):
        self.store("two", {"format": "mctensor benchmark", "hardware": "CPU", "peers": "A 1 (abc of 2026-11-21)",
                           "layout": "peers",
                           "timings": [["x/add", "f64x2", "ours", 2.0, 1.5], ["x/add", "f64x2", "ours, SIMD", 1.0, 1.5],
                                       ["x/add", "f64x2", "A", 1.9, 3e40], ["x/add", "f64x2", "A, SIMD", 0.94, 0],
                                       ["x/dot", "f64x2", "ours", 1.0, 0.25], ["x/dot", "f64x2", "B 106", 40.0]]})
        self.assertEqual(performance.block(self.root, "two"), """CPU. Beside A 1 (abc of 2026-11-21).

| ns | type | ours | ours, SIMD | A | A, SIMD | B |
|---|---|---:|---:|---:|---:|---:|
| add | f64x2 | 2.00 | 1.00 | 1.90 | **0.940** |  |
| dot | f64x2 | 1.00 |  |  |  | 40.0 |

Largest errors, in units u^N, u = 2^-53:

| error | type | ours | ours, SIMD | A | A, SIMD | B |
|---|---|---:|---:|---:|---:|---:|
| add | f64x2 | 1.5 | 1.5 | 3e+40 | 0 |  |
| dot | f64x2 | 0.25 |  |  |  |  |
""")

    def test_other_numbers_are_seen(self):
        self.store("one", {**RESULTS, "date": "2026-11-22"})
        self.assertEqual(self.faults(), ["docs/performance.md:3: one is not what the results say"])

    def test_tables_without_results_are_seen(self):
        self.write("docs/performance.md", f"<!-- results: one -->\n{TABLE}<!-- end -->\n\n| a |\n|---|\n| 1 |\n")
        self.assertEqual(self.faults(), [f"docs/performance.md:{5 + TABLE.count(chr(10))}: a table that is not made from results"])

    def test_results_without_a_table_are_seen(self):
        self.store("two", RESULTS)
        self.assertEqual(self.faults(), ["bench/results/two.json: no page shows it"])

    def test_other_files_are_refused(self):
        self.store("one", {"format": "something else"})
        with self.assertRaises(ValueError):
            self.faults()

    def test_functions_side_by_side(self):
        text = performance.by_function({"timings": [["function/exp", "f32x1", "ours", 0.519],
                                                    ["function/exp", "f32x1", "SLEEF", 0.34],
                                                    ["function/exp", "f16x1", "ours", 1.4]]})
        self.assertEqual(text.split("\n")[2], "| `exp` | **0.52** | 0.34 |  |  |  |  | 1.40 |  |")

    def test_accuracy_is_that_of_the_functions_page(self):
        rows = "".join(f"| {name} | 9 | {at} | 2 | 3 |\n" for at, name in enumerate(performance.ACCURACY))
        self.write("docs/functions.md", "| function | domain |\n|---|---|\n| exp | all x |\n\n"
                   f"| function | worst | MCTensor | QD dd_real | __float128 |\n|---|---:|---:|---:|---:|\n{rows}")
        self.assertEqual(performance.accuracy(self.root).split("\n")[0::2][:2],
                         ["| function | MCTensor | QD dd_real | `__float128` |", "| exp | 0 | 2 | 3 |"])

    def test_quotes_name_the_fastest(self):
        self.store("scalars", {**RESULTS, "timings": [["dot", "f64x2", "ours", 3.043], ["dot", "f64x2", "QD dd_real", 1.914],
                                                      ["dot", "f64x2", "MPFR 106", 1234.5]]})
        performance.QUOTES["test"] = ("work", {"ours": "ours", "QD dd_real": "QD", "Arb 106": "Arb", "MPFR 106": "MPFR"},
                                      (performance.SCALAR_DOT,))
        self.assertEqual(performance.quote(self.root, "test").split("\n")[2],
                         "| dot product, one number after the other | 3.04 | **1.91** |  | 1234 |")
        self.store("scalars", {**RESULTS, "timings": [["dot", "f64x2", "ours", 1.914], ["dot", "f64x2", "QD dd_real", 1.914]]})
        self.assertEqual(performance.quote(self.root, "test").split("\n")[2],  # equal times: no peer is faster
                         "| dot product, one number after the other | 1.91 | 1.91 |  |  |")


if __name__ == "__main__":
    unittest.main()
