"""The examples that need PyTorch run, and print what they should."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from test_examples import RUNS, run  # noqa: E402


@pytest.mark.parametrize("name", [name for name, (_, module, _) in RUNS.items() if module == "torch"])
def test_example(name, tmp_path):
    run(name, tmp_path)
