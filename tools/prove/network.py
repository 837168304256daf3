"""The network of an operation: sums, two_sums, fast_two_sums and products, found in the list of its operations.

networks.cpp writes the operations down, by running the library's templates. This module finds the six operations of
two_sum and the three of fast_two_sum among them, and refuses what is neither these, a sum, a product nor a change of
sign.
"""

import collections
import json
import pathlib
import subprocess
import tempfile

Gate = collections.namedtuple("Gate", "kind operands results")
Network = collections.namedtuple("Network", "name operands results gates")


PRODUCTS = ("two_prod", "*")


class NotANetwork(Exception):
    """The operations are not those of an accumulation network."""


def live(steps, results):
    """The steps on which the results depend: guard_specials computes more, for what is not finite."""
    needed, kept = set(results), []
    for kind, operands, out in reversed(steps):
        if needed & set(out):
            needed |= set(operands)
            kept.append((kind, tuple(operands), tuple(out)))
    return kept[::-1]


def find_gates(steps, results):
    """Gates in the order of the steps."""
    made = {out[0]: (kind, operands) for kind, operands, out in steps if len(out) == 1}
    uses = collections.defaultdict(list)
    for kind, operands, out in steps:
        for value in operands:
            uses[value].append(out[0])
    taken, gates = set(), []

    def difference(a, b):
        """The values a - b."""
        return [v for v in set(uses[a]) & set(uses[b]) if made.get(v) == ("-", (a, b)) and v not in taken]

    def two_sum(x, y, s):
        for b in difference(s, x):
            for a in difference(s, b):
                for rest_a in difference(x, a):
                    for rest_b in difference(y, b):
                        for e in uses[rest_a]:
                            if made.get(e) == ("+", (rest_a, rest_b)):
                                inner = {a, b, rest_a, rest_b}
                                if all(set(uses[v]) <= inner | {e} for v in inner) and not inner & set(results):
                                    return inner, e
        return None

    def fast_two_sum(x, y, s):
        for b in difference(s, x):
            for e in difference(y, b):
                if uses[b] == [e] and b not in results:
                    return {b}, e
        return None

    for kind, operands, out in steps:
        if out[0] in taken:
            continue
        if kind == "+":
            for name, find in (("two_sum", two_sum), ("fast_two_sum", fast_two_sum)):
                match = find(*operands, out[0])
                if match:
                    inner, e = match
                    taken |= inner | {e}
                    gates.append(Gate(name, operands, (out[0], e)))
                    break
            else:
                gates.append(Gate("sum", operands, out))
        elif kind in ("negated", "two_prod", "*", "fma"):
            gates.append(Gate(kind, operands, out))
        else:
            raise NotANetwork(f"{kind} of {operands} is part of no two_sum")
    return gates


def parse(line):
    """The network of a line of networks.cpp."""
    record = json.loads(line)
    steps = live([(s["operation"], s["operands"], s["results"]) for s in record["steps"]], record["results"])
    return Network(record["name"], record["operands"], record["results"], find_gates(steps, record["results"]))


def extract(compiler):
    """The networks of the library as it stands here, by name."""
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "networks"
        subprocess.run([compiler, "-std=c++20", "-ffp-contract=off", "-DMCT_HAS_FMA=0", "-I",
                        here.parent.parent / "include", here / "networks.cpp", "-o", program], check=True)
        lines = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found = [parse(line) for line in lines]
    return {network.name: network for network in found}


def require_conservation(network):
    """Every value that a sum takes is taken once, so that the exact result = results + errors.

    Returns the pairs of limbs whose product the network leaves out; a sum leaves out nothing.
    """
    taken = collections.Counter(network.results)
    limbs = {v for operand in network.operands for v in operand}
    made, multiplied = set(), set()
    # a difference is the sum with every limb of its second operand negated, and nothing else is negated
    negated = sorted(gate.operands[0] for gate in network.gates if gate.kind == "negated")
    expected = sorted(network.operands[1]) if network.name.startswith("sub ") else []
    if negated != expected:
        raise NotANetwork(f"{network.name}: {negated} are negated, expected {expected}")
    for gate in network.gates:
        made |= set(gate.results)
        if gate.kind in PRODUCTS:
            multiplied.add(gate.operands)
            if sum(other.kind in PRODUCTS and set(other.operands) == set(gate.operands) for other in network.gates) > 1:
                raise NotANetwork(f"{network.name}: {gate.operands} are multiplied twice")
        else:
            taken.update(gate.operands)
    pairs = set()
    if multiplied:
        pairs = {(v, w) for v in network.operands[0] for w in network.operands[1]}
        multiplied = {pair if pair in pairs else pair[::-1] for pair in multiplied}
        if not multiplied <= pairs:
            raise NotANetwork(f"{network.name}: {multiplied - pairs} are not a limb of each factor")
        limbs_taken = limbs & set(taken)
    else:
        limbs_taken = set()
        made |= limbs
    wrong = sorted({v for v in made if taken[v] != 1} | limbs_taken)
    if wrong:
        raise NotANetwork(f"{network.name}: values {wrong} are lost or used more than once")
    return sorted(pairs - multiplied)


def text(network):
    """The network, one gate a line."""
    lines = [f"{network.name}: operands {network.operands}, results {network.results}"]
    for gate in network.gates:
        results = ", ".join(f"v{v}" for v in gate.results)
        lines.append(f"  {results} = {gate.kind}({', '.join(f'v{v}' for v in gate.operands)})")
    return "\n".join(lines)
