"""The names of the published MCTensor (Yu et al. 2022). Its programs need to change only the import.

    import mctensor.torch.compat as MCTensor       # instead of: import MCTensor
    from mctensor.torch.compat import MCTensor, MCLinear, MCOptim
    from mctensor.torch.compat.MCModule import *
    from mctensor.torch.compat.MCOptim import *

Numbers are computed by this library, with its error bounds. docs/tutorial_mctensor.md lists the differences.
"""
from .MCModule import *  # noqa: F401,F403
from .MCModule import __all__ as _modules
from .MCOptim import *  # noqa: F401,F403
from .MCOptim import __all__ as _optimizers
from .MCTensor import MCTensor, implements  # last, so that the name stands for the class, not for the module

__all__ = ["MCOptim", "MCTensor", "implements", *_modules, *_optimizers]
