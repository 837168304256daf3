#!/usr/bin/env python3
"""The table of a report about a GPU becomes results that the pages show as they are."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import performance
import store_gpu_results

REPORT = """# MCTensor on a GPU

nvidia-smi: NVIDIA H100 80GB HBM3, 535.161
nvcc: 13.0, V13.0.48

NVIDIA H100 80GB HBM3: compute capability 9.0, 132 multiprocessors

| work | size | time (ms) | achieved |
|---|---|---:|---:|
| copy kernel | 2^30 bytes | 0.7608 | 2.822 TB/s |
| add f64 | 2^25 | 0.2662 | 3.025 TB/s |
| PyTorch AdamW | 2^26 parameters | 0.459 | 2.047 TB/s |

20 s to build, 30 s to measure
"""
TABLE = """| work | size | time (ms) | achieved |
|---|---|---:|---:|
| copy kernel | 2^30 bytes | 0.7608 | 2.822 TB/s |
| add f64 | 2^25 | 0.2662 | 3.025 TB/s |
"""


class StoreGpuResults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / performance.RESULTS).mkdir(parents=True)
        moved = mock.patch.object(store_gpu_results, "ROOT", self.root)
        moved.start()
        self.addCleanup(moved.stop)

    def run_on(self, report, *arguments):
        """The exit code, and what was said."""
        path = self.root / "report.md"
        path.write_text(report, "utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = store_gpu_results.main([str(path), *arguments])
        return code, said.getvalue()

    def stored(self):
        return sorted(path.name for path in (self.root / performance.RESULTS).iterdir())

    def test_chosen_rows_and_their_circumstances(self):
        code, said = self.run_on(REPORT, "gpu", "^(copy|add)")
        self.assertEqual((code, said.split(":")[0], self.stored()), (0, "2 rows", ["gpu.json"]))
        results = performance.read(self.root, "gpu")
        self.assertEqual((results["hardware"], results["compiler"]), ("NVIDIA H100 80GB HBM3", "nvcc 13.0"))
        self.assertTrue(performance.block(self.root, "gpu").endswith("\n\n" + TABLE))

    def test_all_rows_without_an_expression(self):
        self.assertEqual(self.run_on(REPORT, "gpu")[0], 0)
        rows = json.loads((self.root / performance.RESULTS / "gpu.json").read_text("utf-8"))["rows"]
        self.assertEqual([row[0] for row in rows], ["copy kernel", "add f64", "PyTorch AdamW"])

    def test_reports_without_a_table_are_refused(self):
        for report in ("nothing\n", "| other | table |\n|---|---|\n| 1 | 2 |\n", REPORT.split("| copy")[0]):
            code, said = self.run_on(report, "gpu")
            self.assertEqual((code, self.stored()), (2, []), report)
            self.assertIn("no table of bench/cuda_report.sh", said)

    def test_bad_usage(self):
        self.assertEqual(self.run_on(REPORT)[0], 2)


if __name__ == "__main__":
    unittest.main()
