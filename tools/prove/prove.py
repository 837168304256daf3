#!/usr/bin/env python3
"""Proves bounds and invariants of the networks of the library, for every precision p >= 8 and all operands.

Of functions of two doubles it proves bounds.

Exit code: 0 everything that is claimed was proven, 1 something was not, 2 bad usage. docs/proofs.md says what is
proven, how and under which assumptions.
"""

import argparse
import re
import subprocess
import sys
import time

import check_lemmas
import digits
import formulas
import functions
import gappa
import lemmas
import magnitudes
import network as networks
import z3
from magnitudes import LEAST_PRECISION

p = z3.Int("p")
ZERO = z3.Int("zero")


class Formulas:
    """The logic of z3; see lemmas.py."""

    And = staticmethod(z3.And)
    Or = staticmethod(z3.Or)
    Not = staticmethod(z3.Not)
    Implies = staticmethod(z3.Implies)


class Float:
    """The description of a float, unknown; of a number that need not be one if `is_float` is false."""

    def __init__(self, solver, name, is_float=True):
        self.n = z3.Bool(name + "n")
        self.E, self.F, self.P, self.Q = (z3.Int(name + place) for place in "EFPQ")
        solver.add(lemmas.well_formed(Formulas, self, p, ZERO) if is_float else z3.And(self.F <= self.E, self.F >= ZERO))

    @property
    def zero(self):
        return self.E == ZERO


def normalized(a, b):
    """|b| <= ulp(a) / 2, and behind a zero there is nothing."""
    return z3.Or(b.zero, z3.And(z3.Not(a.zero), z3.Or(b.E < a.E - p, z3.And(b.E == a.E - p, lemmas.is_power(b)))))


def may_be_fast(a, b):
    """fast_two_sum(a, b) is exact: the conditions of two_sum.hpp, as far as descriptions show them."""
    return z3.Or(a.zero, b.zero, a.E >= b.E, a.F >= b.E - p + 1)


LEMMAS = {"two_sum": lemmas.two_sum, "fast_two_sum": lemmas.two_sum, "sum": lemmas.two_sum,
          "two_prod": lemmas.two_prod, "*": lemmas.two_prod, "fma": lemmas.fma}


QUICK = 5  # seconds


def solver_of(seconds):
    """An empty solver that answers in so many seconds, or not."""
    solver = z3.SolverFor("QF_LIA")
    solver.set("timeout", int(seconds * 1000))
    return solver


class Proof:
    """What is known of the values of a network, and what follows from it."""

    def __init__(self, network, seconds):
        networks.require_conservation(network)
        self.network = network
        self.seconds = seconds
        self.solver = solver_of(min(seconds, QUICK))
        self.solver.add(p >= LEAST_PRECISION)
        self.values = {}
        self.errors = []
        self.failed = []
        for operand in network.operands:
            limbs = [self.new(v) for v in operand]
            for a, b in zip(limbs, limbs[1:]):
                self.solver.add(normalized(a, b))
        leads = [self.values[operand[0]] for operand in network.operands]
        # all signs may be changed; of a product, those of each factor, and each may be scaled to [1, 2)
        self.solver.add(z3.Not(leads[0].n))
        if network.products:
            self.solver.add(z3.Not(leads[1].n), *[z3.Or(lead.zero, lead.E == 0) for lead in leads], ZERO < -100 * p)
        for number, gate in enumerate(network.gates):
            self.enter(number, gate)

    def new(self, value):
        self.values[value] = Float(self.solver, f"v{value}")
        return self.values[value]

    def follows(self, goal):
        """Whether the goal follows; what was proven helps with what comes."""
        self.solver.push()
        self.solver.add(z3.Not(goal))
        answer = self.solver.check()
        if answer == z3.unknown:
            # a solver that is asked once simplifies the whole question first; what takes minutes takes it seconds
            once = solver_of(self.seconds)
            once.add(self.solver.assertions())
            answer = once.check()
        self.solver.pop()
        if answer == z3.unsat:
            self.solver.add(goal)
        return answer == z3.unsat

    def enter(self, number, gate):
        operands = [self.values[v] for v in gate.operands]
        if gate.kind == "negated":
            result, x = self.new(gate.results[0]), operands[0]
            self.solver.add(z3.If(x.zero, z3.Not(result.n), result.n != x.n), result.E == x.E, result.F == x.F,
                            result.P == x.P, result.Q == x.Q)
        elif gate.kind in LEMMAS:
            if gate.kind == "fast_two_sum" and not self.follows(may_be_fast(*operands)):
                self.failed.append(f"step {number}")
            s = self.new(gate.results[0])
            if len(gate.results) == 1:
                e = Float(self.solver, f"error{number}", gate.kind != "fma")
                self.errors.append((e.zero, z3.If(lemmas.is_power(e), e.E, e.E + 1)))
            else:
                e = self.new(gate.results[1])
            for _, lemma in LEMMAS[gate.kind](Formulas, *operands, s, e, p, ZERO):
                self.solver.add(lemma)
        else:
            raise networks.NotANetwork(f"{self.network.name}: no lemmas of {gate.kind}")

    def invariant(self):
        """The result is normalized."""
        limbs = [self.values[v] for v in self.network.results]
        return all([self.follows(normalized(a, b)) for a, b in zip(limbs, limbs[1:])])

    def bound(self, largest, tighten):
        """A K <= largest for which |error| <= K u^N |z0| was proven, or None; to tighten is to look for the least.

        The error is the sum of those of the rounded sums. Each is at most 2^(E+1), or 2^E if it is a power of two, and
        |z0| at least 2^E, or 3/2 of that where the second bit is one.
        """
        limbs = len(self.network.results)
        lead = self.values[self.network.results[0]]
        smallest = -3  # what is smaller than 2^-3 u^N |z0| counts as much
        nothing = z3.And(*[z3.Implies(lead.zero, zero) for zero, _ in self.errors])
        if not self.follows(nothing):
            return None
        top = largest.bit_length() + 1
        unit = lead.E - limbs * p

        def at_most(number, level):
            zero, exponent = self.errors[number]
            return self.follows(z3.Or(zero, exponent <= unit + level))

        # each question takes a while: first a share of the bound that is enough if all have it, then only what it takes
        share = (largest // max(1, len(self.errors))).bit_length() - 1
        levels = [next((level for level in range(share, top + 1) if at_most(number, level)), None)
                  for number in range(len(self.errors))]
        if None in levels:
            return None
        shrinking = [number for number, level in enumerate(levels) if level == share]

        def enough():
            return sum(2.0 ** level for level in levels) <= largest and not tighten

        while shrinking and not enough():
            number = max(shrinking, key=lambda n: levels[n])
            if levels[number] > smallest and at_most(number, levels[number] - 1):
                levels[number] -= 1
            else:
                shrinking.remove(number)
        if enough():
            return largest
        # together: not all are at their largest at once
        weights = []
        for zero, exponent in self.errors:
            weight = z3.IntVal(1 << (top - smallest))
            for level in range(top - 1, smallest - 1, -1):
                weight = z3.If(exponent - unit <= level, z3.IntVal(1 << (level - smallest)), weight)
            weights.append(z3.If(zero, z3.IntVal(0), weight))
        # in halves, so that 3/2 is whole
        room = z3.If(lead.P == lead.E - 1, z3.IntVal(3), z3.IntVal(2)) * z3.IntVal(1 << -smallest)
        def holds(k):
            return self.follows(z3.Or(lead.zero, 2 * z3.Sum(weights) <= k * room))

        if not holds(largest):
            return None
        return next((k for k in range(1, largest) if tighten and holds(k)), largest)


# What is claimed beside that every fast_two_sum is exact: whether the result is normalized, and the K of a bound, None
# for no bound. K counts u^N |z0| for a sum, u^N |x y| for a product, and for add_five u^5 max(|x|, |y|).
CLAIMED = {
    "add 2": (True, 4), "add_float 2": (True, 2), "sub 2": (True, 4),
    "mul 2": (True, 8.1), "mul_float 2": (True, 3.1), "mul 2, fma": (True, 6.1), "mul_float 2, fma": (True, 2.1),
    "add 3": (True, 3), "add_float 3": (True, 2), "mul 3": (True, 32.5), "mul_float 3": (True, 7.1),
    "add 4": (True, 10), "add_float 4": (True, 1), "mul 4": (True, 108), "mul_float 4": (True, 15.2),
    "add_five": (False, 2.2), "mul_five": (False, 55.5),
}
# Of accumulators the (K, L) of (K n + L) u^N M: n terms, n u <= 1, and M the sum of their magnitudes.
ACCUMULATORS = {
    "sum 2": (4.6, 5.1), "dot 2": (4.6, 23.1), "dot 2, fma": (4.6, 21.1),
    "sum 3": (21, 16), "dot 3": (48, 121), "dot 3, fma": (48, 118),
    "sum 4": (123, 101), "dot 4": (792, 1869), "dot 4, fma": (792, 1865),
}
# Of results that are sums of digits: the proof, how many digits, whether with fma, the K of K u^N times the result, and
# its name; for p >= PRECISION.
DIGITS = {f"{name} {limbs}" + (", fma" if has_fma else ""): (proof, limbs, has_fma, claim, unit)
          for name, proof, unit, claims in (
              ("div", digits.Quotient, "|x / y|", {2: (1.0001, 1.0001), 3: (1.0001, 1.0001), 4: (222, 189)}),
              ("sqrt", digits.Root, "sqrt(x)", {3: (1.0001, 1.0001), 4: (122, 93)}))
          for limbs, pair in claims.items() for has_fma, claim in zip((False, True), pair)}
PRECISION = 24
# Of functions of two doubles, without and with fma, the K of K u^2 times the result.
FUNCTIONS = {"exp": 1.01, "exp, fma": 1.01, "log": 1.03, "log, fma": 1.03}
# Networks that nothing is claimed of, and those of DIGITS.
NOT_CLAIMED = re.compile(r"(digit|rest \d of \d( of root)?|sum_of_digits \d|quotient \d|root \d)(, fma)?")


def row(operation, statement, holds, seconds, yes="proven"):
    """Prints a row of the table; returns whether the statement holds."""
    print(f"{operation:16} {statement:58} {yes if holds else 'NOT ' + yes.upper():10} {seconds:7.1f} s", flush=True)
    return holds


def check_all_lemmas(precisions=(3, 4, 5, 6, 11, 24, 53), two_sum=lemmas.two_sum):
    """Whether every lemma holds for operands of so many bits: for all of few bits, for random ones of more."""
    good = True
    tried = (("two_sum", two_sum, int.__add__, 6, check_lemmas.pairs, check_lemmas.random_pairs),
             ("two_prod", lemmas.two_prod, int.__mul__, 6, check_lemmas.pairs, check_lemmas.random_pairs),
             ("fma", lemmas.fma, lambda x, y, c: x * y + c, 4, check_lemmas.triples, check_lemmas.random_triples))
    for name, lemmas_of, exact, few, every, some in tried:
        for precision in precisions:
            start = time.monotonic()
            operands = every(precision) if precision <= few else some(precision, 20000)
            found, count = check_lemmas.failures(precision, lemmas_of, lemmas.well_formed, exact, operands)
            statement = f"lemmas hold for {'all' if precision <= few else 'random'} {count} operands of {precision} bits"
            good &= row(name, statement + ("" if not found else f", but {', '.join(found)}"), not found,
                        time.monotonic() - start, "all" if precision <= few else "sample")
    return good


def proven_bound(proof, largest, tighten):
    """The bound that was proven of a network and its unit, or None for the bound."""
    network = proof.network
    limbs = len(network.results)
    if network.products:
        bound, unit = magnitudes.bound_of_product(network, LEAST_PRECISION), f"u^{limbs} |x y|"
    elif limbs > 4:
        bound, unit = magnitudes.bound_of_sum(network, LEAST_PRECISION), f"u^{limbs} max(|x|, |y|)"
    else:
        return proof.bound(largest, tighten), f"u^{limbs} |z0|"
    if bound > largest:
        return None, unit
    return (round(float(bound) + 0.005, 2) if tighten else largest), unit


def prove(network, seconds, claim, tighten=False):
    """Prints what is proven of a network; returns whether all that is claimed is."""
    is_normalized, largest = claim
    start = time.monotonic()

    def step(statement, holds):
        nonlocal start
        begun, start = start, time.monotonic()
        return row(network.name, statement, holds, start - begun)

    try:
        proof = Proof(network, seconds)
    except networks.NotANetwork as problem:
        return step(str(problem), False)
    count = sum(gate.kind == "fast_two_sum" for gate in network.gates)
    if count and not step(f"every fast_two_sum ({count}) is exact" + "".join(f"; not: {f}" for f in proof.failed),
                          not proof.failed):
        return False
    good = not is_normalized or step("the result is normalized", proof.invariant())
    if largest is not None:
        try:
            bound, unit = proven_bound(proof, largest, tighten)
        except networks.NotANetwork as problem:
            return step(str(problem), False)
        good &= step(f"|error| <= {bound or largest} {unit}", bound is not None)
    return good


def prove_accumulator(network, claim, tighten=False):
    """The same of a period of an accumulator."""
    start = time.monotonic()
    if any(gate.kind == "fast_two_sum" for gate in network.gates):
        return row(network.name, "fast_two_sum, whose conditions were not proven", False, 0)
    try:
        found = magnitudes.bound_of_accumulator(network, PRECISION)
        holds = all(one <= most for one, most in zip(found, claim))
        of_terms, once = (round(float(k) + 0.005, 2) for k in found) if tighten and holds else claim
        statement = f"|error| <= ({of_terms} n + {once}) u^{len(network.results)} M"
    except (networks.NotANetwork, magnitudes.NotInductive) as problem:
        holds, statement = False, str(problem)
    return row(network.name, statement, holds, time.monotonic() - start)


def prove_digits(found, name, tighten=False):
    """The same of a sum of digits, whose parts are among the networks."""
    proof, limbs, has_fma, claim, unit = DIGITS[name]
    start = time.monotonic()
    try:
        bound = proof(found, limbs, has_fma).bound(PRECISION)
        holds = bound <= claim
        statement = f"|error| <= {float(bound) if tighten and holds else claim} u^{limbs} {unit}"
    except networks.NotANetwork as problem:
        holds, statement = False, str(problem)
    return row(name, statement, holds, time.monotonic() - start)


def prove_function(found, tables, name, claim, tighten=False):
    """The same of a function of two doubles."""
    start = time.monotonic()
    function, _, fma = name.partition(",")
    try:
        bound = functions.proven_bound(function, fma and "," + fma, found, tables)
        holds = bound <= claim
        statement = f"|error| <= {round(float(bound) + 0.00005, 4) if tighten and holds else claim} u^2 |{function} x|"
    except (networks.NotANetwork, formulas.OtherFormula, gappa.NotProven) as problem:
        holds, statement = False, str(problem)
    return row(name, statement, holds, time.monotonic() - start)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--compiler", default="g++", help="reads the library's templates [g++]")
    arguments.add_argument("--only", default="", metavar="REGEX", help="operations that match")
    arguments.add_argument("--seconds", type=float, default=300, help="for one question to the solver [300]")
    arguments.add_argument("--print", action="store_true", help="the networks of every operation, no proofs")
    arguments.add_argument("--tighten", action="store_true", help="look for smaller bounds than the claimed ones")
    options = arguments.parse_args()
    found = networks.extract(options.compiler)
    chosen = [network for name, network in found.items() if re.search(options.only, name)]
    if options.print:
        print("\n".join(networks.text(network) for network in chosen))
        return 0
    good = check_all_lemmas()
    for network in chosen:
        if network.name in CLAIMED:
            good &= prove(network, options.seconds, CLAIMED[network.name], options.tighten)
        elif network.name in ACCUMULATORS:
            good &= prove_accumulator(network, ACCUMULATORS[network.name], options.tighten)
        elif not NOT_CLAIMED.fullmatch(network.name):
            good &= row(network.name, "nothing is claimed of this network", False, 0)
    for name in DIGITS:
        if re.search(options.only, name):
            good &= prove_digits(found, name, options.tighten)
    if chosen_functions := [name for name in FUNCTIONS if re.search(options.only, name)]:
        try:
            formulas_found, tables = formulas.extract(options.compiler)
            for name in chosen_functions:
                good &= prove_function(formulas_found, tables, name, FUNCTIONS[name], options.tighten)
        except subprocess.CalledProcessError:
            good &= row(", ".join(chosen_functions), "traced.hpp does not know a block of the formula", False, 0)
    if missing := (CLAIMED.keys() | ACCUMULATORS.keys()) - found.keys():
        good &= row(", ".join(sorted(missing)), "no such network", False, 0)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
