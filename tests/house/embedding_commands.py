"""embedding_commands.py MCT [gensim]: an embedding through mct eval, nearest and export.

The embedding is written here, and its ranks are calculated here from their definition. With
`gensim` only the word vectors are read, by gensim; exit code 77 if it is not installed.
"""
import json
import math
import pathlib
import struct
import sys
import tempfile

from program import Program

# name: (x, height) in the half-plane
POINTS = {"animal": (0, 1), "mammal": (-1, 0.5), "bird": (1.25, 0.5), "dog": (-1.5, 0.2),
          "red fox": (-1.1, 0.15), "owl": (1.3, 0.1), "hen": (1.9, 0.2)}
EDGES = [("mammal", "animal"), ("bird", "animal"), ("dog", "mammal"), ("red fox", "mammal"),
         ("owl", "bird"), ("hen", "bird")]
CLOSURE = EDGES + [(name, "animal") for name in ("dog", "red fox", "owl", "hen")]


def write_embedding(path, points):
    """A safetensors file as Embedding::save writes it."""
    names = "".join(name + "\n" for name in points).encode()
    names += b"\0" * (-len(names) % 8)
    numbers = b"".join(struct.pack("<2d", *p) for p in points.values())
    header = json.dumps({
        "__metadata__": {"mctensor.embedding": "1", "model": "half-space", "dimensions": "2",
                         "components": "1", "factors": "1", "radius": "1"},
        "coordinates": {"dtype": "F64", "shape": [1, len(points), 2],
                        "data_offsets": [0, len(numbers)]},
        "names": {"dtype": "I64", "shape": [len(names) // 8],
                  "data_offsets": [len(numbers), len(numbers) + len(names)]}}).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + numbers + names)


def distance(a, b):
    (x, h), (y, k) = POINTS[a], POINTS[b]
    return math.acosh(1 + ((x - y) ** 2 + (h - k) ** 2) / (2 * h * k))


def ranks(edges):
    """MAP and mean rank."""
    precisions, places = [], []
    for source in sorted({a for a, _ in edges}):
        targets = {b for a, b in edges if a == source}
        order = sorted((n for n in POINTS if n != source), key=lambda n: distance(source, n))
        found = [i + 1 for i, name in enumerate(order) if name in targets]
        precisions.append(sum((j + 1) / place for j, place in enumerate(found)) / len(found))
        places += [place - j for j, place in enumerate(found)]
    return sum(precisions) / len(precisions), sum(places) / len(places)


def check(what, condition):
    if not condition:
        sys.exit(f"{what} is not so")


def evaluate(mct, directory):
    for edges, more in ((EDGES, []), (CLOSURE, ["--closure"])):
        mct.run(0, "eval", "points.safetensors", "--edges", "edges.tsv", "--json", "out.json", *more,
                expect=["half-space, 2 dimensions", f"pairs      {len(edges)} edges"])
        found = json.loads((directory / "out.json").read_text())
        precision, rank = ranks(edges)
        check(f"MAP {found['map']} {precision}", abs(found["map"] - precision) < 1e-12)
        check(f"mean rank {found['mean_rank']} {rank}", abs(found["mean_rank"] - rank) < 1e-12)
        check("pairs", found["pairs"] == len(edges) and found["objects"] == 6)
    mct.run(0, "eval", "points.safetensors", "--edges", "edges.tsv", "--objects", "2",
            expect=["objects    2 nodes"])
    mct.run(0, "eval", "points.safetensors", "--edges", "edges.tsv", "--held-out", "more.tsv",
            "--validation", "valid.tsv", "--json", "out.json", expect=["F1 ", "on the validation"])
    found = json.loads((directory / "out.json").read_text())
    check("held-out edges", found["held_out_classified"]["positives"] == 3)
    # dog, red fox, owl to animal: nearest of what has no edge
    check("mean rank", 1 <= found["mean_rank"] <= 4)
    mct.run(2, "eval", "points.safetensors", "--edges", "other.tsv",
            expect=["'other.tsv'", "'whale' is not among", "2 of the 3 nodes are missing"])
    mct.run(2, "eval", "points.safetensors", "--edges", "edges.tsv", "--validation", "more.tsv",
            expect=["--held-out"])
    mct.run(2, "eval", "points.safetensors", "--edges", "edges.tsv", "--json", "edges.tsv",
            expect=["are one file"])
    mct.run(2, "eval", "edges.tsv", "--edges", "more.tsv", expect=["edges.tsv"])
    mct.run(2, "eval", "none.safetensors", "--edges", "edges.tsv", expect=["is not a point"])


def nearest(mct):
    text = mct.run(0, "nearest", "points.safetensors", "dog", "--edges", "edges.tsv",
                   expect=["ancestors", "descendants", "none"])
    order = sorted((n for n in POINTS if n != "dog"), key=lambda n: distance("dog", n))
    rows = [line.split(None, 2) for line in text.split("nearest\n")[1].splitlines()]
    for place, name in enumerate(order):
        number, d, found = rows[place]
        check(f"place {place}", int(number) == place + 1 and found == name
              and abs(float(d) - distance("dog", name)) < 1e-4)
    above = text.split("ancestors\n")[1].split("descendants")[0].splitlines()
    check("ancestors", {line.split(None, 2)[2] for line in above} == {"mammal", "animal"})
    mct.run(0, "nearest", "points.safetensors", "animal", "--edges", "edges.tsv", "--count", "2",
            expect=["and 4 more"])
    text = mct.run(0, "nearest", "points.safetensors", "red fox", expect=["'animal'"])
    likely = [line.split(None, 2)[2] for line in text.split("'animal'\n")[1].splitlines()]

    nearer = [n for n in POINTS if distance(n, "animal") < distance("red fox", "animal")]
    check("likely ancestors",
          likely == sorted(nearer, key=lambda n: distance("red fox", n)) and "mammal" in likely[:2])
    mct.run(0, "nearest", "points.safetensors", "animal", expect=["is the most central node"])
    mct.run(2, "nearest", "points.safetensors", "dig", expect=["no node 'dig'", "'dog'"])
    mct.run(2, "nearest", "none.safetensors", "owl",
            expect=["none.safetensors: 'dog' is not a point of half-space"])
    for arguments in ["nearest", "nan.safetensors", "owl"], ["export", "nan.safetensors", "--npy", "x.npy"], \
            ["export", "nan.safetensors", "--npy", "x.npy", "--model-coordinates"]:
        mct.run(2, *arguments, expect=["nan.safetensors: a coordinate of 'dog' is nan"])


def export(mct, directory):
    mct.run(0, "export", "points.safetensors", "--npy", "x.npy", "--names", "n.txt", "--word2vec",
            "x.txt", expect=["Poincaré ball", "blanks became _ in 1 names"])
    lines = (directory / "x.txt").read_text().splitlines()
    check("header", lines[0] == "7 2")
    check("names", (directory / "n.txt").read_text().splitlines() == list(POINTS))
    array = (directory / "x.npy").read_bytes()[-7 * 16:]
    for i, line in enumerate(lines[1:]):
        name, *numbers = line.split(" ")
        check("names of rows", name == list(POINTS)[i].replace(" ", "_"))
        check("the same numbers", list(struct.unpack_from("<2d", array, 16 * i))
              == [float(number) for number in numbers])
        x, h = POINTS[list(POINTS)[i]]
        size = x * x + (h + 1) ** 2  # the Cayley transform
        for found, expected in zip(map(float, numbers), (2 * x / size, (x * x + h * h - 1) / size)):
            check(f"row {i}: {found}, {expected}", abs(found - expected) < 1e-15)
    mct.run(0, "export", "points.safetensors", "--npy", "x.npy", "--model-coordinates",
            expect=["half-space, 2 dimensions"])
    check("model coordinates", (directory / "x.npy").read_bytes()[-7 * 16:]
          == b"".join(struct.pack("<2d", *p) for p in POINTS.values()))
    tiles(mct, directory)
    mct.run(2, "export", "points.safetensors", expect=["nothing to write"])
    mct.run(2, "export", "points.safetensors", "--tiles", "t", "--tile-bits", "7",
            expect=["7"])
    mct.run(2, "export", "points.safetensors", "--npy", "y", "--names", "y", expect=["one file"])
    mct.run(2, "export", "points.safetensors", "--npy", "/nonexistent/y", expect=["cannot write"])


def tiles(mct, directory):
    """Tiles are read back as the points that they were made of; tiles of tiles are exact."""
    (directory / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in EDGES))
    mct.run(0, "embed", "edges.tsv", "--model", "l-tiling", "--epochs", "40", "-o", "tiled")
    for file, errors in ("points.safetensors", ["largest error", "e-17"]), \
            ("tiled/embedding.safetensors", ["largest error 0.000e+00"]):
        mct.run(0, "export", file, "--tiles", "t.mct", "--npy", "x.npy", expect=["7 points", *errors])
        mct.run(0, "decompress", "t.mct", "--out", "t.csv")
        array = (directory / "x.npy").read_bytes()[-7 * 16:]
        numbers = [float(x) for x in (directory / "t.csv").read_text().replace(",", " ").split()]
        check(f"points of {file}", len(numbers) == 14 and all(
            abs(x - y) < 1e-15 for x, y in zip(numbers, struct.unpack("<14d", array))))
    mct.run(0, "embed", "edges.tsv", "--dim", "3", "--epochs", "1", "-o", "solid")
    mct.run(2, "export", "solid/embedding.safetensors", "--tiles", "t.mct",
            expect=["tiles can be written for points of one hyperbolic plane only", "3 dimensions"])


def read_by_gensim(mct, directory):
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        print("gensim is not installed")
        sys.exit(77)
    mct.run(0, "export", "points.safetensors", "--word2vec", "x.txt")
    vectors = KeyedVectors.load_word2vec_format(str(directory / "x.txt"), datatype=float)
    check("words", list(vectors.index_to_key) == [name.replace(" ", "_") for name in POINTS])
    rows = [line.split(" ") for line in (directory / "x.txt").read_text().splitlines()[1:]]
    for name, *numbers in rows:
        check(name, vectors[name].tolist() == [float(number) for number in numbers])


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        write_embedding(directory / "points.safetensors", POINTS)
        write_embedding(directory / "none.safetensors", {**POINTS, "dog": (0, -1)})
        write_embedding(directory / "nan.safetensors", {**POINTS, "dog": (math.nan, 1)})
        for file, edges in (("edges.tsv", EDGES), ("valid.tsv", [("hen", "animal")]),
                            ("more.tsv", CLOSURE[6:9]),
                            ("other.tsv", [("whale", "mammal"), ("krill", "mammal")])):
            (directory / file).write_text("".join(f"{a}\t{b}\n" for a, b in edges))
        mct = Program(sys.argv[1], directory)
        if sys.argv[2:] == ["gensim"]:
            read_by_gensim(mct, directory)
        else:
            evaluate(mct, directory)
            nearest(mct)
            export(mct, directory)


if __name__ == "__main__":
    main()
