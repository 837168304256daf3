#!/usr/bin/env python3
"""Builds the documentation as a site of files: the pages of docs/, and a reference of every public declaration
from the headers and from what the precision suite measured.

usage: tools/docs/site.py --results report/results.json --mkdocs PROGRAM --output build/docs

The site is OUTPUT/site/index.html. It needs no server and no network. A link that leads nowhere is an error.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers  # noqa: E402
import reference  # noqa: E402
import suite_results  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Where a page of docs/ stands; those that are in none of these come last.
NAVIGATION = [
    ("Start", ["index"]),
    ("Tutorials", ["tutorial_geometry", "tutorial_hierarchy", "tutorial_training", "tutorial_suite"]),
    ("Ideas", ["concepts", "geometry", "bibliography", "errata", "decisions"]),
    ("Numbers and tensors", ["functions", "tensors", "linalg", "interop", "cuda", "distributed"]),
    ("Training", ["nn", "optim", "attention", "hype", "hyla", "hyperbolic_layers"]),
    ("Hyperbolic space", ["geometry_use", "halfspace", "ball_point", "tilings", "cones", "riemannian", "embed"]),
    ("Languages and systems", ["python", "c_api", "packages", "portability"]),
    ("Measured", ["comparison", "performance", "experiments"]),
]


def page_path(name):
    return os.path.join(ROOT, "docs", name + ".md")


def title_of(path):
    with open(path, encoding="utf-8") as file:
        return next(line[2:].strip() for line in file if line.startswith("# "))


def linked(text, pages):
    """Pages that are named in backticks become links; links to files of the repository become their names."""
    text = re.sub(r"\[([^\]]*)\]\((?:\.\./)+([^)]*)\)", r"\1 (`\2`)", text)
    # a link that shows the name of a file shows the title of the page
    text = re.sub(r"\[(\w+)\.md\]\((\1\.md[^)]*)\)", lambda m: f"[{title_of(page_path(m.group(1)))}]({m.group(2)})", text)
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else
                   re.sub(r"(?<!\[)`docs/(\w+)\.md`",
                          lambda m: f"[{m.group(1)}]({m.group(1)}.md)" if m.group(1) in pages else m.group(0), part)
                   for part in parts)


def pages_of_docs():
    return {name[:-3] for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")}


def navigation():
    placed = {page for _, group in NAVIGATION for page in group}
    others = sorted(pages_of_docs() - placed)
    return NAVIGATION + ([("More", others)] if others else [])


def copy_pages(source):
    pages = pages_of_docs()
    for name in sorted(os.listdir(os.path.join(ROOT, "docs"))):
        path = os.path.join(ROOT, "docs", name)
        if name.endswith(".md"):
            with open(path, encoding="utf-8") as file:
                text = linked(file.read(), pages)
            with open(os.path.join(source, name), "w", encoding="utf-8") as out:
                out.write(text)
        elif os.path.isfile(path):
            shutil.copy(path, source)
        else:
            shutil.copytree(path, os.path.join(source, name))
    shutil.copy(os.path.join(HERE, "site.css"), source)


def yaml_navigation(reference_pages):
    lines = ["nav:"]
    for title, group in navigation():
        lines.append(f'  - "{title}":')
        lines += [f'      - "{title_of(page_path(page))}": {page}.md' for page in group]
    lines.append('  - "Reference":')
    lines += [f'      - "{title}": reference/{file}' for title, file in reference_pages]
    return "\n".join(lines) + "\n"


def settings_of(output, source, reference_pages):
    with open(os.path.join(HERE, "mkdocs.yml"), encoding="utf-8") as file:
        text = file.read()
    path = os.path.join(output, "mkdocs.yml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{text}docs_dir: {os.path.abspath(source)}\nsite_dir: {os.path.abspath(output)}/site\n" +
                  yaml_navigation(reference_pages))
    return path


def make_self_contained(site):
    """The theme takes one script from the network, that which makes its search work in files: ours replaces it."""
    shutil.copy(os.path.join(HERE, "worker_shim.js"), os.path.join(site, "assets"))
    for folder, _, names in os.walk(site):
        for name in names:
            if not name.endswith(".html"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            shim = os.path.relpath(os.path.join(site, "assets", "worker_shim.js"), folder)
            text = re.sub(r"https://[\w./-]*/iframe-worker/shim", shim, text)
            if re.search(r"<(script|img|iframe)[^>]* src=\"?(https?:)?//|<link[^>]* rel=\"?stylesheet[^>]*//", text):
                sys.exit(f"site.py: {path} would load something from the network")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--results", required=True)
    parser.add_argument("--mkdocs", default="mkdocs")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    source = os.path.join(options.output, "source")
    shutil.rmtree(source, ignore_errors=True)
    os.makedirs(source)
    copy_pages(source)
    suite = suite_results.SuiteResults(options.results)
    declarations, sources = headers.read(ROOT)
    pages = reference.write(os.path.join(source, "reference"), ROOT, declarations, sources, suite)
    settings = settings_of(options.output, source, pages)
    # the generator's own news about its next version are no concern of this site
    environment = dict(os.environ, NO_MKDOCS_2_WARNING="1")
    subprocess.run([options.mkdocs, "build", "--strict", "--quiet", "--clean", "-f", settings], check=True,
                   env=environment)
    make_self_contained(os.path.join(options.output, "site"))
    print(f"{len(declarations)} declarations; open {options.output}/site/index.html")


if __name__ == "__main__":
    main()
