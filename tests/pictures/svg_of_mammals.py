"""svg_of_mammals.py MCT DATA: `mct draw` on a tree with deep nodes and hostile names.

The SVG must be XML that has every name as text, be small, and show what surrounds its centre.
"""
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import plane_embedding

SVG = "{http://www.w3.org/2000/svg}"


def draw(mct, directory, *options, code=0):
    """The output of mct draw on the files of the directory."""
    run = subprocess.run([mct, "draw", "tree.safetensors", *options], cwd=directory, text=True,
                         capture_output=True, check=False)
    if run.returncode != code:
        sys.exit(f"mct draw {options}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout + run.stderr


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def read(path):
    """The circles and the texts of an SVG, by name."""
    root = ElementTree.parse(path).getroot()
    expect(root.tag == SVG + "svg", "the root is an svg")
    circles = {circle.find(SVG + "title").text: circle for circle in root.iter(SVG + "circle")
               if circle.find(SVG + "title") is not None}
    texts = [text.text for text in root.iter(SVG + "text") if text.get("class") is None]
    return root, circles, texts


def check_pictures(mct, directory):
    edges = ["--edges", "edges.tsv"]
    expect("tree.svg: " in draw(mct, directory, *edges), "the SVG has the name of the embedding")
    root, circles, texts = read(directory / "tree.svg")
    expect(len(circles) > 500 and "mammal.n.01" in texts, "most mammals are seen")
    expect((directory / "tree.svg").stat().st_size < 300_000, "the picture is small")
    rings = [circle for circle in root.iter(SVG + "circle") if circle.get("class") == "ring"]
    expect(3 <= len(rings) <= 7, "circles show the scale")
    expect(root.find(SVG + "title").text.startswith("mammal.n.01 in"), "the root is the centre")

    draw(mct, directory, *edges, "--centre", "dog.n.01", "-o", "dog.svg", "--labels", "5",
         "--size", "400", "--subtrees", "3")
    root, circles, texts = read(directory / "dog.svg")
    expect(circles["dog.n.01"].get("cx") == "200", "the dog is in the middle")
    expect(len(texts) == 5 and texts[0] == "dog.n.01", "the dog has the first of five labels")
    legend = [text.text for text in root.iter(SVG + "text") if text.get("class") == "legend"]
    expect(len(legend) == 6 and all(text.isdigit() for text in legend[1::2]), "the legend has three subtrees and their sizes")

    draw(mct, directory, *edges, "--radial", "disk", "-o", "disk.svg")
    root, in_the_disk, _ = read(directory / "disk.svg")
    expect(root.find(SVG + "title").text.endswith("disk"), "the disk is drawn if asked for")
    draw(mct, directory, *edges, "--beside", "carnivore.n.01", "--spread", "1", "-o", "two.svg")
    root, two, _ = read(directory / "two.svg")
    expect(root.get("width") == "2000" and float(two["dog.n.01"].get("cx")) > 1000, "there is a second panel")

    # some 70 from the root, where doubles have long lost the way
    draw(mct, directory, *edges, "--centre", "deep_left", "-o", "deep.svg")
    _, circles, texts = read(directory / "deep.svg")
    hostile = "</script><b a='\"'>&amp;"
    near = [circles[name] for name in ("deep_left", "deep_right", hostile, "deep_99")]
    places = {(circle.get("cx"), circle.get("cy")) for circle in near}
    expect(len(places) == 4 and texts[0] == "deep_left", "the deepest nodes lie apart")

    output = draw(mct, directory, "-o", "points.svg")
    expect("0 edges" in output, "points alone can be drawn")


def check_errors(mct, directory):
    for options, message in [
            (["--centre", "dog.n.0", "-o", "none.svg"], "'dog.n.0'; the most similar names are 'dog.n.01'"),
            (["--edges", "other.tsv", "-o", "none.svg"], "picture: the edges: the node 'xyz' is not among"),
            (["-o", "none.svg", "--page", "none.svg"], "are one file"),
            (["-o", "tree.safetensors"], "are one file"),
            (["-o", "/nonexistent/none.svg"], "cannot write"),
            (["-o", "none.svg", "--size", "1"], "--size"),
            (["-o", "none.svg", "--subtrees", "25"], "--subtrees"),
            (["-o", "none.svg", "--radial", "log"], "log not in {distance,disk}"),
            (["-o", "none.svg", "--radial", "disk", "--spread", "1"], "--spread needs --radial distance"),
            (["-o", "none.svg", "--spread", "2"], "--spread"),
            (["-o", "none.svg", "--half-plane", "--beside", "dog.n.01"], "--beside"),
            (["--page", "none.svg", "--beside", "dog.n.01"], "--beside needs -o FILE"),
            (["--edges", "/nonexistent/edges", "-o", "none.svg"], "/nonexistent/edges")]:
        output = draw(mct, directory, *options, code=2)
        expect(message in output, f"{options}: '{message}' in {output}")
        expect(not (directory / "none.svg").exists(), f"{options} leaves no file")


def main():
    mct, data = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        plane_embedding.write_mammals(data, directory / "tree.safetensors", directory / "edges.tsv")
        (directory / "other.tsv").write_text("dog.n.01\txyz\n")
        check_pictures(mct, directory)
        check_errors(mct, directory)


main()
