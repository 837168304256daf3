"""Tries every lemma of lemmas.py on every pair (of fma: triple) of floats of few bits, and on random ones of more.

All pairs: a float is a mantissa times a power of two; two_sum commutes with scaling by powers of two and with changing
both signs, so that one operand has exponent 0 and is positive. Exponents further apart than p + 3 behave as p + 3: the
smaller operand is below a quarter of the distance of the larger one to its neighbours, so s is the larger operand, e
the smaller one, and the lemmas speak of exponents further apart only as "further apart than".
"""

import itertools
import random as random_module
import types


class Booleans:
    """The logic of numbers; see lemmas.py."""

    @staticmethod
    def And(*parts):
        return all(parts)

    @staticmethod
    def Or(*parts):
        return any(parts)

    @staticmethod
    def Not(part):
        return not part

    @staticmethod
    def Implies(premise, conclusion):
        return (not premise) or conclusion

ZERO = -1000


def describe(value, p, is_float=True):
    """The description of an integer of at most p bits; of others only its sign, E and F mean something."""
    if value == 0:
        return types.SimpleNamespace(n=False, E=ZERO, F=ZERO, P=ZERO, Q=ZERO)
    size = abs(value)
    top = size.bit_length() - 1
    last = (size & -size).bit_length() - 1
    assert top - last < p or not is_float
    excess = size - (1 << top)
    lack = (1 << (top + 1)) - size
    # lack in (2^Q, 2^(Q+1)]; an integer with places to spare below has lack >= 2
    return types.SimpleNamespace(n=value < 0, E=top, F=last, P=excess.bit_length() - 1 if excess else top - p,
                                 Q=(lack - 1).bit_length() - 1)


def rounded(value, p):
    """The nearest integer of p bits, ties to even."""
    size = abs(value)
    drop = size.bit_length() - p
    if drop <= 0:
        return value
    low = size & ((1 << drop) - 1)
    size >>= drop
    half = 1 << (drop - 1)
    if low > half or (low == half and size & 1):
        size += 1
    size <<= drop
    return -size if value < 0 else size


def pairs(p):
    """Pairs of floats as integers: all of exponents at most p + 3 apart, and zeros."""
    far = p + 3
    mantissas = range(1 << (p - 1), 1 << p)
    lowest = p + 2  # places to spare below, so that P and Q are places of integers
    head = lowest + far
    for m in mantissas:
        a = m << head
        yield a, 0
        yield 0, a
        for k, gap in itertools.product(mantissas, range(far + 1)):
            for b in (k << (head - gap), -(k << (head - gap))):
                yield a, b
                yield b, a
    yield 0, 0


def random_pairs(p, count, seed=0):
    """Random pairs of floats, most with long runs of equal bits, where roundings change places."""
    random = random_module.Random(seed + p)

    def mantissa():
        bits = random.getrandbits(p) if random.random() < 0.3 else 0
        for _ in range(random.randint(0, 3)):
            low, high = sorted(random.randint(0, p) for _ in range(2))
            bits ^= (1 << high) - (1 << low)  # a run of ones
        return (bits & ((1 << (p - 1)) - 1)) | 1 << (p - 1)

    head = 2 * p + 5
    for _ in range(count):
        x, y = mantissa() << head, mantissa() << (head - random.randint(0, p + 3))
        y = -y if random.random() < 0.5 else y
        yield (x, y) if random.random() < 0.5 else (y, x)


def triples(p):
    """Triples x, y, c for fma: x and y of one exponent, c from where it is absorbed to where it absorbs the product."""
    mantissas = range(1 << (p - 1), 1 << p)
    lowest = 2 * p + 2
    head = lowest + 2 * p + 4  # of x y, the sum of the exponents of x and y
    factors = [(x << (head // 2), y << (head - head // 2)) for x, y in itertools.product(mantissas, repeat=2)]
    addends = [sign * c << place for c, place, sign in itertools.product(
        mantissas, range(lowest - p, head + 2 * p + 4), (1, -1))]
    yield from itertools.product([0], [0], [0, *addends[:4]])
    for x, y in factors:
        yield x, y, 0
        yield x, 0, addends[0]
        for c in addends:
            yield x, y, c
            if c > 0:
                yield -x, y, c


def random_triples(p, count):
    """Random triples for fma."""
    random = random_module.Random(p)
    for (x, y), (c, _) in zip(random_pairs(p, count), random_pairs(p, count, seed=1000)):
        shift = (x * y).bit_length() - c.bit_length() + random.randint(-p - 4, 2 * p + 4) if x and y and c else 0
        yield (x, y, c << shift) if shift >= 0 else (x << -shift, y, c)


def failures(p, lemmas_of, well_formed, exact, tried):
    """Names of lemmas that do not hold for tried operands, the first where each fails, and how many were tried.

    `exact` is the operation on integers: x + y, x y or x y + c.
    """
    found, count = {}, 0
    for operands in tried:
        value = exact(*operands)
        s = rounded(value, p)
        floats = [describe(v, p) for v in (*operands, s)]
        error_is_float = len(operands) == 2  # but for fma
        d = [*floats, describe(value - s, p, error_is_float)]
        for v in d if error_is_float else floats:
            if not well_formed(Booleans, v, p, ZERO):
                found.setdefault("well formed", operands)
        for name, holds in lemmas_of(Booleans, *d, p, ZERO):
            if not holds:
                found.setdefault(name, operands)
        count += 1
    return found, count
