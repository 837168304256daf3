"""Error bounds of quotients and roots by their digits (expansion/digits.hpp), from the networks of their parts.

    x / y = q_0 + ... + q_(N-1) + (r_(N-1) / y - q_(N-1)) + (e_0 + ... + e_(N-2)) / y

holds exactly for any digits q_k, if r_0 = x and r_(k+1) = r_k - q_k y - e_k: e_k are the errors of the network of the
rest. So the error of a quotient is what the last digit lacks and what the rests lose, and these are bounded here by
magnitudes, in the scale |x_0| = |y_0| = 1. (r + p) + e, which stands for fma(n, y, r) without hardware fma, has the
same result: -p is within a few u of r, so that r + p is exact. `z` is the size of the first limb of the rest at hand,
which may be anything from 0 to a bound: what is known relative to it is kept apart from what is known of the scale
alone.
"""

from fractions import Fraction

import magnitudes
import network as networks
from magnitudes import LARGEST_U, ONE, U, Series, Size, least_share, power
from network import term

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
    """A divisor y: the sizes of its limbs, of which the first is 1, and how far y is from their sum.

    `inverse` is the number by which digits multiply, 1 / y0 with an error of at most `inverse_error`.
    """

    def __init__(self, limbs, beyond=Series(), inverse_error=U):
        self.limbs = [fixed(limb) for limb in limbs]
        self.rest = sum(limbs[1:], beyond)  # |y - y0|
        self.behind_second = sum(limbs[2:], beyond)
        # |1 / (1 + t) - 1| <= t + 2 t^2 for |t| <= 1/2
        self.inverse_off = self.rest + self.rest * self.rest * number(2)
        self.inverse = ONE + self.inverse_off  # |1 / y|
        self.inverse_error = inverse_error
        self.rounded = ONE + inverse_error  # |inverse|
        self.rounded_off = inverse_error + self.inverse_off  # |inverse - 1 / y|


def rounded_sum(a, b, c, has_fma):
    """The term of a b + c as multiply_add computes it."""
    return term("fma", a, b, c) if has_fma else term("sum", term("*", a, b), c)


def digit_term(r, y, inverse, has_fma):
    """The term of the digit that Digit is about."""
    quotient = term("*", r[0], inverse)
    minus = term("negated", quotient)
    rest = term("sum", term("fma", minus, y[0], r[0]), rounded_sum(minus, y[1], r[1], has_fma))
    return rounded_sum(rest, inverse, quotient, has_fma)


class Digit:
    """The digit of a rest with limbs of the sizes r: |q|, and |q - r / y| for the exact rest r."""

    def __init__(self, r, divisor, has_fma):
        # q' = r0 inverse, rounded; a = r0 - q' y0 and m = r1 - q' y1, rounded; the digit is q' + (a + m) inverse
        quotient = r[0].times((ONE + U) * divisor.rounded)
        exact_a = r[0].times(U + divisor.inverse_error * (ONE + U))  # (1 + u) (1 + inverse_error) - 1
        a = exact_a.times(ONE + U)
        product = quotient * divisor.limbs[1]
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

    def __init__(self, network, r, digit_size, divisor, of_rest, known_z=None):
        """`of_rest` bounds |r - q y| for the limbs of y that the network has. If z itself is known, as at the beginning,
        it is seen to be large enough."""
        r0, n, y0 = network.operands[0][0], network.operands[1][0], network.operands[2][0]
        product = next(g for g in network.gates if g.kind == "two_prod" and set(g.operands) == {n, y0})
        self.network = network
        self.first = next(g for g in network.gates if g.kind == "sum" and set(g.operands) == {r0, product.results[0]})
        self.second = next(g for g in network.gates
                           if g.kind == "fast_two_sum" and g.operands == (self.first.results[0], product.results[1]))
        self.lead = next(g for g in network.gates if g.results[0] == network.results[0])
        # r0 + n y0, rounded, is r - q y without the other limbs of both
        others = sum(r[1:], Size()) + digit_size.times(divisor.rest)
        self.of_rest = of_rest
        exact = self.of_rest + others + digit_size.times(U)
        self.difference = exact.times(ONE + U)
        # n y0 is within a factor of 2 of -r0, and then the difference is exact (Sterbenz) and no less than half an ulp
        # of n y0, or 0; or else z is small
        if known_z is None:
            self.small_z = least_z(exact)
        elif at_z(exact, fixed(number(known_z))).at(LARGEST_U) <= Fraction(known_z) / 2:
            self.small_z = None  # z is not small
        else:
            raise networks.NotANetwork(f"{network.name}: the first digit is not known well enough")
        self.product_error = digit_size.times(U)
        super().__init__(network, [r, [digit_size], divisor.limbs])

    def result_of(self, gate, size):
        return self.difference if gate is self.first else size

    def error_of(self, gate, size):
        if gate is self.first:
            return at_z(size, self.small_z) if self.small_z else Size()
        if gate is self.lead and gate.kind == "two_sum":
            return Size({NEXT: U})  # relative to the first limb of the result
        return size

    def lost_by(self, gate, second):
        # with |a| < |b|, fast_two_sum(a, b) loses less than u (1 + 6u) |b|
        if gate is self.second and not self.small_z:
            return None
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


class Digits:
    """A result that is a sum of digits: what its parts lose, and the bound."""

    def __init__(self, found, limbs, has_fma):
        self.found, self.limbs, self.has_fma = found, limbs, has_fma
        r, y, inverse = ["r0", "r1"], ["y0", "y1"], "inverse"
        if networks.results_of(self.part("digit"), [r, y, [inverse]]) != [digit_term(r, y, inverse, has_fma)]:
            raise networks.NotANetwork("the digit is another one")
        self.digits = []  # (digit, its rest's limbs, largest z, its divisor)
        self.after = []  # the rest after each digit but the last

    def part(self, name):
        return self.found.get(name + (", fma" if self.has_fma else ""), self.found[name])

    def add_digit(self, r, largest_z, divisor):
        self.digits.append((Digit(r, divisor, self.has_fma), r, largest_z, divisor))
        return self.digits[-1][0]

    def add_rest(self, rest, largest_z):
        """The limbs of the rest, the largest z, and what the rest loses."""
        self.after.append(rest)
        return *rest.limbs(largest_z), rest.lost(largest_z)

    def lost_in_sum(self, first_size):
        """What the sum of the digits loses: nothing, unless a digit is above half of the one before.

        If digits decrease, each fast_two_sum of two digits, or of a digit and a sum of later ones, is exact. The others
        add errors of two such sums: the first is 0 or at least the last place of the second sum, whose error is at
        most half of that. A digit does not decrease only if it is so small that little is lost.
        """
        network = self.part(f"sum_of_digits {self.limbs}")
        gates = [(gate.kind, gate.operands) for gate in network.gates]
        if gates != [("fast_two_sum", operands) for operands in SUMS[self.limbs]]:
            raise networks.NotANetwork(f"{network.name}: not the sum of digits that the argument is about")
        later = self.digits[1 - self.limbs:]
        if sum((at_z(digit.size, z) for digit, _, z, _ in later), Size()).at(LARGEST_U) > Fraction(first_size) / 4:
            raise networks.NotANetwork("digits behind the first are too large")
        lost = Size()
        for (digit, r, _, divisor), rest, (following, _, _, _) in zip(later, self.after[-len(later) + 1:], later[1:]):
            # |q_(k+1)| in the z of r_k
            size = at_z(following.size, rest.first_limb())
            # |q_k| >= |r_k / y| - off, and |r_k / y| >= z without this
            unknown = digit.off + sum(r[1:], Size()) + r[0].times(divisor.inverse_off)
            small = least_z(size.times(number(2)) + unknown)
            lost = lost + at_z(size, small).times(U * number(8))
        return lost


class Quotient(Digits):
    """The bound of quotients of N limbs."""

    def __init__(self, found, limbs, has_fma):
        super().__init__(found, limbs, has_fma)
        rests = [self.part(f"rest {limbs - k} of {limbs}") for k in range(limbs - 1)]
        self.require_composition(self.part(f"quotient {limbs}"), self.part("digit"), rests,
                                 self.part(f"sum_of_digits {limbs}"))
        self.divisor = Divisor([power(k) for k in range(limbs)])
        # of x, z is |x0| = 1
        r, largest_z, lost = [Size({"z": power(k)}) for k in range(limbs)], fixed(ONE), Size()
        for k, network in enumerate(rests):
            digit = self.add_digit(r, largest_z, self.divisor)
            rest = RestSizes(network, r, digit.size, self.divisor, digit.off.times(ONE + self.divisor.rest),
                             known_z=None if k else 1)
            r, largest_z, more = self.add_rest(rest, largest_z)
            lost = lost + more
        last = self.add_digit(r, largest_z, self.divisor)
        self.lost = lost.times(self.divisor.inverse) + at_z(last.off, largest_z) + self.lost_in_sum(1)

    @staticmethod
    def require_composition(whole, digit, rests, total):
        """The whole quotient is these parts, one after the other."""
        x, y = ([f"{name}{k}" for k in range(len(limbs))] for name, limbs in zip("xy", whole.operands))
        inverse = term("inverse", y[0])
        r, digits = x, []
        for k in range(len(rests) + 1):
            digits += networks.results_of(digit, [r[:2], y[:2], [inverse]])
            if k < len(rests):
                r = networks.results_of(rests[k], [r, [term("negated", digits[-1])], y])
        if networks.results_of(total, [digits]) != networks.results_of(whole, [x, y]):
            raise networks.NotANetwork(f"{whole.name}: not the parts that were proven, one after the other")

    def bound(self, p):
        """The K of |error| <= K u^N |x / y| for at least p bits."""
        u = Fraction(1, 2 ** p)
        share = least_share(self.limbs, u)
        least = share / (2 - share)  # of |x| / |y|
        return self.lost.in_units(u, self.limbs) / least


class Root(Digits):
    """The bound of square roots of N >= 3 limbs.

    In the scale 2 s0 = 1, so that x0 is about 1/4. With R the exact root and S the digits so far,

        R - S = (x - S^2) / (R + S),  x - S^2 = r_k + e_0 + ... + e_(k-1).

    The digit s_k divides r_k by 2 s0 and a second limb: 2 s1, or, for s1 itself, an estimate of it.
    """

    HALF = Fraction(1, 2)

    def __init__(self, found, limbs, has_fma):
        super().__init__(found, limbs, has_fma)
        rests = [self.part(f"rest {limbs - k} of {limbs} of root") for k in range(limbs - 1)]
        self.require_composition(self.part(f"root {limbs}"), self.part("digit"), rests,
                                 self.part(f"sum_of_digits {limbs}"), has_fma)
        margin = ONE + U * number(16)
        inverse_error = self.first_digit(limbs)
        beyond = self.s0_off * number(self.HALF) * margin  # |R - s0|
        inverse = ONE + beyond * number(4)  # 1 / (R + S), where R + S = 1 + 2 (R - s0) - (R - S)
        x, largest_z = [Size({"z": power(k)}) for k in range(limbs)], fixed(number(Fraction(1, 4)) * margin)
        # |x - s0^2| = |R - s0| (R + s0), where 1/4 is at most x0 (1 + 8u)
        of_rest = Size({"z": beyond * number(4) * (ONE + beyond) * margin})
        rest = RestSizes(rests[0], x, fixed(number(self.HALF)), Divisor([number(self.HALF)]), of_rest, Fraction(1, 4))
        r, largest_z, lost = self.add_rest(rest, largest_z)
        second = beyond * number(2) * margin  # |2 s1|, and more than |s1|
        known, later = beyond, Series()
        for k in range(1, limbs):
            # how far R + S is from the two limbs: the estimate is checked; 2 s0 and 2 s1 lack R - S and
            # twice the digits after s1
            off = known + later * number(2)
            if k == 1:
                off = beyond * U * number(8)
                self.require_estimate(off, r, largest_z, beyond, inverse_error, lost)
            divisor = Divisor([ONE, second], off, inverse_error)
            digit = self.add_digit(r, largest_z, divisor)
            known = at_z(digit.off, largest_z).parts[""] + lost.parts[""] * inverse  # |R - S - s_k|
            if k == limbs - 1:
                break
            # r_k - s_k (2 S + s_k) = r_k - s_k (R + S) + s_k (R - S - s_k)
            of_rest = digit.off.times(ONE + divisor.rest) + digit.size.times(known)
            size = at_z(digit.size, largest_z).parts[""]
            later = later + size if k > 1 else later
            rest = RestSizes(rests[k], r, digit.size, Divisor([ONE, second, size][:k + 1]), of_rest)
            r, largest_z, more = self.add_rest(rest, largest_z)
            lost = lost + more
        self.lost = fixed(known) + self.lost_in_sum(self.HALF)

    @staticmethod
    def require_estimate(off, r, largest_z, beyond, inverse_error, lost):
        """|RN(r0 inverse) - (R - s0)| <= off, where R - s0 = (r0 + r1 + ... + e_0) / (R + s0)."""
        first = at_z(r[0], largest_z)
        others = at_z(sum(r[1:], Size()), largest_z) + lost
        inverse_off = beyond + beyond * beyond * number(2)  # |1 / (R + s0) - 1|
        estimate = first.times(inverse_error + inverse_off + U * (ONE + inverse_error)) + others.times(ONE + inverse_off)
        if any(estimate.at(u) > off.at(u) for u in (LARGEST_U, LARGEST_U / 8, LARGEST_U / 2 ** 16)):
            raise networks.NotANetwork("the estimate of the second digit is not known well enough")

    def first_digit(self, limbs):
        """Sets |R - s0| / R, and returns how far the inverse is from 1 / 2 s0, relatively.

        s = sqrt(x0) (1 + d), |d| <= u. s0 = s + ((x0 - s^2) + x1) inverse with four roundings, inverse = (1 + d') / 2s.
        """
        behind = sum((power(k) for k in range(1, limbs)), Series())  # |x - x0| / x0
        off_s = U + behind + power(2) * number(2)  # |R - s| / R and |x - s^2| / 2x: at most u + behind / 2 and squares
        rounding = U * (U * number(2) + power(2)) + U * (U * number(3) + power(2) * number(4))  # of both sums, over x
        left = sum((power(k) for k in range(2, limbs)), Series())  # x2 and so on
        # 1 / (R + s) - inverse is off_s + u of 1 / 2s; the product may be rounded, and the digit is
        self.s0_off = (off_s * (off_s + U) * number(2) + rounding + left + off_s * U) * (ONE + U * number(4)) + U * (
            ONE + U * number(4))
        return (U + off_s + self.s0_off) * (ONE + U * number(8))

    @staticmethod
    def require_composition(whole, digit, rests, total, has_fma):
        """The whole root is these parts, one after the other."""
        def doubled(value):
            return term("sum", value, value)

        x = [f"x{k}" for k in range(len(whole.operands[0]))]
        s = term("sqrt", x[0])
        inverse = term("half of inverse", s)
        rest = term("sum", term("fma", term("negated", s), s, x[0]), x[1])
        digits = [rounded_sum(rest, inverse, s, has_fma)]
        twice_s0 = doubled(digits[0])
        r = networks.results_of(rests[0], [x, [term("negated", digits[0])], digits])
        second = term("*", r[0], inverse)
        for k in range(1, len(x)):
            digits += networks.results_of(digit, [r[:2], [twice_s0, second], [inverse]])
            if k == len(x) - 1:
                break
            y = [twice_s0, digits[1]] if k == 1 else [twice_s0, second, digits[k]]
            r = networks.results_of(rests[k], [r, [term("negated", digits[k])], y])
            second = doubled(digits[1])
        if networks.results_of(total, [digits]) != networks.results_of(whole, [x]):
            raise networks.NotANetwork(f"{whole.name}: not the parts that were proven, one after the other")

    def bound(self, p):
        """The K of |error| <= K u^N sqrt(x) for at least p bits."""
        u = Fraction(1, 2 ** p)
        return self.lost.in_units(u, self.limbs) / (self.HALF * (1 - self.s0_off.at(u)))
