"""Reads hierarchies from files, pairs of names, arrays, data frames and graphs of networkx."""
from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from . import _core
from ._arguments import file_path, text, utf8

FORMATS, SEPARATORS, HEADERS = _core.formats, _core.separators, _core.headers
#: endings of files that networkx reads, and its functions for them
_NETWORKX_READERS = {".graphml": "read_graphml", ".gexf": "read_gexf", ".gml": "read_gml", ".net": "read_pajek"}
#: doubles hold all whole numbers up to this one
_WHOLE_DOUBLES = 2.0**53


def read_graph(source, *, parent_first: bool = False, format: str = "auto", separator: str = "auto",
               header: str = "auto", comments: str | bool = "auto", quotes: bool = True, relationships=(),
               ids: bool = False, taxon_names=None) -> tuple[_core.Graph, dict]:
    """Reads a hierarchy. Returns a graph and a report: the format that was read, the number of edges, and the numbers
    of duplicates and self-loops that were left out.

    ``source`` is one of these: the path of an edge list, compressed by gzip or not, of an ontology in OBO, or of NCBI's
    nodes.dmp, as the command ``mct data`` takes them; the path of a file that networkx reads (.graphml, .gexf, .gml,
    .net); pairs (child, parent) of texts or whole numbers, perhaps with a weight; an array of such rows; a data frame
    (pandas, polars) of two or three columns; a directed graph of networkx. Edges lead from child to parent or, with
    ``parent_first=True``, from parent to child.

    Options for edge lists: ``separator`` is one of SEPARATORS, ``header`` one of HEADERS. ``comments`` is False or the
    beginning of lines to ignore. With ``quotes`` False a quote is part of a name. Options for OBO: ``relationships``
    are edges beside is_a, such as ["part_of"]. With ``ids`` terms are named by their ids. Option for NCBI:
    ``taxon_names`` is the path of names.dmp.
    """
    of_files = dict(format=format, separator=separator, header=header, comments=comments, quotes=quotes,
                    relationships=relationships, ids=ids, taxon_names=taxon_names)
    if isinstance(source, (str, os.PathLike)):
        return _of_file(file_path("source", source), parent_first, of_files)
    for name, value in of_files.items():
        if value != read_graph.__kwdefaults__[name]:
            raise TypeError(f"{name} is an option of files, and the edges are a {type(source).__name__}")
    if isinstance(source, _core.Graph):
        return source, dict(edges=source.edge_count, duplicates=0, self_loops=0)
    if all(hasattr(source, name) for name in ("is_directed", "nodes", "edges")):
        return _of_networkx(source, parent_first)
    return _of_rows(_rows(source, parent_first), parent_first)


def node_name(value) -> str:
    """Converts a text or a whole number to the name of a node. Raises TypeError and ValueError for others; their
    messages continue a sentence after "is"."""
    if isinstance(value, str):
        return utf8(value)
    if isinstance(value, (bool, np.bool_)):
        pass
    elif isinstance(value, (int, np.integer)):
        return str(int(value))
    elif isinstance(value, (float, np.floating)):
        if abs(value) <= _WHOLE_DOUBLES and float(value).is_integer():
            return str(int(value))
        raise ValueError(f"{value!r}, which is not a whole number")
    raise TypeError(f"{value!r}, neither a text nor a whole number")


def _of_file(path: str, parent_first: bool, given: dict) -> tuple[_core.Graph, dict]:
    name = path.removesuffix(".gz")
    reader = _NETWORKX_READERS.get(os.path.splitext(name)[1].lower())
    if reader is not None and given["format"] == "auto":
        return _of_networkx_file(path, reader, parent_first)
    for name, names in (("format", FORMATS), ("separator", SEPARATORS), ("header", HEADERS)):
        if given[name] not in names:
            raise ValueError(f"{name} is {given[name]!r}, not one of {', '.join(names)}")
    comments, relationships, taxon_names = (given[name] for name in ("comments", "relationships", "taxon_names"))
    if not isinstance(comments, (bool, str)) or comments == "":
        raise ValueError(f"comments is {comments!r}, not True, False or what such lines begin with")
    if isinstance(relationships, str):
        raise TypeError(f"relationships is {relationships!r}, not a list of texts")
    return _core.read_hierarchy(
        path, given["format"], given["separator"], given["header"], bool(parent_first), comments is not False,
        text("comments", comments) if isinstance(comments, str) and comments != "auto" else "", bool(given["quotes"]),
        [text("relationships", name) for name in relationships], bool(given["ids"]),
        "" if taxon_names is None else file_path("taxon_names", taxon_names))


def _of_networkx_file(path: str, reader: str, parent_first: bool) -> tuple[_core.Graph, dict]:
    try:
        import networkx
    except ImportError:
        raise ImportError(f"{path!r} is read by networkx.{reader}, and networkx is not installed") from None
    try:
        graph = getattr(networkx, reader)(path)
    except OSError:
        raise
    except Exception as error:  # each reader, and each parser that it calls, has its own exceptions
        raise _core.IoError(f"{path!r}: networkx.{reader}: {error}") from error
    return _of_networkx(graph, parent_first)


def _of_networkx(graph, parent_first: bool) -> tuple[_core.Graph, dict]:
    if not graph.is_directed():
        raise ValueError("an undirected graph does not say what is above: give a DiGraph whose edges lead from "
                         "child to parent (parent_first=True: from parent to child)")
    weights = [weight for _, _, weight in graph.edges(data="weight")]
    if weights and all(weight is None for weight in weights):
        rows = [(first, second) for first, second in graph.edges()]
    else:
        rows = [(first, second, weight) for first, second, weight in graph.edges(data="weight")]
        if any(weight is None for weight in weights):
            raise ValueError("some edges have a weight, and some have none")
    alone = [node for node in graph.nodes if graph.degree(node) == 0]
    more = (1.0,) if rows and len(rows[0]) == 3 else ()
    found, report = _of_rows(rows + [(node, node, *more) for node in alone], parent_first)
    report["edges"] -= len(alone)
    report["self_loops"] -= len(alone)
    return found, report


def _rows(source, parent_first: bool) -> list:
    """Lists the rows: two names and perhaps a weight."""
    if hasattr(source, "columns") and (hasattr(source, "itertuples") or hasattr(source, "iter_rows")):
        columns = [text("a column of the frame", name) for name in source.columns]
        if len(columns) not in (2, 3):
            raise ValueError(f"a frame has two columns of names and perhaps one of weights, not {columns}; select "
                             "them: frame[['child', 'parent']]")
        if problem := _core.problem_of_header(*columns[:2], bool(parent_first)):
            raise ValueError(problem)
        if hasattr(source, "itertuples"):
            return list(source.itertuples(index=False, name=None))
        return list(source.iter_rows())
    if isinstance(source, np.ndarray):
        if source.dtype.names is None and (source.ndim != 2 or source.shape[1] not in (2, 3)):
            raise ValueError(f"an array of edges has a row of two names and perhaps a weight for each, not the "
                             f"shape {source.shape}")
        return source.tolist()
    try:
        return list(source)
    except TypeError:
        raise TypeError(f"edges are {source!r}; pairs (child, parent), a file, a frame or a graph are taken") from None


def _of_rows(rows: list, parent_first: bool) -> tuple[_core.Graph, dict]:
    names: tuple[list[str], list[str]] = ([], [])
    weights: list[float] = []
    columns = ("parent", "child") if parent_first else ("child", "parent")
    for at, row in enumerate(rows):
        # texts and dicts have a length, too, but are not pairs
        pair = not isinstance(row, (str, bytes, Mapping)) and hasattr(row, "__len__") and hasattr(row, "__getitem__")
        if not pair or len(row) not in (2, 3):
            raise ValueError(f"edge {at} is {row!r}; an edge has two names and perhaps a weight")
        if len(row) != len(rows[0]):
            raise ValueError(f"edge {at} is {row!r}; some edges have a weight, and some have none")
        for i, column in enumerate(columns):
            try:
                names[i].append(node_name(row[i]))
            except (TypeError, ValueError) as error:
                raise type(error)(f"edge {at}: the {column} is {error}") from None
        if len(row) == 3:
            if isinstance(row[2], (str, bytes)) or not hasattr(row[2], "__float__"):
                raise TypeError(f"edge {at}: the weight is {row[2]!r}, not a number")
            weights.append(float(row[2]))
    return _core.graph_of_edges(*names, weights, bool(parent_first))
