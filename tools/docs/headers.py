"""What the public headers declare, read from Doxygen's XML, with the comments as they stand in the source."""
import collections
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# result, arguments: of a function; owner: the line of the class that it is a method of, or 0
Declaration = collections.namedtuple("Declaration", "name scope kind signature comment header line result arguments owner",
                                     defaults=("", "", 0))

# A macro that declares something for a name: Doxygen has to replace it to see what. It does not know `a::inline b`.
DECLARING = re.compile(r"^ *(MCT_\w+)\((?!MCT_)\w", re.M)
DOXYFILE = """INPUT = {root}/include
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
STRIP_FROM_PATH = {root}/include
OUTPUT_DIRECTORY = {output}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
EXTRACT_ALL = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
INCLUDE_PATH = {root}/include
INPUT_FILTER = "sed s/::inline.MCT_ISA_NAMESPACE//"
PREDEFINED = MCT_HD= MCT_ALWAYS_INLINE= MCT_NOINLINE= MCT_BLOCK= MCT_ISA_NAMESPACE=isa __SIZEOF_FLOAT128__=16
EXPAND_AS_DEFINED = {macros} \\
  MCT_TENSOR_UNARY MCT_TENSOR_BINARY MCT_VARIABLE_FUNCTION MCT_VARIABLE_FUNCTION_OF_TWO MCT_VARIABLE_PRODUCT \\
  MCT_UNARY_METHOD MCT_FOR_EACH_UNARY MCT_FOR_EACH_BINARY MCT_FOR_EACH_BINARY_ARITHMETIC MCT_FOR_EACH_BINARY_FUNCTION
SORT_MEMBER_DOCS = NO
QUIET = YES
WARNINGS = NO
WARN_IF_UNDOCUMENTED = NO
"""


def is_private(scope):
    """detail, optim_detail ... are the library's own; tables are numbers."""
    return any(part.endswith("detail") or part in ("tables", "std", "Eigen") or part.startswith("@")
               for part in scope.split("::"))


def text_of(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip() if element is not None else ""


class Sources:
    """The lines of headers, and the comment above a line."""

    def __init__(self, root):
        self.root = root
        self.lines = {}

    def of(self, header):
        if header not in self.lines:
            self.lines[header] = (self.root / "include" / header).read_text("utf-8").split("\n")
        return self.lines[header]

    def comment(self, header, line):
        """The /// comment (in C: the /* */ one) directly above the declaration that has this line, or the one
        of the declarations that it stands together with."""
        lines = self.of(header)
        at = line - 2
        while at >= 0 and lines[at].strip() and not lines[at].lstrip().startswith("///"):
            if lines[at].rstrip().endswith("*/"):
                return self.block_comment(lines, at)
            if lines[at].strip() in ("public:", "private:", "}") or lines[at].rstrip().endswith("{"):
                return ""
            at -= 1
        found = []
        while at >= 0 and lines[at].lstrip().startswith("///"):
            text = lines[at].lstrip()[3:]
            found.append("" if text.startswith("<") else text[1:] if text.startswith(" ") else text)
            at -= 1
        return "\n".join(reversed(found))

    @staticmethod
    def block_comment(lines, at):
        found = []
        while at >= 0:
            found.append(re.sub(r"^\s*(/\*|\*)? ?|\s*\*/\s*$", "", lines[at]))
            if "/*" in lines[at]:
                break
            at -= 1
        return "\n".join(reversed(found)).strip()

    def introduction(self, header):
        """The comment that a header begins with."""
        found = []
        for line in self.of(header):
            if not line.startswith("//"):
                break
            found.append(line[3:])
        return "\n".join(found)


def shortened(text):
    """A declaration without words of the compiler, and without Doxygen's spaces in <>."""
    text = re.sub(r"\b(isa::|(inline|constexpr|static|explicit|virtual|friend) )", "", text)
    return re.sub(r"< | >", lambda m: m.group().strip(), text)


def signature_of(member):
    parts = []
    templates = [text_of(p.find("type")) + (" " + text_of(p.find("declname")) if p.find("declname") is not None
                 else "") + (" = " + text_of(p.find("defval")) if p.find("defval") is not None else "")
                 for p in member.findall("templateparamlist/param")]
    if templates:
        parts.append("template <" + ", ".join(templates) + ">\n")
    requires = text_of(member.find("requiresclause"))
    if requires:
        parts.append("requires " + requires + "\n")
    kind = text_of(member.find("type"))
    parts.append((kind + " " if kind else "") + text_of(member.find("name")) +
                 text_of(member.find("argsstring")))
    return wrapped(re.sub(r" = (0|default)$", "", shortened("".join(parts))))


def wrapped(signature, width=72):
    """A long list of arguments one below the other: a telephone is 40 characters wide."""
    head, separator, line = signature.rpartition("\n")
    opening = line.find("(", line.find("operator()") + len("operator()") if "operator()" in line else 0)
    closing = line.rfind(")")
    if len(line) <= width or opening < 0:
        return signature
    arguments, depth, start = [], 0, opening + 1
    for at in range(opening + 1, closing):
        depth += (line[at] in "<([{") - (line[at] in ">)]}")
        if line[at] == "," and depth == 0:
            arguments.append(line[start:at + 1].strip())
            start = at + 1
    arguments.append(line[start:closing].strip())
    return head + separator + line[:opening + 1] + "\n    " + "\n    ".join(arguments) + line[closing:]


def read(root):
    """All public declarations, in the order of headers and lines."""
    texts = (path.read_text("utf-8") for path in (root / "include").rglob("*.h*"))
    macros = " ".join(sorted({macro for text in texts for macro in DECLARING.findall(text)}))
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "Doxyfile")
        settings.write_text(DOXYFILE.format(root=root.resolve(), output=folder, macros=macros), "utf-8")
        subprocess.run(["doxygen", settings], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read_xml(Path(folder, "xml"), root)


def read_xml(xml, root):
    sources = Sources(root)
    found = {}
    for path in sorted(xml.iterdir()):
        if not re.match(r"(namespace|class|struct|c__api)", path.name):
            continue
        compound = ElementTree.parse(path).getroot().find("compounddef")
        kind = compound.get("kind")
        if kind not in ("namespace", "class", "struct", "file"):
            continue
        scope = "" if kind == "file" else text_of(compound.find("compoundname"))
        scope = re.sub(r"\bisa(::|$)", "", scope).rstrip(":")
        if is_private(scope) or compound.get("prot", "public") != "public":
            continue
        if kind in ("class", "struct"):
            add_class(found, sources, compound, scope)
        for member in compound.iter("memberdef"):
            # a friend that is no function has no arguments
            if member.get("kind") in ("function", "friend") and member.get("prot") == "public" and \
                    text_of(member.find("argsstring")):
                add_function(found, sources, member, scope, compound)
    return sorted(found.values(), key=lambda d: (d.header, d.line)), sources


def add_class(found, sources, compound, scope):
    location = compound.find("location")
    header, line = location.get("file"), int(location.get("line"))
    if "<" not in scope:
        parameters = [text_of(p.find("type")) + " " + text_of(p.find("declname"))
                      for p in compound.findall("templateparamlist/param")]
        signature = ("template <" + ", ".join(p.strip() for p in parameters) + ">\n" if parameters else "") + \
            compound.get("kind") + " " + scope.split("::")[-1]
        found[header, line, scope] = Declaration(scope.split("::")[-1], "::".join(scope.split("::")[:-1]), "class",
                                                 signature, sources.comment(header, line), header, line)


def add_function(found, sources, member, scope, compound):
    name = text_of(member.find("name"))
    location = member.find("location")
    arguments = text_of(member.find("argsstring"))
    is_method = compound.get("kind") in ("class", "struct")
    is_deduction_guide = compound.get("kind") == "namespace" and "->" in arguments and not text_of(member.find("type"))
    is_instantiation = text_of(member.find("type")).startswith("template")
    # and what only the compiler calls
    if name.startswith(("~", "MCT_")) or location is None or "= delete" in arguments or is_deduction_guide or \
            is_instantiation:
        return
    header = location.get("declfile") or location.get("file")
    line = int(location.get("declline") or location.get("line"))
    signature = signature_of(member)
    found[header, line, signature] = Declaration(
        name, scope, "method" if is_method else "function", signature, sources.comment(header, line), header, line,
        shortened(text_of(member.find("type"))), arguments, int(compound.find("location").get("line")) if is_method else 0)
