"""The pages of the reference, Markdown: every public declaration with what its comment, its header, the suite
and the examples say about it. Nothing is written by hand, so that nothing can differ from the sources."""
import re
from pathlib import Path

from statements import BOUND, DOMAIN

LAYERS = ["base", "eft", "expansion", "math", "tensor", "graph", "linalg", "certified", "autograd", "nn", "optim", "geometry",
          "attention", "embed", "pictures", "distributed", "device", "interop", ""]
TITLES = {"base": "Errors, threads, files", "eft": "Error-free transforms", "expansion": "Expansions",
          "math": "Elementary functions", "tensor": "Tensors", "graph": "Graphs",
          "linalg": "Matrices", "certified": "Numbers with their error", "autograd": "Derivatives", "nn": "Layers", "optim": "Optimizers",
          "geometry": "Geometry", "attention": "Attention", "embed": "Embeddings", "pictures": "Pictures",
          "distributed": "Many processes", "device": "CUDA", "interop": "Other libraries", "": "C interface"}


# What a sentence begins with that is about nothing else.
LABELS = {DOMAIN: "Domain: ", BOUND: ("Error", "Backward error", "Relative error")}

# Papers are cited by author and year; this says which they are.
BIBLIOGRAPHY = " ([bibliography](../bibliography.md))"


def cited(field, text):
    """Where to find the paper, if a source is one."""
    return BIBLIOGRAPHY if field == "source" and re.search(r"\b(18|19|20)\d\d\b|et al|Knuth|Golub|Higham", text) else ""


def escape(text):
    """A comment as Markdown that shows it as it stands, code in backticks left alone."""
    parts = re.split(r"(`[^`\n]*`)", text)
    return "".join(part if part.startswith("`") else
                   re.sub(r"([\\*_\[\]#|])", r"\\\1", part.replace("&", "&amp;").replace("<", "&lt;"))
                   for part in parts)


def paragraphs(text):
    """A comment's paragraphs; lists keep their lines, and tables in ASCII their columns."""
    result = []
    for part in re.split(r"\n\s*\n", text.strip()):
        if re.search(r"^ {3,}\S|\S {3,}\S", part, re.M):
            result.append("```text\n" + part + "\n```")
            continue
        if re.search(r"^- ", part, re.M) and not part.startswith("- "):
            part = re.sub(r"\n(?=- )", "\n\n", part, count=1)
        result.append(escape(part))
    return "\n\n".join(result)


def sentences(text, pattern):
    joined = re.sub(r"\s+", " ", text)
    return " ".join(s for s in re.split(r"(?<=[.;]) (?=[A-Z])", joined) if re.search(pattern, s))


def stated(pattern, comment, introduction):
    """What the comment or, else, the last paragraph of the header's introduction says of it: behind its label, or in
    the sentences that have its words."""
    for text in (comment, introduction.split("\n\n")[-1]):
        found = sentences(text, pattern)
        named = [s for s in re.split(r"(?<=[.;]) (?=[A-Z])", found) if s.startswith(LABELS[pattern])]
        if found:
            return re.sub(r"^(Domain|Errors?): ([a-z])?", lambda m: (m.group(2) or "").upper(), " ".join(named) or found)
    return ""


def source_of(introduction, comment):
    """What the comment or, else, the header names as its source."""
    for text in (comment, introduction):
        found = re.search(r"Sources?:\s(.*?)(?:\n\s*\n|$)", text, re.S)
        if found:
            return re.sub(r"\s+", " ", found.group(1)).strip()
    return None


def number(value):
    return f"{value:.3g}"


class Examples:
    """Where a name is used: the first line of a program in examples/ (or else a code block of docs/) that calls
    it."""

    def __init__(self, root):
        self.lines = []
        for folder, endings in (("examples", (".cpp", ".c")), ("docs", (".md",)), ("tests", (".cpp",))):
            for path in sorted((root / folder).rglob("*.*"), key=lambda path: (str(path.parent), path.name)):
                if path.suffix in endings:
                    self.read(root, path, inside=folder != "docs")
        self.calls = {}
        for place, line in self.lines:
            for name in set(re.findall(r"\b([A-Za-z_]\w*)(?=[(<{])", line)):
                self.calls.setdefault(name, (place, line))

    def read(self, root, path, inside):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("```"):
                inside = not inside and line.startswith("```c") if path.suffix == ".md" else inside
            elif inside and line.strip() and not line.lstrip().startswith(("//", "#", "/*", "*", "TEST")):
                self.lines.append((path.relative_to(root), line.strip()))

    def of(self, name):
        return self.calls.get(name)


def field_rows(declaration, sources, suite, comment):
    """(field, text) of one declaration, those that are known."""
    operation = suite.operation_of(declaration)
    rows = []
    if operation and suite.meaning(operation):
        rows.append(("formula", suite.meaning(operation)))
    elif comment and declaration.kind == "function":
        first = re.split(r"(?<=[.:]) |(?<=[.:])\n", re.sub(r"\s+", " ", comment))[0]
        if re.search(r"[=^/+]|\bx\b", first):
            rows.append(("formula", first.rstrip(".:")))
    introduction = sources.introduction(declaration.header)
    domain = (operation and suite.domain(operation)) or stated(DOMAIN, comment, introduction)
    if domain:
        rows.append(("domain", domain))
    bound = stated(BOUND, comment, introduction)
    if bound:
        rows.append(("bound", bound))
    elif operation:
        rows.append(("bound", "; ".join(sorted({row[1] for row in suite.measured(operation)}))))
    source = source_of(introduction, comment)
    if source:
        rows.append(("source", source))
    return rows


def measured_table(suite, operation):
    lines = [f"Measured by the suite (`{operation}`), the largest error in units of u^N or of what the bound says:\n",
             "| type | bound | largest error | cases |", "|---|---|---:|---:|"]
    for kind, text, worst, cases, _ in suite.measured(operation):
        lines.append(f"| {kind} | {escape(text)} | {number(worst)} | {cases:,} |")
    return "\n".join(lines)


def section(name, group, sources, suite, examples):
    """A heading for all declarations of a name in a header and scope."""
    lines = [f"### {escape(name)}", ""]
    fields = {}
    for declaration in group:
        lines += ["```cpp", declaration.signature + ";", "```", ""]
        if declaration.comment:
            lines += [paragraphs(declaration.comment), ""]
        for field, text in field_rows(declaration, sources, suite, declaration.comment):
            fields.setdefault(field, text)
    if fields:
        lines += ["| | |", "|---|---|"]
        lines += [f"| **{field}** | {escape(text)}{cited(field, text)} |"
                  for field, text in fields.items()]
        lines.append("")
    operations = {suite.operation_of(d) for d in group} - {None}
    for operation in sorted(operations):
        lines += [measured_table(suite, operation), ""]
    example = examples.of(group[0].name)
    if example:
        lines += [f"Example, from `{example[0]}`:", "", "```cpp", example[1], "```", ""]
    return lines


def class_section(declaration, methods, examples):
    lines = [f"### {escape(declaration.name)}", "", "```cpp", declaration.signature + ";", "```", ""]
    if declaration.comment:
        lines += [paragraphs(declaration.comment), ""]
    example = examples.of(declaration.name)
    if example:
        lines += [f"Example, from `{example[0]}`:", "", "```cpp", example[1], "```", ""]
    for method in methods:
        lines += ["```cpp", method.signature + ";", "```", ""]
        if method.comment:
            lines += [paragraphs(method.comment), ""]
    return lines


def page(folder, headers, declarations, sources, suite, examples):
    """One folder of headers. Its title is the layer's and the folder's name."""
    layer = folder.split("/")[0]
    title = TITLES[layer] + (": " + folder.split("/", 1)[1] if "/" in folder else "")
    lines = [f"# {title}", ""]
    for header in headers:
        own = [d for d in declarations if d.header == header]
        lines += [f"## {Path(header).name}", "", "```cpp", f'#include "{header}"', "```", ""]
        introduction = sources.introduction(header)
        if introduction:
            lines += [paragraphs(introduction), ""]
        done = set()
        for declaration in own:
            scope = declaration.scope + "::" + declaration.name
            if declaration.kind == "method" or (declaration.kind, scope) in done:
                continue
            done.add((declaration.kind, scope))
            if declaration.kind == "class":
                methods = [d for d in own if d.kind == "method" and d.scope == scope.lstrip(":")]
                lines += class_section(declaration, methods, examples)
            else:
                group = [d for d in own if d.kind == "function" and d.scope + "::" + d.name == scope]
                lines += section(declaration.name, group, sources, suite, examples)
    return "\n".join(lines)


def manifold_operations(root, suite):
    """The operations of manifolds stand in one list of macros, from which methods and functions are made."""
    text = (root / "include/mctensor/geometry/tensors/operation.hpp").read_text("utf-8")
    body = text.partition("#define MCT_FOR_EACH_MANIFOLD_OPERATION")[2].partition("// clang-format on")[0]
    kinds = {"p": "point or vector", "n": "number", "q": "vector"}
    lines = ["# Operations of manifolds", "",
             "Each is a method and a function, on points, tensors of points and variables: `m.dist(x, y)` and "
             "`dist(m, x, y)` for every manifold `m` that has it. Formulas, domains and bounds: "
             "[geometry](../geometry.md). Here stands what the suite has measured, as a part of the bound.", ""]
    comment = ""
    for match in re.finditer(r"/\* (.*?) \*/|list\((\w+), (\w+), (\w+)\)", body, re.S):
        if match.group(1):
            comment = re.sub(r"\s+", " ", match.group(1))
            continue
        name, operands, result = match.group(2), match.group(3), match.group(4)
        lines += [f"## {escape(name)}", "", f"Takes {', '.join(kinds[k] for k in operands)}; gives a {result}. "
                  f"{escape(comment[0].upper() + comment[1:])}.", ""]
        measured = [(operation, row) for operation in suite.by_operation for row in suite.measured(operation)
                    if operation.endswith("_" + name) and operation[:-len(name) - 1] in MODELS]
        if measured:
            lines += ["| manifold | type | bound | largest error / bound | cases |", "|---|---|---|---:|---:|"]
            lines += [f"| {MODELS[operation[:-len(name) - 1]]} | {row[0]} | {escape(row[1])} | "
                      f"{number(row[2] / row[4])} | {row[3]:,} |" for operation, row in measured]
            lines.append("")
    return "\n".join(lines)


MODELS = {"ball": "PoincareBall", "half_space": "HalfSpace", "lorentz": "Lorentz", "klein": "Klein",
          "hemisphere": "Hemisphere", "sphere": "Sphere", "euclidean": "Euclidean", "stereographic": "Stereographic",
          "product": "Product", "l_tiling": "LTiling", "h_tiling": "HTiling"}


def suite_page(suite):
    """Every operation of the suite, whether a function bears its name or not."""
    run = suite.run
    lines = ["# Everything the suite has measured", "",
             f"MCTensor {run['version']}, {run['compiler']}, {run['cpu']}: {run['checked_cases']:,} cases of seed "
             f"{run['seed']}, {'all' if run['passed'] else 'not all'} within their bounds. Errors are in the unit "
             "in which the bound is stated as a number: u^N of the result, or the bound itself where that is 1.", "",
             "| operation | type | bound | as a number | largest error | cases |", "|---|---|---|---:|---:|---:|"]
    for operation in suite.by_operation:
        for kind, text, worst, cases, bound in suite.measured(operation):
            lines.append(f"| {escape(operation)} | {kind} | {escape(text)} | {number(bound)} | {number(worst)} | "
                         f"{cases:,} |")
    return "\n".join(lines)


def write(folder, root, declarations, sources, suite):
    """Writes all pages and returns [(title, file)], in the order of the layers."""
    examples = Examples(root)
    folder.mkdir(parents=True, exist_ok=True)
    folders = {}
    for header in sorted({d.header for d in declarations}):
        folders.setdefault(header.rpartition("/")[0][len("mctensor/"):], []).append(header)
    pages = []
    ordered = sorted(folders, key=lambda f: (LAYERS.index(f.split("/")[0]), f))
    for name in ordered:
        text = page(name, folders[name], declarations, sources, suite, examples)
        file = (name.replace("/", "_") or "c_api") + ".md"
        pages.append((text[2:text.index("\n")], file, text))
    pages.insert(0, ("Everything the suite has measured", "measured.md", suite_page(suite)))
    pages.insert(1, ("Operations of manifolds", "manifold_operations.md", manifold_operations(root, suite)))
    for _, file, text in pages:
        (folder / file).write_text(text + "\n", "utf-8")
    return [(title, file) for title, file, _ in pages]
