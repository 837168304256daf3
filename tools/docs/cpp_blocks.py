#!/usr/bin/env python3
"""Writes the C and C++ blocks of README.md and docs/*.md as sources of tests.

usage: tools/docs/cpp_blocks.py FOLDER [PAGE...]

FOLDER/blocks.cpp has all blocks of C++ that run as functions, so that headers are read once for all, and a main() that
calls them one after the other; FOLDER/boost.cpp those that include Boost, which clang does not compile;
FOLDER/compiled.cpp those that are compiled alone; FOLDER/program_PAGE_N.cpp or .c are programs of their own. FOLDER/page_PAGE.cpp has all blocks of a page once more: with the headers alone that the page
names, it shows whether they suffice. Files that have not changed are not written, so that nothing is compiled again.
"""
import re
import sys
from pathlib import Path

import code_blocks

ROOT = Path(__file__).resolve().parents[2]
HEAD = """#undef NDEBUG  // blocks say assert(...)
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>
"""


def split_includes(block):
    """(include lines, the rest of a block's lines with what is at namespace scope taken out)"""
    includes, lines = [], []
    for line in (block.hidden + "\n" + block.text if block.hidden else block.text).split("\n"):
        is_include = line.startswith("#include")
        (includes if is_include else lines).append(line)
        if is_include:
            lines.append("")
    return includes, lines


def body_of(block):
    includes, lines = split_includes(block)
    if "outside" not in block.words:  # what hidden lines mean may depend on them
        lines = re.findall(r"^using namespace [\w:]+;", block.text, re.M) + lines
    first = block.line - (block.hidden.count("\n") + 1 if block.hidden else 0)
    extra = len(lines) - len((block.hidden + "\n" + block.text if block.hidden else block.text).split("\n"))
    return includes, lines[:extra] + [f'#line {first} "{block.page}"'] + lines[extra:]


def usings(blocks, page, before):
    """Directives of earlier blocks hold for the whole page."""
    found = []
    for block in blocks:
        if block.page == page and block.line < before and "main" not in block.words:
            found += re.findall(r"^using namespace [\w:]+;", block.text + "\n" + block.hidden, re.M)
    return list(dict.fromkeys(found))


def functions(groups, blocks):
    includes, text, calls = [], [], []
    for number, group in enumerate(groups):
        own, outside, inside = [], [], []
        for block in group:
            more, lines = body_of(block)
            own += more
            (outside if "outside" in block.words else inside).extend(lines)
        includes += [line for line in own if line not in includes]
        text += [f"namespace block_{number} {{"] + usings(blocks, group[0].page, group[0].line)
        text += outside + ["void run() {"] + inside + ["}", f"}}  // namespace block_{number}", ""]
        calls += [f'  std::puts("{group[0].page}:{group[0].line}");', "  std::fflush(stdout);",
                  f"  block_{number}::run();"]
    return "\n".join([HEAD] + includes + [""] + text + ["int main() {"] + calls + ["}", ""])


def stem_of(page):
    return re.sub(r"\W", "_", Path(page).stem)


def write(path, text):
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, only = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [b for b in code_blocks.read(ROOT) if b.language in ("c", "cpp") and (not only or b.page in only)]
    for block in blocks:
        if "skip" in block.words:
            print(f"{block.page}:{block.line}: not compiled, {block.reason}")
    programs = [b for b in blocks if "main" in b.words]
    for block in programs:
        stem = stem_of(block.page)
        head = "" if block.language == "c" else "#undef NDEBUG\n"
        write(folder / f"program_{stem}_{programs.index(block)}.{block.language}",
              f'{head}#line {block.line} "{block.page}"\n{block.text}')
    blocks = [b for b in blocks if b not in programs]
    for page in dict.fromkeys(b.page for b in blocks):
        own = [b for b in blocks if b.page == page]
        write(folder / f"page_{stem_of(page)}.cpp", functions(code_blocks.joined(own), blocks))
    sources = {"blocks": [], "boost": [], "compiled": []}
    for group in code_blocks.joined(blocks):
        is_compiled = any("compile" in block.words for block in group)
        needs_boost = any("#include <boost/" in block.text for block in group)
        sources["compiled" if is_compiled else "boost" if needs_boost else "blocks"].append(group)
    for name, groups in sources.items():
        write(folder / f"{name}.cpp", functions(groups, blocks))


if __name__ == "__main__":
    main()
