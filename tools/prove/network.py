"""The network of an operation: sums, two_sums, fast_two_sums and products, found in the list of its operations.

networks.cpp writes the operations down, by running the library's templates. This module finds the six operations of
two_sum and the three of fast_two_sum among them, and refuses what is neither these, a sum, a product nor a change of
sign.
"""

import collections
import hashlib
import json
import pathlib
import subprocess
import tempfile

Gate = collections.namedtuple("Gate", "kind operands results")
# `operands` are lists of limbs; the network computes the sum of the operands `plus`, less those of `minus`, and the
# products of the pairs `products`.
Network = collections.namedtuple("Network", "name operands plus minus products results gates")


PRODUCTS = ("two_prod", "*", "fma")


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
        elif kind in ("negated", "two_prod", "*", "fma", "inverse", "half of inverse", "sqrt"):
            gates.append(Gate(kind, operands, out))
        else:
            raise NotANetwork(f"{kind} of {operands} is part of no two_sum")
    return gates


def read_steps(record):
    """The steps of a record that its results need."""
    return live([(s["operation"], s["operands"], s["results"]) for s in record["steps"]], record["results"])


def read_network(record):
    return Network(record["name"], record["operands"], record["plus"], record["minus"], record["products"],
                   record["results"], find_gates(read_steps(record), record["results"]))


def records(compiler, source):
    """(whether with fma, record) of every line of JSON that a program of this folder prints, compiled without and with
    fma."""
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        for has_fma in (False, True):
            subprocess.run([compiler, "-std=c++20", "-ffp-contract=off", f"-DMCT_HAS_FMA={int(has_fma)}", "-I",
                            here.parent.parent / "include", here / source, "-o", program], check=True)
            lines = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            yield from ((has_fma, json.loads(line)) for line in lines)


def extract(compiler):
    """The networks of the library as it stands here, by name.

    Where hardware fma makes another network, its name ends in ", fma".
    """
    found = {}
    for has_fma, record in records(compiler, "networks.cpp"):
        network = read_network(record)
        if not has_fma:
            found[network.name] = network
        elif network != found[network.name]:
            name = network.name + ", fma"
            found[name] = network._replace(name=name)
    return found


def require_conservation(network):
    """Every value that a sum takes is taken once, so that the exact result = results + errors.

    Returns the pairs of limbs whose product the network leaves out; a sum leaves out nothing.
    """
    taken = collections.Counter(network.results)
    added = {v for i in (*network.plus, *network.minus) for v in network.operands[i]}
    made, multiplied = set(added), []
    # a difference is the sum with every limb of its second operand negated, and nothing else is negated
    negated = sorted(gate.operands[0] for gate in network.gates if gate.kind == "negated")
    expected = sorted(v for i in network.minus for v in network.operands[i])
    if negated != expected:
        raise NotANetwork(f"{network.name}: {negated} are negated, expected {expected}")
    for gate in network.gates:
        made |= set(gate.results)
        if gate.kind in PRODUCTS:
            multiplied.append(tuple(sorted(gate.operands[:2])))
            taken.update(gate.operands[2:])
        else:
            taken.update(gate.operands)
    pairs = {tuple(sorted((v, w))) for i, j in network.products
             for v in network.operands[i] for w in network.operands[j]}
    if len(set(multiplied)) < len(multiplied):
        raise NotANetwork(f"{network.name}: limbs are multiplied twice")
    if not set(multiplied) <= pairs:
        raise NotANetwork(f"{network.name}: {set(multiplied) - pairs} are not a limb of each factor")
    wrong = sorted({v for v in made if taken[v] != 1} | set(taken) - made)
    if wrong:
        raise NotANetwork(f"{network.name}: values {wrong} are lost or used more than once")
    return sorted(pairs - set(multiplied))


def terms(kind, operands, count):
    """The results of a gate as texts that are equal where gates and operands are. They grow with every gate: hashed."""
    return [hashlib.sha256(repr((kind, tuple(operands), k)).encode()).hexdigest() for k in range(count)]


def term(kind, *operands):
    """The only result of a gate."""
    return terms(kind, operands, 1)[0]


def results_of(network, operands):
    """The results of a network for such operands."""
    if [len(limbs) for limbs in network.operands] != [len(given) for given in operands]:
        raise NotANetwork(f"{network.name}: other operands are given")
    value = {v: term for limbs, given in zip(network.operands, operands) for v, term in zip(limbs, given)}
    for gate in network.gates:
        value.update(zip(gate.results, terms(gate.kind, [value[v] for v in gate.operands], len(gate.results))))
    return [value[v] for v in network.results]


def text(network):
    """The network, one gate a line."""
    lines = [f"{network.name}: operands {network.operands}, results {network.results}"]
    for gate in network.gates:
        results = ", ".join(f"v{v}" for v in gate.results)
        lines.append(f"  {results} = {gate.kind}({', '.join(f'v{v}' for v in gate.operands)})")
    return "\n".join(lines)
