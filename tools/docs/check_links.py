#!/usr/bin/env python3
"""Links of README.md, CONTRIBUTING.md and docs/*.md lead somewhere: files exist, and headings of that name. So do the
files that are named in backticks, as `docs/optim.md`.

usage: tools/docs/check_links.py [ROOT]

Links to pages that ./run docs makes (reference/...) are checked there.
"""
import re
import sys
from pathlib import Path

FOLDERS = "docs|examples|include|src|tests|tools|output|validation|bench|apps|cuda|python|cmake|data"


def slug(heading):
    """The anchor that a heading gets."""
    text = re.sub(r"`|\*|\\", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def without_code(text):
    return re.sub(r"^```.*?^```$|^<!--.*?-->$", "", text, flags=re.S | re.M)


def anchors(path):
    return {slug(match) for match in re.findall(r"^#+ (.*)$", without_code(path.read_text("utf-8")), re.M)}


def faults_of(root, page):
    text = without_code((root / page).read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
        if re.match(r"\w+://", target) or target.startswith(("reference/", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = (root / page).parent / name if name else root / page
        if not path.exists():
            yield f"{page}: there is no {target}"
        elif anchor and slug(anchor) not in anchors(path):
            yield f"{page}: {name or page} has no heading for #{anchor}"
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+\.\w+)`", text):
        if not (root / path).exists():
            yield f"{page}: there is no {path}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    pages = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in root.glob("docs/*.md"))]
    faults = [fault for page in pages if (root / page).exists() for fault in faults_of(root, page)]
    print("\n".join(faults) if faults else f"{len(pages)} pages")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
