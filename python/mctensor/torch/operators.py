"""Enters the library's operators into torch.ops.mctensor, for programs of torch.export that name them."""
from .. import _torch_attention, _torch_geometry, _torch_hype, _torch_pairs

__all__: list = []

OPERATORS = {**_torch_geometry.OPERATORS, **{(*words, "f64x2"): x for words, x in _torch_pairs.OPERATORS.items()},
             ("attention",): _torch_attention.ATTENTION, ("hype", "queries"): _torch_hype.QUERIES,
             ("hype", "keys"): _torch_hype.KEYS}
