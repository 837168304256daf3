#!/usr/bin/env python3
"""Links of README.md, CONTRIBUTING.md and docs/*.md lead somewhere: files exist, and headings of that name. So do the
files that are named in backticks, as `docs/optim.md`.

usage: tools/docs/check_links.py [ROOT]

Links to pages that ./run docs makes (reference/...) are checked there.
"""
import os
import re
import sys

FOLDERS = "docs|examples|include|src|tests|tools|validation|bench|apps|cuda|python|cmake|data"


def slug(heading):
    """The anchor that a heading gets."""
    text = re.sub(r"`|\*|\\", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def without_code(text):
    return re.sub(r"^```.*?^```$|^<!--.*?-->$", "", text, flags=re.S | re.M)


def anchors(path):
    with open(path, encoding="utf-8") as file:
        return {slug(match) for match in re.findall(r"^#+ (.*)$", without_code(file.read()), re.M)}


def faults_of(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = without_code(file.read())
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
        if re.match(r"\w+://", target) or target.startswith(("reference/", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = os.path.join(root, os.path.dirname(page), name) if name else os.path.join(root, page)
        if not os.path.exists(path):
            yield f"{page}: there is no {target}"
        elif anchor and slug(anchor) not in anchors(path):
            yield f"{page}: {name or page} has no heading for #{anchor}"
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+\.\w+)`", text):
        if not os.path.exists(os.path.join(root, path)):
            yield f"{page}: there is no {path}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    pages = ["README.md", "CONTRIBUTING.md"] + sorted(
        "docs/" + name for name in os.listdir(os.path.join(root, "docs")) if name.endswith(".md"))
    faults = [fault for page in pages if os.path.exists(os.path.join(root, page)) for fault in faults_of(root, page)]
    print("\n".join(faults) if faults else f"{len(pages)} pages")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
