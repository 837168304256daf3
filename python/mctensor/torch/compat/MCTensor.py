"""The class of tensors, and a decorator that replaces functions of PyTorch for it."""
from ..._torch_mctensor import OVERRIDES, MCTensor

__all__ = ["MCTensor", "implements"]


def implements(torch_function):
    """Decorates a function that is called instead of a function of PyTorch if an MCTensor is among the arguments."""
    def decorator(function):
        OVERRIDES[torch_function] = function
        return function

    return decorator
