"""Reads PTX into statements. Knows the grammar, not the instructions (ptx_instructions.py)."""
import bisect
import re
from dataclasses import dataclass, field


class PtxError(Exception):
    """PTX that is not understood; says in which line and what it is."""

    def __init__(self, line, what):
        super().__init__(f"line {line}: {what}")


@dataclass
class Instruction:
    line: int
    opcode: str
    operands: list  # of str; a vector in braces and an address in brackets are one operand
    guard: str = ""  # register of the predicate
    guard_negated: bool = False


@dataclass
class Label:
    line: int
    name: str


@dataclass
class Registers:
    """A declaration; count is None for a single register."""
    line: int
    type: str
    name: str
    count: int = None


@dataclass
class Local:
    """Memory of one thread."""
    line: int
    name: str
    align: int
    size: int


@dataclass
class Scope:
    """A brace of inline assembly that opens or closes."""
    line: int
    opens: bool


@dataclass
class Parameter:
    name: str
    offset: int
    size: int


@dataclass
class Table:
    """A variable in constant or global memory with its initial elements."""
    line: int
    name: str
    type: str
    align: int
    count: int
    elements: list


@dataclass
class Entry:
    """A kernel, or a function that kernels call."""
    line: int
    name: str
    parameters: list = field(default_factory=list)
    threads: int = 0
    statements: list = field(default_factory=list)
    branch_targets: dict = field(default_factory=dict)  # of brx.idx: labels by the list's name
    is_function: bool = False
    results: list = field(default_factory=list)  # of a function: parameters that it writes


@dataclass
class Module:
    entries: list = field(default_factory=list)
    functions: dict = field(default_factory=dict)  # by name
    tables: list = field(default_factory=list)
    shared: str = ""  # the dynamic shared memory


SIZES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4,
         "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "b64": 8, "u64": 8, "s64": 8,
         "f64": 8}
CALL_ALIGNMENT = 16  # of arguments, results and what a called function keeps
IDENTIFIER = r"[A-Za-z_$%][\w$]*"
# of a module and of an entry: say nothing about what is computed
IGNORED = re.compile(r"\.(version|target|address_size|pragma|minnctapersm|maxnctapersm|maxnreg|loc|"
                     r"file)\b")
VARIABLE = re.compile(r"(?:\.(?:visible|weak|extern|common)\s+)?"
                      r"\.(?P<space>const|global|shared|local)\s+"
                      r"(?:\.align\s+(?P<align>\d+)\s+)?"
                      rf"\.(?P<type>\w+)\s+(?P<name>{IDENTIFIER})"
                      rf"(?P<array>\[(?P<count>\d*)\])?\s*(?:=\s*(?P<value>.*))?$", re.S)


def without_comments(text):
    """Blanks in the place of comments, so that lines keep their numbers."""
    blank = lambda m: re.sub(r"[^\n]", " ", m[0])
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def split_outside(text, separator=","):
    """The parts between separators that stand in no bracket."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return [p for p in parts + [current.strip()] if p]


def rounded_up(offset, align):
    return (offset + align - 1) // align * align


class Parser:
    def __init__(self, text):
        self.text = without_comments(text)
        self.at = 0
        self.ends = [m.start() for m in re.finditer("\n", text)]

    def module(self):
        module = Module()
        while self.skip_space():
            if self.looking_at(r"(\.(visible|weak)\s+)?\.entry\b"):
                module.entries.append(self.entry())
            elif self.looking_at(r"(\.(visible|weak|extern)\s+)?\.func\b"):
                self.function(module)
            elif m := self.looking_at(r"\.(version|target|address_size|file)\b[^\n]*"):
                self.at = m.end()
            else:
                self.variable(module)
        return module

    def function(self, module):
        """What was not inlined. Its declaration says nothing that its definition does not."""
        head = self.looking_at(rf"(?:\.\w+\s+)?\.func\s+(?:\(([^)]*)\)\s*)?({IDENTIFIER})\s*"
                               r"(?:\(([^)]*)\))?[^;{]*")
        function = Entry(self.line(), head[2], is_function=True)
        self.at = head.end()
        if self.looking_at(";"):
            self.at += 1
            return
        function.results = self.parameters(function.line, head[1] or "")
        function.parameters = self.parameters(function.line, head[3] or "")
        self.body(function)
        module.functions[function.name] = function

    def variable(self, module):
        line, text = self.line(), self.until(";")
        m = VARIABLE.match(text)
        if not m or m["type"] not in SIZES:
            raise PtxError(line, f"unknown line: {text.splitlines()[0]}")
        if m["space"] == "shared":
            if not text.startswith(".extern"):
                raise PtxError(line, f"shared memory beside the program's own: {m['name']}")
            module.shared = m["name"]
            return
        elements = split_outside(m["value"].strip("{} \n")) if m["value"] else []
        count = int(m["count"] or len(elements)) if m["array"] else 1
        align = int(m["align"] or SIZES[m["type"]])
        module.tables.append(Table(line, m["name"], m["type"], align, count, elements))

    def entry(self):
        head = self.looking_at(rf"(?:\.\w+\s+)?\.entry\s+({IDENTIFIER})\s*\(([^)]*)\)|"
                               rf"(?:\.\w+\s+)?\.entry\s+({IDENTIFIER})()")
        entry = Entry(self.line(), head[1] or head[3])
        entry.parameters = self.parameters(entry.line, head[2] or "")
        self.at = head.end()
        while self.skip_space() and not self.looking_at(r"\{"):
            line, text = self.line(), self.looking_at(r"[^\n{]*")
            self.at = text.end()
            if m := re.match(r"\.(?:max|req)ntid\s+(\d+)(?:\s*,\s*1)*\s*$", text[0].strip()):
                entry.threads = int(m[1])
            elif not IGNORED.match(text[0]):
                raise PtxError(line, f"unknown line: {text[0]}")
        self.body(entry)
        return entry

    def parameters(self, line, text):
        offset, found = 0, []
        for part in split_outside(text):
            m = re.match(rf"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+({IDENTIFIER})"
                         r"(?:\[(\d+)\])?$", part)
            if not m or m[2] not in SIZES:
                raise PtxError(line, f"unknown parameter: {part}")
            align = int(m[1] or SIZES[m[2]])
            offset = rounded_up(offset, align)
            size = SIZES[m[2]] * int(m[4] or 1)
            found.append(Parameter(m[3], offset, size))
            offset += size
        return found

    def body(self, entry):
        depth = 0
        while self.skip_space():
            line = self.line()
            if self.looking_at(r"[{}]"):
                opens = self.text[self.at] == "{"
                self.at += 1
                depth += 1 if opens else -1
                if depth == 0:
                    return
                if depth > 1 or not opens:
                    entry.statements.append(Scope(line, opens))
            elif m := self.looking_at(rf"({IDENTIFIER})\s*:(?!:)"):
                self.at = m.end()
                self.skip_space()
                if self.looking_at(r"\.branchtargets\b"):
                    entry.branch_targets[m[1]] = split_outside(self.until(";").split(None, 1)[1])
                else:
                    entry.statements.append(Label(line, m[1]))
            else:
                self.statement(entry, line, self.until(";"))
        raise PtxError(self.line(), "the end of the file within a function")

    def statement(self, entry, line, text):
        if IGNORED.match(text):
            return
        if text.startswith(".param"):  # an argument or the result of a call, before it
            for p in self.parameters(line, text):
                entry.statements.append(Local(line, p.name, CALL_ALIGNMENT, p.size))
        elif m := re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S):
            for name in split_outside(m[2]):
                one = re.match(rf"({IDENTIFIER})(?:<(\d+)>)?$", name)
                if not one or m[1] not in SIZES and m[1] != "pred":
                    raise PtxError(line, f"unknown registers: {text}")
                count = int(one[2]) if one[2] else None
                entry.statements.append(Registers(line, m[1], one[1], count))
        elif (m := VARIABLE.match(text)) and m["space"] == "local":
            size = SIZES[m["type"]] * int(m["count"] or 1)
            entry.statements.append(Local(line, m["name"], int(m["align"] or 1), size))
        elif m and m["space"] == "shared":
            raise PtxError(line, f"shared memory beside the program's own: {m['name']}")
        elif m := re.match(rf"(?:@(!?)({IDENTIFIER})\s+)?([a-z][\w.:]*)(?:\s+(.*))?$", text, re.S):
            operands = split_outside(m[4] or "")
            entry.statements.append(Instruction(line, m[3], operands, m[2] or "", bool(m[1])))
        elif text:
            raise PtxError(line, f"unknown line: {text}")

    # the text at self.at
    def skip_space(self):
        self.at = re.compile(r"\s*").match(self.text, self.at).end()
        return self.at < len(self.text)

    def looking_at(self, pattern):
        return re.compile(pattern, re.S).match(self.text, self.at)

    def line(self):
        return bisect.bisect_left(self.ends, self.at) + 1

    def until(self, end):
        """The text before `end`, which is skipped as well."""
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise PtxError(self.line(), f"no '{end}' to the end of the file")
        text = self.text[self.at:stop].strip()
        self.at = stop + 1
        return text
