"""Finds functions that headers declare for each instruction set and the library defines for one.

usage: compiled_functions.py INCLUDE_DIRECTORY [NM LIBRARY]

What a header declares inside `inline namespace MCT_ISA_NAMESPACE` has another name in a program that
is compiled for another instruction set than the library (-march=native), and does not link unless
the header defines it as well. A namespace that was opened inside that one first is meant by its
name everywhere, so what is declared in its later parts counts as inside, too. A library must not
export a function that bears the name of an instruction set either.
"""
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
ISA = "MCT_ISA_NAMESPACE"
# a declaration: a name, operands, no body
FUNCTION = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*(?:const\s*)?(?:noexcept\s*)?$", re.S)
NAMESPACE = re.compile(r"namespace\s+([\w:\s]*)$")


def cleaned(text):
    return DIRECTIVE.sub("", COMMENT.sub(" ", text))


def scopes(text):
    """Pairs of (names of the enclosing namespaces, statement, whether it has a body) at the level of
    namespaces."""
    stack, begin, depth = [], 0, 0
    for at in re.finditer(r"[{};]", text):
        mark = at.group()
        if mark == "{":
            if depth == 0:
                head = text[begin:at.start()].strip()
                space = NAMESPACE.search(head)
                if space:
                    stack.append([name for name in re.findall(r"\w+", space.group(1)) if name != "inline"])
                    begin = at.end()
                    continue
                yield [n for names in stack for n in names], head, True
            depth += 1
        elif mark == "}":
            if depth > 0:
                depth -= 1
                if depth == 0:
                    begin = at.end()
            else:
                stack.pop()
                begin = at.end()
        elif depth == 0:
            yield [n for names in stack for n in names], text[begin:at.start()].strip(), False
            begin = at.end()


def exported(nm, library):
    """Functions of a library, other than shared ones, that bear the name of an instruction set."""
    listing = subprocess.run([nm, "-C", "--defined-only", library], check=True, text=True,
                             capture_output=True).stdout
    lines = (line.split(maxsplit=2) for line in listing.splitlines())
    return [words[2] for words in lines
            if len(words) == 3 and words[1] == "T" and "isa_" in words[2]]


def main():
    if len(sys.argv) not in (2, 4):
        print(__doc__, file=sys.stderr)
        return 2
    names = exported(*sys.argv[2:]) if len(sys.argv) == 4 else []
    for name in names:
        print(f"{sys.argv[3]}: {name} links for one instruction set alone")
    root = pathlib.Path(sys.argv[1])
    files = {path: list(scopes(cleaned(path.read_text()))) for path in sorted(root.rglob("*.hpp"))}
    # namespaces that some header opens inside that of the instruction set
    inner = set()
    for statements in files.values():
        for spaces, _, _ in statements:
            if ISA in spaces:
                inner.update(spaces[spaces.index(ISA) + 1:])
    defined = set()
    declared = []
    for path, statements in files.items():
        for spaces, head, has_body in statements:
            if has_body:
                name = re.search(r"([\w:]+|operator\W+)\s*\(", head)
                defined.update(re.findall(r"(\w+)\s*\(", head) if name else [])
            elif ISA in spaces or inner.intersection(spaces):
                function = FUNCTION.search(head)
                if function and "=" not in head and not head.startswith(("using", "static_assert")):
                    declared.append((path, function.group(1)))
    lost = [(path, name) for path, name in declared if name not in defined]
    for path, name in lost:
        print(f"{path.relative_to(root)}: {name} is declared for each instruction set, not defined")
    print(f"{len(files)} headers, {len(declared)} declarations, {len(lost)} without a definition")
    return 1 if lost or names else 0


if __name__ == "__main__":
    sys.exit(main())
