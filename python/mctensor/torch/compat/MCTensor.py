"""The class of tensors, and the way to have functions of PyTorch do something else with them."""
from ..._torch_mctensor import OVERRIDES, MCTensor

__all__ = ["MCTensor", "implements"]


def implements(torch_function):
    """Decorates what is called instead of a function of PyTorch, if an MCTensor is among its arguments."""
    def decorator(function):
        OVERRIDES[torch_function] = function
        return function

    return decorator
