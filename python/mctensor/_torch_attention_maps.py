"""The maps of queries and keys that attention applies before it compares them, as formulas of PyTorch. They serve on a
GPU, for second derivatives and for derivatives along directions; include/mctensor/attention/maps.hpp serves for
everything else."""
from __future__ import annotations

import math

import torch
from torch.nn import functional


def _split(x):
    return x[..., :-1], x[..., -1:]


def _length(x):
    return (x.square().sum(-1, keepdim=True) + 1e-12).sqrt()


def _beside(first, *others):
    """Concatenates numbers of vectors. A number that all vectors share may be on the CPU beside vectors on a GPU."""
    return torch.cat([first, *(torch.zeros_like(first) + x for x in others)], -1)


def _dot_product(q, k, gamma, radius):
    return q / math.sqrt(q.shape[-1]), k


def _laplacian(q, k, gamma, radius):
    return q * gamma, k * gamma


def _half_space(x):
    horizontal, h = _split(x)
    height = h.exp()
    return horizontal * height, height


def _exp_half_space(x):
    horizontal, h = _split(x)
    across = horizontal.square().sum(-1, keepdim=True)
    length = (across + h.square() + 1e-30).sqrt()
    sine, up = length.sinh() / length, length + h.abs()
    height = 1 / ((-length).exp() + torch.where(h > 0, across / up, up) * sine)
    return horizontal * sine * height, height


def _umbral(points):
    def found(q, k, gamma, radius):
        (x, a), (y, b) = points(q), points(k)
        scale = gamma / (radius.sinh() * 2)
        return x * scale, a * gamma, y * scale, b * gamma

    return found


def _below(x, light):
    horizontal, h = _split(x)
    part = h.sigmoid()
    height = part * light
    # the root of sigmoid(-h) by softplus, because for a large h the sigmoid is too small for float32
    return horizontal * height, height, (functional.softplus(h) * -0.5).exp() * (part + 1).sqrt() * light


def _exp_below(x, light):
    horizontal, height = _exp_half_space(x)
    height = torch.minimum(height, light.to(height.dtype))
    gap = light - height
    return horizontal, height, (gap * (light + height) + torch.finfo(x.dtype).tiny).sqrt()


def _penumbral(points):
    def found(q, k, gamma, radius):
        (x, a, a_reach), (y, b, b_reach) = points(q, radius), points(k, radius)
        return (x * gamma, _beside(a * gamma, a_reach * gamma, radius * gamma), y * gamma,
                _beside(b * gamma, b_reach * gamma))

    return found


def _entailment(q, k, gamma, radius):
    def below(x):
        direction, h = _split(x)
        half = h.sigmoid() * (-radius).exp().atan()
        return direction * (0.5 / _length(direction)), half.cos(), half.sin()

    (x, *a), (y, *b) = below(q), below(k)
    return x, _beside(*a, gamma * radius.tanh().square()), y, _beside(*b)


def _by_distance(points):
    """``points(x)`` returns vectors, and the weights of their distances."""
    def found(q, k, gamma, radius):
        (x, a), (y, b) = points(q), points(k)
        return x, _beside(a, gamma), y, b

    return found


def _of_half_space(points):
    def found(x):
        horizontal, height = points(x)
        return torch.cat([horizontal, height], -1), 0.5 / height

    return found


def _of_ball(x):
    length = _length(x)
    return x * (length.tanh() / length), length.cosh().square()


def _of_lorentz(x):
    direction, r = _split(x)
    half = r * 0.5
    return direction * (half.tanh() / _length(direction)), half.cosh().square()


_DISTANCES = {name: _by_distance(points) for name, points in
              {"half-space": _of_half_space(_half_space), "ball": _of_ball, "lorentz": _of_lorentz,
               "half-space-exp": _of_half_space(_exp_half_space)}.items()}
#: for each comparison: the name of its score, and f(q, k, gamma, radius), which returns what the score compares: the
#: vectors of queries and the vectors of keys, each followed by its numbers if there are any
MAPS = {"dot-product": ("dot_product", _dot_product), "laplacian": ("laplacian", _laplacian),
        "umbral": ("umbral", _umbral(_half_space)), "penumbral": ("penumbral", _penumbral(_below)),
        "entailment": ("entailment", _entailment), "umbral-exp": ("umbral", _umbral(_exp_half_space)),
        "penumbral-exp": ("penumbral", _penumbral(_exp_below)),
        **{name: ("distance", compared) for name, compared in _DISTANCES.items()},
        **{f"{name}-squared": ("distance_squared", _DISTANCES[name]) for name in ("half-space", "ball", "lorentz")}}
