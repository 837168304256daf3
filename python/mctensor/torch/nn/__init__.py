"""Modules of PyTorch on the library's operators."""
