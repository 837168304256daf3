"""Layers."""
from ..nn import MCEmbedding, MCLinear, MCModule, MCModuleList, MCSequential

__all__ = ["MCEmbedding", "MCLinear", "MCModule", "MCModuleList", "MCSequential"]
