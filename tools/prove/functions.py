"""Proofs of error bounds of functions of two doubles, from the argument to the result.

A formula is recorded from the code (formulas.py). Its first and last steps are those that a proof here expects; all
arithmetic between is proven as it was recorded, by Gappa, with the constants that the code has. Tables, constants and
series are compared with the mathematical functions in exact fractions.
"""

import math
from fractions import Fraction

import enclosures
import formulas
import gappa
from evaluation import Evaluation, constant, polynomial
from formulas import expect

U = Fraction(1, 2 ** 53)


def power(exponent):
    return Fraction(2) ** exponent


def require_small(error, name):
    """Refuses a table, constant or series that is off by more than u^2 / 100: no bound here has room for that."""
    if error is None or error > U ** 2 / 100:
        text = f"error {float(error / U ** 2):.2g} u^2" if error else "another function's"
        raise gappa.NotProven(f"{name}: {text}")
    return error


def require_nearest_integer(formula, block, largest):
    """nearest_integer(y) is a whole number within 1/2 of y, for |y| <= largest."""
    (add, (y, shift), (t,)), (subtract, (t_again, shift_again), _) = block.steps
    if (add, subtract, t, shift) != ("+", "-", t_again, shift_again) or [y] != block.inputs[0]:
        raise formulas.OtherFormula("nearest_integer does not add and subtract a constant")
    c = gappa.number(formula.constants[shift])
    found = gappa.enclosures(
        ["y = d(y_);", f"t = d(y + {c});", f"n = d(t - {c});", f"last = n - (t - {c});", f"first = t - (y + {c});"],
        {"y": gappa.symmetric(largest)}, ["first", "last"])
    # t is at least 2^52, so that it is whole, and so is n
    within = gappa.magnitude(found["first"]) <= Fraction(1, 2) and found["last"] == (0, 0)
    if not within or formula.constants[shift] - largest < power(52):
        raise gappa.NotProven("nearest_integer is not within 1/2")


def leading_sum(block):
    """The sum of x0 and of the leading limb of the product: their leading bits cancel."""
    inputs = block.network.operands
    product = next(gate.results[0] for gate in block.network.gates
                   if gate.kind == "two_prod" and set(gate.operands) == {inputs[1][0], inputs[2][0]})
    found = [gate.results[0] for gate in block.network.gates
             if gate.kind == "sum" and set(gate.operands) == {inputs[0][0], product}]
    if len(found) != 1:
        raise formulas.OtherFormula("the leading limbs of a remainder are not added")
    return found[0]


# exp

EXP_LIMIT = 760
# |rest| by magnitude: where its leading limb has a lower bound, the sum with the tail, of order rest^2, is exact. Below
# the last limit everything is negligible.
EXP_REST_LIMITS = (Fraction(0), power(-60), power(-40), power(-20), power(-10))
FACTORIALS = [Fraction(math.factorial(i)) for i in range(40)]


def exp_reduction(formula):
    """The block of x - n c, an enclosure of its leading sum, of x - n c, and of n."""
    rest = formula.only("cancelling_remainder")
    if rest.operands[0] != formula.argument:
        raise formulas.OtherFormula("exp: not the argument is reduced")
    n = rest.operands[2][0]
    nearest = formula.made[n]
    product = formula.made[nearest.operands[0][0]]
    steps = formula.constants.get(product.operands[1][0], Fraction(0))
    expect(formula.text(n), f"nearest_integer((x0 * {float(steps)}))")
    exponent = formula.only("scale_by_power").operands[1][0]
    # n / 512 and 512 k are exact, and the differences are whole numbers: |n - 512 k| <= 256
    expect(formula.text(exponent), f"nearest_integer(({formula.text(n)} * {1 / 512}))")
    expect(formula.text(formula.only("Exp2Table").operands[0][0]),
           f"(({formula.text(n)} - ({formula.text(exponent)} * 512.0)) + 256.0)")
    expect(formula.text(formula.argument[0]), "x0")
    require_nearest_integer(formula, nearest, power(20))
    require_nearest_integer(formula, formula.made[exponent], power(20))
    c = [formula.constants[limb] for limb in rest.operands[1]]
    s, c0 = gappa.number(steps), gappa.number(c[0])
    definitions = ["x = d(x_);", f"y = d(x * {s});", "n = y + off;", f"p = d({c0} * (-n));", "total = x + p;",
                   "lost = d(total) - total;"]
    rules = [f"x + p -> (x * {s} - y) / {s} - off / {s} + n * (1 / {s} - {c0}) + (p - {c0} * (-n));"]
    largest_n, largest_sum = Fraction(0), Fraction(0)
    # x in a binade and n != 0: where the last bits of x and p are is known then, and that x + p needs no more than 53
    cases = [((0, 0), (-1, 1))]
    for low, high in [(Fraction(0), power(-11))] + [(power(k), power(k + 1)) for k in range(-11, 10)]:
        cases += [((1, power(20)), (low, high)), ((-power(20), -1), (-high, -low))]
    for n_bounds, x_bounds in cases:
        given = {"x": x_bounds, "n": n_bounds, "@FIX(n,0)": None, "off": gappa.symmetric(Fraction(1, 2))}
        try:
            found = gappa.enclosures(definitions, given, ["lost", "total", "y"], rules)
        except gappa.Impossible:
            continue  # no such n there
        # n = 0: nothing is subtracted
        if found["lost"] != (0, 0) and n_bounds != (0, 0):
            raise gappa.NotProven(f"x0 - n c0 is not exact for x0 in {x_bounds}")
        largest_sum = max(largest_sum, gappa.magnitude(found["total"]))
        largest_n = max(largest_n, gappa.magnitude(found["y"]) + 1)
    return rest, largest_sum, largest_n


def spans(limits):
    """Enclosures between neighbouring limits with both signs; the smallest one around zero."""
    yield -limits[1], limits[1]
    for low, high in zip(limits[1:], limits[2:]):
        yield low, high
        yield -high, -low


def require_within(bounds, limits):
    """Refuses a leading limb of a rest that is beyond the last limit."""
    if gappa.magnitude(bounds) > limits[-1]:
        raise gappa.NotProven(f"the rest is up to {float(gappa.magnitude(bounds)):.3g}, over {float(limits[-1]):.3g}")


def columns(rows):
    """The enclosures of each limb over the rows of a table."""
    return [(min(column), max(column)) for column in zip(*rows)]


def exp_bound(formula, tables):
    """A K: the error is at most K u^2 e^x for |x| < 760, as long as no limb of the result is subnormal."""
    expect(formula.comparisons.get(f"abs(x0) < {EXP_LIMIT}.0"), True)
    expect(len(tables["Exp2Table"]), 513)
    rest, largest_sum, n = exp_reduction(formula)
    table, product, mantissa, rounded, scaled = formula.last("Exp2Table", "mul_limbs", "add_smaller", "round_limbs",
                                                             "scale_by_power")
    series = formula.maker(product.operands[1])
    if (scaled.results, scaled.operands[0], rounded.operands[0], mantissa.operands, product.operands[0]) != (
            formula.results, rounded.results, mantissa.results, [table.results, product.results], table.results[:2]):
        raise formulas.OtherFormula("exp: the last steps are not t + t (e^r - 1)")
    c = [formula.constants[limb] for limb in rest.operands[1]]
    x = [gappa.symmetric(EXP_LIMIT), gappa.symmetric(EXP_LIMIT * U)]
    # r = x - n c as the exact operations give it, and how far that is from the exact reduction
    r = largest_sum + n * (abs(c[0]) * U + abs(c[1]) + abs(c[2])) + EXP_LIMIT * U
    off = n * enclosures.distance(sum(c) * 512, enclosures.LN2) / 512
    of_series = enclosures.series_error(polynomial(formula, series.results, rest), lambda i: i and 1 / FACTORIALS[i],
                                        lambda i: 1 / FACTORIALS[i], r, 2)
    of_series = require_small(of_series and of_series * r ** 2, "series")
    of_table = max(enclosures.power_of_two_error(row, i - 256) for i, row in enumerate(tables["Exp2Table"]))
    require_small(of_table, "Exp2Table")
    require_small(off, "log(2) / 512")
    leading = leading_sum(rest)
    operands, known = [x, [(limb, limb) for limb in c], [gappa.symmetric(n)]], {leading: gappa.symmetric(largest_sum)}
    require_within(gappa.BlockBounds(rest, operands, known, [leading]).outcome()[0][rest.results[0]], EXP_REST_LIMITS)
    worst = Fraction(0)
    # 2^(j/512) below and from 1 on: rounding is finer below
    for rows in (tables["Exp2Table"][:256], tables["Exp2Table"][256:]):
        for span in spans(EXP_REST_LIMITS):
            evaluation = Evaluation(formula)
            limbs, error = gappa.BlockBounds(rest, operands, {**known, rest.results[0]: span}, [leading]).outcome()
            evaluation.start(rest, limbs, gappa.symmetric(r), error)
            evaluation.start(table, dict(zip(table.results, columns(rows))),
                             (min(map(sum, rows)), max(map(sum, rows))))
            evaluation.enter_all(rest, rounded)
            distance, exact = evaluation.distances(rounded)
            worst = max(worst, distance / gappa.least(exact))
    # t (1 + s) is 2^(j/512) e^r but for the table, and 1 + s is e^r but for the series; e^|r| < 1 + 2 r, and
    # 1 / (1 - e) < 1 + 2 e
    return ((1 + worst) * (1 + of_series * (1 + 2 * r)) * (1 + 2 * of_table) * (1 + 2 * off) - 1) / U ** 2


# log

LOG_REST_LIMITS = (Fraction(0), power(-100), power(-72), power(-36), power(-18), power(-9))
# The comparisons that lead to each formula, and by which power of two the argument is scaled there.
LOG_CASES = {"log between": (False, False, 0), "log small": (True, False, 265), "log large": (False, True, -6)}
LOG_SMALL, LOG_LARGE = 2.0 ** -809, 2.0 ** 1018
EXPONENT = 1075  # |k| in log x = k log 2 + log m


def log_reduction(formula, tables):
    """For each row: c, the entry of the table of logarithms, and an enclosure of m. The block of c m - 1 comes first."""
    rest, split = formula.only("cancelling_remainder"), formula.only("binary_split")
    scaled = formula.maker(rest.operands[1])
    is_small, is_large, places = LOG_CASES[formula.name]
    expect(formula.text(scaled.results[0]), f"scale_limbs(x0, x1, {2.0 ** places})[0]")
    for comparison, holds in {f"x0 < {LOG_SMALL}": is_small, f"x0 > {LOG_LARGE}": is_large}.items():
        expect(formula.comparisons.get(comparison), holds)
    expect(formula.text(rest.operands[0][0]), "-1.0")
    expect(split.operands[0], scaled.results[:1])
    expect(len(scaled.results), 2)
    exponent, mantissa, inverse_power = (formula.text(limb) for limb in split.results)
    index = f"(nearest_integer(({mantissa} * 512.0)) - 362.0)"
    expect(formula.text(rest.operands[2][0]), f"negated((LogReciprocal({index}) * {inverse_power}))")
    expect(formula.text(formula.only("LogTable").operands[0][0]), index)
    expect(formula.text(formula.blocks[-3].operands[1][0]), f"({exponent} + {-places + 0.0})")
    require_nearest_integer(formula, formula.only("nearest_integer"), power(20))
    lowest = formula.constants[split.operands[1][0]]
    first, last = round(512 * lowest) - 362, round(1024 * lowest) - 362
    if first < 0 or last >= len(tables["LogTable"]):
        raise formulas.OtherFormula("log: there are not enough rows")
    half = Fraction(1, 2)
    rows = []
    for i in range(first, last + 1):
        low, high = max(lowest, (i + 362 - half) / 512), min(2 * lowest, (i + 362 + half) / 512)
        rows.append((tables["LogReciprocal"][i][0], tables["LogTable"][i], (low, high)))
    return rest, rows


def binade(low):
    """The floats of a binade; the power of two above them is not among them, because it has a larger ulp."""
    return low, 2 * low * (1 - U)


def around(bounds):
    """The range of a number of two limbs whose leading limb is in the range."""
    low, high = bounds
    return low - abs(low) * U, high + abs(high) * U


def log_rest(rest, rows, span=None):
    """Limbs and error of c m - 1, for m and c of the rows, and its enclosure.

    The block multiplies x = 2^e m by c 2^-e, which has the same products.
    """
    ends = [c * m - 1 for c, _, bounds in rows for m in bounds]
    leading = leading_sum(rest)
    # p0 is near 1: p0 - 1 is exact
    found = gappa.enclosures(["p = d(product);", "total = p - 1;", "lost = d(total) - total;"],
                             {"product": (1 + min(ends), 1 + max(ends))}, ["total", "lost"])
    if found["lost"] != (0, 0):
        raise gappa.NotProven("c m0 - 1 is not exact")
    m = (min(low for _, _, (low, _) in rows), max(high for _, _, (_, high) in rows))
    c = (min(c for c, _, _ in rows), max(c for c, _, _ in rows))
    known = {leading: found["total"], **({rest.results[0]: span} if span else {})}
    limbs, error = gappa.BlockBounds(rest, [[(Fraction(-1),) * 2], [m, gappa.symmetric(U * m[1])], [c]], known,
                                     [leading]).outcome()
    exact = [c * m - 1 for c, _, bounds in rows for m in around(bounds)]
    return limbs, error, (min(exact), max(exact))


def merged(bounds, more):
    """The union of enclosures."""
    for name, (low, high) in more.items():
        bounds[name] = (min(low, bounds[name][0]), max(high, bounds[name][1])) if name in bounds else (low, high)


def log_bound(formula, tables):
    """A K: the error is at most K u^2 |log x| for every positive finite x; docs/proofs.md says how underflow counts."""
    rest, rows = log_reduction(formula, tables)
    square, tail, near_one, _, by_ln2, total, rounded = formula.last(
        "mul_limbs", "mul_limbs", "add_smaller", "+", "mul_limbs", "quick_sum", "round_limbs")
    table, series = formula.only("LogTable"), formula.maker(tail.operands[1])
    limbs = rest.results
    wiring = (square.operands, tail.operands[0], near_one.operands, total.operands, rounded.operands, formula.results)
    if wiring != ([limbs[:2], limbs[:2]], square.results, [limbs, tail.results],
                  [by_ln2.results, table.results, near_one.results], [total.results], rounded.results):
        raise formulas.OtherFormula("log: the last steps are not k log 2 - log c + (r + r^2 s)")
    r = max(abs(c * m - 1) for c, _, bounds in rows for m in around(bounds))
    truncated = enclosures.series_error(polynomial(formula, near_one.results, rest),
                                        lambda i: i and Fraction((-1) ** (i + 1), i), lambda i: Fraction(1, i), r, 2)
    require_small(truncated and truncated * r, "series")
    require_small(max(enclosures.distance(-sum(entry), enclosures.logarithm(c)) for c, entry, _ in rows), "LogTable")
    require_small(EXPONENT * enclosures.distance(constant(formula, by_ln2.operands[0]), enclosures.LN2), "log(2)")
    require_within(log_rest(rest, rows)[0][rest.results[0]], LOG_REST_LIMITS)
    limbs, of_series, of_rest = {}, Fraction(0), Fraction(0)
    for span in spans(LOG_REST_LIMITS):
        evaluation = Evaluation(formula)
        rest_limbs, error, exact = log_rest(rest, rows, span)
        evaluation.start(rest, rest_limbs, exact, error)
        evaluation.enter_all(rest, near_one)
        merged(limbs, {limb: evaluation.limbs[limb] for limb in series.results + near_one.results})
        off_series, off_rest, _ = evaluation.distances(series, near_one)
        of_series, of_rest = max(of_series, off_series), max(of_rest, off_rest)
    away = log_away_from_1(formula, rows, limbs, of_rest + truncated * r ** 2, (by_ln2, total, rounded, near_one))
    near = log_near_1(formula, rows, limbs, of_series, truncated,
                      (rest, square, tail, series, near_one, by_ln2, total, rounded))
    return max(away, near) / U ** 2


def log_away_from_1(formula, rows, limbs, of_rest, blocks):
    """The relative error where k != 0 or c != 1; the absolute errors of the three terms count."""
    by_ln2, total, rounded, near_one = blocks
    wide = [gappa.symmetric(gappa.magnitude(limbs[limb])) for limb in near_one.results]
    ln2 = [formula.constants[limb] for limb in by_ln2.operands[0]]
    # k is whole: 0, for which the product is 0, or at least 1; a negative k only changes signs
    k_limbs, error = gappa.BlockBounds(by_ln2, [[(limb, limb) for limb in ln2], [(1, EXPONENT)]]).outcome()
    error += EXPONENT * enclosures.distance(sum(ln2), enclosures.LN2) + of_rest \
        + max(enclosures.distance(-sum(entry), enclosures.logarithm(c)) for c, entry, _ in rows)
    near = [gappa.symmetric(gappa.magnitude(column)) for column in columns([entry for _, entry, _ in rows])]
    # |log x|: at least |m - 1| / max(m, 1) for k = 0, else log 2 - |log m|
    ends = [around(bounds) for c, _, bounds in rows if c != 1]
    if any(low <= 1 <= high for low, high in ends):
        raise formulas.OtherFormula("log: c is not 1 for an m of 1")
    least = min(abs(m - 1) / max(m, 1) for bounds in ends for m in bounds)
    least = min(least, enclosures.LN2[0] - max(gappa.magnitude(enclosures.logarithm(m)) for b in ends for m in b))
    terms = [[gappa.symmetric(gappa.magnitude(k_limbs[limb])) for limb in by_ln2.results], near, wide]
    if error + gappa.BlockBounds(total, terms).outcome()[1] > least / 4:
        raise gappa.NotProven("log: the leading limb may be anything")
    worst, places = Fraction(0), 0
    while power(places) < sum(gappa.magnitude(limb) for term in terms for limb in term):
        places += 1
    # by the binade of the leading limb, which is more than least / 2; all enclosures are symmetric, and so the negative
    # ones are like the positive
    while power(places) > least / 2:
        places -= 1
        known = {total.results[0]: binade(power(places))}
        sums, of_sum = gappa.BlockBounds(total, terms, known).outcome()
        _, of_rounding = gappa.BlockBounds(rounded, [[sums[limb] for limb in total.results]]).outcome()
        absolute = error + of_sum + of_rounding
        value = power(places) - sum(gappa.magnitude(sums[limb]) for limb in total.results[1:])
        worst = max(worst, absolute / max(least, value - absolute))
    return worst


def log_near_1(formula, rows, limbs, of_series, truncated, blocks):
    """The relative error where k = 0 and c = 1: log x is log(1 + r), and r = x - 1 is exact.

    r may be as small as a float can be. All steps but the series are the same for r 2^j, so |r| is in [1, 2], r^2 is in
    [1, 4], and the tail is that times at most the largest power of two.
    """
    rest, square, tail, series, near_one, by_ln2, total, rounded = blocks
    ones = [row for row in rows if row[0] == 1]
    if any(any(entry) for _, entry, _ in ones):
        raise formulas.OtherFormula("log: an entry for c = 1 is not zero")
    rest_limbs, error, exact = log_rest(rest, ones)
    if error or rest_limbs[rest.results[2]] != (0, 0):
        raise gappa.NotProven("r = x - 1 is not exact")
    unit = power(-1)
    while unit > gappa.magnitude(exact):
        unit /= 2
    worst = Fraction(0)
    zero = (Fraction(0),) * 2
    of_ln2 = [(formula.constants[limb],) * 2 for limb in by_ln2.operands[0]]
    k_limbs, k_error = gappa.BlockBounds(by_ln2, [of_ln2, [zero]]).outcome()
    for lead in ((Fraction(1), Fraction(2)), (Fraction(-2), Fraction(-1))):
        r = [lead, gappa.symmetric(U)]  # the second limb is the error of the sum that the first is
        squares, of_square = gappa.BlockBounds(square, [r, r]).outcome()
        h = [limbs[limb] for limb in series.results]
        tails, of_tail = gappa.BlockBounds(tail, [[squares[limb] for limb in square.results], h]).outcome()
        of_tail += of_square * sum(map(gappa.magnitude, h)) + (2 + U) ** 2 * (of_series + truncated)
        # so l, below, is in [1/2, 4]
        require_within(tails[tail.results[0]], [Fraction(1, 4) / unit])
        small = [gappa.symmetric(gappa.magnitude(tails[limb]) * unit) for limb in tail.results]
        for low in (Fraction(1, 2), Fraction(1), Fraction(2)):
            span = binade(low) if lead[0] > 0 else tuple(-x for x in reversed(binade(low)))
            sums, of_sum = gappa.BlockBounds(near_one, [r + [zero], small], {near_one.results[0]: span}).outcome()
            terms = [[k_limbs[limb] for limb in by_ln2.results], [zero] * 3, [sums[limb] for limb in near_one.results]]
            totals, of_total = gappa.BlockBounds(total, terms).outcome()
            _, of_rounding = gappa.BlockBounds(rounded, [[totals[limb] for limb in total.results]]).outcome()
            absolute = k_error + of_tail * unit + of_sum + of_total + of_rounding
            # |log(1 + r)| >= |r| (1 - |r|), and the result's leading limb is in the span
            value = max((1 - U) * (1 - 2 * unit), low * (1 - 2 * U) - absolute)
            worst = max(worst, absolute / value)
    return worst


# The proof of each function, and the formulas that it consists of.
FUNCTIONS = {"exp": (exp_bound, ("exp above 0", "exp below 0")), "log": (log_bound, tuple(LOG_CASES))}


def proven_bound(name, fma, found, tables):
    """The bound that is proven of a function; raises what says why there is none. `fma` ends the formulas' names."""
    if not gappa.available():
        raise gappa.NotProven("gappa is not installed (Debian: gappa)")
    proof, paths = FUNCTIONS[name]
    return max(proof(found[path + fma], tables) for path in paths)
