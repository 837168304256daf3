"""The versions of PyTorch that the package works with, and their differences."""
import torch

#: the oldest version
OLDEST = "2.4"


def require(version: str) -> None:
    """Raises ModuleNotFoundError for a PyTorch that is too old."""
    if [int(part) for part in version.split(".")[:2]] < [int(part) for part in OLDEST.split(".")]:
        raise ModuleNotFoundError(f"mctensor needs PyTorch {OLDEST} or later, and this is {version}: "
                                  "pip install --upgrade torch", name="torch")


require(torch.__version__)


def count_changes(tensors) -> None:
    """Increments the version counters of tensors, as every operation in place does. Then a backward pass that needs
    their old values is an error."""
    for x in tensors if _counts_one else (tensors,):
        torch.autograd.graph.increment_version(x)


try:
    _counts_one = False
    count_changes([])
except (TypeError, RuntimeError):  # earlier than 2.6
    _counts_one = True
