"""Hierarchies from files, pairs, arrays, frames and graphs."""
import gzip
import os

import numpy as np
import pytest

from mctensor import embed
from mctensor.embed import read_graph

OBO = """format-version: 1.2

[Term]
id: X:1
name: thing

[Term]
id: X:2
name: part
relationship: part_of X:1

[Term]
id: X:3
name: body
is_a: X:1
is_a: X:2

[Term]
id: X:4
is_obsolete: true
"""


def edges_of(graph):
    return [(graph.names[a], graph.names[b]) for a, b in zip(graph.sources, graph.targets)]


@pytest.fixture
def file(tmp_path):
    def write(text, name="edges"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


def test_a_list_and_its_report(file):
    graph, report = read_graph(file("child;parent;weight\n# note\na b;c;0,5\na b;c;1\nd;d;1\n"))
    assert edges_of(graph) == [("a b", "c")] and graph.node_count == 3
    assert report == dict(format="edges", lines=5, edges=3, duplicates=1, self_loops=1, separator="semicolon",
                          header=True, comments=1)


def test_the_options_of_the_command(file):
    both = file("a;x,b\nc;y,d\n")
    with pytest.raises(OSError, match="line 1: semicolons and commas .*--separator"):
        read_graph(both)
    assert edges_of(read_graph(both, separator="comma")[0]) == [("a;x", "b"), ("c;y", "d")]
    graph, report = read_graph(file("x y\n% z\n"), header="yes", comments=False)
    assert edges_of(graph) == [("%", "z")] and report["header"] and report["comments"] == 0
    graph, report = read_graph(file("child parent\n! z\n"), header="no", comments="!", parent_first=True)
    assert edges_of(graph) == [("parent", "child")] and report["comments"] == 1
    assert edges_of(read_graph(file('"a"\t"b"\n'), quotes=False)[0]) == [('"a"', '"b"')]
    for options, message in [(dict(separator="x"), "separator is 'x', not one of auto, tab"),
                             (dict(header=True), "header is True, not one of auto, yes, no"),
                             (dict(format="owl"), "format is 'owl'"), (dict(comments=""), "comments is ''"),
                             (dict(comments=3), "comments is 3"), (dict(ids=True), "only an ontology in OBO"),
                             (dict(comments="\ud800"), "comments is .*surrogate"),
                             (dict(relationships=["\ud800"]), "relationships is .*surrogate")]:
        with pytest.raises(ValueError, match=message):
            read_graph(both, **options)
    with pytest.raises(TypeError, match="relationships is 'part_of'"):
        read_graph(both, relationships="part_of")


def test_ontologies(file):
    graph, report = read_graph(file(OBO, "x.obo"))
    assert edges_of(graph) == [("body", "thing"), ("body", "part")]
    assert report["format"] == "obo" and report["obsolete"] == 1 and report["undefined"] == 0
    graph, _ = read_graph(file(OBO), relationships=["part_of"], ids=True)
    assert edges_of(graph) == [("X:2", "X:1"), ("X:3", "X:1"), ("X:3", "X:2")]
    assert len(embed.fit(file(OBO), epochs=1)) == 3


def test_taxa(file):
    nodes = file("1\t|\t1\t|\tno rank\t|\n2\t|\t1\t|\tspecies\t|\n", "nodes.dmp")
    names = file("1\t|\troot\t|\t\t|\tscientific name\t|\n2\t|\tC. lupus\t|\t\t|\tscientific name\t|\n", "names.dmp")
    assert edges_of(read_graph(nodes)[0]) == [("2", "1")]
    graph, report = read_graph(nodes, taxon_names=names)
    assert edges_of(graph) == [("C. lupus", "root")] and report["edges"] == 1 and report["self_loops"] == 0


@pytest.mark.parametrize("begin, part", [
    (b"\xfd7zXZ\0\0", "xz -dk"), (b"BZh91AY&SY", "bzip2 -dk"), (b"\x28\xb5\x2f\xfd", "zstd -dk"),
    (b"PK\x03\x04", "unzip"), (b"7z\xbc\xaf\x27\x1c", "7z x")])
def test_what_others_have_compressed(tmp_path, begin, part):
    (tmp_path / "edges").write_bytes(begin + bytes(100))
    with pytest.raises(OSError, match=part):
        read_graph(tmp_path / "edges")


def test_compressed_by_gzip(tmp_path):
    with gzip.open(tmp_path / "x.obo.gz", "wt") as out:
        out.write(OBO)
    assert read_graph(tmp_path / "x.obo.gz")[1]["format"] == "obo"


def test_numbers_are_names():
    graph, report = read_graph([(1, 2.0), (np.int64(3), np.float32(2))])
    assert edges_of(graph) == [("1", "2"), ("3", "2")] and report == dict(edges=2, duplicates=0, self_loops=0)
    assert edges_of(read_graph(np.array([[1, 0, 0.5], [2, 0, 1]]))[0]) == [("1", "0"), ("2", "0")]
    assert edges_of(read_graph(np.array([["a", "b"]]))[0]) == [("a", "b")]
    found = embed.fit([(1, 0), (2, 0)], epochs=1)
    assert found.node(1) == found.node("1") == found.node(1.0)
    for name in (None, float("nan"), "\ud800", 0.5):
        with pytest.raises(KeyError):
            found.node(name)


@pytest.mark.parametrize("edges, error, message", [
    ([("a", "b"), ("animal", None)], TypeError, "edge 1: the parent is None, neither a text nor"),
    ([(float("nan"), "b")], ValueError, "edge 0: the child is nan, which is not a whole number"),
    ([("a", "b"), (True, "b")], TypeError, "edge 1: the child is True"),
    ([("a", b"b")], TypeError, "edge 0: the parent is b'b'"), ([("a", 0.5)], ValueError, "the parent is 0.5"),
    ([("a", (0, 1))], TypeError, r"the parent is \(0, 1\)"),
    ([("a", "b"), ("two\nlines", "b")], ValueError, r"edge 1: a control character \(0x0A\) in a name: 'two\?lines'"),
    ([("a", "")], ValueError, "edge 0: an empty name"), ([(" a", "b")], ValueError, "edge 0: .*blank"),
    ([("\ud800", "b")], ValueError, r"edge 0: the child is '\\ud800', which has half of a surrogate pair"),
    (["ab", "cd"], ValueError, "edge 0 is 'ab'; an edge has two names"),
    ([{"a": 1, "b": 2}], ValueError, "edge 0 is {'a'"), ([{"a", "b"}], ValueError, "edge 0 is {"), ([3], ValueError,
     "edge 0 is 3"), ([("a", "b", None)], TypeError, "edge 0: the weight is None"),
    ([("a", "b", "1")], TypeError, "edge 0: the weight is '1'"),
    ([("a", "b", 1), ("b", "c", float("nan"))], ValueError, "edge 1: the weight is nan"),
    ([("a", "b"), ("a", "b", 1)], ValueError, r"edge 1 is \('a', 'b', 1\); some edges have a weight"),
    (np.zeros(4), ValueError, r"shape \(4,\)"), (np.zeros((2, 4)), ValueError, r"shape \(2, 4\)"),
    (np.array([[0, np.nan]]), ValueError, "edge 0: the parent is nan")])
def test_what_is_no_edge(edges, error, message):
    for call in (read_graph, lambda edges: embed.fit(edges, epochs=1)):
        with pytest.raises(error, match=message):
            call(edges)


def test_what_is_taken_is_read_again(tmp_path):
    edges = [("a;b", "#c"), ('"d"', "e, f"), ("\u00e9", "|"), ("x" * 1000, "|")]
    embed.fit(edges, epochs=1).save(tmp_path / "points")
    assert set(embed.load(tmp_path / "points").names) == {name for edge in edges for name in edge}


def test_options_of_files_are_for_files():
    with pytest.raises(TypeError, match="separator is an option of files, and the edges are a list"):
        read_graph([("a", "b")], separator="tab")


@pytest.mark.parametrize("source", [None, 3])
def test_what_has_no_edges(source):
    with pytest.raises(TypeError, match=f"edges are {source}; pairs"):
        embed.fit(source, epochs=1)


def test_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"child": ["dog", "cat"], "parent": ["mammal", "mammal"], "weight": [1, 2.5]})
    assert edges_of(read_graph(frame[["child", "parent"]])[0]) == [("dog", "mammal"), ("cat", "mammal")]
    assert edges_of(read_graph(frame)[0]) == [("dog", "mammal"), ("cat", "mammal")]
    with pytest.raises(ValueError, match="the header is 'parent', 'child'"):
        read_graph(frame[["parent", "child"]])
    assert edges_of(read_graph(frame[["parent", "child"]], parent_first=True)[0]) == edges_of(read_graph(frame)[0])
    with pytest.raises(ValueError, match="two columns of names.*'child'.*select"):
        read_graph(frame[["child"]])
    frame.loc[1, "parent"] = None
    with pytest.raises((TypeError, ValueError), match="edge 1: the parent is (None|nan)"):
        embed.fit(frame, epochs=1)
    assert len(embed.fit(pandas.DataFrame({"id": [1, 2], "up": [0, 0]}), epochs=1)) == 3


def test_a_frame_of_another_library():
    class Frame:  # what polars has of it
        columns = ["child", "parent"]

        def iter_rows(self):
            return iter([("dog", "mammal")])

    assert edges_of(read_graph(Frame())[0]) == [("dog", "mammal")]


def test_a_graph_of_networkx(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("dog", "mammal"), ("cat", "mammal"), ("x", "x")])
    graph.add_node("alone")
    found, report = read_graph(graph)
    assert edges_of(found) == [("dog", "mammal"), ("cat", "mammal")]
    assert set(found.names) == {"dog", "cat", "mammal", "x", "alone"}
    assert report == dict(edges=3, duplicates=0, self_loops=1)
    downward = graph.reverse()
    assert edges_of(read_graph(downward, parent_first=True)[0])[0][1] == "mammal"
    assert len(embed.fit(graph, epochs=1)) == 5
    with pytest.raises(ValueError, match="undirected"):
        embed.fit(networkx.Graph([("a", "b")]), epochs=1)
    networkx.write_graphml(graph, tmp_path / "x.graphml")
    assert edges_of(read_graph(tmp_path / "x.graphml")[0]) == edges_of(found)
    networkx.write_gml(graph, tmp_path / "x.gml.gz")
    assert edges_of(read_graph(tmp_path / "x.gml.gz")[0]) == edges_of(found)
    graph["dog"]["mammal"]["weight"] = 2
    with pytest.raises(ValueError, match="some edges have a weight"):
        read_graph(graph)
    (tmp_path / "bad.graphml").write_text("<graphml")
    with pytest.raises(OSError, match="bad.graphml.*read_graphml"):
        read_graph(tmp_path / "bad.graphml")
    with pytest.raises(OSError):
        read_graph(tmp_path / "none.graphml")
    with pytest.raises(TypeError, match="option of files"):
        read_graph(graph, header="yes")


@pytest.mark.parametrize("path", ["\ud800", "a\0b"])
def test_paths_that_no_file_has(path, tmp_path):
    tree = embed.fit([("a", "b")], epochs=1)
    for call in (read_graph, embed.load, tree.save, tree.write_svg, tree.write_page):
        with pytest.raises(ValueError, match="which cannot be the name of a file"):
            call(os.path.join(str(tmp_path), path))


@pytest.mark.parametrize("options, message", [
    (dict(model="\ud800"), "model is '.ud800', which has half of a surrogate pair"),
    (dict(optimizer="\ud800"), "optimizer is '.ud800'"), (dict(seed=-1), "seed"), (dict(seed=2**64), "seed")])
def test_options_that_are_no_text_and_no_seed(options, message):
    with pytest.raises(ValueError, match=message) as raised:
        embed.fit([("a", "b")], epochs=1, **options)
    assert "incompatible function arguments" not in str(raised.value)
