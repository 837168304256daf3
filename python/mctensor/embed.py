"""Hierarchies as points of hyperbolic space.

    embedding = mctensor.embed.fit([("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal")])
    embedding.nearest("dog", 2)
    embedding.plot()

An edge leads from the special node to the general node: (child, parent). read_graph lists the possible sources of
edges, and reports on the edges in a file. docs/embed.md explains training, the models and their quality.
"""
from __future__ import annotations

import pathlib
import sys
import tempfile
import time

import numpy as np

from . import _core
from ._arguments import MOST_INT, MOST_UINT64, file_path, number, set_option, text, whole
from ._array import Array
from ._edges import node_name, read_graph
from ._make import from_planes
from ._pickles import NotPickled
from ._turns import Turns

__all__ = ["Embedding", "HyperbolicEmbedding", "Trainer", "fit", "load", "read_graph"]

MODELS = _core.models
#: the time of training between two checks for Ctrl-C
_PIECE_SECONDS = 0.1


def graph_of(edges, parent_first: bool = False):
    """Makes a graph from edges in any form that read_graph takes. Duplicates are left out."""
    return read_graph(edges, parent_first=parent_first)[0]


class Trainer(NotPickled):
    """A training that can be watched, interrupted and continued, also from other threads.

    With ``closure`` edges to all ancestors of a hierarchy are trained, as in the papers; a graph that its counts show
    to be no hierarchy is trained in both directions. Without it the given edges are trained. ``embedded`` describes in
    words what is trained. With ``tune`` sharpness and rate (unless given) are compared for so many seconds by the ranks
    of held-out edges; ``tuned`` lists the trials, and Ctrl-C ends the tuning. The other options are as in fit.
    ``options`` has the chosen values.
    """

    _instead = "save(path) writes it, and load(path) of a Trainer of the same edges and options reads it"

    def __init__(self, edges, model: str = "xmc-half-space", dim: int = 2, *, components: int | None = None,
                 factors: int = 1, radius: float = 1.0, optimizer: str = "rsgd", lr: float | None = None,
                 batch: int | None = None, epochs: int | None = None, negatives: int = 50,
                 seed: int = 0, closure: bool = True, parent_first: bool = False, tune: float | None = None,
                 **more):
        graph = graph_of(edges, parent_first)
        self.embedded, self._is_as_expected = "the edges as they are given", True
        if closure and graph.edge_count > 0:
            graph, self.embedded, self._is_as_expected = graph.usual()
        #: the graph that is trained
        self.graph = graph
        options = _core.usual_options(
            text("model", model), whole("dim", dim, 0, MOST_INT),
            0 if components is None else whole("components", components, 1, MOST_INT),
            whole("factors", factors, 0, MOST_INT), number("radius", radius), text("optimizer", optimizer),
            graph.edge_count,
            None if batch is None else whole("batch", batch), None if epochs is None else whole("epochs", epochs),
            text("dtype", more.pop("dtype", None) or "float64"))
        given = {"lr": lr, "negatives": negatives, "seed": seed, **more}
        if lr is not None and given.get("lr_peak") is None:  # a given rate stays constant by default
            given["lr_peak"] = 1.0
        for name, value in given.items():
            if not hasattr(options, name) or name == "check" or name.startswith("_"):
                raise TypeError(f"training has no option '{name}'")
            if value is not None:
                set_option(options, name, value)
        options.check()
        #: the trials of tuning: (sharpness, lr, epochs, MAP of held-out edges), the chosen one first
        self.tuned = []
        if tune:
            options, self.tuned = _core.tune(graph, options, number("tune", tune), more.get("sharpness") is None,
                                             lr is None)
        self.options = options
        self._trainer = _core.Trainer(graph, options)
        self._turn = Turns()

    @property
    def done(self) -> bool:
        """Whether all epochs are finished."""
        with self._turn:
            return self._trainer.done

    @property
    def epochs(self) -> int:
        """The number of finished epochs."""
        with self._turn:
            return self._trainer.epochs

    @property
    def loss(self) -> float:
        """The mean loss of the last epoch."""
        with self._turn:
            return self._trainer.loss

    def run(self, progress=None) -> Embedding:
        """Trains to the end. With ``progress`` True it shows a line on stderr (ten lines if stderr is not a terminal);
        a function is called with (finished epochs, all epochs, loss). Ctrl-C raises KeyboardInterrupt within a moment,
        and run() continues from there."""
        report = _print_progress if progress is True else progress
        if progress is True and not self._is_as_expected:
            print(f"embedded: {self.embedded}", file=sys.stderr, flush=True)
        batches = 1
        while not self.done:
            with self._turn:
                begin = time.perf_counter()
                ended = self._trainer.advance(batches)
                seconds = time.perf_counter() - begin
                told = self._trainer.epochs, self.options.epochs, self._trainer.loss
            if seconds < _PIECE_SECONDS / 2:
                batches = min(batches * 2, 1 << 20)
            elif seconds > _PIECE_SECONDS:
                batches = max(batches // 2, 1)
            if ended and report is not None:
                report(*told)
        return self.embedding()

    def embedding(self) -> Embedding:
        """A copy of the points as they are now."""
        with self._turn:
            return Embedding(self._trainer.points(), self.graph)

    def save(self, path) -> None:
        """Writes the whole state of the training, exactly."""
        with self._turn:
            self._trainer.save(file_path("path", path))

    def load(self, path) -> None:
        """Reads a file of save, for the same graph and options."""
        with self._turn:
            self._trainer.load(file_path("path", path))


def _print_progress(done: int, total: int, loss: float) -> None:
    line = f"epoch {done} of {total}, loss {loss:.4f}"
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total or done % max(1, total // 10) == 0:  # a log does not need a line for each epoch
        print(line, file=sys.stderr, flush=True)


def fit(edges, model: str = "xmc-half-space", dim: int = 2, *, progress=None, **options) -> Embedding:
    """Embeds a hierarchy.

    ``model`` is one of MODELS. Options: components, factors, radius, optimizer ("rsgd", "radam"), lr, lr_peak, batch,
    epochs, negatives, sharpness, burn_in, cool_down, init, longest_step, radius_lr, seed, dtype, closure, parent_first,
    tune. With dtype "float32" instead of "float64" training computes in float32, and the points are such numbers. Other
    defaults depend on the number of edges and the dimensions, or are tuned on the graph for ``tune`` seconds (see
    Trainer).
    """
    return Trainer(edges, model, dim, **options).run(progress)


def load(path) -> Embedding:
    """Reads an embedding that Embedding.save or `mct embed` wrote."""
    name = file_path("path", path)
    try:
        return Embedding(_core.load_points(name))
    except UnicodeDecodeError as error:  # only Python needs valid UTF-8 in names
        raise _core.IoError(f"{name}: {error}") from None


class Embedding:
    """Nodes with names as points of a hyperbolic space."""

    def __init__(self, points, graph=None):
        self._points = points
        self._graph = graph
        #: the names, in the order of the points
        self.names = points.names
        self.model, self.dim, self.components, self.factors, self.radius = points.space

    def __reduce__(self):
        """A pickle holds the file that save writes, and the edges."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "points.safetensors")
            self.save(path)
            content = path.read_bytes()
        if self._graph is None:
            return _restored, (content, None)
        graph, names = self._graph, self._graph.names
        return _restored, (content, [[names[i] for i in ends] for ends in (graph.sources, graph.targets)])

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Embedding({len(self)} nodes, {self.model}, {self.dim} dimensions)"

    @property
    def points(self) -> Array:
        """The coordinates with all their components, (nodes, numbers), on shared memory."""
        values = self._points.coordinates
        return from_planes(values, f"f64x{values.shape[0]}")

    def node(self, name) -> int:
        """The number of the node with this name. Raises KeyError if there is none."""
        try:
            number = self._points.find(node_name(name))
        except (TypeError, ValueError):
            number = -1
        if number < 0:
            raise KeyError(f"no node is called {name!r}")
        return number

    def nearest(self, name, count: int = 10) -> list[tuple[str, float]]:
        """The nearest nodes of a node and their distances, nearest first."""
        return [(self.names[node], distance)
                for node, distance in self._points.nearest(self.node(name), whole("count", count))]

    def distance(self, a, b):
        """The distance of two nodes, or the distances of the pairs of two lists of nodes."""
        if isinstance(a, (list, tuple, np.ndarray)):
            return self._points.distances([self.node(x) for x in a], [self.node(x) for x in b])
        return float(self._points.distances([self.node(a)], [self.node(b)])[0])

    def distances_from(self, name) -> np.ndarray:
        """The distances from one node to all."""
        return self._points.distances_from(self.node(name))

    def disk(self, centre=None) -> np.ndarray:
        """The points of a plane in the Poincaré disk, (nodes, 2), with a node at the centre: by default the node in the
        middle of all. The surroundings of this node are right, however far from the origin it is."""
        number = self._points.central_node() if centre is None else self.node(centre)
        return np.stack(self._points.disk(number), axis=1)

    def evaluate(self, edges=None, *, objects: int = 0, seed: int = 0) -> dict:
        """Measures how well distances show the edges: mean rank, mean average precision, hits."""
        return self._points.evaluate(self._edges(edges), whole("objects", objects),
                                     whole("seed", seed, 0, MOST_UINT64))

    def _edges(self, edges):
        if edges is None and self._graph is None:
            return _core.graph_of_edges([], [], [], False)[0]
        return self._graph if edges is None else graph_of(edges)

    def plot(self, edges=None, *, centre=None, ax=None, labels: int = 20, **style):
        """Draws the disk with matplotlib: nodes, edges as chords, and the names of the nodes next to the centre.
        Returns the axes. write_svg draws exact geodesics and large hierarchies."""
        import matplotlib.pyplot as plt

        xy = self.disk(centre)
        if ax is None:
            ax = plt.gca()
        ax.add_patch(plt.Circle((0, 0), 1, fill=False, color="0.6"))
        graph = self._edges(edges).renumbered(self._points)
        if graph.edge_count > 0:
            ends = np.stack([xy[graph.sources], xy[graph.targets]], axis=1)
            from matplotlib.collections import LineCollection

            ax.add_collection(LineCollection(ends, linewidths=0.3, colors="0.8", zorder=0))
        ax.scatter(xy[:, 0], xy[:, 1], **{"s": 8, **style})
        for node in np.argsort((xy**2).sum(axis=1))[:labels]:
            ax.annotate(self.names[node], xy[node], fontsize=7)
        ax.set_aspect("equal")
        ax.set_axis_off()
        return ax

    def write_svg(self, path, edges=None, *, centre=None, labels: int = 80, size: int = 1000,
                  radial: str = "distance", spread: float = 0.5, beside=None, subtrees: int = 12) -> None:
        """Writes a picture with geodesics, labels and a legend of subtrees: a node is as far from the middle as its
        distance is, or with radial="disk" where it is in the Poincaré disk. By distance, directions give way to equal
        angles by `spread`, 0 to 1. beside: the node in the middle of a second panel."""
        self._points.write_svg(file_path("path", path), self._edges(edges), self._centre(centre),
                               whole("labels", labels, 0, MOST_INT), whole("size", size, 0, MOST_INT), radial,
                               float(spread), self._centre(beside), whole("subtrees", subtrees, 0, MOST_INT))

    def write_page(self, path, edges=None, *, centre=None, radial: str = "distance", spread: float = 0.5,
                   subtrees: int = 12) -> None:
        """Writes an HTML page that can be moved; `radial`, as in write_svg, is how it begins."""
        self._points.write_page(file_path("path", path), self._edges(edges), self._centre(centre), radial,
                                float(spread), whole("subtrees", subtrees, 0, MOST_INT))

    def _centre(self, name) -> int:
        """The number of the node at the centre, or -1: then the library chooses it."""
        return -1 if name is None else self.node(name)

    def save(self, path) -> None:
        """Writes a safetensors file, which the program mct reads, too."""
        self._points.save(file_path("path", path))


def _restored(content: bytes, edges) -> Embedding:
    """The embedding of a pickle."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "points.safetensors")
        path.write_bytes(content)
        points = load(path)._points
    return Embedding(points, None if edges is None else _core.graph_of_edges(*edges, [], False)[0])


class HyperbolicEmbedding:
    """fit as an estimator of scikit-learn: ``HyperbolicEmbedding(dim=2).fit_transform(edges)``.

    After fit it has ``embedding_`` (an Embedding) and ``names_``. Its parameters are those of the function fit.
    """

    def __init__(self, model="xmc-half-space", dim=2, components=None, factors=1, radius=1.0,
                 optimizer="rsgd", lr=None, batch=None, epochs=None, negatives=50, seed=0, closure=True,
                 progress=None, parent_first=False, tune=None, dtype=None):
        given = locals()
        for name in self._PARAMETERS:
            setattr(self, name, given[name])

    _PARAMETERS = __init__.__code__.co_varnames[1:__init__.__code__.co_argcount]

    def __setstate__(self, state: dict) -> None:
        """Restores a pickle. Parameters that an earlier version did not have get their defaults."""
        HyperbolicEmbedding.__init__(self)
        vars(self).update(state)

    def get_params(self, deep: bool = True) -> dict:
        """The parameters by their names."""
        return {name: getattr(self, name) for name in self._PARAMETERS}

    def set_params(self, **parameters) -> HyperbolicEmbedding:
        """Sets parameters."""
        for name, value in parameters.items():
            if name not in self._PARAMETERS:
                raise ValueError(f"HyperbolicEmbedding has no parameter '{name}'")
            setattr(self, name, value)
        return self

    def fit(self, edges, y=None) -> HyperbolicEmbedding:
        """Embeds the edges; y is ignored."""
        self.embedding_ = fit(edges, **self.get_params())
        self.names_ = self.embedding_.names
        return self

    def fit_transform(self, edges, y=None) -> np.ndarray:
        """The coordinates of the nodes, rounded to double, in the order of names_."""
        return self.fit(edges).embedding_.points.to_numpy()
