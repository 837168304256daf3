"""The examples run, and print what they should."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
# what each is told, a module that it needs, and what it prints
RUNS = {
    "train_gpt.py": (["-", "4"], "torch", r"step 3: loss [0-5]\."),
    "data_parallel.py": (["1", "2"], "torch", r"1 ranks: (.*)\n2 ranks: \1\n"),
    "graph_network.py": (["--epochs", "30"], "torch", r"127 nodes, curvature -\d\.\d+: .*the test (0\.9|1\.0)"),
    "cones_and_tiles.py": ([], "numpy", r"True - a stone is one: False(.|\n)*996 from the origin, 1\.0000"),
    "embed_hierarchy.py": ([], "numpy", r"13 nodes, mean rank 1\.\d+, mean average precision 0\.9"),
    "hyperbolic_distance.py": ([], "numpy", r"300 from the origin: 1\.000000000000000, textbook 0"),
    "matrix_product.py": ([], "numpy", r"f64x2: .* [0-9.]+e-(1[89]|2\d)\n"),
}


def test_all_are_here_and_short():
    files = sorted(EXAMPLES.glob("*.py"))
    assert [file.name for file in files] == sorted(RUNS)
    assert all(len(file.read_text().splitlines()) <= 60 for file in files)


def run(name, tmp_path):
    arguments, _, output = RUNS[name]
    text = tmp_path / "text.txt"
    text.write_bytes(b"a line of a text that is easy to learn\n" * 50)
    words = [str(text) if word == "-" else word for word in arguments]
    done = subprocess.run([sys.executable, "-B", str(EXAMPLES / name), *words], capture_output=True,
                          text=True, timeout=300, cwd=tmp_path, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert re.search(output, done.stdout), done.stdout


@pytest.mark.parametrize("name", [name for name, (_, module, _) in RUNS.items() if module == "numpy"])
def test_example(name, tmp_path):
    run(name, tmp_path)
