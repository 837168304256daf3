"""Enclosures of logarithms in exact fractions, and the errors of tables and series against them."""

from fractions import Fraction

BITS = 300  # of the fixed-point numbers below


def logarithm(x):
    """An enclosure of log x, for a fraction x in [1/2, 2].

    log x = 2 (z + z^3/3 + z^5/5 + ...) with z = (x - 1) / (x + 1), |z| <= 1/3. Everything is rounded down: a power is less
    than 2 units too small, because z^2 <= 1/9, a term less than 3 units, and all terms that are left out together, too.
    """
    z = (Fraction(x) - 1) / (Fraction(x) + 1)
    sign, z = (-1, -z) if z < 0 else (1, z)
    if not z:
        return Fraction(0), Fraction(0)
    power = (z.numerator << BITS) // z.denominator
    square = z * z
    total, k = 0, 1
    while power:
        total += power // k
        power = power * square.numerator // square.denominator
        k += 2
    # (k - 1) / 2 terms
    low, high = Fraction(2 * total, 1 << BITS), Fraction(2 * (total + 3 * k), 1 << BITS)
    return (low, high) if sign > 0 else (-high, -low)


LN2 = logarithm(2)


def distance(x, bounds):
    """The largest distance of x from a number in an enclosure."""
    return max(abs(x - bounds[0]), abs(x - bounds[1]))


def power_of_two_error(row, steps):
    """A bound of |q - 1|, q = t / 2^(steps/512), t the sum of the limbs of the row.

    It is |q^512 - 1| = |q - 1| (1 + q + q^2 + ...), which is larger and rational.
    """
    t = sum(row)
    return abs(t ** 512 / Fraction(2) ** steps - 1)


def series_error(polynomial, coefficient, beyond, x, first):
    """A bound of |p(x) - f(x)| / x^first for every |x| up to the given one: f = sum c_i x^i, c_i = coefficient(i).

    |c_i| <= beyond(n) for every i >= n, n the number of p's coefficients. None: those below `first` are not f's.
    """
    if any(polynomial[i] != coefficient(i) for i in range(first)):
        return None
    differences = sum(abs(a - coefficient(i)) * x ** (i - first) for i, a in enumerate(polynomial) if i >= first)
    degree = len(polynomial)
    return differences + beyond(degree) * x ** (degree - first) / (1 - x)
