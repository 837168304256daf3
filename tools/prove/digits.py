"""Error bounds of quotients by long division (expansion/digits.hpp), from the networks of their parts.

    x / y = q_0 + ... + q_(N-1) + (r_(N-1) / y - q_(N-1)) + (e_0 + ... + e_(N-2)) / y

holds exactly for any digits q_k, if r_0 = x and r_(k+1) = r_k - q_k y - e_k: e_k are the errors of the network of the
rest. So the error of a quotient is what the last digit lacks and what the rests lose, and these are bounded here by
magnitudes, in the scale |x_0| = |y_0| = 1. (r + p) + e, which stands for fma(n, y, r) without hardware fma, has the same
result: -p is within 3u of r, so that r + p is exact. `z` is the size of the first limb of the rest at hand, which may be
anything from 0 to a bound: what is known relative to it is kept apart from what is known of the scale alone.
"""

from fractions import Fraction

import magnitudes
import network as networks
from magnitudes import LARGEST_U, ONE, U, Series, Size, power

Z = Size({"z": ONE})
NEXT = "next z"


def number(k):
    return Series([Fraction(k)])


def fixed(series):
    return Size({"": series})


def at(size, scale, value):
    """The size where a scale is at most the given size."""
    return sum((value.times(part) if name == scale else Size({name: part}) for name, part in size.parts.items()), Size())


def at_z(size, z):
    return at(size, "z", z)


def least_z(size):
    """An upper bound of every z with z <= 2 size(z): a size a z + b, a <= 1/8, so that z <= 4 b."""
    if size.parts.get("z", Series()).at(LARGEST_U) > Fraction(1, 8):
        raise networks.NotANetwork(f"a digit is not known well enough: {float(size.at(LARGEST_U))}")
    return fixed(size.parts.get("", Series()) * number(4))


class Divisor:
    """|y_k| <= u^k, and how far 1 / y0, as rounded, is from 1 / y."""

    def __init__(self, limbs):
        self.limbs = [fixed(power(k)) for k in range(limbs)]
        self.rest = sum((power(k) for k in range(1, limbs)), Series())  # |y - y0|
        self.behind_second = sum((power(k) for k in range(2, limbs)), Series())
        # |1 / (1 + t) - 1| <= t + 2 t^2 for |t| <= 1/2
        self.inverse_off = self.rest + self.rest * self.rest * number(2)
        self.inverse = ONE + self.inverse_off  # |1 / y|
        self.rounded = ONE + U  # |inverse|
        self.rounded_off = U + self.inverse_off  # |inverse - 1 / y|


def expression(network):
    """The network's only result as a term of its operands."""
    names = {v: f"{name}{k}" for limbs, name in zip(network.operands, ("r", "y", "inverse")) for k, v in enumerate(limbs)}
    for gate in network.gates:
        names[gate.results[0]] = f"{gate.kind}({', '.join(names[v] for v in gate.operands)})"
    return names[network.results[0]]


QUOTIENT, MINUS = "*(r0, inverse0)", "negated(*(r0, inverse0))"
REST = f"fma({MINUS}, y0, r0)"
DIGIT_WITH_FMA = f"fma(sum({REST}, fma({MINUS}, y1, r1)), inverse0, {QUOTIENT})"
DIGIT_WITHOUT = f"sum(*(sum({REST}, sum(*({MINUS}, y1), r1)), inverse0), {QUOTIENT})"


class Digit:
    """The digit of a rest with limbs of the sizes r: |q|, and |q - r / y| for the exact rest r."""

    def __init__(self, r, divisor, has_fma):
        # q' = r0 inverse, rounded; a = r0 - q' y0 and m = r1 - q' y1, rounded; the digit is q' + (a + m) inverse
        quotient = r[0].times((ONE + U) * (ONE + U))
        exact_a = r[0].times(U * number(2) + power(2))  # (1 + u)^2 - 1
        a = exact_a.times(ONE + U)
        product = quotient.times(U)
        exact_m = product + r[1]
        error = exact_a.times(U)
        if not has_fma:  # the product is rounded first
            exact_m = exact_m + product.times(U)
            error = error + product.times(U)
        m = exact_m.times(ONE + U)
        error = error + exact_m.times(U) + (a + m).times(U)
        rest = (a + m).times(ONE + U)
        behind = sum(r[2:], Size()) + quotient.times(divisor.behind_second)
        all_of_it = exact_a + r[1] + sum(r[2:], Size()) + quotient.times(divisor.rest)  # |r - q' y|
        before_rounding = all_of_it.times(divisor.rounded_off) + (error + behind).times(divisor.rounded)
        correction = rest.times(divisor.rounded)
        if not has_fma:
            before_rounding = before_rounding + correction.times(U)
            correction = correction.times(ONE + U)
        whole = quotient + correction
        self.size = whole.times(ONE + U)
        self.off = before_rounding + whole.times(U)


class RestSizes(magnitudes.Sizes):
    """Sizes of the rest r + n y after a digit: the networks of digits.hpp."""

    def __init__(self, network, r, digit, divisor):
        r0, n, y0 = network.operands[0][0], network.operands[1][0], network.operands[2][0]
        product = next(g for g in network.gates if g.kind == "two_prod" and set(g.operands) == {n, y0})
        self.network = network
        self.first = next(g for g in network.gates if g.kind == "sum" and set(g.operands) == {r0, product.results[0]})
        self.second = next(g for g in network.gates
                           if g.kind == "fast_two_sum" and g.operands == (self.first.results[0], product.results[1]))
        self.lead = next(g for g in network.gates if g.results[0] == network.results[0])
        # r0 + n y0, rounded, is r - q y without the other limbs of both
        others = sum(r[1:], Size()) + digit.size.times(divisor.rest)
        self.of_rest = digit.off.times(ONE + divisor.rest)  # |r - q y|
        exact = self.of_rest + others + digit.size.times(U)
        self.difference = exact.times(ONE + U)
        # n y0 is within a factor of 2 of -r0, and then the difference is exact (Sterbenz) and no less than half an ulp
        # of n y0, or 0; or else z is small
        self.small_z = least_z(exact)
        self.product_error = digit.size.times(U)
        super().__init__(network, [r, [digit.size], divisor.limbs])

    def result_of(self, gate, size):
        return self.difference if gate is self.first else size

    def error_of(self, gate, size):
        if gate is self.first:
            return at_z(size, self.small_z)
        if gate is self.lead and gate.kind == "two_sum":
            return Size({NEXT: U})  # relative to the first limb of the result
        return size

    def lost_by(self, gate, second):
        # with |a| < |b|, fast_two_sum(a, b) loses less than u (1 + 6u) |b|
        most = at_z(self.product_error, self.small_z) if gate is self.second else second
        return most.times(U * (ONE + U * number(6)))

    def first_limb(self):
        """The next z, in the z at hand: the first limb is r - q y without the errors and the other limbs."""
        others = sum((self.size[v] for v in self.network.results[1:]), Size())
        total = self.of_rest + self.error() + others  # a + b (next z), so that it is at most a (1 + 2b)
        share = total.parts.get(NEXT, Series())
        if share.at(LARGEST_U) > Fraction(1, 2):
            raise networks.NotANetwork(f"{self.network.name}: the first limb is not known well enough")
        return at(total, NEXT, Size()).times(ONE + share * number(2))

    def limbs(self, largest_z):
        """The sizes of the result's limbs, of which the first is the next z; and how large that is."""
        others = [at(at_z(self.size[v], largest_z), NEXT, Z) for v in self.network.results[1:]]
        return [Z, *others], at_z(self.first_limb(), largest_z)

    def lost(self, largest_z):
        """All errors."""
        return at_z(at(self.error(), NEXT, self.first_limb()), largest_z)


SUMS = {2: [(0, 1)], 3: [(1, 2), (0, 3), (8, 5)], 4: [(2, 3), (1, 4), (0, 7), (12, 9), (15, 6)]}


class Quotient:
    """The bound of quotients of N limbs."""

    def __init__(self, found, limbs, has_fma):
        suffix = ", fma" if has_fma else ""

        def part(name):
            return found.get(name + suffix, found[name])

        self.limbs, self.divisor = limbs, Divisor(limbs)
        if expression(part("digit")) != (DIGIT_WITH_FMA if has_fma else DIGIT_WITHOUT):
            raise networks.NotANetwork("the digit is another one: " + expression(part("digit")))
        rests = [part(f"rest {limbs - k} of {limbs}") for k in range(limbs - 1)]
        self.require_composition(part(f"quotient {limbs}"), part("digit"), rests, part(f"sum_of_digits {limbs}"))
        # of x, z is |x0| = 1
        r, largest_z = [Size({"z": power(k)}) for k in range(limbs)], fixed(ONE)
        self.lost = Size()
        digits, after = [], []
        for network in rests:
            digits.append((Digit(r, self.divisor, has_fma), r, largest_z))
            rest = RestSizes(network, r, digits[-1][0], self.divisor)
            after.append(rest)
            self.lost = self.lost + rest.lost(largest_z).times(self.divisor.inverse)
            r, largest_z = rest.limbs(largest_z)
        digits.append((Digit(r, self.divisor, has_fma), r, largest_z))
        self.lost = self.lost + at_z(digits[-1][0].off, largest_z) + self.lost_in_sum(
            part(f"sum_of_digits {limbs}"), digits, after)

    @staticmethod
    def require_composition(whole, digit, rests, total):
        """The whole quotient is these parts, one after the other."""
        x, y = ([f"{name}{k}" for k in range(len(limbs))] for name, limbs in zip("xy", whole.operands))
        inverse, = networks.terms("inverse", [y[0]], 1)
        r, digits = x, []
        for k in range(len(rests) + 1):
            digits += networks.results_of(digit, [r[:2], y[:2], [inverse]])
            if k < len(rests):
                negated = networks.terms("negated", [digits[-1]], 1)
                r = networks.results_of(rests[k], [r, negated, y])
        if networks.results_of(total, [digits]) != networks.results_of(whole, [x, y]):
            raise networks.NotANetwork(f"{whole.name}: not the parts that were proven, one after the other")

    def lost_in_sum(self, network, digits, after):
        """What the sum of the digits loses: nothing, unless a digit is above half of the one before.

        If digits decrease, each fast_two_sum of two digits, or of a digit and a sum of later ones, is exact. The others
        add errors of two such sums: the first is 0 or at least the last place of the second sum, whose error is at
        most half of that. A digit does not decrease only if it is so small that little is lost.
        """
        gates = [(gate.kind, gate.operands) for gate in network.gates]
        if gates != [("fast_two_sum", operands) for operands in SUMS[len(digits)]]:
            raise networks.NotANetwork(f"{network.name}: not the sum of digits that the argument is about")
        if sum((at_z(digit.size, z) for digit, _, z in digits[1:]), Size()).at(LARGEST_U) > Fraction(1, 4):
            raise networks.NotANetwork("digits behind the first are too large")
        lost = Size()
        for (digit, r, _), rest, (following, _, _) in zip(digits[1:], after[1:], digits[2:]):
            # |q_(k+1)| in the z of r_k
            size = at_z(following.size, rest.first_limb())
            # |q_k| >= |r_k / y| - off, and |r_k / y| >= z without this
            unknown = digit.off + sum(r[1:], Size()) + r[0].times(self.divisor.inverse_off)
            small = least_z(size.times(number(2)) + unknown)
            lost = lost + at_z(size, small).times(U * number(8))
        return lost

    def bound(self, p):
        """The K of |error| <= K u^N |x / y| for at least p bits."""
        u = Fraction(1, 2 ** p)
        least = (1 - self.divisor.rest.at(u)) / (1 + self.divisor.rest.at(u))
        return self.lost.at(u) / u ** self.limbs / least


def bound_of_quotient(found, limbs, has_fma, p):
    return Quotient(found, limbs, has_fma).bound(p)
