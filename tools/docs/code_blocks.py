"""The code blocks of README.md and docs/*.md, as tests take them.

Before a block there may be a comment that readers do not see:

    <!-- code: continues
    const int lines_that = 1;  // come before those of the block
    -->

continues  it goes on where the block of this language before it on the page ends; otherwise it is on its own
compile    C++: compiled, not run (needs a device, several processes, files of the reader)
outside    C++: at the scope of a namespace instead of a function
run        sh: run in an empty folder, with what the page has left there before; otherwise only its commands are checked
main       C, C++: a program of its own
skip       not tested; the reason follows
"""
import collections
import re

Block = collections.namedtuple("Block", "page line language words hidden text reason")
WORDS = {"continues", "compile", "outside", "main", "run", "skip"}


def pages(root):
    return ["README.md", *sorted(f"docs/{path.name}" for path in root.glob("docs/*.md"))]


def parse_hint(page, line, hint):
    """(words, hidden lines, reason) of what stands between "code:" and the end of the comment."""
    first, _, hidden = hint.partition("\n")
    if first.strip().startswith("skip"):
        reason = first.strip()[len("skip"):].lstrip(": ")
        if not reason:
            raise ValueError(f"{page}:{line}: skip wants a reason")
        return {"skip"}, "", reason
    words = set(first.split())
    if words - WORDS:
        raise ValueError(f"{page}:{line}: unknown {sorted(words - WORDS)}; there are {sorted(WORDS)}")
    return words, hidden.strip("\n"), ""


def blocks_of(text, page):
    """The fenced blocks of a page, with the hint that stands directly before each."""
    pattern = re.compile(r"(?:^<!-- code:(?P<hint>.*?)-->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.S | re.M)
    found = []
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        words, hidden, reason = parse_hint(page, line, match.group("hint") or "")
        found.append(Block(page, line, match.group("language"), words, hidden, match.group("text"), reason))
    hints = text.count("<!-- code:")
    if hints != len(re.findall(r"^<!-- code:.*?-->\n+```", text, re.S | re.M)):
        raise ValueError(f"{page}: a hint stands before no block")
    return found


def read(root):
    return [block for page in pages(root) for block in blocks_of((root / page).read_text("utf-8"), page)]


def joined(blocks):
    """Lists of blocks that belong together, a list for each that does not continue another."""
    groups = []
    for block in blocks:
        if "skip" in block.words:
            continue
        if "continues" in block.words:
            if not groups or groups[-1][-1].page != block.page:
                raise ValueError(f"{block.page}:{block.line}: there is nothing to continue")
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups
