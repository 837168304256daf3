#!/usr/bin/env python3
"""Translates the PTX that nvcc wrote into C++ that the simulator of the tests runs
(tests/cuda/ptx): every register a variable, every instruction a statement, jumps as goto.

Runs what the compiler made of a block program, inline assembly included. A line, a name or an
instruction that is not known is an error. Every line of C++ stands where the PTX has its
instruction, so that what the simulator says about a line is about the PTX's.

usage: ptx_to_cpp.py kernels.ptx --module NAME [--only REGEX] [--edit NUMBER PATTERN NEW]
                     --output kernels_ptx.cpp
NAME becomes the mct::cuda::ptx::Module `mct::cuda::ptx::NAME`, --only chooses among the mangled
names of the kernels. --edit plants a fault: of the lines of those kernels in which PATTERN is
found, it replaces it in number NUMBER, counted from 0.
"""
import argparse
import re
import sys
from collections import defaultdict

import ptx_memory  # noqa: F401, fills the table
from ptx_instructions import TABLE, cpp
from ptx_parser import (CALL_ALIGNMENT, SIZES, Instruction, Label, Local, Parser, PtxError,
                        Registers, Scope, rounded_up, split_outside)

SPECIAL = {f"%{name}.{axis}": f"t.{name}({number})" for number, axis in enumerate("xyz")
           for name in ("tid", "ntid", "ctaid", "nctaid")}
SPECIAL |= {"%laneid": "t.laneid()", "%warpid": "t.warpid()", "WARP_SZ": "32u"}
INTEGER = re.compile(r"-?(0x[0-9a-fA-F]+|\d+)[uU]?$")
FLOAT = re.compile(r"0([fFdD])([0-9a-fA-F]+)$")
NAME = re.compile(r"([A-Za-z_$%][\w$]*)\s*(?:\+\s*(-?\d+))?$")
BITS_OF = {"pred": 1}


def bits(t):
    return BITS_OF.get(t) or 8 * SIZES[t]


class Writer:
    """The statements of one kernel or function.

    A function gets addresses: of its own local memory, `frame`, above that of its caller, and of
    its results and parameters, which lie in the caller's.
    """

    def __init__(self, module, entry):
        self.entry = entry
        self.functions = module.functions
        self.called = []  # the names of functions, and where their frames begin in this one's
        self.scopes = [{}]  # the types of registers
        self.places = {p.name: f"(window(Space::parameter) + {p.offset})" for p in entry.parameters}
        self.frame = "window(Space::local)"
        if entry.is_function:
            self.places = {p.name: cpp_name(p.name) for p in entry.results + entry.parameters}
            self.frame = "frame"
        self.places |= {t.name: f"place_of({cpp_name(t.name)})" for t in module.tables}
        if module.shared:
            self.places[module.shared] = "std::uint64_t(0)"
        self.local_bytes = 0
        self.line = entry.line

    # What the rows of the table ask for
    def operands(self, instruction, count):
        if len(instruction.operands) != count:
            raise PtxError(instruction.line,
                           f"{instruction.opcode} has {len(instruction.operands)} operands")
        return instruction.operands

    def read(self, operand, t, wide=False):
        """An expression of type t."""
        if m := INTEGER.match(operand):
            return self.integer(int(operand.rstrip("uU"), 0), t)
        if m := FLOAT.match(operand):
            size = {"f": 4, "d": 8}[m[1].lower()]
            if size != SIZES.get(t):
                self.fail(f"a constant of {size} bytes as {t}: {operand}")
            return f"as<{cpp(t)}>(std::uint{8 * size}_t(0x{m[2]}))"
        if operand in SPECIAL:
            return f"{cpp(t)}({SPECIAL[operand]})"
        if operand.startswith("!"):
            return f"!{self.read(operand[1:].strip(), t)}"
        if (register := self.register_type(operand)) is not None:
            return self.converted(operand, register, t, wide)
        return f"{cpp(t)}({self.place(operand)})"

    def integer(self, value, t):
        if t == "pred":
            return "true" if value else "false"
        if t.startswith(("f", "bf")):
            self.fail(f"an integer in the place of {t}: {value}")
        return f"{cpp(t)}({value % 2**64}ull)"

    def converted(self, name, register, t, wide):
        if cpp(register) == cpp(t):
            return cpp_name(name)
        if bits(register) == bits(t) and "pred" not in (register, t):
            return f"as<{cpp(t)}>({cpp_name(name)})"
        if wide and bits(register) > bits(t) > 1:
            return f"low<{cpp(t)}>({cpp_name(name)})"
        self.fail(f"register {name} of type {register} as {t}")

    def write(self, operand, t, code, wide=False):
        """A statement that gives the operand the value of an expression of type t."""
        if operand == "_":
            return f"(void)({code});"
        register = self.register_type(operand)
        if register is None:
            self.fail(f"unknown register: {operand}")
        name = cpp_name(operand)
        if cpp(register) == cpp(t):
            return f"{name} = {code};"
        if bits(register) == bits(t) and "pred" not in (register, t):
            return f"{name} = as<{cpp(register)}>({cpp(t)}({code}));"
        if wide and bits(register) > bits(t) > 1 and t[0] in "bus" and t != "bf16":
            return f"{name} = {cpp(register)}({cpp(t)}({code}));"  # with the sign of t
        if wide and bits(register) > bits(t) > 1:
            return f"{name} = as<{cpp('b' + str(bits(t)))}>({cpp(t)}({code}));"
        self.fail(f"register {operand} of type {register} for {t}")

    def elements(self, operand):
        if not operand.startswith("{"):
            self.fail(f"not a vector: {operand}")
        return split_outside(operand[1:-1])

    def read_all(self, operand, t, count, wide=False):
        elements = self.elements(operand)
        if len(elements) != count:
            self.fail(f"not {count} elements: {operand}")
        return [self.read(x, t, wide) for x in elements]

    def write_all(self, operand, t, code, count, wide=False):
        """The same for an expression that is an array."""
        elements = self.elements(operand)
        if len(elements) != count:
            self.fail(f"not {count} elements: {operand}")
        if count == 1:
            return self.write(elements[0], t, f"{code}[0]", wide)
        writes = (self.write(x, t, f"v[{i}]", wide) for i, x in enumerate(elements) if x != "_")
        return f"{{ const auto v = {code}; {' '.join(writes)} }}"

    def address(self, operand):
        """Of [register + offset] or [name + offset]."""
        if not operand.startswith("["):
            self.fail(f"not an address: {operand}")
        m = NAME.match(operand[1:-1].strip())
        if not m:
            self.fail(f"unknown address: {operand}")
        register = self.register_type(m[1])
        if register is None:
            base = self.place(m[1])
        else:
            base = self.read(m[1], f"u{bits(register)}")
        return f"{base} + {m[2]}" if m[2] else base

    def place(self, name):
        """The address of a variable: name, name+offset or generic(name)."""
        name = re.sub(r"^generic\((.*)\)", r"\1", name)
        m = NAME.match(name)
        if not m or m[1] not in self.places:
            self.fail(f"unknown name: {name}")
        return f"({self.places[m[1]]} + {m[2] or 0})"

    def label(self, name):
        return cpp_name(name)

    def branch_targets(self, instruction, name):
        if name not in self.entry.branch_targets:
            self.fail(f"unknown list of labels: {name}")
        return self.entry.branch_targets[name]

    # Statements
    def statement(self, s):
        self.line = s.line
        if isinstance(s, Instruction):
            return self.instruction(s)
        if isinstance(s, Label):
            return f"{cpp_name(s.name)}:;"
        if isinstance(s, Registers):
            return self.declare(s)
        if isinstance(s, Local):
            self.local_bytes = rounded_up(self.local_bytes, s.align)
            self.places[s.name] = f"({self.frame} + {self.local_bytes})"
            self.local_bytes += s.size
            return ";"
        assert isinstance(s, Scope)
        if s.opens:
            self.scopes.append({})
        else:
            self.scopes.pop()
        return "{" if s.opens else "}"

    def declare(self, s):
        names = [s.name] if s.count is None else [f"{s.name}{i}" for i in range(s.count)]
        self.scopes[-1].update((n, s.type) for n in names)
        if not names:
            return ";"
        return f"{cpp(s.type)} {', '.join(cpp_name(n) + '{}' for n in names)};"

    def instruction(self, s):
        emit = Writer.call if s.opcode in ("call", "call.uni") else TABLE.get(s.opcode)
        if emit is None:
            self.fail(f"unknown instruction: {s.opcode} {', '.join(s.operands)}")
        code = emit(self, s)
        if not s.guard:
            return code
        negation = "!" if s.guard_negated else ""
        return f"if ({negation}{self.read(s.guard, 'pred')}) {{ {code} }}"

    def call(self, s):
        names = [x for x in s.operands if not x.startswith("(")]
        if len(names) != 1 or names[0] not in self.functions:
            self.fail(f"a call of a function that is not in the file: {', '.join(names)}")
        function = self.functions[names[0]]
        given = [self.place(x) for group in s.operands if group.startswith("(")
                 for x in split_outside(group[1:-1])]
        if len(given) != len(function.results) + len(function.parameters):
            self.fail(f"{len(given)} results and arguments of {names[0]}")
        begin = rounded_up(self.local_bytes, CALL_ALIGNMENT)
        self.called.append((names[0], begin))
        return f"{cpp_name(names[0])}({', '.join(['t', f'{self.frame} + {begin}', *given])});"

    def register_type(self, name):
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def fail(self, what):
        raise PtxError(self.line, what)


def cpp_name(name):
    """No name of PTX becomes one that C++ or the run-time part has."""
    return name.replace("%", "").replace("$", "_S") + "_"


def table(t):
    """A variable with its initial elements, as bytes or, of addresses, as words."""
    def element(x):
        if INTEGER.match(x):
            return f"{cpp('u' + str(bits(t.type)))}({int(x, 0) % 2**bits(t.type)}ull)"
        if m := FLOAT.match(x):
            return f"std::uint{bits(t.type)}_t(0x{m[2]})"
        if m := re.match(r"(?:generic\(([\w$]+)\)|([\w$]+))(?:\s*\+\s*(\d+))?$", x):
            return f"place_of({cpp_name(m[1] or m[2])}) + {m[3] or 0}"
        raise PtxError(t.line, f"unknown initial value: {x}")
    values = ", ".join(element(x) for x in t.elements)
    return (f"alignas({t.align}) const {cpp('u' + str(bits(t.type)))} "
            f"{cpp_name(t.name)}[{t.count}] = {{{values}}};")


def signature(entry):
    places = [cpp_name(p.name) for p in entry.results + entry.parameters]
    frame = [f", std::uint64_t {x}" for x in ["frame", *places]] if entry.is_function else []
    return f"void {cpp_name(entry.name)}(Thread& t{''.join(frame)})"


def kernel(module, entry):
    """The text of every line, and the writer."""
    writer = Writer(module, entry)
    lines = defaultdict(list)
    lines[entry.line].append(f"{signature(entry)} {{ bool carry = false, no_carry = false; "
                             "(void)carry; (void)no_carry;")
    for s in entry.statements:
        lines[s.line].append(writer.statement(s))
    lines[writer.line].append("}")
    return lines, writer


def translate(text, module_name, source="kernels.ptx", only=""):
    module = Parser(text).module()
    entries = [e for e in module.entries if re.search(only, e.name)]
    if not entries:
        raise PtxError(1, f"no kernel '{only}'")
    lines, writers, waiting = defaultdict(list), {}, list(entries)
    while waiting:
        entry = waiting.pop()
        of_entry, writer = kernel(module, entry)
        for line, code in of_entry.items():
            lines[line] += code
        writers[entry.name] = writer
        new = {name for name, _ in writer.called} - set(writers) - {e.name for e in waiting}
        waiting += [module.functions[name] for name in new]

    def local_bytes(name):
        """With those of the functions that it calls."""
        called = [begin + local_bytes(other) for other, begin in writers[name].called]
        return max([writers[name].local_bytes, *called])

    kernels = []
    for entry in entries:
        size = max((p.offset + p.size for p in entry.parameters), default=0)
        kernels.append(f'  {{"{entry.name}", {cpp_name(entry.name)}, {size}, {entry.threads}, '
                       f"{local_bytes(entry.name)}}},")
    head = ["// Written by tools/ptx/ptx_to_cpp.py.", '#include "tests/cuda/ptx/machine.hpp"', "",
            "namespace mct::cuda::ptx {", "namespace {", *(table(t) for t in module.tables),
            *(signature(f) + ";" for name, f in module.functions.items() if name in writers),
            f'#line 1 "{source}"']
    body = [" ".join(lines[i]) for i in range(1, max(lines) + 1)]
    tables = ", ".join(f"{{{n}, sizeof {n}}}" for n in (cpp_name(t.name) for t in module.tables))
    tail = ["}  // namespace", f"extern const Module {module_name};",
            f"const Module {module_name} = {{{{", *kernels, f"}}, {{{tables}}}}};",
            "}  // namespace mct::cuda::ptx"]
    return "\n".join(head + body + tail) + "\n"


def edited(text, only, number, pattern, new):
    """The text with a fault in a kernel: see --edit."""
    lines = text.split("\n")
    inside = False
    for i, line in enumerate(lines):
        if m := re.search(r"\.entry\s+(\S+?)\(", line):
            inside = re.search(only, m[1])
        elif re.search(r"\.func\b", line):
            inside = False
        if inside and re.search(pattern, line.strip()):
            if number == 0:
                lines[i] = re.sub(pattern, new, line.strip())
                return "\n".join(lines)
            number -= 1
    raise PtxError(1, f"not so many lines with '{pattern}' in '{only}'")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("ptx")
    options.add_argument("--module", required=True)
    options.add_argument("--only", default="")
    options.add_argument("--edit", nargs=3, metavar=("NUMBER", "PATTERN", "NEW"))
    options.add_argument("--output", required=True)
    given = options.parse_args()
    with open(given.ptx, encoding="utf-8") as file:
        text = file.read()
    try:
        if given.edit:
            number, pattern, new = given.edit
            text = edited(text, given.only, int(number), pattern, new)
        code = translate(text, given.module, given.ptx, given.only)
    except PtxError as error:
        sys.exit(f"{given.ptx}: {error}")
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(code)


if __name__ == "__main__":
    main()
