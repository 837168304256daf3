"""The names of the published MCTensor (Yu et al. 2022), for its programs: the import is all that changes.

    import mctensor.torch.compat as MCTensor       # instead of: import MCTensor
    from mctensor.torch.compat import MCTensor, MCLinear, MCOptim
    from mctensor.torch.compat.MCModule import *
    from mctensor.torch.compat.MCOptim import *

Numbers are this library's, with its error bounds; docs/tutorial_mctensor.md says what differs.
"""
from .MCModule import *  # noqa: F401,F403
from .MCModule import __all__ as _modules
from .MCOptim import *  # noqa: F401,F403
from .MCOptim import __all__ as _optimizers
from .MCTensor import MCTensor, implements  # last: the class, not the module of its name

__all__ = ["MCOptim", "MCTensor", "implements", *_modules, *_optimizers]
