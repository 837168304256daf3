"""A formula on an interval: enclosures of every limb, and how far the computed value is from the exact one.

The exact value of a formula is what it would be without rounding, with the constants as they stand in the code. Of a
series it is a polynomial.
"""

import itertools
from fractions import Fraction

import formulas
import gappa


class Polynomial(list):
    """Coefficients from the constant term on."""

    def __add__(self, other):
        return Polynomial(a + b for a, b in itertools.zip_longest(self, other, fillvalue=Fraction(0)))

    def __mul__(self, other):
        product = Polynomial([Fraction(0)] * (len(self) + len(other) - 1))
        for i, a in enumerate(self):
            for j, b in enumerate(other):
                product[i + j] += a * b
        return product


def polynomial(formula, operand, variable):
    """The exact value of an operand as a polynomial in that of the block `variable`; the coefficients are fractions."""
    maker = formula.maker(operand)
    if maker is variable:
        return Polynomial([Fraction(0), Fraction(1)])
    if maker is None:
        return Polynomial([constant(formula, operand)])
    if maker.network is None:
        raise formulas.OtherFormula(f"{formula.name}: {maker.name} in a series")
    plus, pair = formulas.EXACTLY[maker.name]
    terms = [polynomial(formula, maker.operands[k], variable) for k in plus]
    if pair:
        sign, *factors = pair
        p, q = (polynomial(formula, maker.operands[k], variable) for k in factors)
        terms.append(Polynomial([Fraction(sign)]) * p * q)
    return sum(terms, Polynomial([Fraction(0)]))


def constant(formula, operand):
    """The value of an operand of constants."""
    if not all(limb in formula.constants for limb in operand):
        raise formulas.OtherFormula(f"{formula.name}: {formula.text(operand[0])} among the blocks")
    return sum(formula.constants[limb] for limb in operand)


class Evaluation:
    """Blocks are entered one by one, in the order of the formula."""

    def __init__(self, formula):
        self.formula = formula
        self.limbs = {value: (number, number) for value, number in formula.constants.items()}
        self.definitions, self.given, self.rules = [], {}, []
        self.exact = {}  # the name of the exact value of a block
        self.names = {}  # those of expressions: Gappa wants one for each

    def place(self, block):
        return next(i for i, other in enumerate(self.formula.blocks) if other is block)

    def start(self, block, limbs, exact, error=0):
        """A block that is no sum or product of what was entered: enclosures of its limbs and of its exact value."""
        i = self.place(block)
        self.limbs.update(limbs)
        self.given[f"exact{i}"] = exact
        self.given[f"off{i}"] = gappa.symmetric(error)
        self.definitions.append(f"value{i} = exact{i} + off{i};")
        self.rules.append(f"value{i} - exact{i} -> off{i};")
        self.exact[i] = f"exact{i}"

    def operand(self, operand):
        """The value of an operand, its exact value, and whether they differ."""
        maker = self.formula.maker(operand)
        if maker is None:
            return (gappa.number(constant(self.formula, operand)),) * 2 + (False,)
        i = self.place(maker)
        value = f"value{i}"
        if rest := maker.results[len(operand):]:
            value = f"leading{i}of{len(operand)}"
            if f"rest_{value}" not in self.given:
                self.given[f"rest_{value}"] = gappa.symmetric(sum(gappa.magnitude(self.limbs[limb]) for limb in rest))
                self.definitions.append(f"{value} = value{i} - rest_{value};")
                self.rules.append(f"{value} - {self.exact[i]} -> (value{i} - {self.exact[i]}) - rest_{value};")
        return value, self.exact[i], True

    def enter(self, block):
        """A sum or product of what was entered."""
        i = self.place(block)
        operands = [[self.limbs[limb] for limb in operand] for operand in block.operands]
        limbs, error = gappa.BlockBounds(block, operands).outcome()
        self.limbs.update(limbs)
        plus, pair = formulas.EXACTLY[block.name]
        values, exacts, changes = [], [], []
        for operand in (block.operands[k] for k in plus):
            value, exact, differs = self.operand(operand)
            values.append(value)
            exacts.append(exact)
            changes += [f"({value} - {exact})"] if differs else []
        if pair:
            if pair[0] < 0:
                raise formulas.OtherFormula(f"{self.formula.name}: {block.name} in a series")
            (x, x_exact, x_differs), (y, y_exact, y_differs) = (self.operand(block.operands[k]) for k in pair[1:])
            values.append(f"{x} * {y}")
            exacts.append(f"{x_exact} * {y_exact}")
            changes += ([f"({x} - {x_exact}) * {y}"] if x_differs else []) \
                + ([f"{x_exact} * ({y} - {y_exact})"] if y_differs else [])
        self.given[f"off{i}"] = gappa.symmetric(error)
        expression = " + ".join(exacts)
        if len(exacts) == 1 and not pair:
            self.names[expression] = expression
        if expression not in self.names:
            self.names[expression] = f"exact{i}"
            self.definitions.append(f"exact{i} = {expression};")
        self.exact[i] = self.names[expression]
        self.definitions.append(f"value{i} = {' + '.join(values)} + off{i};")
        self.rules.append(f"value{i} - {self.exact[i]} -> {' + '.join(changes + [f'off{i}'])};")

    def enter_all(self, first, last):
        """The arithmetic behind the first block, up to and with the last."""
        for block in self.formula.blocks[self.place(first) + 1:self.place(last) + 1]:
            if block.network:
                self.enter(block)

    def distances(self, *blocks):
        """How far the values of blocks are from the exact ones, at most, and an enclosure of the last exact one."""
        exact = [self.exact[self.place(block)] for block in blocks]
        definitions = [f"distance{k} = value{self.place(block)} - {name};"
                       for k, (block, name) in enumerate(zip(blocks, exact))]
        goals = [f"distance{k}" for k in range(len(blocks))]
        found = gappa.enclosures(self.definitions + definitions, self.given, goals + exact[-1:], self.rules)
        return *(gappa.magnitude(found[goal]) for goal in goals), found[exact[-1]]
