#!/usr/bin/env python3
"""Builds the documentation as a site of files: the pages of docs/, and a reference of every public declaration
from the headers and from what the precision suite measured.

usage: tools/docs/build_site.py --results report/results.json --mkdocs PROGRAM --output build/docs

The site is OUTPUT/site/index.html. It needs no server and no network. A link that leads nowhere is an error.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import headers
import reference
import suite_results

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"

# Where a page of docs/ stands; those that are in none of these come last.
NAVIGATION = [
    ("Start", ["index"]),
    ("Tutorials", ["tutorial_geometry", "tutorial_hierarchy", "tutorial_training", "tutorial_mctensor",
                   "tutorial_suite"]),
    ("Ideas", ["concepts", "geometry", "evidence", "proofs", "bibliography", "errata", "decisions"]),
    ("Numbers and tensors", ["functions", "tensors", "linalg", "certified", "interop", "cuda", "distributed"]),
    ("Training", ["nn", "optim", "attention", "hype", "hyla", "hyperbolic_layers"]),
    ("Hyperbolic space", ["geometry_use", "halfspace", "ball_point", "tilings", "cones", "riemannian", "embed"]),
    ("Languages and systems", ["python", "geoopt", "c_api", "packages", "portability"]),
    ("Measured", ["comparison", "performance", "experiments"]),
]


def title_of(page):
    return re.search(r"^# (.*)$", (DOCS / f"{page}.md").read_text("utf-8"), re.M)[1].strip()


def linked(text, pages):
    """Pages that are named in backticks become links; links to files of the repository become their names."""
    text = re.sub(r"\[([^\]]*)\]\((?:\.\./)+([^)]*)\)", r"\1 (`\2`)", text)
    # a link that shows the name of a file shows the title of the page
    text = re.sub(r"\[(\w+)\.md\]\((\1\.md[^)]*)\)", lambda m: f"[{title_of(m.group(1))}]({m.group(2)})", text)
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else
                   re.sub(r"(?<!\[)`docs/(\w+)\.md`",
                          lambda m: f"[{m.group(1)}]({m.group(1)}.md)" if m.group(1) in pages else m.group(0), part)
                   for part in parts)


def pages_of_docs():
    return {path.stem for path in DOCS.glob("*.md")}


def navigation():
    placed = {page for _, group in NAVIGATION for page in group}
    others = sorted(pages_of_docs() - placed)
    return NAVIGATION + ([("More", others)] if others else [])


def copy_pages(source):
    pages = pages_of_docs()
    shutil.copytree(DOCS, source)
    for page in source.glob("*.md"):
        page.write_text(linked(page.read_text("utf-8"), pages), "utf-8")
    shutil.copy(HERE / "site.css", source)


def yaml_navigation(reference_pages):
    lines = ["nav:"]
    for title, group in navigation():
        lines.append(f'  - "{title}":')
        lines += [f'      - "{title_of(page)}": {page}.md' for page in group]
    lines.append('  - "Reference":')
    lines += [f'      - "{title}": reference/{file}' for title, file in reference_pages]
    return "\n".join(lines) + "\n"


def settings_of(output, source, reference_pages):
    path = output / "mkdocs.yml"
    path.write_text(f"{(HERE / 'mkdocs.yml').read_text('utf-8')}docs_dir: {source.resolve()}\n"
                    f"site_dir: {output.resolve()}/site\n{yaml_navigation(reference_pages)}", "utf-8")
    return path


def make_self_contained(site):
    """The theme takes one script from the network, that which makes its search work in files: ours replaces it."""
    shutil.copy(HERE / "worker_shim.js", site / "assets")
    for path in site.rglob("*.html"):
        shim = os.path.relpath(site / "assets/worker_shim.js", path.parent)
        text = re.sub(r"https://[\w./-]*/iframe-worker/shim", shim, path.read_text("utf-8"))
        if re.search(r"<(script|img|iframe)[^>]* src=\"?(https?:)?//|<link[^>]* rel=\"?stylesheet[^>]*//", text):
            sys.exit(f"build_site.py: {path} would load something from the network")
        path.write_text(text, "utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--results", required=True)
    parser.add_argument("--mkdocs", default="mkdocs")
    parser.add_argument("--output", required=True, type=Path)
    options = parser.parse_args()
    source = options.output / "source"
    shutil.rmtree(source, ignore_errors=True)
    copy_pages(source)
    suite = suite_results.SuiteResults(options.results)
    declarations, sources = headers.read(ROOT)
    pages = reference.write(source / "reference", ROOT, declarations, sources, suite)
    settings = settings_of(options.output, source, pages)
    # the generator's own news about its next version are no concern of this site
    environment = dict(os.environ, NO_MKDOCS_2_WARNING="1")
    subprocess.run([options.mkdocs, "build", "--strict", "--quiet", "--clean", "-f", settings], check=True,
                   env=environment)
    make_self_contained(options.output / "site")
    print(f"{len(declarations)} declarations; open {options.output}/site/index.html")


if __name__ == "__main__":
    main()
