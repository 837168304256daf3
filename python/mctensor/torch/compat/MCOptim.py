"""Optimizers."""
from ..optim import MCSGD, MCAdam, MCOptimizer

__all__ = ["MCAdam", "MCOptimizer", "MCSGD"]
