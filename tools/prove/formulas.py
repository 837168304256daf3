"""The formulas of functions, as formulas.cpp writes them down: blocks of arithmetic and what lies between them."""

import collections
from fractions import Fraction

import network as networks

# What a block computes from its operands: the operands that it adds, and the product that it adds, as its sign and the
# places of its factors.
EXACTLY = {
    "mul_limbs": ((), (1, 0, 1)), "add_smaller": ((0, 1), None), "multiply_add": ((2,), (1, 0, 1)),
    "quick_sum": ((0, 1, 2), None), "round_limbs": ((0,), None), "cancelling_remainder": ((0,), (-1, 1, 2)),
}

# `operands` are the limbs that the block gets, `network` what it does with them. A block that is no arithmetic of limbs
# has no network; `steps` are the operations inside.
Block = collections.namedtuple("Block", "name operands inputs results steps network")


class OtherFormula(Exception):
    """The code computes something else than the proof knows."""


class Formula:
    """A function's formula along one path, and the comparisons that led there."""

    def __init__(self, record):
        self.name, self.argument, self.results = record["name"], record["argument"], record["results"]
        self.constants = {value: Fraction(float.fromhex(number)) for value, number in record["constants"]
                          if "inf" not in number and "nan" not in number}
        self.blocks = [read_block(block) for block in record["blocks"]]
        self.made = {value: block for block in self.blocks for value in block.results}
        self.comparisons = {f"{self.text(a)} {name} {self.text(b)}": holds
                            for name, a, b, holds in record["comparisons"]}

    def text(self, value):
        """The value in terms of the argument's limbs, blocks and constants."""
        if value in self.argument:
            return f"x{self.argument.index(value)}"
        if value in self.constants:
            return f"{float(self.constants[value])}"
        if value not in self.made:
            return "a special value"
        block = self.made[value]
        operands = [self.text(limb) for operand in block.operands for limb in operand]
        if block.name in ("+", "-", "*"):
            return f"({operands[0]} {block.name} {operands[1]})"
        limb = f"[{block.results.index(value)}]" if len(block.results) > 1 else ""
        return f"{block.name}({', '.join(operands)}){limb}"

    def maker(self, operand):
        """The block whose leading limbs the operand has, or None: the argument or constants."""
        block = self.made.get(operand[0])
        if block and block.results[:len(operand)] != list(operand):
            raise OtherFormula(f"{self.name}: limbs of different numbers in one operand")
        return block

    def last(self, *names):
        """The blocks of the last steps, which must have these names."""
        blocks = self.blocks[-len(names):]
        found = [block.name for block in blocks]
        if found != list(names):
            raise OtherFormula(f"{self.name}: the last steps are {', '.join(found)}")
        return blocks

    def only(self, name):
        """The only block of the name."""
        found = [block for block in self.blocks if block.name == name]
        if len(found) != 1:
            raise OtherFormula(f"{self.name}: {len(found)} x {name}")
        return found[0]


def expect(text, *expected):
    """Refuses a formula that the proof was not written for."""
    if text not in expected:
        raise OtherFormula(f"{text} in place of {expected[0]}")


def read_block(record):
    steps = networks.read_steps(record)
    if record["name"] not in EXACTLY:
        return Block(record["name"], record["operands"], record["inputs"], record["results"], steps, None)
    gates = networks.find_gates(steps, record["results"])
    inputs = [list(limbs) for limbs in record["inputs"]]
    plus, pair = EXACTLY[record["name"]]
    if pair and pair[0] < 0:
        # the last factor appears with its sign changed, and so it is an input
        negated = {gate.operands[0]: gate.results[0] for gate in gates if gate.kind == "negated"}
        if sorted(negated) != sorted(inputs[pair[2]]):
            raise OtherFormula(f"{record['name']}: {sorted(negated)} are negated")
        inputs[pair[2]] = [negated[limb] for limb in inputs[pair[2]]]
        gates = [gate for gate in gates if gate.kind != "negated"]
    network = networks.Network(record["name"], inputs, list(plus), [], [list(pair[1:])] if pair else [],
                               record["results"], gates)
    return Block(record["name"], record["operands"], inputs, record["results"], steps, network)


def extract(compiler):
    """The formulas and tables of the library as it stands here, two dictionaries. Formulas with fma end in ", fma"."""
    found, tables = {}, {}
    for has_fma, record in networks.records(compiler, "formulas.cpp"):
        if "table" in record:
            tables[record["table"]] = [[Fraction(float.fromhex(limb)) for limb in row] for row in record["rows"]]
        else:
            found[record["name"] + (", fma" if has_fma else "")] = Formula(record)
    return found, tables
