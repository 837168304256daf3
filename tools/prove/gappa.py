"""Enclosures by Gappa: of any expressions, and of the results and errors of blocks of arithmetic (formulas.py)."""

import functools
import re
import shutil
import subprocess
from fractions import Fraction

import formulas
import network as networks

# A sum has no error of underflow, and a product that is no normal number one of at most 4 of the smallest subnormals:
# two_prod.hpp.
UNDERFLOW = Fraction(1, 2 ** 1072)


class NotProven(Exception):
    """Gappa does not find an enclosure, or none that is good enough."""


class Impossible(NotProven):
    """There is no such case."""


def number(x):
    """A fraction whose denominator is a power of two as Gappa writes it, any other as a quotient."""
    x = Fraction(x)
    places = x.denominator.bit_length() - 1
    return f"{x.numerator}b{-places}" if x.denominator == 1 << places else f"({x.numerator} / {x.denominator})"


def outward(low, high, bits=80):
    """An enclosure of so many bits around another one."""
    def rounded(x, up):
        if x == 0:
            return Fraction(0)
        places = bits - (abs(x.numerator).bit_length() - x.denominator.bit_length())
        scaled = x * Fraction(2) ** places
        return Fraction(-(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator) \
            / Fraction(2) ** places
    return rounded(Fraction(low), False), rounded(Fraction(high), True)


def available():
    return shutil.which("gappa") is not None


@functools.lru_cache(None)
def run(script):
    """What Gappa answers. A warning is a failure: a rule that Gappa cannot check would be an axiom."""
    done = subprocess.run(["gappa"], input=script, capture_output=True, text=True)
    text = done.stdout + done.stderr
    if done.returncode or "Warning" in text or "Error" in text:
        raise NotProven("gappa: " + " ".join(text.split())[:300])
    return text


BOUND = re.compile(r"^ {2}(\w+) in \[([^ ,\]]+)(?: {[^}]*})?(?:, ([^ ,\]]+)(?: {[^}]*})?)?\]$", re.M)


def read_number(text):
    digits, _, exponent = text.partition("b")
    return Fraction(int(digits)) * Fraction(2) ** int(exponent or 0)


def enclosures(definitions, given, goals, rules=()):
    """The enclosures of names, a dictionary; `given` are the enclosures of others, or conditions as texts.

    Raises Impossible if what is given contradicts itself.
    """
    def condition(name, bounds):
        if bounds is None:
            return name
        low, high = outward(*bounds)
        return f"{name} in [{number(low)},{number(high)}]"

    conditions = " /\\ ".join(condition(name, bounds) for name, bounds in given.items()) or "0 in [0,0]"
    asked = " /\\ ".join(f"{goal} in ?" for goal in goals)
    text = run("@d = float<ieee_64,ne>;\n" + "\n".join(definitions) + f"\n{{ {conditions} -> {asked} }}\n"
               + "\n".join(rules) + "\n")
    found = {name: (read_number(low), read_number(high or low)) for name, low, high in BOUND.findall(text)}
    if "anything can be proved" in text:
        raise Impossible("what is given contradicts itself")
    if missing := [goal for goal in goals if goal not in found]:
        raise NotProven(f"gappa does not enclose {', '.join(missing)}")
    return {goal: found[goal] for goal in goals}


def magnitude(bounds):
    return max(abs(bounds[0]), abs(bounds[1]))


def least(bounds):
    """The least magnitude in an enclosure."""
    return Fraction(0) if bounds[0] <= 0 <= bounds[1] else min(abs(bounds[0]), abs(bounds[1]))


def symmetric(bound):
    return -Fraction(bound), Fraction(bound)


class BlockBounds:
    """Enclosures of the values inside a block, of its results and of its error, from those of its operands.

    The error is what the rounded operations lose, what fast_two_sum may lose, and the products of limbs that are left
    out. That the results and these errors together are the exact sum or product is checked (require_conservation).
    """

    def __init__(self, block, operands, known=None, exact=()):
        """`known` are enclosures of results that hold beside, `exact` values whose sum is known to be exact."""
        self.block, self.known, self.exact = block, dict(known or {}), exact
        dropped = networks.require_conservation(block.network)
        self.definitions, self.given, self.errors, self.texts, self.constant = [], {}, [], {}, {}
        for limbs, bounds in zip(block.network.operands, operands, strict=True):
            for limb, (low, high) in zip(limbs, bounds, strict=True):
                if low == high:
                    self.settle(limb, low)
                else:
                    self.texts[limb] = f"v{limb}"
                    self.given[f"v{limb}"] = (low, high)
        for gate in block.network.gates:
            self.enter(gate)
        self.errors += [f"(-({self.texts[a]} * {self.texts[b]}))" for a, b in dropped]

    def settle(self, value, constant):
        self.constant[value] = Fraction(constant)
        self.texts[value] = number(constant)

    def same(self, value, other, sign=""):
        if other in self.constant:
            self.settle(value, -self.constant[other] if sign else self.constant[other])
        else:
            self.texts[value] = f"({sign}{self.texts[other]})" if sign else self.texts[other]

    def define(self, value, expression):
        self.definitions.append(f"v{value} = {expression};")
        self.texts[value] = f"v{value}"
        if value in self.known:
            self.given[f"v{value}"] = self.known[value]

    def variable(self, bounds):
        name = f"lost{len(self.given)}"
        self.given[name] = symmetric(bounds)
        return name

    def enclose(self, values, *expressions):
        """The enclosures of values of the block, and of expressions."""
        asked = [v for v in values if v not in self.constant]
        names = [self.texts[v] for v in asked]
        # Gappa wants one name for each expression
        wanted = [e if e in self.given else f"wanted{i}" for i, e in enumerate(expressions)]
        definitions = [f"{name} = {e};" for name, e in zip(wanted, expressions) if name != e]
        found = enclosures(self.definitions + definitions, self.given, names + wanted)
        return [found[self.texts[v]] if v in asked else (self.constant[v],) * 2 for v in values] \
            + [found[name] for name in wanted]

    def enter(self, gate):
        a, b = gate.operands[:2]
        results = gate.results
        zeros = [self.constant.get(v) == 0 for v in (a, b)]
        units = [abs(self.constant.get(v, 0)) == 1 for v in (a, b)]
        adds = gate.kind in ("two_sum", "fast_two_sum", "sum")
        x, y, *z = (self.texts[v] for v in gate.operands)
        # to add zero is exact, and so is to multiply by 0, 1 and -1
        if adds and any(zeros):
            self.same(results[0], b if zeros[0] else a)
        elif gate.kind in ("two_prod", "*") and any(zeros):
            self.settle(results[0], 0)
        elif gate.kind in ("two_prod", "*") and any(units):
            factor, other = (a, b) if units[0] else (b, a)
            self.same(results[0], other, "" if self.constant[factor] > 0 else "-")
        else:
            exact = f"{x} + {y}" if adds else f"{x} * {y}" + (f" + {z[0]}" if z else "")
            lost = self.may_lose(gate)
            if results[0] in self.exact:
                self.define(results[0], exact)
                return
            self.define(results[0], f"d({exact})")
            if len(results) > 1:
                self.define(results[1], f"-(v{results[0]} - ({exact}))" + (lost and f" + {lost}"))
                self.errors += [lost] if lost else []
            else:
                self.errors.append(f"(v{results[0]} - ({exact}))")
            return
        for value in results[1:]:
            self.settle(value, 0)

    def may_lose(self, gate):
        """What two_prod and fast_two_sum lose: a variable, or nothing."""
        if gate.kind == "two_prod":
            return self.variable(UNDERFLOW)
        if gate.kind == "fast_two_sum":
            larger, smaller = self.enclose(gate.operands)
            if least(larger) < magnitude(smaller):
                # The difference s - a is rounded, and so is b less that. For |a| >= |b| both are exact. Else |s| <= 2 |b|,
                # |s - a| <= |b| + u |s|, and b less the rounded s - a is at most 3.1 u |b|: both errors together are
                # at most 1.01 u |b|.
                return self.variable(magnitude(smaller) / 2 ** 52)
        return ""

    def outcome(self):
        """Enclosures of the results, and a bound of the error."""
        *bounds, error = self.enclose(self.block.results, " + ".join(self.errors) or "0")
        return dict(zip(self.block.results, bounds)), magnitude(error)
