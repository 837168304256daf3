"""Which versions of PyTorch the package works with."""
import torch

#: the oldest one
OLDEST = "2.4"


def require(version: str) -> None:
    """Raises ModuleNotFoundError for a PyTorch that is too old: it is none that can be used."""
    if [int(part) for part in version.split(".")[:2]] < [int(part) for part in OLDEST.split(".")]:
        raise ModuleNotFoundError(f"mctensor needs PyTorch {OLDEST} or later, and this is {version}: "
                                  "pip install --upgrade torch", name="torch")


require(torch.__version__)
