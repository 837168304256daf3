#!/usr/bin/env python3
"""What every public function that calculates has to state, in the comment of one of its overloads, of its class,
or in the introduction of its header: how large its error may be (or that it is exact), for which arguments, and where it comes
from. The reference shows these three as a table.

usage: tools/docs/statements.py [ROOT]

Prints file:line of each function that lacks one. Exit code: 0 none does, 1 one does, 2 bad usage.
"""
import re
import sys
from pathlib import Path

import headers

ROOT = Path(__file__).resolve().parents[2]

# Words by which a sentence says it.
BOUND = r"\b([Ee]rrors?\b|[Bb]ounds?\b|ulps?\b|rounded|[Rr]ounding|[Ee]xact(ly)?\b|[Bb]it for bit|u\^[\dNK])"
DOMAIN = (r"\b([Dd]omain|[Tt]hrows?\b|NaN|infinit(y|e|ies)\b|[Oo]verflows?\b|outside|[Aa]ny [a-z]|[Ee]very [a-z]|"
          r"[Aa]ll [a-z]+|finite)")
SOURCE = r"\bSources?: "
STATEMENTS = {"bound": BOUND, "domain": DOMAIN, "source": SOURCE}

# Headers whose functions move, name, read or describe numbers, or are only seen by the library itself.
DESCRIPTIVE = {
    "mctensor/autograd/node.hpp", "mctensor/autograd/record.hpp", "mctensor/autograd/variable.hpp",
    "mctensor/device/device_tensor.hpp", "mctensor/device/devices.hpp", "mctensor/device/memory.hpp",
    "mctensor/device/stream.hpp", "mctensor/distributed/agreement.hpp", "mctensor/distributed/communicator.hpp",
    "mctensor/distributed/mpi.hpp", "mctensor/distributed/shards.hpp", "mctensor/eft/representation.hpp",
    "mctensor/eft/value.hpp", "mctensor/expansion/fmt.hpp", "mctensor/expansion/hash.hpp",
    "mctensor/geometry/tiling/codec.hpp", "mctensor/interop/dlpack.hpp", "mctensor/interop/dlpack_cuda.hpp",
    "mctensor/interop/xsimd.hpp", "mctensor/linalg/bfloat16_units.hpp", "mctensor/nn/container.hpp", "mctensor/nn/module.hpp", "mctensor/nn/state.hpp",
    "mctensor/tensor/isa.hpp", "mctensor/tensor/npy.hpp", "mctensor/tensor/safetensors.hpp",
    "mctensor/tensor/tensor.hpp",
}
FOLDERS = ("eft", "expansion", "math", "tensor", "linalg", "certified", "autograd", "nn", "geometry", "attention", "interop",
           "device", "distributed")

# Results that are no rounded numbers: truth, counts, names, parts of an object.
NOT_NUMBERS = re.compile(
    r"|bool|void|int|long|std::(u?int\d+_t|size_t|string(_view)?|vector<std.*|.stream&|[io]stream&|partial_ordering)|"
    r"Shape|Storage|Bits|Tensor<(bool|std::int64_t)>|.*[&*]|std::optional<.*|decltype\(auto\)|"
    r"(optim::)?StepReport|(\w+::)*\w*(Options|Rows|Kind|Encoding|Bits|Words?)|:?")


def calculates(function):
    """Whether a function returns numbers that it has computed. A method without arguments tells what is there."""
    if function.kind == "class" or function.header in DESCRIPTIVE or function.header.split("/")[1] not in FOLDERS:
        return False
    owner = re.sub(r"<.*", "", function.scope.split("::")[-1]) if function.owner else None
    if owner and (function.name == owner or function.arguments.startswith("()")):
        return False
    result = re.sub(r" ([&*])", r"\1", re.sub(r"\b(constexpr|inline|static)\b", "", function.result)).strip()
    return not NOT_NUMBERS.fullmatch(result)


def states(what, text):
    return re.search(STATEMENTS[what], re.sub(r"\s+", " ", text)) is not None


def groups(declared, sources):
    """Functions that calculate, overloads of a header together, and what is said about them."""
    found = {}
    for function in declared:
        if calculates(function):
            found.setdefault((function.header, function.scope, function.name), []).append(function)
    for (header, _, _), functions in found.items():
        said = [sources.comment(header, line) for f in functions for line in (f.line, f.owner) if line]
        said.append(sources.introduction(header))
        yield functions, "\n".join(said)


def lacking(declared, sources):
    """(function, names of what it does not state)."""
    for functions, text in groups(declared, sources):
        missing = [what for what in STATEMENTS if not states(what, text)]
        if missing:
            yield functions[0], missing


def faults(declared, sources):
    """A line for each function that lacks a statement."""
    return [f"include/{function.header}:{function.line}: {function.name}: no {', no '.join(missing)}"
            for function, missing in lacking(declared, sources)]


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    found = faults(*headers.read(Path(sys.argv[1]) if len(sys.argv) == 2 else ROOT))
    print(*found, f"{len(found)} functions lack a statement", sep="\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
