"""Error bounds from magnitudes alone: of products, and of sums against the sum of the magnitudes of their terms.

Nothing cancels in these bounds, so that it is enough to know how large each value of the network is at most: a
polynomial in u with coefficients that are not negative, times a scale. Rounding a number of at most A leaves at most
(1 + u) A and an error of at most u A. The errors that a network does not pass on, and the products that it leaves out,
add up to its error. All numbers are exact fractions, and all bounds hold for every p >= 8.
"""

import math
from fractions import Fraction

import network as networks

LEAST_PRECISION = 8
LARGEST_U = Fraction(1, 2 ** LEAST_PRECISION)
DEGREE = 12


class Series:
    """A polynomial in u. Powers above DEGREE become that power: u is at most LARGEST_U."""

    def __init__(self, coefficients=()):
        kept = list(coefficients[:DEGREE + 1])
        for power in range(DEGREE + 1, len(coefficients)):
            kept[DEGREE] += coefficients[power] * LARGEST_U ** (power - DEGREE)
        self.coefficients = kept

    def __add__(self, other):
        a, b = self.coefficients, other.coefficients
        short, long = (a, b) if len(a) <= len(b) else (b, a)
        return Series([c + (short[k] if k < len(short) else 0) for k, c in enumerate(long)])

    def __mul__(self, other):
        product = [Fraction(0)] * (len(self.coefficients) + len(other.coefficients))
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                product[i + j] += a * b
        return Series(product)

    def at(self, u):
        return sum((c * u ** k for k, c in enumerate(self.coefficients)), Fraction(0))

    def largest(self, other):
        """At least both, for every u."""
        a, b = self.coefficients, other.coefficients
        length = max(len(a), len(b))
        a, b = a + [Fraction(0)] * (length - len(a)), b + [Fraction(0)] * (length - len(b))
        return Series([max(pair) for pair in zip(a, b)])


def power(k):
    return Series([Fraction(0)] * k + [Fraction(1)])


ONE, U = power(0), power(1)


class Size:
    """At most this: a sum of scales, each times a Series. The scale "" is 1."""

    def __init__(self, parts=None):
        self.parts = parts or {}

    def __add__(self, other):
        parts = dict(self.parts)
        for scale, series in other.parts.items():
            parts[scale] = parts[scale] + series if scale in parts else series
        return Size(parts)

    def times(self, series):
        return Size({scale: part * series for scale, part in self.parts.items()})

    def __mul__(self, other):
        """One of the factors has the scale 1."""
        a, b = (self, other) if set(self.parts) <= {""} else (other, self)
        assert set(a.parts) <= {""}, "a product of two scales"
        return b.times(a.parts.get("", Series()))

    def at(self, u):
        """With 1 for every scale."""
        return sum((part.at(u) for part in self.parts.values()), Fraction(0))

    def in_units(self, u, order):
        """at(u) / u^order, which must fall with u: what holds for a precision then holds for all above."""
        if any(c for part in self.parts.values() for c in part.coefficients[:order]):
            raise networks.NotANetwork(f"an error of an order below u^{order}")
        return self.at(u) / u ** order


def smallest(*sizes):
    """One of them, each of which is a bound: the least for a u that is small."""
    return min(sizes, key=lambda size: size.at(Fraction(1, 2 ** 24)))


class Sizes:
    """Bounds of all values of a network, and of the errors that it does not pass on, in the order of its gates.

    A network's own class may know more: smaller bounds of a gate's result and error, and what a fast_two_sum loses
    whose first operand may be the smaller one.
    """

    def __init__(self, network, operands):
        """`operands[i][k]` bounds limb k of operand i."""
        omitted = networks.require_conservation(network)
        self.size = {v: size for limbs, sizes in zip(network.operands, operands) for v, size in zip(limbs, sizes)}
        self.errors = [(None, self.size[v] * self.size[w]) for v, w in omitted]
        for gate in network.gates:
            a = [self.size[v] for v in gate.operands]
            if gate.kind == "negated":
                self.size[gate.results[0]] = a[0]
                continue
            exact = a[0] + a[1]
            if gate.kind in networks.PRODUCTS:
                exact = a[0] * a[1] + a[2] if len(a) == 3 else a[0] * a[1]
            result = self.result_of(gate, exact.times(ONE + U))
            error = smallest(exact.times(U), result.times(U))
            if gate.kind in ("two_sum", "fast_two_sum", "sum"):
                error = smallest(error, *a)  # the result is nearer to the sum than either operand is
            error = self.error_of(gate, error)
            if gate.kind == "fast_two_sum" and (lost := self.lost_by(gate, a[1])) is not None:
                self.errors.append((gate, lost))
                error = error + lost
            self.size[gate.results[0]] = result
            if len(gate.results) == 2:
                self.size[gate.results[1]] = error
            else:
                self.errors.append((gate, error))

    def result_of(self, gate, size):
        return size

    def error_of(self, gate, size):
        return size

    def lost_by(self, gate, second):
        """None: it is exact."""
        return None

    def error(self):
        return sum((size for _, size in self.errors), Size())


def limbs(count, scale=""):
    """Of a normalized number with |x0| = 1: half an ulp of x is at most u |x|."""
    return [Size({scale: power(k)}) for k in range(count)]


def least_share(count, u):
    """|x| is at least this times |x0|, for a normalized number of so many limbs; it grows with the precision."""
    return 1 - sum(u ** k for k in range(1, count))


def bound_of_product(network, p):
    """The K of |error| <= K u^N |x y| for precisions of at least p bits, provided that every fast_two_sum is exact."""
    sizes = Sizes(network, [limbs(len(operand)) for operand in network.operands])
    u = Fraction(1, 2 ** p)
    least = math.prod(least_share(len(operand), u) for operand in network.operands)
    return sizes.error().in_units(u, len(network.results)) / least


def bound_of_sum(network, p):
    """The K of |error| <= K u^N max(|x|, |y|), likewise."""
    sizes = Sizes(network, [limbs(len(operand)) for operand in network.operands])
    u = Fraction(1, 2 ** p)
    return sizes.error().in_units(u, len(network.results)) / least_share(max(map(len, network.operands)), u)


class NotInductive(Exception):
    """No bounds of the levels of an accumulator were found that hold after a carry if they hold before."""


LEVEL_0 = Fraction(1025, 1024)  # at most this times M, see Period
CARRIED = Fraction(1, 4)  # the share of Q of which the next Q consists


class PeriodSizes(Sizes):
    def __init__(self, network, operands, chain):
        self.chain, self.level_0 = chain, operands[0][0]
        super().__init__(network, operands)

    def result_of(self, gate, size):
        return self.level_0 if gate.results[0] in self.chain else size


class Period:
    """As many terms as an accumulator takes between two carries, and the carry.

    M is the sum of the magnitudes of all terms, P0, P1, ... are those of this period, and Q that of earlier ones, as
    far as levels still hold errors of theirs: the next Q is P0 + P1 + ... and a quarter of this Q, so that all Q
    together are at most 4/3 M.

    Level 0 is the exact sum of what the accumulator was given, at most M, without what the other levels hold and what
    was lost. Both are so small for p >= 24 and n u <= 1 that level 0 stays below 1025/1024 M, which is checked.
    """

    def __init__(self, network, p):
        self.network, self.u = network, Fraction(1, 2 ** p)
        self.levels = len(network.results)
        self.terms = network.products or [[i] for i in network.plus[1:]]
        # the values that level 0 takes: each is the rounded sum of the one before and a term
        self.chain = {network.operands[0][0]}
        for gate in network.gates:
            if gate.kind == "two_sum" and self.chain & set(gate.operands):
                self.chain.add(gate.results[0])

    def sizes(self, levels):
        """The sizes of all values for sizes of the levels at the beginning."""
        operands = {0: levels}
        for number, term in enumerate(self.terms):
            scale = f"P{number}"
            if len(term) == 2:
                operands[term[0]] = limbs(len(self.network.operands[term[0]]))
            operands[term[-1]] = limbs(len(self.network.operands[term[-1]]), scale)
        return PeriodSizes(self.network, [operands[i] for i in range(len(operands))], self.chain)

    def coefficient(self, size, scale, order):
        """In units of u^order; of the scale "P" the largest of all terms."""
        parts = [Size({name: part}) for name, part in size.parts.items() if name[0] == scale]
        return max((part.in_units(self.u, order) for part in parts), default=Fraction(0))

    def bounds_of_levels(self):
        """Sizes of the levels at the beginning of a period, which hold again at its end, and those of all values."""
        wanted = {scale: [Fraction(0)] * self.levels for scale in "MQ"}
        for _ in range(100):
            begin = [Size({scale: power(k) * Series([wanted[scale][k]]) for scale in "MQ"}) for k in range(self.levels)]
            begin[0] = Size({"M": Series([LEVEL_0])})
            sizes = self.sizes(begin)
            grown = False
            for k, value in enumerate(self.network.results[1:], 1):
                end = sizes.size[value]
                of_q = max(self.coefficient(end, "P", k), self.coefficient(end, "Q", k) / CARRIED)
                for scale, least in (("M", self.coefficient(end, "M", k)), ("Q", of_q)):
                    if least > wanted[scale][k]:
                        wanted[scale][k], grown = least * Fraction(1001, 1000), True
            if not grown:
                return sizes
        raise NotInductive(f"{self.network.name}: levels grow from period to period")

    def require_a_level_0(self, sizes, per_term, once):
        """Levels and errors fit between M and level 0; all values of a period are more than those levels hold at once."""
        others = sum((size.at(self.u) for size in sizes.size.values() if size.at(self.u) < 1), Fraction(0))
        lost = per_term * self.u ** (self.levels - 1) + once * self.u ** self.levels  # n u <= 1
        if others + lost > LEVEL_0 - 1:
            raise NotInductive(f"{self.network.name}: level 0 may be larger than {LEVEL_0} M")

    def require_growing_errors(self, sizes):
        """So that a period that ends early has at most its share."""
        owner = {v: number for number, term in enumerate(self.terms) for i in term for v in self.network.operands[i]}
        errors, term = [Fraction(0)] * len(self.terms), 0
        for gate in self.network.gates:
            term = max([term, *(owner.get(v, 0) for v in gate.operands)])
            for gate_of_error, error in sizes.errors:
                if gate_of_error is gate:
                    errors[term] += self.coefficient(error, "M", self.levels)
        if errors != sorted(errors):
            raise NotInductive(f"{self.network.name}: later terms of a period have smaller errors")


def bound_of_accumulator(network, p):
    """(K, L) of |error| <= (K n + L) u^N M for n terms, precisions of at least p bits and n u <= 1: see Period."""
    period = Period(network, p)
    sizes = period.bounds_of_levels()
    error = sizes.error()
    per_term = period.coefficient(error, "M", period.levels) / len(period.terms)
    once = (period.coefficient(error, "P", period.levels)
            + period.coefficient(error, "Q", period.levels) / (1 - CARRIED))
    # P and Q count |x0| |y0|, which may be larger than |x| |y|
    once /= least_share(period.levels, period.u) ** len(period.terms[0])
    period.require_a_level_0(sizes, per_term, once)
    period.require_growing_errors(sizes)
    return per_term, once
