"""The mutants of a source file, and the file with many of them compiled in at once."""
import re
from bisect import bisect_right
from dataclasses import dataclass

from mutate_tokens import tokenize

ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=",
               "^=": "|=", "<<=": ">>=", ">>=": "<<="}
BINARY = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<": ["<=", ">="],
          "<=": ["<"], ">": [">=", "<="], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"],
          "||": ["&&"], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["&"]}
PRECEDENCE = {"*": 5, "/": 5, "%": 5, "+": 4, "-": 4}
NAMES = {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin", "true": "false",
         "false": "true", "floor": "ceil", "ceil": "floor"}
# two arguments of the same type that do not commute: (first, second)
SWAPPED = {"fast_two_sum": (0, 1), "two_diff": (0, 1), "sub": (0, 1), "div": (0, 1),
           "fmod": (0, 1), "copysign": (0, 1), "pow": (0, 1), "atan2": (0, 1), "blend": (1, 2),
           "select": (1, 2), "blend_limbs": (1, 2), "nextafter": (0, 1), "subtract": (0, 1)}
STOPS = {";", ",", "?", ":", "=", "return", "else", "case", "do", "throw"} | set(ASSIGNMENTS)
CONTROL = {"if", "for", "while", "switch", "constexpr"}
NO_EXPRESSION = {"return", "if", "for", "while", "switch", "do", "else", "case", "default", "throw",
                 "const", "constexpr", "static", "auto", "using", "typedef", "template", "struct",
                 "class", "enum", "goto", "public", "private", "protected", "try", "catch",
                 "thread_local", "static_assert", "break", "continue", "extern"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    text: str  # of the line
    change: str  # in words, unique on the line
    start: int  # the region of the source that is replaced
    end: int
    replacement: str
    form: str  # "expression", "limb" (perhaps of another type), "statement", or "single": evaluated
    # by the compiler
    in_constexpr: bool = False  # perhaps evaluated by the compiler too

    @property
    def key(self):
        return f"{self.file}|{self.text}|{self.change}"


class Finder:
    """Walks the tokens of one file and collects mutants."""

    def __init__(self, file, text):
        self.file, self.text = file, text
        self.tokens = tokenize(text)
        self.line_starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.mutants = []
        self.seen = {}  # (line number, change): how often
        self.seen_lines = {}  # (text, change): the lines that read alike
        self.enclosing = []
        stack = []
        for i, token in enumerate(self.tokens):
            if token.match >= 0 and token.match < i and stack:
                stack.pop()
            self.enclosing.append(stack[-1] if stack else -1)
            if token.match > i:
                stack.append(i)

    def find(self):
        for i, token in enumerate(self.tokens):
            if self.in_template_argument(i):
                self.limb_index(i)
            if token.excluded or not (token.in_function or token.constant):
                continue
            self.operator(i)
            self.number(i)
            self.name(i)
            self.condition(i)
            if token.in_function:
                self.statement(i)
        return self.mutants

    def add(self, at, change, first, last, replacement, form="expression"):
        """Tokens first..last become replacement."""
        token = self.tokens[at]
        number = bisect_right(self.line_starts, token.start)
        line = self.text[self.line_starts[number - 1]:].split("\n", 1)[0].strip()
        count = self.seen[number, change] = self.seen.get((number, change), 0) + 1
        if count > 1:
            change += f" #{count}"
        if token.constant:
            form = "single"
        same = self.seen_lines.setdefault((line, change), [])
        if number not in same:
            same.append(number)
        if same.index(number) > 0:
            change += f", line {same.index(number) + 1} of this text"
        replacement = " ".join(COMMENT.sub(" ", replacement).split())
        self.mutants.append(Mutant(self.file, number, line, change, self.tokens[first].start,
                                   self.tokens[last].end, replacement, form, token.in_constexpr))

    def slice(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end] if first <= last else ""

    def edited(self, first, last, i, word):
        """Tokens first..last with token i replaced."""
        a, b = self.tokens[first].start, self.tokens[last].end
        token = self.tokens[i]
        return self.text[a:token.start] + word + self.text[token.end:b]

    def left_end(self, i):
        tokens = self.tokens
        while i > 0:
            before = tokens[i - 1]
            if before.text in STOPS or before.match > i - 1:
                break
            if before.match >= 0:
                opening = before.match
                head = tokens[opening - 1]
                if before.text == ")" and head.text in CONTROL:
                    break
                if before.text == "}" and not (head.kind == "name" or head.text == ">"):
                    break
                i = opening
            else:
                i -= 1
        return i

    def right_end(self, i):
        tokens = self.tokens
        if tokens[i].match > i:
            i = tokens[i].match
        while i + 1 < len(tokens):
            after = tokens[i + 1]
            if after.text in STOPS or 0 <= after.match <= i:
                break
            i = after.match if after.match > i else i + 1
        return i

    def is_operand_end(self, i):
        token = self.tokens[i]
        return token.kind in ("name", "number", "char") and token.text not in STOPS or \
            token.text in (")", "]", "}")

    def operator(self, i):
        token = self.tokens[i]
        if token.kind != "sign" or i == 0 or i + 1 >= len(self.tokens) or token.match >= 0:
            return
        first, last = self.left_end(i), self.right_end(i)
        if token.text in BINARY and token.space_before and token.space_after and \
                self.is_operand_end(i - 1):
            if "<<" == token.text and any(t.kind == "string" for t in self.tokens[first:last]):
                return
            for other in BINARY[token.text]:
                self.add(i, f"{token.text} -> {other}", first, last,
                         self.edited(first, last, i, other))
            if token.text == "/":
                self.swap_operands(i, first, last)
        elif token.text in ("-", "!") and not token.space_after and not self.is_operand_end(i - 1):
            self.add(i, f"{token.text} removed", first, last, self.edited(first, last, i, ""))

    def swap_operands(self, i, first, last):
        rank = PRECEDENCE[self.tokens[i].text]
        a = i
        while a > first and not self.ends_operand(a - 1, rank):
            a = self.tokens[a - 1].match if 0 <= self.tokens[a - 1].match < a - 1 else a - 1
        b = self.jump(i + 1)
        while b < last and not self.ends_operand(b + 1, rank + 1):
            b = self.jump(b + 1)
        sign = self.tokens[i].text
        swapped = f"({self.slice(i + 1, b)}) {sign} ({self.slice(a, i - 1)})"
        self.add(i, f"operands of {sign} swapped", first, last,
                 self.slice(first, a - 1) + " " + swapped + " " + self.slice(b + 1, last))

    def jump(self, i):
        """The index of the closing bracket, if i opens one."""
        return max(i, self.tokens[i].match)

    def ends_operand(self, i, rank):
        token = self.tokens[i]
        return token.kind == "sign" and token.space_before and token.space_after and \
            token.text in BINARY and PRECEDENCE.get(token.text, 0) < rank

    def number(self, i):
        token = self.tokens[i]
        if token.kind != "number":
            return
        digits = token.text.rstrip("uUlLfFzZ") if "x" not in token.text.lower() else \
            token.text.rstrip("uUlLzZ")
        suffix = token.text[len(digits):]
        if re.search(r"[.pP]", digits) or ("e" in digits.lower() and "x" not in digits.lower()):
            others = [f"({token.text} * 2)"]
        else:
            plain = digits.replace("'", "")
            octal = len(plain) > 1 and plain[0] == "0" and plain.isdigit()
            value = int(plain, 8 if octal else 0)
            others = [f"{v}{suffix}" for v in (value + 1, value - 1) if v >= 0]
        for other in others:
            self.add(i, f"{token.text} -> {other}", i, i, other)

    def in_template_argument(self, i):
        tokens = self.tokens
        return tokens[i].kind == "number" and tokens[i].in_function and 1 < i < len(tokens) - 2 \
            and tokens[i - 1].text == "<" and tokens[i + 1].text == ">" \
            and tokens[i + 2].text == "(" and tokens[i - 2].text[0].islower()

    def limb_index(self, i):
        """name<1>(x) -> name<2>(x)"""
        first, last = self.left_end(i - 2), self.right_end(i - 2)
        value = int(self.tokens[i].text)
        for other in (value + 1, value - 1):
            if other >= 0:
                name = self.tokens[i - 2].text
                self.add(i, f"{name}<{value}> -> {name}<{other}>", first, last,
                         self.edited(first, last, i, str(other)), "limb")

    def name(self, i):
        token = self.tokens[i]
        if token.kind != "name" or i + 2 >= len(self.tokens):
            return
        first, last = self.left_end(i), self.right_end(i)
        opening = i + 1
        if self.tokens[opening].text == "<" and self.tokens[opening].match > opening:
            opening = self.tokens[opening].match + 1
        if token.text in ("true", "false"):
            self.add(i, f"{token.text} -> {NAMES[token.text]}", i, i, NAMES[token.text])
            return
        bracket = self.tokens[opening] if opening < len(self.tokens) else token
        if bracket.text != "(" or bracket.match == opening + 1:
            return
        if token.text in NAMES:
            self.add(i, f"{token.text} -> {NAMES[token.text]}", first, last,
                     self.edited(first, last, i, NAMES[token.text]))
        elif token.text in SWAPPED:
            self.swap_arguments(i, opening, first, last)

    def swap_arguments(self, i, opening, first, last):
        ends, j = [opening], opening + 1
        closing = self.tokens[opening].match
        while j < closing:
            if self.tokens[j].text == ",":
                ends.append(j)
            j = self.tokens[j].match if self.tokens[j].match > j else j + 1
        ends.append(closing)
        a, b = SWAPPED[self.tokens[i].text]
        if len(ends) != b + 2:
            return
        x = self.slice(ends[a] + 1, ends[a + 1] - 1)
        y = self.slice(ends[b] + 1, ends[b + 1] - 1)
        new = f"{self.slice(first, ends[a])} {y}, {x} {self.slice(closing, last)}"
        self.add(i, f"arguments of {self.tokens[i].text} swapped", first, last, new)

    def condition(self, i):
        token = self.tokens[i]
        if token.text == "if" and self.tokens[i + 1].text == "(":
            first, last = i + 2, self.tokens[i + 1].match - 1
            if any(t.text in (";", "=") for t in self.tokens[first:last]):
                return
        elif token.text == "?":
            first, last = self.left_end(i), i - 1
        else:
            return
        signs = [self.tokens[k].text for k in range(first, last + 1)]
        compared = sum(sign in ("==", "!=", "<", ">", "<=", ">=") for sign in signs)
        if signs[0] == "!" or (compared == 1 and not {"&&", "||"} & set(signs)):
            return  # the same as another mutant
        self.add(i, "condition negated", first, last, f"!({self.slice(first, last)})")

    def statement(self, i):
        """A statement that is an expression: removed, or its assignment changed."""
        tokens = self.tokens
        before = tokens[i - 1]
        after_control = before.text == ")" and tokens[before.match - 1].text in CONTROL
        if not (before.text in (";", "{", "}", "else") or after_control):
            return
        parent = self.enclosing[i]
        if parent < 0 or tokens[parent].text != "{":
            return
        last = i
        while last < len(tokens) and tokens[last].text != ";":
            if tokens[last].text in ("{", "}"):
                return
            last = tokens[last].match if tokens[last].match > last else last + 1
        leaves = after_control and tokens[before.match - 1].text == "if" and \
            tokens[i].text in ("return", "continue", "break")
        if not leaves and not self.is_expression(i, last):
            return
        self.add(i, "statement removed", i, last, "", "statement")
        for j in range(i, last):
            if tokens[j].text in ASSIGNMENTS and self.enclosing[j] == parent:
                other = ASSIGNMENTS[tokens[j].text]
                self.add(j, f"{tokens[j].text} -> {other}", i, last,
                         self.edited(i, last, j, other), "statement")

    def is_expression(self, i, last):
        tokens = self.tokens
        if tokens[i].text in NO_EXPRESSION or tokens[i].text in ("(", ")"):
            return False
        if tokens[i].text in ("++", "--"):
            return True
        j, assigns = i, False
        while j < last:
            following = tokens[j].match + 1 if tokens[j].match > j else j + 1
            here = tokens[following - 1]
            if tokens[j].text == "=" or tokens[j].text in ASSIGNMENTS:
                assigns = True
            elif following < last and not assigns and tokens[following].kind == "name" and \
                    (here.kind == "name" or here.text in (">", "&", "*", "]")):
                return False  # a declaration
            j = following
        return assigns or tokens[last - 1].text == ")"


def find_mutants(file, text):
    """Every mutant of a source text, in the order of the source."""
    return Finder(file, text).find()


def mutated(text, mutant):
    """The source with one mutant."""
    return text[:mutant.start] + mutant.replacement + text[mutant.end:]


class Schema:
    """A source text with many mutants, each behind a question to mutate::on(its number)."""

    def __init__(self, text, numbered):
        """numbered: {number: mutant}, none of form "single"."""
        self.regions = {}
        for number, mutant in numbered.items():
            self.regions.setdefault((mutant.start, mutant.end), []).append((number, mutant))
        self.pieces = []  # (text, number of the mutant that it belongs to, or None)
        self.source = text
        self.emit(0, len(text), sorted(self.regions, key=lambda r: (r[0], -r[1])))
        self.text = "".join(piece for piece, _ in self.pieces)

    def emit(self, start, end, regions):
        position, i = start, 0
        while i < len(regions):
            region = regions[i]
            inner = [r for r in regions[i + 1:] if r[1] <= region[1]]
            self.pieces.append((self.source[position:region[0]], None))
            self.emit_region(region, inner)
            position = region[1]
            i += 1 + len(inner)
        self.pieces.append((self.source[position:end], None))

    def emit_region(self, region, inner):
        mutants = self.regions[region]
        statement = mutants[0][1].form == "statement"
        limb = any(mutant.form == "limb" for _, mutant in mutants)
        self.pieces.append(("{ " if statement else "(", mutants[0][0]))
        for number, mutant in mutants:
            self.pieces.append((self.choice(number, mutant, limb), number))
        self.pieces.append(("{ " if statement else "(", mutants[-1][0]))
        self.emit(region[0], region[1], inner)
        end = " } }" if statement else "))" + ")" * len(mutants) * limb
        self.pieces.append((end, mutants[-1][0]))

    @staticmethod
    def choice(number, mutant, limb):
        if mutant.form == "statement":
            return f"if (mutate::on({number})) {{ {mutant.replacement} }} else "
        if limb:
            return f"mutate::either(mutate::on({number}), ({mutant.replacement}), "
        return f"mutate::on({number}) ? ({mutant.replacement}) : "

    def mutants_at(self, line, column):
        """The mutants that an error there may be due to: one, or all of the line."""
        lines = self.text.split("\n")
        if not 0 < line <= len(lines):
            return set()
        begin = sum(len(x) + 1 for x in lines[:line - 1])
        place, offset, of_line = begin + column - 1, 0, set()
        for piece, number in self.pieces:
            if number is not None and offset <= place < offset + len(piece):
                return {number}
            if number is not None and offset < begin + len(lines[line - 1]) and \
                    offset + len(piece) > begin:
                of_line.add(number)
            offset += len(piece)
        return of_line
