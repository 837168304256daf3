#!/usr/bin/env python3
"""Reads the machine code (SASS) of CUDA kernels: the instructions of loops, the pipes that they
occupy, spills, registers, blocks a multiprocessor holds. Nothing runs: cycles are computed from
counts, and are a bound from below (no latencies, no bank conflicts, no cache misses).

As a program:
  sass.py [--nvdisasm PATH] [--filter REGEX] [--table] kernels.cubin...
prints what it finds about every kernel and its hot loop; as a table of Markdown with --table.
tests/cuda/machine_code.py asserts it.
"""
import argparse
import collections
import dataclasses
import glob
import os
import re
import shutil
import subprocess
import sys


@dataclasses.dataclass(frozen=True)
class Architecture:
    """A multiprocessor: lanes of its pipes (instructions of a thread a cycle), and what it holds.
    Sources: NVIDIA, CUDA C++ Programming Guide (throughput of native arithmetic instructions,
    compute capabilities) and the white papers of A100, H100 and B200."""
    chip: str
    multiprocessors: int
    clock: float  # Hz, sustained
    bandwidth: float  # bytes a second of device memory
    fp64: int
    fp32: int
    tensor: int  # multiply-adds of bfloat16 a cycle, dense; of bytes twice as many
    shared: int  # bytes of shared memory
    integer: int = 64
    special: int = 16  # reciprocals, exp2
    conversions: int = 64
    memory: int = 128  # bytes a cycle to and from shared memory and the first cache
    issue: int = 4  # instructions of a warp
    registers: int = 65536
    warps: int = 64
    blocks: int = 32


ARCHITECTURES = {
    "sm_80": Architecture("A100", 108, 1.41e9, 2.0e12, 32, 64, 1024, 164 << 10),
    "sm_90": Architecture("H100", 132, 1.755e9, 3.35e12, 64, 128, 2048, 228 << 10),
    "sm_100": Architecture("B200", 148, 1.85e9, 8.0e12, 64, 128, 4096, 228 << 10),
}
WARP = 32
RESERVED_SHARED = 1024  # of each block, by the system
REGISTER_UNIT = 256  # registers are given to warps in such pieces
SHARED_UNIT = 128

PIPES = [  # the first that matches the whole name before the first point
    ("fp64", r"D(FMA|MUL|ADD|SETP|MNMX)"),
    ("tensor", r"[HBIDQO](G)?MMA"),
    ("special", r"MUFU"),
    ("memory", r"LD|LD[SGLT]|LDSM|ST|ST[SGLT]|STSM|LDGSTS|ATOM[SG]?|RED|REDG|SHFL|UBLKCP"),
    ("conversions", r"[IFD]2[IFD]|[IFD]2FP|FRND|F2F|I2I|I2IP|F2IP"),
    ("fp32", r"F(FMA2?|MUL2?|ADD2?|SETP|MNMX3?|SEL|CHK|SWZADD)|H(FMA|ADD|MUL|SETP|MNMX)2"),
    ("integer", r"IMAD|IADD|IADD3|LEA|LOP3|SHF|ISETP|PRMT|SEL|VIADD|VIADDMNMX|VIMNMX3?|IMNMX|IABS|"
                r"MOV|POPC|FLO|BREV|SGXT|PLOP3|P2R|R2P|BMSK|IDP|I2IP|CS2R|VOTE|VABSDIFF4?"),
]
# bytes that each thread moves; a matrix load moves 16 where it loads four tiles
WIDTHS = [(16, r"\.128|\.MT?88\.4"), (8, r"\.64|\.MT?88\.2"), (4, "")]


@dataclasses.dataclass(frozen=True)
class Instruction:
    name: str  # with its modifiers
    operands: str
    never: bool = False  # its predicate is false: only takes a slot

    @property
    def base(self):
        return self.name.split(".")[0]

    @property
    def pipe(self):
        if self.never:
            return "other"
        return next((p for p, names in PIPES if re.fullmatch(names, self.base)), "other")

    @property
    def width(self):
        """Bytes of a thread of an access of memory, 0 of others."""
        if self.pipe != "memory" or self.base == "SHFL":
            return 0
        if re.search(r"\.[US](8|16)\b", self.name):
            return 1 if "8" in re.search(r"\.[US](8|16)\b", self.name)[1] else 2
        return next(w for w, pattern in WIDTHS if not pattern or re.search(pattern, self.name))


@dataclasses.dataclass
class Kernel:
    name: str
    architecture: str
    registers: int = 0
    frame: int = 0  # bytes of the stack
    code: list = dataclasses.field(default_factory=list)
    labels: dict = dataclasses.field(default_factory=dict)

    def loops(self):
        """(first, behind the last instruction) of each backward jump, but the endless one at the
        end of every kernel."""
        found = set()
        for at, instruction in enumerate(self.code):
            target = re.search(r"`\((\.L_\w+)\)", instruction.operands)
            if instruction.base == "BRA" and target and self.labels.get(target[1], at) < at:
                found.add((self.labels[target[1]], at + 1))
        return sorted(found)

    def hot(self):
        """The longest loop that holds no other one, or all of the code where there is none. Where a
        warpgroup multiplies, of the loops that do: what is seldom may have loops there."""
        loops = self.loops()
        multiplying = [(first, end) for first, end in loops
                       if any(i.base == "HGMMA" for i in self.code[first:end])]
        loops = multiplying or loops
        inner = [a for a in loops
                 if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
        if not inner:
            return self.code
        first, end = max(inner, key=lambda loop: loop[1] - loop[0])
        return self.code[first:end]


def counts(code):
    """How many of each instruction, without modifiers."""
    return collections.Counter(i.base for i in code if not i.never)


def spills(code):
    return [i for i in code if i.base in ("LDL", "STL")]


def generic(code):
    """Accesses whose address may be in any memory: slower, and a sign of a lost pointer."""
    return [i for i in code if i.base in ("LD", "ST")]


def calls(code):
    """Of functions: ptxas also leaves loops by a CALL of a label, from which nothing returns."""
    return [i for i in code if i.base == "CALL" and "`(.L_" not in i.operands]


def narrow(code, bytes_wide=16):
    return [i for i in code if 0 < i.width < bytes_wide]


def cycles(code, architecture):
    """Cycles for which a warp that executes the code occupies each pipe of a multiprocessor."""
    lanes = {"fp64": architecture.fp64, "fp32": architecture.fp32, "integer": architecture.integer,
             "special": architecture.special, "conversions": architecture.conversions}
    r = collections.Counter()
    for i in code:
        if i.pipe in lanes:
            r[i.pipe] += WARP / lanes[i.pipe]
        elif i.pipe == "memory":
            r["memory"] += WARP * max(i.width, 4) / architecture.memory
        elif i.pipe == "tensor":
            r["tensor"] += multiply_adds(i) / architecture.tensor
            r["memory"] += factor_bytes(i) / architecture.memory
    r["issue"] = len(code) / architecture.issue
    return r


OF_WARPGROUP = re.compile(r"HGMMA\.64x(\d+)x16\b")  # four warps share 64 rows


def factor_bytes(instruction):
    """What a warp's share of a warpgroup's matrix instruction reads of shared memory."""
    m = OF_WARPGROUP.match(instruction.name)
    if not m:
        return 0
    lines = int(m[1]) + (64 if re.match(r"R\d+, gdesc", instruction.operands) else 0)
    return lines * 16 * 2 / 4


def multiply_adds(instruction):
    """Of a matrix instruction of a warp, in those of bfloat16."""
    if m := OF_WARPGROUP.match(instruction.name):
        return 16 * int(m[1]) * 16
    shape = re.search(r"\.(\d{4,6})\b", instruction.name)
    if not shape:
        return 0
    digits = shape[1]  # 16816: 16 x 8 x 16
    m, n, k = int(digits[:-3]), int(digits[-3]), int(digits[-2:])
    return m * n * k / (2 if instruction.base == "IMMA" else 1)


def blocks_per_sm(threads, registers, shared, architecture):
    """How many blocks a multiprocessor holds (CUDA's cuda_occupancy.h computes the same)."""
    round_up = lambda x, unit: (x + unit - 1) // unit * unit
    warps = (threads + WARP - 1) // WARP
    of_warp = round_up(registers * WARP, REGISTER_UNIT)
    # registers belong to the four parts of a multiprocessor, which take whole warps
    by_registers = architecture.registers // 4 // of_warp * 4 // warps
    by_shared = architecture.shared // (round_up(shared, SHARED_UNIT) + RESERVED_SHARED)
    return min(architecture.blocks, architecture.warps // warps, by_registers, by_shared)


# --- Reading -------------------------------------------------------------------------------------
def find_nvdisasm(*beside):
    """nvdisasm of the PATH, of CUDA, or of the PyPI package nvidia-cuda-nvdisasm in one of the
    Python environments `beside`; None if there is none."""
    found = shutil.which("nvdisasm")
    for folder in (*beside, sys.prefix):
        pattern = os.path.join(folder, "lib*", "python3*", "site-packages", "nvidia", "*", "bin",
                               "nvdisasm")
        found = found or next(iter(sorted(glob.glob(pattern))), None)
    cuda = "/usr/local/cuda/bin/nvdisasm"
    return found or (cuda if os.path.exists(cuda) else None)


def disassemble(cubin, nvdisasm):
    done = subprocess.run([nvdisasm, cubin], capture_output=True, text=True, check=True)
    return parse(done.stdout)


CODE = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][A-Zx0-9_.]*)\s*([^;]*);")
SIZE_RECORD = re.compile(r"nvinfo : EIATTR_(REGCOUNT|FRAME_SIZE)\n(?:.*\n){1,8}?"
                         r".*\.word\s+index@\(([^)]+)\)\n.*\.word\s+0x([0-9a-f]+)")


def parse(text):
    """The kernels in what nvdisasm prints, by their mangled names."""
    architecture = re.search(r"\.target\s+(sm_\d+)", text)
    kernels, kernel = {}, None
    for line in text.splitlines():
        if line.startswith(("\t.section", "//------")):
            kernel = None
        elif m := re.match(r"\.text\.(\S+):", line):
            kernel = kernels.setdefault(m[1], Kernel(m[1], architecture[1] if architecture else ""))
        elif kernel and (m := re.match(r"(\.L_\w+):", line)):
            kernel.labels[m[1]] = len(kernel.code)
        elif kernel and (m := CODE.match(line)):
            kernel.code.append(Instruction(m[2], m[3].strip(), m[1] == "!PT"))
    for what, name, value in SIZE_RECORD.findall(text):
        if name in kernels:
            setattr(kernels[name], {"REGCOUNT": "registers", "FRAME_SIZE": "frame"}[what],
                    int(value, 16))
    return kernels


def readable(names):
    """Names of programs in the place of mangled names of kernels."""
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=False).stdout.splitlines() if shutil.which("c++filt") else names
    return {n: program_of(t) for n, t in zip(names, text)}


def program_of(kernel):
    """Gemm<double, 2> of a kernel run_block<mct::cuda::Gemm<double, 2> >(...)."""
    m = re.search(r"run_block<(.*?)>\(", kernel)
    return re.sub(r"\bmct::(cuda::)?", "", m[1]).strip() if m else kernel


# --- Printing ------------------------------------------------------------------------------------
def describe(kernel, name):
    architecture = ARCHITECTURES[kernel.architecture]
    hot = kernel.hot()
    of_hot = cycles(hot, architecture)
    by_time = sorted(of_hot.items(), key=lambda x: -x[1])
    print(f"{name} on {kernel.architecture}: {len(kernel.code)} instructions, "
          f"{kernel.registers} registers, stack {kernel.frame}, spills {len(spills(kernel.code))}")
    print(f"  hot {'loop' if kernel.loops() else 'code'} of {len(hot)}: "
          f"{dict(counts(hot).most_common(12))}")
    print(f"  narrow accesses {sorted({i.name for i in narrow(hot)})}, "
          f"generic {len(generic(hot))}")
    print("  cycles of a warp: " + ", ".join(f"{p} {c:.1f}" for p, c in by_time))


TABLE_HEAD = ("| program | chip | registers | hot loop | limit | cycles of a warp | issue |",
              "|---|---|---|---|---|---|---|")


def table_row(kernel, name):
    architecture = ARCHITECTURES[kernel.architecture]
    hot = kernel.hot()
    of_hot = cycles(hot, architecture)
    limit = max(of_hot, key=of_hot.get)
    return (f"| `{name}` | {architecture.chip} | {kernel.registers} | {len(hot)} | {limit} | "
            f"{of_hot[limit]:.0f} | {of_hot['issue']:.0f} |")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("cubins", nargs="+")
    options.add_argument("--nvdisasm", default=find_nvdisasm())
    options.add_argument("--filter", default="")
    options.add_argument("--table", action="store_true")
    given = options.parse_args()
    if not given.nvdisasm:
        sys.exit("nvdisasm not found (PyPI: nvidia-cuda-nvdisasm)")
    if given.table:
        print("\n".join(TABLE_HEAD))
    for cubin in given.cubins:
        kernels = disassemble(cubin, given.nvdisasm)
        names = readable(list(kernels))
        for kernel in sorted(kernels.values(), key=lambda k: names[k.name]):
            if re.search(given.filter, names[kernel.name]):
                if given.table:
                    print(table_row(kernel, names[kernel.name]))
                else:
                    describe(kernel, names[kernel.name])


if __name__ == "__main__":
    main()
