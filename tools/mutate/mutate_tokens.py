"""C++ source as tokens, and what the mutation tester must know of them.

There is no parser here: tree-sitter's (0.23) takes 130 of the 185 files for wrong, because of macros in front of
functions. The sources are formatted by clang-format, which makes the few ambiguous cases visible: a binary operator
stands between spaces, a template bracket does not.
"""
import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<string>(?:u8|u|U|L)?R"\((?:.|\n)*?\)"|(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<number>(?:0[xX][0-9a-fA-F'.]+(?:[pP][+-]?\d+)?|\.?\d[\d'.]*(?:[eE][+-]?\d+)?)
                   [uUlLfFzZ]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign><=>|->\*|\.\.\.|<<=|>>=|::|->|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|==|!=|<=|>=|&&
                |\|\||<<|>>|.)""",
    re.VERBOSE | re.DOTALL)
OPENING = {"(": ")", "[": "]", "{": "}"}
SCOPE_WORDS = {"namespace", "class", "struct", "union", "enum", "extern"}
# what stands in these parentheses or statements decides types, not values
COMPILE_TIME_WORDS = {"static_assert", "requires", "explicit", "noexcept", "decltype", "sizeof",
                      "alignas", "alignof", "template", "using", "typedef", "friend", "namespace",
                      "enum", "__attribute__"}
CONSTEVAL = {"pow2"}  # functions of the library whose arguments the compiler evaluates


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    space_before: bool = False
    space_after: bool = False
    match: int = -1  # index of the other bracket
    excluded: bool = False  # never mutated
    constant: bool = False  # evaluated by the compiler: no choice at run time is possible
    in_function: bool = False
    in_constexpr: bool = False  # in a function that the compiler may call


def tokenize(text):
    tokens = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        kind, word, end = match.lastgroup, match.group(), match.end()
        before = text[position - 1] if position else "\n"
        if kind == "sign" and word[0] == ">" and not before.isspace() and len(word) > 1 \
                and tokens[-1].text != "operator":
            word, end = word[0], position + 1  # brackets of nested templates
        position = end
        if word.isspace() or kind in ("comment", "directive"):
            continue
        after = text[end] if end < len(text) else "\n"
        tokens.append(Token(kind, word, end - len(word), end, before.isspace(), after.isspace()))
    pair_brackets(tokens)
    mark_compile_time(tokens)
    mark_functions(tokens)
    return tokens


def opens_template(tokens, i):
    if tokens[i].text != "<" or i == 0:
        return False
    before = tokens[i - 1]
    if before.text == "template":
        return True
    return not tokens[i].space_before and before.kind == "name" and before.text != "operator"


def pair_brackets(tokens):
    stack = []
    for i, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in OPENING or opens_template(tokens, i):
            stack.append(i)
        elif token.text == ">" and stack and tokens[stack[-1]].text == "<":
            join(tokens, stack.pop(), i)
        elif token.text in ")]}":
            while stack and tokens[stack[-1]].text == "<":
                stack.pop()
            if stack:
                join(tokens, stack.pop(), i)


def join(tokens, i, j):
    tokens[i].match, tokens[j].match = j, i


def statement_end(tokens, i):
    """Index of the ';' or the body's '{' that ends the statement of token i."""
    while i < len(tokens):
        token = tokens[i]
        if token.text in (";", "{"):
            return i
        if token.text in ("(", "[") and token.match > i:
            i = token.match
        i += 1
    return i - 1


def mark_compile_time(tokens):
    for i, token in enumerate(tokens):
        if token.text == "<" and token.match > i:
            for inner in tokens[i:token.match + 1]:
                inner.excluded = True
        if token.kind != "name":
            continue
        following = tokens[i + 1] if i + 1 < len(tokens) else token
        if token.text == "operator":
            j = i + 1
            while j < len(tokens) and (tokens[j].text != "(" or j == i + 1):
                tokens[j].excluded = True
                j += 1
        elif token.text in ("static_assert", "using", "typedef", "enum"):
            for inner in tokens[i:statement_end(tokens, i) + 1]:
                inner.excluded = True
        elif token.text in COMPILE_TIME_WORDS and following.text == "(" and following.match > i:
            for inner in tokens[i:following.match + 1]:
                inner.excluded = True
        elif token.text == "constexpr" and tokens[i - 1].text == "if":
            for inner in tokens[i:following.match + 1]:
                inner.excluded = True
        elif token.text in ("constexpr", "constinit"):
            end = statement_end(tokens, i)
            head = tokens[i:end]
            equals = [k for k, t in enumerate(head) if t.text == "="]
            calls = [k for k, t in enumerate(head) if t.text == "("]
            if equals and (not calls or equals[0] < calls[0]):
                for inner in tokens[i:whole_statement_end(tokens, i) + 1]:
                    inner.constant = True
        elif token.text in CONSTEVAL and following.text == "<" and following.match > i:
            opening = following.match + 1
            for inner in tokens[opening:max(opening, tokens[opening].match) + 1]:
                inner.constant = True


def whole_statement_end(tokens, i):
    """Index of the ';' of the statement of token i, braces of an initializer included."""
    while i < len(tokens) and tokens[i].text != ";":
        i = tokens[i].match if tokens[i].match > i else i + 1
    return min(i, len(tokens) - 1)


def mark_functions(tokens):
    depth_end = -1
    for i, token in enumerate(tokens):
        if token.text == "{" and token.match > i and i > depth_end:
            head = head_of(tokens, i)
            if not is_function(head):
                continue
            depth_end = token.match
            for inner in tokens[i:depth_end + 1]:
                inner.in_function = True
                inner.in_constexpr = bool({"constexpr", "consteval"} & set(head))


def head_of(tokens, i):
    """The words before the '{' at i, as far as they belong to it."""
    head = []
    j = i - 1
    while j >= 0 and tokens[j].text not in (";", "{", "}", ":"):
        if tokens[j].match >= 0 and tokens[j].match < j:
            j = tokens[j].match
        head.append(tokens[j].text)
        j -= 1
    return head


def is_function(head):
    """True for the head of a function's body, not of a scope or an initializer."""
    return not SCOPE_WORDS & set(head) and "=" not in head and "(" in head
