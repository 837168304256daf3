"""A graph network in the Poincaré ball: learns the classes of nodes of a graph, or of a tree that it draws itself."""
import argparse
import pickle

import numpy as np
import torch
from torch import nn

from mctensor.torch import geometry
from mctensor.torch.nn import hyperbolic


class Arrays(pickle.Unpickler):
    def find_class(self, module, name):  # a pickle may run any function: these alone
        if name not in ("_reconstruct", "ndarray", "dtype", "csr_matrix", "defaultdict", "list", "encode"):
            raise ValueError(f"the pickle has {module}.{name}, which is none of arrays")
        return super().find_class("scipy.sparse" if name == "csr_matrix" else module, name)


def read(path):  # features, edges, labels, and the nodes for training, validation and the test
    if "ind." in path:  # Planetoid
        x, y, tx, ty, allx, ally, graph = (Arrays(open(f"{path}.{part}", "rb"), encoding="latin1").load()
                                           for part in ("x", "y", "tx", "ty", "allx", "ally", "graph"))
        test = np.loadtxt(f"{path}.test.index", np.int64)
        features, labels = np.zeros((test.max() + 1, allx.shape[1])), np.zeros((test.max() + 1, ally.shape[1]))
        for target, first, last in ((features, allx.toarray(), tx.toarray()), (labels, ally, ty)):
            target[:len(first)], target[test] = first, last
        edges = np.array([(a, b) for a in graph for b in graph[a]]).T
        return features, edges, labels.argmax(1), [*np.split(np.arange(len(y) + 500), [len(y)]), test]
    if path:  # HGCN
        labels, edges = np.load(f"{path}.labels.npy"), np.loadtxt(f"{path}.edges.csv", np.int64, delimiter=",").T
    else:  # a binary tree: which of the root's grandchildren is above a node
        labels = np.array([int(f"{i + 1:b}"[:3].ljust(3, "0"), 2) - 4 for i in range(127)])
        edges = np.array([(i, (i - 1) // 2) for i in range(1, 127)]).T
    n = len(labels)  # without features: the numbers of the nodes
    return np.eye(n), edges, labels, np.split(np.random.permutation(n), [n * 3 // 10, n * 4 // 10])


options = argparse.ArgumentParser(description=__doc__)
options.add_argument("path", nargs="?", default="", help="FOLDER/NAME of NAME.edges.csv and NAME.labels.npy (Disease), "
                     "or FOLDER/ind.NAME of ind.NAME.x and its companions (Cora)")
options.add_argument("--epochs", type=int, default=100)
given = options.parse_args()
torch.manual_seed(1), np.random.seed(1)
x, edges, labels, parts = read(given.path)
x, labels, ball = torch.tensor(x).float(), torch.tensor(labels).long(), geometry.PoincareBall(c=1.0, learnable=True)
starts, columns = hyperbolic.neighbours(edges, len(x), undirected=True)
enter = nn.Sequential(nn.Dropout(0.5), nn.Linear(x.shape[1], 16))
first, last = (hyperbolic.GraphAttention(16, 16, ball, num_heads=4) for _ in range(2))
leave = nn.Sequential(hyperbolic.HyperbolicActivation(ball), hyperbolic.HyperbolicMLR(16, int(labels.max()) + 1, ball))
network, best = nn.ModuleList([enter, first, last, leave]), (0.0, 0.0)
adam = torch.optim.Adam(network.parameters(), lr=0.01, weight_decay=5e-4)
for step in range(2 * given.epochs):
    network.train(step % 2 == 0)
    logits = leave(last(first(hyperbolic.from_tangent0(ball, enter(x)), starts, columns), starts, columns))
    if network.training:
        adam.zero_grad(), nn.functional.cross_entropy(logits[parts[0]], labels[parts[0]]).backward(), adam.step()
    else:
        best = max(best, tuple((logits.argmax(1) == labels)[part].float().mean().item() for part in parts[1:]))
print(f"{len(x)} nodes, curvature {-ball.c.item():.3f}: right in validation {best[0]:.3f}, in the test {best[1]:.3f}")
