"""Tests of the prover: what it must refuse. A prover that proves a wrong network is worthless.

usage: prove_test.py [COMPILER]; exit code 77: there is no z3
"""

import contextlib
import copy
import io
import math
import sys
import unittest
import unittest.mock
from fractions import Fraction

import digits
import enclosures
import formulas
import gappa
import lemmas
import magnitudes
import network as networks

try:
    import prove
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-z3)")
    sys.exit(77)

NETWORKS, FORMULAS, TABLES = {}, {}, {}


def quiet(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments)


def proven(network, claim):
    return quiet(prove.prove, network, 300, claim)


def replaced(network, number, **fields):
    """The network with another gate in place of that of the number."""
    gates = list(network.gates)
    gates[number] = gates[number]._replace(**fields)
    return network._replace(gates=gates)


def function_row(name, claim=None, formula=None, tables=None):
    """What ./run prove prints of a function: whether it is proven, and the row. The formula replaces the one of its name."""
    found = {**FORMULAS, formula.name: formula} if formula else FORMULAS
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        holds = prove.prove_function(found, tables or TABLES, name, claim or prove.FUNCTIONS[name])
    return holds, output.getvalue()


def with_constant(name, block, operand, limb, number):
    """The formula with another number as a limb of an operand of the first block of the name that has constants there."""
    formula = copy.copy(FORMULAS[name])
    found = next(b.operands[operand][limb] for b in formula.blocks
                 if b.name == block and all(v in formula.constants for v in b.operands[operand]))
    formula.constants = {**formula.constants, found: Fraction(number)}
    return formula


def with_block(name, old, **fields):
    """The formula with another block in place of one."""
    formula = copy.copy(FORMULAS[name])
    new = old._replace(**fields)
    formula.blocks = [new if block is old else block for block in formula.blocks]
    formula.made = {value: block for block in formula.blocks for value in block.results}
    return formula


@unittest.skipUnless(gappa.available(), "gappa is not installed (Debian: gappa)")
class Functions(unittest.TestCase):
    def refuses(self, name, formula=None, tables=None, reason=""):
        holds, output = function_row(name, formula=formula, tables=tables)
        self.assertFalse(holds, output)
        self.assertIn(reason, output)

    def test_proves_exp_and_log(self):
        for name in ("exp", "log"):
            bounds, prove_bound = [], prove.functions.proven_bound
            with unittest.mock.patch.object(prove.functions, "proven_bound",
                                            lambda *arguments: bounds.append(prove_bound(*arguments)) or bounds[-1]):
                self.assertTrue(function_row(name)[0], name)
            self.assertEqual(len(bounds), 1, name)
            self.assertGreater(bounds[0], 1, name)  # the last rounding alone may be u^2

    def test_notices_coefficients(self):
        for limb, number in ((0, 0.5000000000000001), (1, 2.0 ** -80)):
            self.refuses("exp", with_constant("exp above 0", "add_smaller", 0, limb, number), reason="series: error")
            self.refuses("log", with_constant("log between", "add_smaller", 0, limb, number), reason="series: error")

    def test_notices_constants_of_the_reduction(self):
        for limb in range(3):
            self.refuses("exp", with_constant("exp above 0", "cancelling_remainder", 1, limb, 0))
        self.refuses("exp", with_constant("exp above 0", "*", 1, 0, 738))
        self.refuses("log", with_constant("log between", "mul_limbs", 0, 2, 0), reason="log(2): error")
        self.refuses("exp", with_constant("exp above 0", "+", 1, 0, 255), reason="in place of")
        self.refuses("log", with_constant("log small", "+", 1, 0, -264), reason="in place of")

    def test_notices_rows_of_tables(self):
        for name, table, row in (("exp", "Exp2Table", 100), ("log", "LogTable", 7)):
            rows = list(TABLES[table])
            rows[row] = [*rows[row][:2], 0]
            self.refuses(name, tables={**TABLES, table: rows})
        rows = list(TABLES["LogReciprocal"])
        rows[200] = [rows[200][0] + Fraction(1, 4096)]
        self.refuses("log", tables={**TABLES, "LogReciprocal": rows}, reason="LogTable: error")

    def test_notices_other_formulas(self):
        exp, log = FORMULAS["exp above 0"], FORMULAS["log between"]
        product = exp.blocks[-4]
        rest = exp.only("cancelling_remainder")
        self.refuses("exp", with_block("exp above 0", product, operands=[product.operands[0], rest.results[:2]]))
        total = log.blocks[-2]
        self.refuses("log", with_block("log between", total, operands=[total.operands[1]] * 2 + total.operands[2:]))
        other_path = copy.copy(log)
        other_path.comparisons = FORMULAS["log small"].comparisons
        self.refuses("log", other_path, reason="in place of")

    def test_notices_arithmetic_that_loses(self):
        total = FORMULAS["log between"].blocks[-2]
        for number, kind in ((0, "fast_two_sum"), (0, "sum")):
            gate = total.network.gates[number]
            self.assertEqual(gate.kind, "two_sum")
            network = replaced(total.network, number, kind=kind, results=gate.results[:1 if kind == "sum" else 2])
            self.refuses("log", with_block("log between", total, network=network))

    def test_notices_other_nearest_integers(self):
        block = FORMULAS["exp above 0"].only("Exp2Table")
        nearest = FORMULAS["exp above 0"].made[FORMULAS["exp above 0"].only("cancelling_remainder").operands[2][0]]
        shift = nearest.steps[0][1][1]
        formula = copy.copy(FORMULAS["exp above 0"])
        formula.constants = {**formula.constants, shift: Fraction(2 ** 51)}
        self.refuses("exp", formula, reason="nearest_integer")

    def test_gappa_refuses_rules_that_are_wrong(self):
        with self.assertRaises(gappa.NotProven):
            gappa.enclosures(["b = a + 1;"], {"a": (0, 1)}, ["b"], ["b - a -> a;"])
        with self.assertRaises(gappa.Impossible):
            gappa.enclosures(["b = a + 1;"], {"a": (0, 1), "b": (3, 4)}, ["b"])

    def test_bounds_what_fast_two_sum_loses(self):
        steps = [("+", (0, 1), (2,)), ("-", (2, 0), (3,)), ("-", (1, 3), (4,))]
        record = {"name": "add_smaller", "operands": [[0], [1]], "inputs": [[0], [1]], "results": [2, 4],
                  "steps": [dict(zip(("operation", "operands", "results"), step)) for step in steps]}
        block = formulas.read_block(record)
        below, around_zero = (Fraction(1, 4), Fraction(1, 2)), gappa.symmetric(Fraction(1, 2))
        self.assertEqual(gappa.BlockBounds(block, [[(1, 2)], [below]]).outcome()[1], 0)
        self.assertEqual(gappa.BlockBounds(block, [[around_zero], [below]]).outcome()[1], Fraction(1, 2 ** 53))


class Prover(unittest.TestCase):
    def test_says_that_gappa_is_missing(self):
        with unittest.mock.patch("shutil.which", return_value=None):
            holds, output = function_row("exp")
        self.assertFalse(holds)
        self.assertIn("gappa is not installed (Debian: gappa)", output)

    def test_encloses_logarithms(self):
        for x in (Fraction(1, 2), Fraction(7, 10), Fraction(4097, 4096), Fraction(2)):
            low, high = enclosures.logarithm(x)
            self.assertLess(high - low, Fraction(1, 2 ** 280))
            self.assertAlmostEqual(float(low), math.log(x), delta=1e-15)
        double = [2 * bound for bound in enclosures.logarithm(Fraction(5, 4))]
        single = enclosures.logarithm(Fraction(25, 16))
        self.assertTrue(double[0] <= single[1] and single[0] <= double[1])

    def test_proves_sums_of_two_limbs(self):
        self.assertTrue(proven(NETWORKS["add_float 2"], prove.CLAIMED["add_float 2"]))

    def test_does_not_prove_less_than_the_largest_error_found(self):
        # tests/expansion/toy_floats_test.cpp finds an error of 1.9 u^2
        self.assertFalse(proven(NETWORKS["add_float 2"], (True, 1)))

    def test_does_not_prove_less_of_a_sum_than_the_largest_error_found(self):
        # Joldes, Muller and Popescu found an error of 2.25 u^2
        self.assertTrue(proven(NETWORKS["add 2"], prove.CLAIMED["add 2"]))
        self.assertFalse(proven(NETWORKS["add 2"], (True, 2)))

    def test_questions_that_take_longer_are_asked_once_more(self):
        quick, prove.QUICK = prove.QUICK, 0.001
        try:
            self.assertTrue(proven(NETWORKS["add_float 3"], prove.CLAIMED["add_float 3"]))
            self.assertFalse(proven(NETWORKS["add_float 2"], (True, 1)))
        finally:
            prove.QUICK = quick

    def test_notices_a_renormalization_that_ends_early(self):
        network = NETWORKS["add_float 3"]
        last = network.gates[-1]
        self.assertEqual((last.kind, last.results), ("fast_two_sum", tuple(network.results[1:])))
        self.assertTrue(proven(network, prove.CLAIMED["add_float 3"]))
        early = network._replace(gates=network.gates[:-1], results=[network.results[0], *last.operands])
        self.assertFalse(proven(early, (True, None)))

    def test_proves_products_with_fma(self):
        for name in ("mul 2, fma", "mul_float 2, fma"):
            self.assertIn("fma", [gate.kind for gate in NETWORKS[name].gates])
            self.assertTrue(proven(NETWORKS[name], prove.CLAIMED[name]), name)

    def test_does_not_prove_less_of_a_product_than_what_it_adds_up(self):
        # x1 y1 is left out, two products and two sums are rounded: u^2 (1 + 1 + 1 + 2 + 3)
        self.assertTrue(proven(NETWORKS["mul 2"], (True, 8.1)))
        self.assertFalse(proven(NETWORKS["mul 2"], (True, 8)))

    def test_notices_an_addend_of_fma_that_is_lost(self):
        network = NETWORKS["mul_float 2, fma"]
        number = next(i for i, gate in enumerate(network.gates) if gate.kind == "fma")
        gate = network.gates[number]
        lost = replaced(network, number, kind="*", operands=gate.operands[:2])
        self.assertFalse(proven(lost, prove.CLAIMED["mul_float 2, fma"]))

    def test_proves_accumulators(self):
        for name in ("sum 2", "dot 2", "dot 2, fma"):
            claim = prove.ACCUMULATORS[name]
            self.assertTrue(quiet(prove.prove_accumulator, NETWORKS[name], claim), name)
            self.assertFalse(quiet(prove.prove_accumulator, NETWORKS[name], (4.5, claim[1])), name)
            self.assertFalse(quiet(prove.prove_accumulator, NETWORKS[name], (claim[0], claim[1] - 0.2)), name)

    def test_notices_an_accumulator_without_carry(self):
        network = NETWORKS["dot 2"]
        carry = network.gates[-1]
        self.assertEqual((carry.kind, carry.results), ("two_sum", tuple(network.results)))
        without = network._replace(gates=network.gates[:-1], results=list(carry.operands))
        self.assertFalse(quiet(prove.prove_accumulator, without, (1000, 1000)))

    def test_notices_an_error_that_an_accumulator_loses(self):
        network = NETWORKS["sum 2"]
        number = next(i for i, gate in enumerate(network.gates) if gate.kind == "two_sum")
        lost = replaced(network, number, kind="sum", results=network.gates[number].results[:1])
        self.assertFalse(quiet(prove.prove_accumulator, lost, (1000, 1000)))
        fast = replaced(network, number, kind="fast_two_sum")
        self.assertFalse(quiet(prove.prove_accumulator, fast, (1000, 1000)))

    def test_proves_quotients_and_roots(self):
        for name, (proof, limbs, has_fma, _, _) in prove.DIGITS.items():
            self.assertTrue(quiet(prove.prove_digits, NETWORKS, name), name)
            # the last digit is rounded: nothing below half an ulp can be proven
            self.assertGreater(proof(NETWORKS, limbs, has_fma).bound(53), 1)
        # a search found errors of 1.004 u^2 with p = 8
        self.assertGreater(digits.Quotient(NETWORKS, 2, True).bound(8), 1.004)

    def test_notices_faults_in_the_parts_of_a_root(self):
        def noticed(name, network):
            return not quiet(prove.prove_digits, {**NETWORKS, name: network}, "sqrt 3")

        rest = NETWORKS["rest 3 of 3 of root"]
        number = next(i for i, gate in enumerate(rest.gates) if gate.kind == "two_sum")
        self.assertTrue(noticed("rest 3 of 3 of root", replaced(rest, number, kind="fast_two_sum")))
        self.assertTrue(noticed("root 3", NETWORKS["root 4"]))
        root = NETWORKS["root 3"]
        number = next(i for i, gate in enumerate(root.gates) if gate.kind == "half of inverse")
        self.assertTrue(noticed("root 3", replaced(root, number, kind="inverse")))

    def test_notices_faults_in_the_parts_of_a_quotient(self):
        def noticed(name, network):
            return not quiet(prove.prove_digits, {**NETWORKS, name: network}, "div 2")

        digit, rest, total = (NETWORKS[name] for name in ("digit", "rest 2 of 2", "sum_of_digits 2"))
        # a digit without the second limb of the divisor's product
        number = next(i for i, gate in enumerate(digit.gates) if gate.kind == "*" and 3 in gate.operands)
        self.assertTrue(noticed("digit", replaced(digit, number, operands=(digit.gates[number].operands[0], 2))))
        # a rest that loses an error, and one that is not the quotient's
        number = next(i for i, gate in enumerate(rest.gates) if gate.kind == "two_sum")
        self.assertTrue(noticed("rest 2 of 2", replaced(rest, number, kind="fast_two_sum")))
        self.assertTrue(noticed("rest 2 of 2", NETWORKS["rest 3 of 3"]))
        # the digits in another order
        self.assertTrue(noticed("sum_of_digits 2", replaced(total, 0, operands=total.gates[0].operands[::-1])))
        self.assertTrue(noticed("quotient 2", NETWORKS["quotient 3"]))

    def test_bounds_of_series_hold_beyond_their_degree(self):
        u = magnitudes.LARGEST_U
        power = magnitudes.power(1) + magnitudes.power(0)
        product = magnitudes.ONE
        for _ in range(30):
            product = product * power
        self.assertEqual(len(product.coefficients), magnitudes.DEGREE + 1)
        self.assertGreaterEqual(product.at(u), (1 + u) ** 30)
        self.assertLess(product.at(u), (1 + u) ** 30 * (1 + u ** magnitudes.DEGREE))

    def test_notices_fast_two_sum_for_two_sum(self):
        for name in ("add 2", "add_float 2", "add 3"):
            network = NETWORKS[name]
            self.assertEqual(network.gates[0].kind, "two_sum")
            self.assertFalse(proven(replaced(network, 0, kind="fast_two_sum"), prove.CLAIMED[name]), name)

    def test_notices_a_product_that_is_left_out(self):
        # x0 y1 becomes x1 y1: the limb that is left out is too large for the bound
        network = NETWORKS["mul 2"]
        number = next(i for i, gate in enumerate(network.gates) if gate.operands == (0, 3))
        self.assertFalse(proven(replaced(network, number, operands=(1, 3)), prove.CLAIMED["mul 2"]))

    def test_notices_swapped_operands_of_fast_two_sum(self):
        network = NETWORKS["add_float 2"]
        number = next(i for i, gate in enumerate(network.gates) if gate.kind == "fast_two_sum")
        swapped = replaced(network, number, operands=network.gates[number].operands[::-1])
        self.assertFalse(proven(swapped, prove.CLAIMED["add_float 2"]))

    def test_notices_swapped_results(self):
        network = NETWORKS["add_float 2"]
        self.assertFalse(proven(network._replace(results=network.results[::-1]), prove.CLAIMED["add_float 2"]))

    def test_notices_a_swapped_limb(self):
        # the sum and the error of the lower limbs of two operands
        network = NETWORKS["add 2"]
        lower = network.gates[1]
        self.assertEqual(lower.operands, (1, 3))
        swapped = replaced(network, 1, results=lower.results[::-1])
        self.assertFalse(proven(swapped, prove.CLAIMED["add 2"]))

    def test_notices_a_limb_that_is_lost_or_taken_twice(self):
        network = NETWORKS["add 2"]
        twice = replaced(network, 1, operands=(1, 1))
        self.assertFalse(proven(twice, prove.CLAIMED["add 2"]))

    def test_notices_a_wrong_sign(self):
        network = NETWORKS["sub 2"]
        number = next(i for i, gate in enumerate(network.gates) if gate.kind == "negated")
        negated = network.gates[number]
        kept = [gate._replace(operands=tuple(negated.operands[0] if v == negated.results[0] else v for v in gate.operands))
                for i, gate in enumerate(network.gates) if i != number]
        self.assertFalse(proven(network._replace(gates=kept), prove.CLAIMED["sub 2"]))
        self.assertFalse(proven(NETWORKS["add 2"]._replace(plus=[0], minus=[1]), prove.CLAIMED["sub 2"]))

    def test_refuses_differences_that_are_no_two_sum(self):
        steps = [("+", (0, 1), (2,)), ("-", (2, 1), (3,)), ("-", (1, 3), (4,))]  # s - b for s - a
        with self.assertRaises(networks.NotANetwork):
            networks.find_gates(steps, [2, 4])

    def test_finds_two_sum(self):
        steps = [("+", (0, 1), (2,)), ("-", (2, 0), (3,)), ("-", (2, 3), (4,)), ("-", (0, 4), (5,)),
                 ("-", (1, 3), (6,)), ("+", (5, 6), (7,))]
        self.assertEqual(networks.find_gates(steps, [2, 7]), [networks.Gate("two_sum", (0, 1), (2, 7))])

    def test_notices_wrong_lemmas(self):
        def wrong(l, x, y, s, e, p, zero):
            yield from lemmas.two_sum(l, x, y, s, e, p, zero)
            yield "e below a quarter", l.Implies(e.E != zero, e.E < s.E - p)
        self.assertTrue(quiet(prove.check_all_lemmas, range(3, 5)))
        self.assertFalse(quiet(prove.check_all_lemmas, range(3, 4), wrong))


if __name__ == "__main__":
    compiler = sys.argv.pop(1) if len(sys.argv) > 1 else "g++"
    NETWORKS.update(networks.extract(compiler))
    for everything, found in zip((FORMULAS, TABLES), formulas.extract(compiler)):
        everything.update(found)
    unittest.main(verbosity=2)
