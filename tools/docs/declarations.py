"""The public functions of headers, read from their text alone: no Doxygen, no compiler. That is enough for code that
clang-format has laid out, and little enough for every run of the tests."""
import collections
import os
import re

# owner: the line of the class that it is a method of, or 0
Function = collections.namedtuple("Function", "name scope result arguments header line owner")

# What begins a statement that declares no function.
OTHER = re.compile(r"(template\s*<.*>\s*)?(using|typedef|enum|concept|static_assert|friend|struct|class|union|extern)\b")
MACRO = re.compile(r"^MCT_[A-Z0-9_]+\((\w+)[^;{]*\)$")
PRIVATE = re.compile(r"(detail|tables|std|Eigen)$")


def blanked(text):
    """Comments, strings and directives replaced by spaces; lines stay where they are."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', spaces, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", spaces, text, flags=re.M)


def without_templates(statement):
    """The statement behind `template <...>` and `requires ...` as far as parentheses tell."""
    statement = statement.strip()
    while statement.startswith("template"):
        depth, at = 0, statement.find("<")
        if at < 0:
            return statement
        while at < len(statement):
            depth += {"<": 1, ">": -1}.get(statement[at], 0)
            at += 1
            if depth == 0:
                break
        statement = statement[at:].strip()
    return statement


def split_call(statement):
    """(what stands before the name, name, arguments) of a function's declaration, or None."""
    name = re.search(r"(operator\s*(?:\(\s*\)|[^\s\w(]+|\s[\w ]+)|~?\b[A-Za-z_]\w*)\s*\(", statement)
    while name and (name.group(1) in ("requires", "decltype", "noexcept", "alignas", "explicit", "sizeof")):
        depth, at = 0, name.end() - 1
        while at < len(statement):
            depth += {"(": 1, ")": -1}.get(statement[at], 0)
            at += 1
            if depth == 0:
                break
        later = split_call(statement[at:])
        return (statement[:at] + later[0], later[1], later[2]) if later else None
    if not name:
        return None
    return statement[:name.start()].strip(), re.sub(r"\s+", " ", name.group(1)), statement[name.end():]


class Scanner:
    """Follows the braces of one header."""

    def __init__(self, header, text):
        self.header, self.text = header, text
        self.scopes = []  # (kind, name, is it public now, line)
        self.found = []

    def is_public(self):
        return all(kind in ("namespace", "class") and visible and not PRIVATE.search(name)
                   for kind, name, visible, _ in self.scopes)

    def is_declarative(self):
        return all(kind in ("namespace", "class") for kind, _, _, _ in self.scopes)

    def line_of(self, statement, start):
        return self.text.count("\n", 0, start + len(statement) - len(statement.lstrip())) + 1

    def open_scope(self, statement, start):
        line = self.line_of(statement, start)
        text = without_templates(statement)
        namespace = re.match(r"(?:inline )?namespace\b\s*([\w:]*)", text)
        kind = re.match(r"(?:requires.*? )?(class|struct|union)\b\s*(?:alignas\(.*?\)\s*)?(?:MCT_\w+ )?(\w*)", text)
        if namespace:
            name = namespace.group(1) or "detail"
            self.scopes.append(("namespace", "" if name == "MCT_ISA_NAMESPACE" else name, True, line))
        elif kind:
            self.scopes.append(("class", kind.group(2), kind.group(1) != "class", line))
        elif re.match(r"extern\b", text):
            self.scopes.append(("namespace", "", True, line))
        else:
            self.scopes.append(("body", "", False, line))

    def add(self, statement, start):
        """A function, if the statement declares one that everybody may call."""
        if not self.is_declarative() or not self.is_public():
            return
        flat = re.sub(r"\s+", " ", statement.strip())
        if OTHER.match(without_templates(flat)) or not flat:
            return
        call = split_call(without_templates(flat))
        if not call or "=" in re.sub(r"[<>=!]=|operator\s*\S+", "", call[0]):
            return
        before, name, arguments = call
        if name.startswith(("~", "MCT_")) or re.search(r"=\s*(delete|default)\s*$", arguments):
            return
        self.note(name, before, arguments, self.line_of(statement, start))

    def note(self, name, result, arguments, line):
        scope = "::".join(name for _, name, _, _ in self.scopes if name)
        owner = self.scopes[-1][3] if self.scopes and self.scopes[-1][0] == "class" else 0
        self.found.append(Function(name, scope, result, arguments, self.header, line, owner))

    def run(self):
        start, at, parentheses = 0, 0, 0
        text = self.text
        while at < len(text):
            c = text[at]
            if c == "(":
                parentheses += 1
            elif c == ")":
                parentheses -= 1
            elif parentheses == 0 and c == "\n":
                macro = MACRO.match(text[start:at].strip().split("\n")[-1]) if self.is_declarative() else None
                if macro and "\n" not in text[start:at].strip():
                    if self.is_public() and not macro.group(1).startswith("MCT_"):
                        self.note(macro.group(1), "auto", "macro", text.count("\n", 0, at) + 1)
                    start = at
            elif c == ":" and parentheses == 0 and re.match(r"\s*(public|private|protected)\s*$", text[start:at]):
                kind, name, _, line = self.scopes[-1]
                self.scopes[-1] = (kind, name, "public" in text[start:at], line)
                start = at + 1
            elif c == "{":
                statement = text[start:at]
                self.open_or_body(statement, start)
                start = at + 1
            elif c == "}":
                if self.scopes:
                    self.scopes.pop()
                start = at + 1
            elif c == ";" and parentheses == 0:
                self.add(text[start:at], start)
                start = at + 1
            at += 1
        return self.found

    def open_or_body(self, statement, start):
        count = len(self.scopes)
        self.open_scope(statement, start)
        if self.scopes[count][0] == "body":
            kept = self.scopes.pop()
            self.add(statement, start)
            self.scopes.append(kept)


def read(root):
    """All public functions and methods below include/, header by header."""
    base = os.path.join(root, "include")
    found = []
    for folder, folders, names in os.walk(os.path.join(base, "mctensor")):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".hpp") and not folder.endswith("tables"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                found += Scanner(os.path.relpath(path, base).replace(os.sep, "/"), blanked(text)).run()
    return found
