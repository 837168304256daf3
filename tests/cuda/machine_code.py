#!/usr/bin/env python3
"""What the machine code of every block program must be, for each architecture.

PROGRAMS is the table: for every tests/cuda/kernels/<name>.cu its programs, by their names in C++
without "(optim::" and the like, or a regular expression of these; the first that fits counts. A new
program is a line: what it must be beside its defaults.
  threads, shared  of a block: its threads and bytes of shared memory
  registers        at most so many
  blocks           at least so many a multiprocessor holds
  units, of        the hot loop (of several the longest innermost one; without loops all of the
                   code) computes so many of something in each thread
  counts           instructions for each of them, exactly: what contraction or a lost constant
                   changes; `also` has the exceptions of an architecture
  bytes            of device memory for each of them, for the table of limits
  limit, lead      the pipe that limits the hot loop, and how many times the cycles of any other
                   (and of the issue of instructions) it takes at least
  wide             whether every access of memory in the hot loop is one of 128 bits
  called           whether it may call functions, which then have a stack: what is large and rare
  spills           how many registers it may spill
  outside          how many registers it may spill outside of the hot loop, by architecture
  instructions     at most so many has the hot loop, with what is seldom in it
For all: no spills and no stack, and in the hot loop neither local memory, nor accesses whose memory
is unknown (LD, ST), nor calls.

usage: machine_code.py --cubins FOLDER [--environment FOLDER]... [--occupancy PROGRAM] [--table]
The folder holds <folder>_<name>.<architecture>.cubin. --table prints what the counts mean for a
chip. Ends with 77 where nvdisasm is missing.
"""
import argparse
import dataclasses
import itertools
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "ptx"))
import sass  # noqa: E402

SKIPPED = 77


@dataclasses.dataclass(frozen=True)
class Expected:
    threads: int
    registers: int
    blocks: int = 1
    shared: int = 0
    units: int = 1
    of: str = "element"
    counts: dict = dataclasses.field(default_factory=dict)
    also: dict = dataclasses.field(default_factory=dict)
    bytes: float = 0
    limit: str = ""
    lead: float = 1.0
    wide: bool = False
    called: bool = False
    spills: int = 0
    outside: dict = dataclasses.field(default_factory=dict)
    instructions: int = 0


def packing(size):
    return Expected(threads=256, registers=64, blocks=4, shared=32 * 33 * size)


def product(size, limbs, **more):
    """A thread multiplies 8 steps of 4 x 4 elements; two stages of two factors are shared."""
    return Expected(threads=256, shared=2 * 2 * limbs * 8 * 64 * size, units=128, of="multiply-add",
                    limit="fp64" if size == 8 else "fp32", wide=True, **more)


def reading(limbs, halves, extra, blocks, registers):
    """Squares of 32 x 32 doubles in shared memory."""
    return Expected(threads=256, registers=registers, blocks=blocks,
                    shared=limbs * halves * 32 * 33 * 8 + extra)


def step(size, registers=64, blocks=4, **more):
    return Expected(threads=256, registers=registers, blocks=blocks, units=8, of="parameter",
                    bytes=size, **more)


def of_warpgroups(d, keys, warpgroups, planes, **more):
    """Scores of a block of keys in each thread, and bytes of shared memory: queries, two stages of
    keys and values, ones; numbers of both. Products: d / 16 of queries and keys, keys / 16 of
    weights and values for each 64 coordinates, these twice, as a warpgroup that has no more keys
    only adds."""
    products = d // 16 + 2 * (keys // 16) * (d // 64)
    shared = 2 * (64 * warpgroups * d + 4 * keys * d + 16 * 64) + \
        4 * (planes * (2 * keys + 64 * warpgroups) + 8)
    return Expected(threads=128 * warpgroups, registers=65536 // (128 * warpgroups) // 8 * 8,
                    shared=shared, units=keys // 2, of="score",
                    counts={"HGMMA": products / (keys / 2), "F2FP": 0.5}, **more)


GUARDED = Expected(threads=256, registers=64, blocks=4)

PROGRAMS = {
    "linalg_gemm": {
        "Gemm<double, 2>": product(8, 2, registers=128, blocks=2, lead=1.5,
                                   counts={"DMUL": 1, "DFMA": 3, "DADD": 9.5},
                                   also={"sm_100": {"DMUL": 129 / 128}}),  # one is made twice
        "Gemm<double, 3>": product(8, 3, registers=255, lead=1.5,
                                   counts={"DMUL": 3, "DFMA": 6, "DADD": 42}),
        # one float instruction a cycle and scheduler: the pipe is as busy as the issue
        "Gemm<float, 2>": product(4, 2, registers=128, blocks=2, lead=0.95,
                                  counts={"FMUL": 1, "FFMA": 3, "FADD": 9.5}),
        "Gemm<float, 3>": product(4, 3, registers=255, lead=0.95,
                                  counts={"FMUL": 3, "FFMA": 6, "FADD": 42}),
        "PackFactor<double, 2>": packing(8),
        "PackFactor<double, 3>": packing(8),
        "PackFactor<float, 2>": packing(4),
        "PackFactor<float, 3>": packing(4),
        "GuardedSums<double, 2>": GUARDED,
        "GuardedSums<double, 3>": GUARDED,
        "GuardedSums<float, 2>": GUARDED,
        "GuardedSums<float, 3>": GUARDED,
    },
    "linalg_residues": {
        # 128 bytes of 256 x 128 elements by 256 threads; an instruction multiplies 16 x 8 x 32
        "MultiplyResidues": Expected(threads=256, registers=255,
                                     shared=3 * (256 + 128) * 128,
                                     units=256 * 128 * 128 // 256, of="multiply-add of residues",
                                     counts={"IMMA": 32 / 4096}, wide=True),
        **{f"LineRanges<{n}>": reading(n, 1, extra=3 * 8 * 256, blocks=3, registers=80)
           for n in (1, 2, 3)},
        # numbers of up to 51 moduli beside the squares; of 52, to a multiple of a batch, for sums
        **{f"CutResidues<{n}, {d}>": reading(n, 2, extra=51 * ((d + 3) // 2 * 2) * 8,
                                             blocks=3 if d < 5 else 2,
                                             registers=80 if d < 5 else 128)
           for n, d in ((1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (3, 6))},
        **{f"SumResidues<{n}, {d}>": Expected(threads=256 if d < 10 else 128,
                                              registers=128 if d < 10 else 168,
                                              blocks=2 if d < 10 else 3,
                                              shared=52 * ((d + 2) // 2 * 2) * 8)
           for n, d in ((1, 4), (1, 5), (2, 7), (2, 8), (3, 10), (3, 11))},
    },
    "linalg_bfloat16_product": {
        **{f"PackBfloat16<{n}>": Expected(threads=256, registers=64, blocks=4,
                                          shared=n * 32 * 33 * 2) for n in (2, 3)},
        # a slice of 32 of 128 x 128 elements by 256 threads; N (N + 1) / 2 products of limbs, of
        # which an instruction multiplies 16 x 8 x 16
        **{f"MultiplyBfloat16<{n}, {result}>": Expected(
            threads=256, registers=255, shared=2 * stages * n * 128 * 64,
            units=128 * 128 * 32 // 256, of="multiply-add", wide=True,
            counts={"HMMA": n * (n + 1) / 2 * 32 / 2048})
           for n, stages in ((2, 4), (3, 3)) for result in ("float", "ShortFloat<8, 128> ")},
    },
    "geometry_pointwise": {
        "Pointwise<.*>": Expected(threads=128, registers=255, shared=2 * 128 * 4 * 8, called=True),
        "PointProgram": Expected(threads=128, registers=80, blocks=6, called=True),
        "FollowGradients<.*>": Expected(threads=128, registers=255, called=True),
        "HalfSpaceRow(Dist|Expmap)<2>": Expected(threads=128, registers=128, blocks=4, called=True),
    },
    "embed_training": {
        "DrawExamples": Expected(threads=32, registers=64, blocks=32),
        "SortTiles": Expected(threads=256, registers=64, blocks=4, shared=1024 * 8),
        "MergeRuns": Expected(threads=256, registers=64, blocks=4),
        "EndBatch": Expected(threads=256, registers=128, shared=3 * 256 * 8),
        # 8 turns of 5 + coordinates numbers a thread; what is rare, as quotients of subnormal
        # numbers, is in functions
        "ExampleGradients<HalfSpacePlace<2, 2, .*>": Expected(
            threads=64, registers=96, blocks=7, shared=64 * 8 * 7 * 8, called=True),
        "ExampleGradients<LorentzPlace<1, 3, .*>": Expected(
            threads=64, registers=104, blocks=6, shared=64 * 8 * 8 * 8, called=True),
        "MoveRows<.*>": Expected(threads=128, registers=128, blocks=4, shared=128 * 4, called=True),
    },
    "distributed_exact_sums": {
        # the mean's division, where its operands are out of range, is a function
        "ExactRowSums": Expected(threads=128, registers=64, blocks=8, called=True),
    },
    "optim_adamw": {
        # 8 elements a thread; bytes of weights, states and gradient, read and written
        "AdamW<.*LowPart.1, Number.0, false, .*, false, false, false>": step(18, outside={"sm_100": 11}),  # light
        "AdamW<.*LowPart.1, Number.0, true, .*, false, false, false>": step(22, outside={"sm_100": 2}),  # plus
        "AdamW<.*LowPart.0, Number.0, false, .*, false, false, false>": step(14),  # stochastic
        "AdamW<.*LowPart.3, .*, false, false, false>": step(12, registers=128, blocks=2),  # split8
        "AdamW<.*, true>": step(22, registers=128, blocks=2),  # measured
        "GradientSums<.*>": Expected(threads=256, registers=64, blocks=4),
        "SumGradients": Expected(threads=256, registers=96),
        "ControlSteps": Expected(threads=32, registers=96),
        "WriteWords": Expected(threads=128, registers=32),
        "TakeFloatEdits<.*>": Expected(threads=256, registers=64, blocks=4),
        "ConvertFloats<.*>": Expected(threads=256, registers=32, blocks=8),
    },
    "attention_streaming": {
        "GatherNumbers<1>": Expected(threads=256, registers=64),
        "GatherSoftmax<.*>": Expected(threads=256, registers=64),
        # with a bias, which the memory limits: its addresses take the registers of some others
        "AttentionForward<.*, true, .*>": Expected(threads=128, registers=255, spills=4),
        **{f"Attention{way}<.*>": Expected(threads=128, registers=255) for way in
           ("Forward", "Backward")},
    },
    "attention_edges": {
        # a division, where its operands are out of range, is a function
        "AttendEdges<.*>": Expected(threads=32, registers=64, blocks=32, called=True),
        "DeriveEdgesBy.*<.*>": Expected(threads=32, registers=64, blocks=32),
    },
    "attention_warpgroups": {
        "AttentionForward<DotProduct, 64, .*>": of_warpgroups(64, 128, 3, 0, instructions=900),
        "AttentionForward<DotProduct, 128, .*>": of_warpgroups(128, 128, 2, 0, instructions=1200),
        # what does not change from block to block is spilled: two registers
        "AttentionForward<Umbral, 64, .*>": of_warpgroups(64, 96, 3, 2, spills=8,
                                                          instructions=1850),
    },
    "tensor_operations": {
        "Map<.*double, 2, 2, 2>": Expected(threads=256, registers=128),
        "Map<.*, 1, 1>": Expected(threads=256, registers=128, called=True),
        "PieceSums<double, 2>": Expected(threads=256, registers=80, blocks=3, units=4 * 2,
                                         counts={"DADD": 9.5}),
        "JoinSums<double, 2>": Expected(threads=64, registers=128, blocks=4),
        "PieceExtremes<float, 1>": Expected(threads=256, registers=64),
    },
}


def plain(name):
    """Of "(optim::Number)0" and "attention::isa_cuda::DotProduct" what one would write."""
    name = re.sub(r"\((?:\w+::)*(\w+)\)", r"\1.", name)
    return re.sub(r"(?:\w+::)+", "", name)


def expectation(module, name):
    """The line of the table for a program: (its key, Expected), or nothing."""
    for key, expected in PROGRAMS.get(module, {}).items():
        if key == plain(name) or re.fullmatch(key, plain(name)):
            return key, expected
    return None, None


def faults(kernel, expected):
    """What is wrong with a kernel, as sentences."""
    hot = kernel.hot()
    blocks = sass.blocks_per_sm(expected.threads, kernel.registers, expected.shared,
                                sass.ARCHITECTURES[kernel.architecture])
    found = sass.counts(hot)
    spilled = len(sass.spills(kernel.code))
    allowed = max(expected.spills, expected.outside.get(kernel.architecture, 0))
    if not expected.called and (spilled > allowed or kernel.frame and not spilled):
        yield f"a stack of {kernel.frame} bytes, {spilled} spills"
    if kernel.registers > expected.registers:
        yield f"{kernel.registers} registers instead of {expected.registers}"
    if blocks < expected.blocks:
        yield f"{blocks} blocks a multiprocessor instead of {expected.blocks}"
    for what, those in (("spills", sass.spills), ("generic accesses", sass.generic),
                        ("calls", sass.calls)):
        if len(those(hot)) > (expected.spills if what == "spills" else 0) and not expected.called:
            yield f"{len(those(hot))} {what} in the hot loop"
    if expected.wide and sass.narrow(hot):
        yield f"narrow accesses in the hot loop: {sorted({i.name for i in sass.narrow(hot)})}"
    if 0 < expected.instructions < len(hot):
        yield f"{len(hot)} instructions in the hot loop instead of {expected.instructions}"
    wanted = expected.counts | expected.also.get(kernel.architecture, {})
    for name, count in wanted.items():
        if found[name] != round(count * expected.units, 6):
            yield (f"{found[name] / expected.units:g} {name} for each {expected.of} instead of "
                   f"{count:g}")
    yield from limit_faults(kernel, expected)


def limit_faults(kernel, expected):
    cycles = sass.cycles(kernel.hot(), sass.ARCHITECTURES[kernel.architecture])
    for pipe, taken in cycles.items():
        if expected.limit and pipe != expected.limit and \
                cycles[expected.limit] < expected.lead * taken:
            yield (f"{expected.limit} takes {cycles[expected.limit]:.0f} cycles, less than "
                   f"{expected.lead:g} times the {taken:.0f} of {pipe}")


def kernels_of(cubins, nvdisasm):
    """(module, name of the program, kernel) of all cubins."""
    for cubin in sorted(Path(cubins).glob("*.cubin")):
        module = cubin.name.split(".")[0]
        kernels = sass.disassemble(str(cubin), nvdisasm)
        names = sass.readable(list(kernels))
        for mangled, kernel in kernels.items():
            yield module, names[mangled], kernel


def check(kernels):
    """The faults of all kernels, and those of the table itself."""
    seen = set()
    for module, name, kernel in kernels:
        key, expected = expectation(module, name)
        seen.add((module, key))
        if expected is None:
            yield f"{module} {name}: not in the table of tests/cuda/machine_code.py"
            continue
        for fault in faults(kernel, expected):
            yield f"{module} {name} on {kernel.architecture}: {fault}"
    for module, programs in PROGRAMS.items():
        for name in programs:
            if (module, name) not in seen:
                yield f"{module} {name}: in the table, but no cubin has it"


def table(kernels):
    """Bounds from below, computed from the instructions of the hot loop."""
    yield ("| program | chip | registers | blocks an SM | instructions of the hot loop | limit | "
           "cycles of a warp (issue) | time of one on the whole chip |")
    yield "|---|---|---|---|---|---|---|---|"
    for module, name, kernel in kernels:
        _, expected = expectation(module, name)
        if expected is None or expected.units == 1 and not expected.bytes:
            continue
        chip = sass.ARCHITECTURES[kernel.architecture]
        cycles = sass.cycles(kernel.hot(), chip)
        limit = max(cycles, key=cycles.get)
        seconds = cycles[limit] / (sass.WARP * expected.units * chip.multiprocessors * chip.clock)
        from_memory = expected.bytes / chip.bandwidth
        if from_memory > seconds:
            limit, seconds = "device memory", from_memory
        blocks = sass.blocks_per_sm(expected.threads, kernel.registers, expected.shared, chip)
        yield (f"| `{plain(name)}` | {chip.chip} | {kernel.registers} | {blocks} | {len(kernel.hot())} | "
               f"{limit} | {max(cycles.values()):.0f} ({cycles['issue']:.0f}) | "
               f"{seconds * 1e12:.3g} ps a {expected.of} |")


def occupancy_faults(program):
    """Where the arithmetic of sass.blocks_per_sm is not that of CUDA's header."""
    cases = [(name, *values) for name in sass.ARCHITECTURES for values in itertools.product(
        (32, 96, 128, 256, 512, 1024), (16, 32, 40, 64, 96, 128, 168, 255),
        (0, 100, 8192, 32768, 49152, 100000))]
    lines = []
    for name, threads, registers, shared in cases:
        of_sm = sass.ARCHITECTURES[name].shared
        lines.append(f"{name[3:-1]} {name[-1]} {of_sm} {threads} {registers} {shared}")
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True,
                          check=True)
    answers = done.stdout.split()
    if len(answers) != len(cases):
        yield f"{program} answers {len(answers)} of {len(cases)} questions"
    for (name, threads, registers, shared), answer in zip(cases, answers):
        mine = sass.blocks_per_sm(threads, registers, shared, sass.ARCHITECTURES[name])
        if mine != int(answer):
            yield (f"occupancy of {threads} threads, {registers} registers, {shared} bytes on "
                   f"{name}: {mine} blocks, CUDA says {answer}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cubins", required=True)
    options.add_argument("--environment", action="append", default=[])
    options.add_argument("--occupancy")
    options.add_argument("--table", action="store_true")
    given = options.parse_args()
    nvdisasm = sass.find_nvdisasm(*given.environment)
    if not nvdisasm:
        print("skipped: nvdisasm not found (PyPI: nvidia-cuda-nvdisasm), the machine code of CUDA "
              "kernels is not read")
        return SKIPPED
    kernels = list(kernels_of(given.cubins, nvdisasm))
    if given.table:
        print("\n".join(table(kernels)))
        return 0
    wrong = list(check(kernels))
    if given.occupancy:
        wrong += occupancy_faults(given.occupancy)
    for line in wrong:
        print(line)
    print(f"{len(kernels)} kernels, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
