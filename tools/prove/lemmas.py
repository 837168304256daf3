"""What two_sum and two_prod do to signs, exponents and the ends of mantissas: the lemmas that the prover uses.

A nonzero float v of p bits is described by five things, as in the SELTZO domain of Zhang and Aiken 2025b
(arXiv:2505.18791):
  n  its sign (true: negative);
  E  the place of its first one bit:  2^E <= |v| < 2^(E+1);
  F  the place of its last one bit;
  P  the place of its second one bit from the top, E - p for a power of two:
     the excess |v| - 2^E is 0 or in [2^P, 2^(P+1));
  Q  the place of its first zero bit, E - p if there is none:
     the lack 2^(E+1) - |v| is in (2^Q, 2^(Q+1)].
Zero has E = F = P = Q = "zero", a place below all others.

Each lemma of two_sum follows from three facts about rounding to nearest even: s is the nearest float to x + y, rounding
is monotone, and x, y, s and the error are multiples of the smaller last place of x and y. Its reason stands beside it.
None depends on p but through the places; check_lemmas.py tries each on every pair of floats of 3 to 6 bits.

Every function takes a logic (And, Or, Not, Implies), so that the same text is a formula of z3 and a test of numbers.
"""


def well_formed(l, v, p, zero):
    """What holds for the description of every float."""
    return l.And(
        v.E >= zero,
        l.Implies(v.E == zero, l.And(v.F == zero, v.P == zero, v.Q == zero, l.Not(v.n))),
        l.Implies(v.E > zero, l.And(
            v.F > zero, v.P > zero, v.Q > zero,
            v.F <= v.E, v.F >= v.E - p + 1,
            v.P < v.E, v.P >= v.E - p, v.Q < v.E, v.Q >= v.E - p,
            l.Implies(v.F == v.E, v.P == v.E - p),
            l.Implies(v.F < v.E, v.P >= v.F),
            # the bit below the first one is either a one or a zero
            l.Or(v.P == v.E - 1, v.Q == v.E - 1), l.Not(l.And(v.P == v.E - 1, v.Q == v.E - 1)),
            # ones above Q; below the last one bit there are only zeros
            v.Q >= v.F - 1, v.Q != v.F,
            l.Implies(l.And(v.P == v.E - 1, v.P == v.F), v.Q == v.E - 2),
            l.Implies(l.And(v.Q == v.F - 1, v.F < v.E), v.P == v.E - 1))))


def is_power(v):
    return v.E == v.F


def same(l, v, w):
    """The descriptions are equal."""
    return l.And(v.n == w.n, v.E == w.E, v.F == w.F, v.P == w.P, v.Q == w.Q)


def at_most(l, v, w):
    """|v| <= |w|, as far as descriptions of equal exponents show it: what follows, not what is equivalent."""
    return l.And(v.E <= w.E, l.Implies(v.E == w.E, l.And(v.P <= w.P, v.Q >= w.Q)))


def absorbed(l, a, b, p, zero):
    """b is so small that RN(a + b) = a."""
    power = l.And(is_power(a), a.n != b.n)  # the floats below a are closer than those above it
    return l.Or(
        b.E < a.E - p - 1,
        l.And(b.E == a.E - p - 1, l.Or(l.Not(power), is_power(b))),
        l.And(b.E == a.E - p, is_power(b), a.F >= a.E - p + 2, l.Not(power)))


def nearest(l, s, e, p, zero):
    """s = RN(s + e)."""
    inexact = e.E != zero
    # |e| is at most half the distance of s to its neighbour; if it is just half, s is even.
    yield "half ulp", l.Implies(inexact, l.And(s.E != zero, e.E <= s.E - p))
    yield "tie", l.Implies(l.And(inexact, e.E == s.E - p), l.And(is_power(e), s.F >= s.E - p + 2))
    # below a power of two, neighbours are half as far away
    yield "half ulp below a power", l.Implies(l.And(inexact, is_power(s), e.n != s.n), l.And(
        e.E <= s.E - p - 1, l.Implies(e.E == s.E - p - 1, is_power(e))))


def two_prod(l, x, y, q, e, p, zero):
    """(q, e) = two_prod(x, y), as two_sum."""
    And, Or, Not, Implies = l.And, l.Or, l.Not, l.Implies
    x0, y0, q0, e0 = (v.E == zero for v in (x, y, q, e))
    both = And(Not(x0), Not(y0))
    yield "product with zero", Implies(Or(x0, y0), And(q0, e0))
    yield from nearest(l, q, e, p, zero)
    # 2^(Ex + Ey) <= |x y| < 2^(Ex + Ey + 2), and rounding is monotone; 2^(Ex + Ey + 2) is not reached, because
    # |x y| <= (2^(Ex+1) - ulp x) (2^(Ey+1) - ulp y).
    yield "size of a product", Implies(both, And(
        Not(q0), Or(And(x.n == y.n, Not(q.n)), And(x.n != y.n, q.n)), Or(q.E == x.E + y.E, q.E == x.E + y.E + 1)))
    # an odd number times an odd number is odd
    yield "last bit of a product", Implies(both, And(Implies(e0, q.F == x.F + y.F), Implies(Not(e0), e.F == x.F + y.F)))
    for a, b, name in ((x, y, "x"), (y, x, "y")):
        yield "power of two " + name, Implies(And(both, is_power(a)), And(
            e0, q.E == a.E + b.E, q.F == a.E + b.F, q.P == a.E + b.P, q.Q == a.E + b.Q))


def fma(l, x, y, c, s, e, p, zero):
    """s = RN(x y + c), e = x y + c - s. e need not be a float: of its description the places E and F are used alone."""
    And, Or, Not, Implies = l.And, l.Or, l.Not, l.Implies
    x0, y0, c0, s0, e0 = (v.E == zero for v in (x, y, c, s, e))
    product = And(Not(x0), Not(y0))
    alike = Or(And(x.n == y.n, Not(c.n)), And(x.n != y.n, c.n))
    power = Or(is_power(x), is_power(y))
    yield "fma of zero", Implies(Or(x0, y0), And(same(l, s, c), e0))
    yield from nearest(l, s, e, p, zero)
    # s is at least 2^(Ex+Ey) and below 2^(Ex+Ey+2), or 2^(Ex+Ey+1) if a factor is a power of two
    yield "fma without c", Implies(And(product, c0), And(
        Not(s0), Or(s.E == x.E + y.E, And(Not(power), s.E == x.E + y.E + 1)),
        Or(And(x.n == y.n, Not(s.n)), And(x.n != y.n, s.n))))
    for bound, holds in ((x.E + y.E, power), (x.E + y.E + 1, product)):
        # |x y| < 2^(bound+1), |c| < 2^(Ec+1), and rounding is monotone: the sum is below twice the larger bound, and
        # so far below (each lacks an ulp) that it is not rounded to it
        yield "size of fma", Implies(And(product, Not(c0), holds), Or(s0, s.E <= bound + 1, s.E <= c.E + 1))
        yield "size of fma that subtracts", Implies(And(product, Not(c0), holds, Not(alike)),
                                                    Or(s0, s.E <= bound, s.E <= c.E))
        # |c| - |x y| >= 2^Ec - 2^(Ec-1)
        yield "c outweighs", Implies(And(product, Not(c0), holds, c.E >= bound + 2),
                                     And(Not(s0), s.n == c.n, s.E >= c.E - 1))
    yield "size of fma that adds", Implies(And(product, Not(c0), alike), And(
        Not(s0), s.n == c.n, s.E >= x.E + y.E, s.E >= c.E))
    # x y + c is a multiple of the smaller last place
    yield "last bit of fma", Implies(And(product, Not(c0)), And(
        Or(s0, s.F >= x.F + y.F, s.F >= c.F), Or(e0, e.F >= x.F + y.F, e.F >= c.F)))


def two_sum(l, x, y, s, e, p, zero):
    """(s, e) = two_sum(x, y): pairs of a name and a formula. p >= 3, nothing overflows or underflows."""
    And, Or, Not, Implies = l.And, l.Or, l.Not, l.Implies
    x0, y0, s0, e0 = (v.E == zero for v in (x, y, s, e))
    both = And(Not(x0), Not(y0))
    alike = And(both, x.n == y.n)
    unlike = And(both, x.n != y.n)
    exact = e0
    inexact = Not(e0)

    # x + 0 = x.
    yield "zero x", Implies(x0, And(same(l, s, y), e0))
    yield "zero y", Implies(y0, And(same(l, s, x), e0))
    # RN(x + y) = 0 only if x = -y, because x + y is 0 or a multiple of a representable power of two.
    yield "zero s", Implies(s0, e0)
    yield "cancels", Implies(And(both, s0), And(x.n != y.n, x.E == y.E, x.F == y.F, x.P == y.P, x.Q == y.Q))
    yield from nearest(l, s, e, p, zero)
    # x + y is a multiple of the smaller last place; if both are equal, two odd multiples give an even one. e has bits
    # only below the last place of s, so the last one bit of x + y is that of e, or of s if e = 0.
    for a, b, name in ((x, y, "x"), (y, x, "y")):
        yield "last bit is of " + name, Implies(And(both, a.F < b.F), And(Implies(exact, s.F == a.F),
                                                                       Implies(inexact, e.F == a.F)))
    yield "last bits meet", Implies(And(both, x.F == y.F), And(Or(s0, s.F > x.F), Implies(inexact, e.F > x.F)))
    # s is nearer to x + y than the floats x and y are.
    yield "e at most x", Implies(both, at_most(l, e, x))
    yield "e at most y", Implies(both, at_most(l, e, y))
    # Equal signs: |x| + |y| >= |x|, and rounding is monotone.
    yield "alike sign", Implies(alike, And(Not(s0), s.n == x.n, at_most(l, x, s), at_most(l, y, s)))
    yield "alike equal exponents", Implies(And(alike, x.E == y.E), s.E == x.E + 1)
    # Equal exponents and different signs: the difference is exact (Sterbenz).
    yield "unlike equal exponents", Implies(And(unlike, x.E == y.E), And(exact, s.E < x.E))
    for a, b, name in ((x, y, "x"), (y, x, "y")):
        larger = And(both, a.E > b.E)
        add = And(larger, a.n == b.n)
        subtract = And(larger, a.n != b.n)
        stays = s.E == a.E
        carries = And(add, s.E == a.E + 1)
        borrows = And(subtract, s.E == a.E - 1)
        yield "sign of " + name, Implies(larger, And(Not(s0), s.n == a.n))
        yield "absorbed by " + name, Implies(And(both, absorbed(l, a, b, p, zero)), And(same(l, s, a), same(l, e, b)))
        # |a| <= |s| <= 2^(E+2)
        yield "carry or none " + name, Implies(add, Or(stays, s.E == a.E + 1))
        # the lack of a, above 2^Q, is not filled
        yield "no carry " + name, Implies(And(add, b.E < a.Q, a.Q >= a.E - p + 1), stays)
        # excess of s: at most the excess of a and |b|
        yield "excess grows " + name, Implies(And(add, stays), And(
            Or(s.P <= a.P + 1, s.P <= b.E + 1), Implies(is_power(a), Or(s.P <= b.E + 1, s.P <= a.E - p))))
        yield "excess after carry " + name, Implies(carries, Or(s.P <= b.E, s.P <= a.E - p + 2))
        # lack of s: at least the lack of a without |b|
        yield "lack shrinks " + name, Implies(And(add, stays, a.Q >= b.E + 2, a.Q >= a.E - p + 2), s.Q >= a.Q - 1)
        # |a| - |b| <= |a|
        yield "difference " + name, Implies(subtract, at_most(l, s, a))
        yield "borrow or none " + name, Implies(And(subtract, a.E >= b.E + 2), Or(stays, s.E == a.E - 1))
        # the excess of a, at least 2^P, covers |b|
        yield "no borrow " + name, Implies(And(subtract, Not(is_power(a)), a.P > b.E), stays)
        yield "excess shrinks " + name, Implies(And(subtract, stays, Not(is_power(a)), a.P >= b.E + 2,
                                                    a.P >= a.E - p + 2), s.P >= a.P - 1)
        yield "lack grows " + name, Implies(And(subtract, stays), Or(s.Q <= a.Q + 1, s.Q <= b.E + 1))
        yield "lack after borrow " + name, Implies(borrows, Or(s.Q <= b.E, s.Q <= a.E - p))
        # a - b with neighbouring exponents is below 2^(E+1): it needs at most one bit more than there are
        yield "neighbours " + name, Implies(And(subtract, a.E == b.E + 1, inexact), And(stays, e.E == a.E - p))
        # |b| is between half an ulp of a and an ulp, and rounds to an ulp: e is what b lacks
        yield "rounded up " + name, Implies(
            And(larger, b.E == a.E - p, Not(is_power(b)), Or(a.n == b.n, Not(is_power(a)))),
            And(inexact, e.n != b.n, e.E <= b.Q + 1, e.E >= b.Q,
                Implies(e.E == b.Q + 1, is_power(e)),
                # the lack of e is the excess of b
                Implies(e.E == b.E - 1, And(e.Q <= b.P, e.Q >= b.P - 1))))
    yield from leading_bits(l, x, y, s, e, p, zero)


def leading_bits(l, x, y, s, e, p, zero):
    """More lemmas of two_sum: where the second bit and the first zero of s are, and when exponents carry or borrow.

    All compare an excess |v| - 2^E, in [2^P, 2^(P+1)) or 0, or a lack 2^(E+1) - |v|, in (2^Q, 2^(Q+1)], with a number.
    What holds of x + y holds of s as far as the places in question are those of bits that s has: rounding is monotone.
    """
    And, Or, Not, Implies = l.And, l.Or, l.Not, l.Implies
    both = And(x.E != zero, y.E != zero)
    inexact = e.E != zero
    # s is larger than |x + y|, which is below a power of two
    rounded_to_power = And(is_power(s), inexact, e.n != s.n)
    for a, b, name in ((x, y, "x"), (y, x, "y")):
        # |x + y| = 2^(E+1) + excess of x + excess of y = 2^(E+2) - lack of x - lack of y, and s has a bit less below
        level = And(both, x.n == y.n, x.E == y.E)
        last = a.E - p + 1
        yield "excesses add, at least " + name, Implies(And(level, a.P > last), s.P >= a.P)
        yield "excesses add, at most " + name, Implies(And(level, a.P >= b.P), Or(s.P <= a.P + 1, s.P <= last + 1))
        yield "lacks add, at least " + name, Implies(And(level, a.Q > last), s.Q >= a.Q)
        yield "lacks add, at most " + name, Implies(And(level, a.Q >= b.Q), s.Q <= a.Q + 1)
        yield "excess of the other " + name, Implies(
            And(level, is_power(a), b.P > last, b.Q >= last, b.Q < b.P), Or(s.P == b.P, s.P == b.P + 1))

        larger = And(both, a.E > b.E)
        add = And(larger, a.n == b.n)
        subtract = And(larger, a.n != b.n)
        stays = s.E == a.E
        carries = And(add, s.E == a.E + 1)
        # |b| fills the lack of a, which is at most 2^(Q+1)
        yield "carry " + name, Implies(And(add, b.E > a.Q), s.E == a.E + 1)
        # unless s was rounded up to 2^(E+1), |b| is at least the lack: above 2^Q, and 2^(Q+1) if ones are all there is
        yield "carry needs " + name, Implies(And(carries, Not(rounded_to_power)), And(
            b.E >= a.Q, Implies(b.E == a.Q, Not(is_power(b))), Implies(a.F == a.Q + 1, b.E > a.Q)))
        # if it was, half an ulp was missing at most
        yield "carry to a power " + name, Implies(And(carries, a.F == a.Q + 1, b.E == a.Q), b.Q < last - 1)
        # |b| is more than the excess of a, which is below 2^(P+1)
        yield "borrow " + name, Implies(And(subtract, b.E > a.P, a.P >= last), s.E < a.E)
        # below a power of two, floats are half as far apart
        yield "borrow of a power " + name, Implies(And(subtract, is_power(a), Or(
            b.E >= a.E - p, And(b.E == a.E - p - 1, Not(is_power(b))))), s.E < a.E)
        # unless s was rounded up to 2^E, |b| is at most the excess
        yield "no borrow needs " + name, Implies(And(subtract, stays, Not(rounded_to_power)), And(
            b.E <= a.P, Implies(And(b.E == a.P, a.F == a.P), is_power(b))))
        # excess of s: that of a and |b|
        yield "excess at least b " + name, Implies(And(add, stays, b.E >= last), s.P >= b.E)
        yield "excess of b " + name, Implies(And(add, stays, b.E > a.P, b.Q > a.P), s.P == b.E)
        yield "excess stays " + name, Implies(And(add, stays, a.P > b.E, a.P >= last, b.E < last - 1),
                                              Or(s.P == a.P, a.Q < last))

        # a - b with neighbouring exponents is the excess of a and the lack of b
        near = And(subtract, a.E == b.E + 1)
        yield "near, at least the excess " + name, Implies(And(near, Not(is_power(a))), s.E >= a.P)
        yield "near, at least the lack " + name, Implies(near, s.E >= b.Q)
        yield "near, at most " + name, Implies(near, Or(s.E <= a.P + 1, s.E <= b.Q + 1))
        yield "near a power " + name, Implies(And(near, is_power(a)), And(
            Not(inexact), Or(s.E == b.Q, And(s.E == b.Q + 1, is_power(s)))))

        # a + b with neighbouring exponents is 3/2 2^E, the excess of a and that of b; the latter is 2^(E-1) - lack
        next_to = And(add, a.E == b.E + 1)
        yield "a zero after two ones " + name, Implies(
            And(next_to, stays, a.P <= b.E - 3, b.P <= b.E - 3, b.E - 3 >= last), s.Q == b.E - 1)
        yield "lack of b, at most " + name, Implies(And(next_to, stays, a.P < b.E), s.Q <= b.Q)
        yield "lack of b, at least " + name, Implies(
            And(next_to, stays, a.P < b.E, a.P + 1 < b.Q, b.Q > last), s.Q >= b.Q - 1)
        yield "excess fills the lack of b " + name, Implies(And(next_to, Not(is_power(a)), a.P > b.Q), s.E == a.E + 1)
        yield "only then " + name, Implies(And(carries, next_to, b.Q >= last, a.Q == a.E - 1),
                                           And(a.P >= b.Q, Not(is_power(a))))

        # e is what is rounded off b: its excess if that is below half an ulp of a, what it lacks if that is
        lacks = And(inexact, e.n != b.n, Or(e.E == b.Q, And(e.E == b.Q + 1, is_power(e))))
        yield "excess rounded off " + name, Implies(
            And(larger, stays, b.E >= last, b.P < last - 1, Not(is_power(b))), And(inexact, e.n == b.n, e.E == b.P))
        yield "lack rounded up " + name, Implies(
            And(larger, stays, b.E >= last, Or(b.Q < last - 2, And(b.Q == last - 2, b.F < b.Q))), lacks)
        yield "lack rounded up below a power " + name, Implies(
            And(subtract, is_power(a), b.E == a.E - p - 1, Not(is_power(b))), lacks)
