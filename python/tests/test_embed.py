"""Embedding of hierarchies."""
import os
import copy
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mctensor
from conftest import beside
from mctensor import embed

TREE = [(f"n{i}", f"n{(i - 1) // 2}") for i in range(1, 31)]


@pytest.fixture(scope="module")
def tree():
    return embed.fit(TREE, epochs=200, seed=3)


def test_a_tree_is_found_again(tree):
    report = tree.evaluate()
    assert report["mean_average_precision"] > 0.9 and report["objects"] == 30
    assert len(tree) == 31 and tree.names[0] == "n1" and "31 nodes" in repr(tree)
    assert tree.evaluate(TREE)["pairs"] == 30


def test_distances(tree):
    nearest = tree.nearest("n0", 31)
    assert len(nearest) == 30 and sorted(d for _, d in nearest) == [d for _, d in nearest]
    name, distance = nearest[0]
    assert tree.distance("n0", name) == distance
    row = tree.distances_from("n0")
    assert row[tree.node(name)] == distance and row[tree.node("n0")] == 0
    assert np.array_equal(tree.distance(["n0", "n1"], ["n3", "n4"]),
                          [tree.distance("n0", "n3"), tree.distance("n1", "n4")])


def test_points(tree):
    assert tree.points.shape == (31, 2) and tree.points.dtype == "f64x2"
    assert np.all(tree.points[:, 1] > 0)
    disk = tree.disk("n0")
    assert disk.shape == (31, 2) and np.allclose(disk[tree.node("n0")], 0)
    assert np.all((disk**2).sum(1) < 1) and tree.disk().shape == (31, 2)
    radii = 2 * np.arctanh(np.sqrt((disk**2).sum(1)))
    assert np.allclose(radii, tree.distances_from("n0"), rtol=1e-9)


@pytest.mark.parametrize("model", embed.MODELS)
def test_every_model(model):
    found = embed.fit(TREE[:14], model, epochs=20)
    assert found.model == model and np.isfinite(found.distances_from("n0")).all()


def test_the_same_seed_gives_the_same_bits():
    a, b = (embed.fit(TREE, epochs=10, seed=5) for _ in range(2))
    c = embed.fit(TREE, epochs=10, seed=6)
    assert np.array_equal(a.points.planes, b.points.planes)
    assert not np.array_equal(a.points.planes, c.points.planes)


def test_progress_is_short_in_a_log(capfd):
    embed.fit(TREE[:14], epochs=100, progress=True)
    lines = capfd.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 10 and all(line.startswith("epoch ") for line in lines)
    assert lines[-1].startswith("epoch 100 of 100, loss ")


def test_files(tree, tmp_path):
    tree.save(tmp_path / "tree.safetensors")
    again = embed.load(tmp_path / "tree.safetensors")
    assert again.names == tree.names and np.array_equal(again.points.planes, tree.points.planes)
    tree.write_svg(tmp_path / "tree.svg")
    tree.write_page(tmp_path / "tree.html", TREE, centre="n1")
    assert (tmp_path / "tree.svg").read_text().startswith("<") and (tmp_path / "tree.html").exists()
    with pytest.raises(OSError, match="none"):
        embed.load(tmp_path / "none")
    (tmp_path / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in TREE))
    listed = embed.fit(tmp_path / "edges.tsv", epochs=200, seed=3)
    assert np.array_equal(listed.points.planes, tree.points.planes)


def test_plot(tree):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    ax = tree.plot(centre="n0", labels=3)
    assert len(ax.texts) == 3 and len(ax.collections) == 2
    plt.close("all")


def test_training_goes_on(tmp_path):
    whole = embed.Trainer(TREE, epochs=12, seed=1)
    told = []
    expected = whole.run(lambda *about: told.append(about))
    assert [done for done, _, _ in told] == list(range(1, 13)) and whole.done and told[0][1] == 12
    first = embed.Trainer(TREE, epochs=12, seed=1)

    def stop(done, of, loss):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(stop)
    assert first.epochs == 5 and not first.done
    first.save(tmp_path / "training")
    second = embed.Trainer(TREE, epochs=12, seed=1)
    second.load(tmp_path / "training")
    for trainer in (first, second):
        assert np.array_equal(trainer.run().points.planes, expected.points.planes)
    with pytest.raises(OSError):
        embed.Trainer(TREE[:5], epochs=12, seed=1).load(tmp_path / "training")


def test_threads_train_together():
    expected = embed.Trainer(TREE, epochs=300, seed=1).run().points.planes
    trainer = embed.Trainer(TREE, epochs=300, seed=1)
    beside(lambda: trainer.run(), lambda: trainer.run(), times=1)
    assert trainer.done and trainer.epochs == 300
    assert np.array_equal(trainer.embedding().points.planes, expected)


def test_who_looks_at_training_need_not_wait_for_its_end(tmp_path):
    trainer = embed.Trainer(TREE, epochs=100000)

    def look():
        for _ in range(3):
            trainer.embedding()
            trainer.save(tmp_path / "training")
        assert not trainer.done
        raise KeyboardInterrupt

    def stop(*about):
        if not looking.is_alive():
            raise KeyboardInterrupt

    looking = threading.Thread(target=lambda: pytest.raises(KeyboardInterrupt, look))
    looking.start()
    with pytest.raises(KeyboardInterrupt):
        trainer.run(stop)
    looking.join()
    assert not trainer.done


@pytest.mark.parametrize("call", [
    "e.fit(edges, epochs=100000, closure=False)", "e.fit(edges, epochs=1, closure=False, tune=1000)",
    "points = e.fit(edges[:999], epochs=1)\nwhile True: points.evaluate()"])
def test_ctrl_c(call):
    program = ("import mctensor.embed as e\n"
               "edges = [(i, i // 2) for i in range(1, 20000)]\n"
               f"print('begin', flush=True)\n{call}\n")
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=os.environ)
    assert child.stdout.readline() == "begin\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, errors = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and time.monotonic() - begin < 20


def test_threads_run_while_training():
    counted = []
    thread = threading.Thread(target=lambda: [counted.append(1) or time.sleep(0.001) for _ in range(50)])
    thread.start()
    embed.fit(TREE, epochs=100)
    thread.join()
    assert len(counted) == 50


def test_float32_has_floats():
    plain = embed.fit(TREE, "half-space", epochs=30, seed=5)
    found = embed.fit(TREE, "half-space", epochs=30, seed=5, dtype="float32")
    x = found.points.to_numpy()
    assert (x == x.astype(np.float32)).all()
    assert not (plain.points.to_numpy() == x).all()
    with pytest.raises(mctensor.DomainError, match="no dtype 'float16'; there are float64, float32"):
        embed.fit(TREE, dtype="float16")
    with pytest.raises(mctensor.DomainError, match="not in the space mc-half-space.* in float32"):
        embed.fit(TREE, "mc-half-space", dtype="float32")


def test_estimator():
    estimator = embed.HyperbolicEmbedding(epochs=5, seed=2)
    x = estimator.fit_transform(TREE)
    assert x.shape == (31, 2) and estimator.names_[0] == "n1" and len(estimator.embedding_) == 31
    assert estimator.set_params(dim=3).get_params()["dim"] == 3
    assert estimator.fit_transform(np.array([[1, 0], [2, 0], [3, 1]])).shape == (4, 3)
    with pytest.raises(ValueError, match="colour"):
        estimator.set_params(colour=1)
    points = embed.HyperbolicEmbedding(epochs=1, parent_first=True).fit([("root", "leaf"), ("root", "twig")])
    assert {points.names_[t] for t in points.embedding_._graph.targets} == {"root"}
    older = pickle.loads(pickle.dumps(embed.HyperbolicEmbedding(dim=3)))
    assert older.get_params()["dim"] == 3
    del older.tune  # as an earlier version has saved it
    assert pickle.loads(pickle.dumps(older)).get_params()["tune"] is None
    base = pytest.importorskip("sklearn.base")
    assert base.clone(estimator).get_params() == estimator.get_params()


def test_weights_and_duplicates():
    graph = embed.graph_of([("a", "b", 2.0), ("a", "b", 5.0), ("c", "c", 1.0)])
    assert graph.edge_count == 1 and graph.names == ["a", "b", "c"]
    flipped = embed.graph_of([("parent", "child")], parent_first=True)
    assert flipped.names == ["parent", "child"]  # as they come, like those of a file
    assert list(flipped.sources) == [1] and list(flipped.targets) == [0]


@pytest.mark.parametrize("edges, error, message", [
    ([], ValueError, "edge"), ([("a",)], ValueError, "two names"), ([("a", "b", 1), ("b", "c")],
     ValueError, "weight"), ([("a", "b", -1.0)], ValueError, "weight"), ("no/such.tsv", OSError, "such")])
def test_bad_edges(edges, error, message):
    with pytest.raises(error, match=message):
        embed.fit(edges, epochs=1)


@pytest.mark.parametrize("text", ["caf\xe9\tb\n".encode("latin-1"), "a\tb\n".encode("utf-16")])
def test_edges_that_are_no_utf8(tmp_path, text):
    (tmp_path / "edges.tsv").write_bytes(text)
    with pytest.raises(OSError, match="edges.tsv"):
        embed.fit(tmp_path / "edges.tsv", epochs=1)


def test_names_that_are_no_utf8(tree, tmp_path):
    tree.save(tmp_path / "tree")
    content = (tmp_path / "tree").read_bytes()
    assert b"n30" in content
    (tmp_path / "tree").write_bytes(content.replace(b"n30", b"n3\xff"))
    with pytest.raises(OSError, match="tree"):
        embed.load(tmp_path / "tree")


@pytest.mark.parametrize("options, error, message", [
    (dict(lr="x"), TypeError, "lr must be a float, not 'x'"), (dict(dim=2.5), TypeError, "dim must be an int"),
    (dict(seed=-1), ValueError, "seed -1 is out of range"), (dict(dim=2**40), ValueError, "dim must be at most"),
    (dict(radius=None), TypeError, "radius must be a float, not None"),
    (dict(components=-1), ValueError, "components must be at least 1, not -1"),
    (dict(components=0), ValueError, "components must be at least 1, not 0"),
    (dict(epochs=1.5), TypeError, "epochs must be an int"), (dict(model=3), ValueError, "model")])
def test_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        embed.fit(TREE, **{"epochs": 1, **options})


def test_arguments_are_named(tree):
    for call, error, message in [
            (lambda: tree.evaluate(objects=-1), ValueError, "objects must be at least 0, not -1"),
            (lambda: tree.nearest("n0", 2.5), TypeError, "count must be an int, not 2.5"),
            (lambda: tree.write_svg("x", labels="a"), TypeError, "labels must be an int, not 'a'"),
            (lambda: tree.save(None), TypeError, "PathLike"), (lambda: embed.load(None), TypeError, "PathLike"),
            (lambda: tree.write_page(3.5), TypeError, "PathLike")]:
        with pytest.raises(error, match=message):
            call()


def test_bad_options(tree):
    for options, error in [(dict(model="sphere"), ValueError), (dict(dim=1), ValueError),
                           (dict(lr=-1.0), ValueError), (dict(batch=0), ValueError),
                           (dict(optimizer="sgd"), ValueError), (dict(colour=1), TypeError)]:
        with pytest.raises(error):
            embed.fit(TREE, epochs=1, **options)
    with pytest.raises(KeyError, match="nobody"):
        tree.nearest("nobody")
    with pytest.raises(ValueError):
        tree.nearest("n0", -1)
    cycle = embed.fit([("a", "b"), ("b", "a"), ("c", "a")], epochs=2)  # trained as it is
    assert len(cycle) == 3


def test_settings_are_chosen_on_held_out_edges():
    trainer = embed.Trainer(TREE, dim=2, epochs=2, tune=30)
    assert len(trainer.tuned) == 7 and trainer.tuned[0][2] >= 16
    assert (trainer.options.sharpness, trainer.options.lr) == trainer.tuned[0][:2]
    assert {t[0] for t in embed.Trainer(TREE, epochs=2, tune=30, sharpness=0.7).tuned} == {0.7}
    assert not embed.Trainer(TREE, epochs=1, tune=0).tuned
    for seconds in (-1.0, float("nan")):
        with pytest.raises(ValueError):
            embed.fit(TREE, epochs=1, tune=seconds)
    with pytest.raises(ValueError, match="nothing is to be chosen"):
        embed.fit(TREE, epochs=1, tune=1, lr=1.0, sharpness=1.0)


def test_what_is_no_hierarchy_is_not_closed():
    undirected = [(i, i + 1) if i % 2 else (i + 1, i) for i in range(39)]
    trainer = embed.Trainer(undirected, epochs=1)
    assert "no hierarchy" in trainer.embedded
    assert trainer.graph.edge_count == 2 * len(undirected)
    assert trainer.embedding().evaluate()["pairs"] == 2 * len(undirected)
    assert embed.Trainer(undirected, epochs=1, closure=False).graph.edge_count == len(undirected)
    assert embed.Trainer([("a", "b"), ("b", "c")], epochs=1).embedded.startswith("the closure, 3 edges")


def test_a_pickle_of_an_embedding_is_the_same(tmp_path):
    edges = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("poodle", "dog"), ("\xe9t\xe9", "animal")]
    estimator = embed.HyperbolicEmbedding(dim=3, epochs=3).fit(edges)
    embedding = estimator.embedding_
    embedding.save(tmp_path / "points.safetensors")
    alone = embed.load(tmp_path / "points.safetensors")
    for original, others in ((embedding, [pickle.loads(pickle.dumps(estimator)).embedding_]), (alone, [])):
        for other in (*others, pickle.loads(pickle.dumps(original)), copy.deepcopy(original)):
            assert other.names == original.names and repr(other) == repr(original)
            assert np.array_equal(other.points.planes, original.points.planes)
            assert other.evaluate(edges) == original.evaluate(edges)
            assert original is alone or other.evaluate() == original.evaluate()
    trainer = embed.Trainer(edges, epochs=1)
    for f in (pickle.dumps, copy.deepcopy, copy.copy):
        with pytest.raises(TypeError, match=r"Trainer: pickle.*save\(path\)"):
            f(trainer)
