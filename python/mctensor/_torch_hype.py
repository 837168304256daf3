"""HyPE's columns as operators of PyTorch."""
from __future__ import annotations

import torch

from . import _core
from ._torch_device import is_there
from ._torch_operands import as_tensor, result_kind
from ._torch_operators import Pointwise


class _Waves:
    """Columns a s e^(x p m), two for each coordinate, and their partial derivatives, all of shape (.., L, n, 2) in
    float64. p are positions, m is mu, a is tau times a scale, x is r and -r, and s is 1 and t."""

    def __init__(self, positions, operands, d: int, copies: int):
        m, *tau = (x.double().unsqueeze(-2) for x in operands)
        p = positions.double()
        (r, t), self.scale = ((-1, 1), d**0.5 / (2 * copies)) if tau else ((1, -1), 1.0)
        wave = (r * p * m).exp()
        self.wave = torch.stack([wave, t / wave], -1)
        self.amplitude = (tau[0] if tau else torch.ones_like(m)).unsqueeze(-1) * self.scale
        self.m, self.p = m.unsqueeze(-1), p.unsqueeze(-1)
        #: x p, x m and x
        self.by_m, self.by_p, self.sign = (torch.stack([r * x, -r * x], -1) for x in (p, m, torch.ones_like(m)))
        self.has_tau = bool(tau)

    def columns(self):
        return self.amplitude * self.wave

    def first(self):
        """The derivatives by positions, mu and tau."""
        found = [self.columns() * x for x in (self.by_p, self.by_m)]
        return found + [self.scale * self.wave] * self.has_tau

    def second(self):
        """The matrix of second derivatives by positions, mu and tau."""
        across = self.columns() * (self.sign + self.m * self.p)
        matrix = [[self.columns() * self.m.square(), across], [across, self.columns() * self.p.square()]]
        if self.has_tau:
            by_tau = [self.scale * self.wave * x for x in (self.by_p, self.by_m)]
            matrix = [[*row, x] for row, x in zip(matrix, by_tau)] + [[*by_tau, None]]
        return matrix


class _Columns(Pointwise):
    """HyPE's columns. The first operand is the positions (L, n), the others are mu and perhaps tau (.., n)."""

    options = ", int d, int copies"
    there = True

    def __init__(self, name: str, count: int):
        super().__init__(name, (1,) * count, 2)

    def value(self, first, operands, options):
        if any(map(is_there, (first, *operands))):
            columns = _Waves(first, operands, *options).columns().flatten(-2)
            return torch.cat([columns] * options[1], -1).to(operands[0].dtype)
        return _core.to_torch(_core.hype_columns(_core.from_torch(first), self._taken(operands), *options))

    def derivatives(self, first, operands, options, grad, wanted):
        if wanted[0] or any(map(is_there, (first, *operands))):
            parts = self._parts(first, grad, options)
            return [self._of(parts * x, y, i) if w else None for i, (x, y, w) in enumerate(
                zip(_Waves(first, operands, *options).first(), (first, *operands), wanted))]
        return [None, *_core.hype_derivatives(_core.from_torch(first), self._taken(operands), _core.from_torch(grad),
                                              wanted[1:], *options)]

    def second(self, first, operands, options, grad, cotangents, wanted):
        waves, parts = _Waves(first, operands, *options), self._parts(first, grad, options)
        given = [(i, c.double() if i == 0 else c.double().unsqueeze(-2)) for i, c in enumerate(cotangents)
                 if c is not None]

        def along(derivatives):
            return sum((c.unsqueeze(-1) * derivatives[i] for i, c in given if derivatives[i] is not None),
                       torch.zeros_like(waves.columns()))

        *by_operands, by_grad = wanted
        found = [self._of(parts * along(row), y, i) if w else None for i, (row, y, w) in enumerate(
            zip(waves.second(), (first, *operands), by_operands))]
        if not by_grad:
            return [*found, None]
        moved = along(waves.first()).flatten(-2)
        return [*found, torch.cat([moved] * options[1], -1).expand(grad.shape)]

    @staticmethod
    def _taken(tensors):
        return [_core.from_torch(x) for x in tensors]

    @staticmethod
    def _parts(first, grad, options):
        """Sums a gradient of the columns over the copies: the two columns of a coordinate become the last dimension."""
        return grad.double().unflatten(-1, (options[1], first.shape[1], 2)).sum(-3)

    @staticmethod
    def _of(terms, operand, i: int):
        """Sums the terms of all columns to the shape of an operand: positions, or mu or tau, which all positions
        share."""
        terms = terms.sum(-1)
        return (terms if i == 0 else terms.sum(-2)).sum_to_size(operand.shape)

    def fake(self, first, *rest):
        operands, (_, copies) = rest[:-2], rest[-2:]
        leading = torch.broadcast_shapes(*(x.shape[:-1] for x in operands))
        return operands[0].new_empty((*leading, first.shape[0], 2 * first.shape[1] * copies))


QUERIES, KEYS = _Columns("hype_queries", 2).define(), _Columns("hype_keys", 1).define()


def hype_features(positions, mu, tau, d: int, copies: int):
    """The columns of queries and of keys."""
    kind = result_kind("hype_features", (mu, tau))
    wide = torch.float64 if kind == torch.float64 else torch.float32
    mu, tau = (as_tensor("hype_features", x, wide) for x in (mu, tau))
    places = as_tensor("positions", positions, torch.float64)
    there = [x.device for x in (mu, tau, places) if x.device.type == "cuda"]
    if there:
        places, mu, tau = (x.to(there[0]) for x in (places, mu, tau))
    if places.dim() == 1:
        places, mu, tau = (x.unsqueeze(-1) for x in (places, mu, tau))
    return QUERIES(places, mu, tau, d, copies).to(kind), KEYS(places, mu, d, copies).to(kind)
