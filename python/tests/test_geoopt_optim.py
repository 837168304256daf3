"""Optimizers by geoopt's names, and models written for geoopt on both libraries."""
import copy

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import geometry as ours  # noqa: E402

KINDS = {"sgd": lambda ps, lib=ours: lib.optim.RiemannianSGD(ps, lr=0.05),
         "momentum": lambda ps: ours.optim.RiemannianSGD(ps, lr=0.01, momentum=0.9, nesterov=True),
         "adam": lambda ps, lib=ours: lib.optim.RiemannianAdam(ps, lr=0.05),
         "amsgrad": lambda ps: ours.optim.RiemannianAdam(ps, lr=0.05, amsgrad=True, stabilize=7)}


def parameter(manifold, *shape, seed=0, dtype=torch.float64):
    torch.manual_seed(seed)
    return ours.ManifoldParameter(manifold.random(*shape, dtype=dtype), manifold=manifold)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("manifold", [ours.PoincareBall(0.5), ours.HalfSpace(), ours.Lorentz(2.0), ours.Sphere(),
                                      ours.Stereographic(-0.5), ours.Euclidean()], ids=repr)
def test_a_point_is_found(manifold, kind):
    p, target = parameter(manifold, 4, 3), parameter(manifold, 4, 3, seed=1).detach()
    optimizer = KINDS[kind]([p])
    first = None
    for _ in range(150):
        optimizer.zero_grad()
        loss = manifold.dist2(p, target).sum()
        loss.backward()
        first = loss.item() if first is None else first
        optimizer.step()
    assert loss.item() < 0.01 * first and manifold.check_point_on_manifold(p)


@pytest.mark.parametrize("kind", KINDS)
def test_states_are_saved(kind):
    ball = ours.PoincareBall()
    p, target = parameter(ball, 4, 3), parameter(ball, 4, 3, seed=1).detach()

    def run(p, optimizer, count):
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
        for _ in range(count):
            optimizer.zero_grad()
            ball.dist2(p, target).sum().backward()
            optimizer.step()
            schedule.step()

    optimizer = KINDS[kind]([p])
    run(p, optimizer, 5)
    q = copy.deepcopy(p)
    other = KINDS[kind]([q])
    other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    assert other.param_groups[0]["lr"] < KINDS[kind]([q]).param_groups[0]["lr"]
    run(p, optimizer, 3)
    run(q, other, 3)
    assert torch.equal(p, q)


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_gradients(kind):
    """Rows with a gradient go as in a dense step, the others stay, and so do their moments."""
    ball = ours.PoincareBall()
    dense, sparse = (torch.nn.Embedding(6, 3, sparse=kind_ == "sparse") for kind_ in ("dense", "sparse"))
    for embedding in (dense, sparse):
        embedding.weight = parameter(ball, 6, 3)
    start = dense.weight.detach().clone()
    optimizers = [KINDS[kind]([e.weight]) for e in (dense, sparse)]
    rows = torch.tensor([1, 4, 4])
    for _ in range(3):
        for embedding, optimizer in zip((dense, sparse), optimizers):
            optimizer.zero_grad()
            ball.dist2(embedding(rows), torch.full((3,), 0.1, dtype=torch.float64)).sum().backward()
            optimizer.step()
    assert torch.allclose(dense.weight[[1, 4]], sparse.weight[[1, 4]], rtol=1e-14)
    others = [0, 2, 3, 5]
    assert torch.equal(sparse.weight[others], start[others]) and not torch.equal(sparse.weight[1], start[1])


def test_groups_types_and_errors():
    ball = ours.PoincareBall()
    p, w = parameter(ball, 4, 3, dtype=torch.float32), torch.nn.Parameter(torch.ones(3))
    optimizer = ours.optim.RiemannianAdam([{"params": [p], "lr": 0.5}, {"params": [w], "weight_decay": 0.1}], lr=0.1)
    for _ in range(30):
        optimizer.zero_grad()
        (ball.dist0(p).sum() * -1 + (w**2).sum()).backward()
        optimizer.step()
    assert p.dtype == torch.float32 and ball.dist0(p).isfinite().all() and w.abs().max() < 0.9
    assert optimizer.step(lambda: 3) == 3
    optimizer.stabilize()
    for make, words in ((lambda: ours.optim.RiemannianSGD([p], lr=-1), "lr = -1"),
                        (lambda: ours.optim.RiemannianSGD([p], nesterov=True), "nesterov"),
                        (lambda: ours.optim.RiemannianAdam([p], betas=(0.9, 1.0)), "betas")):
        with pytest.raises(ValueError, match=words):
            make()


class LinkPredictor(torch.nn.Module):
    """Embeddings whose distances are logits of edges (Nickel and Kiela 2017)."""

    def __init__(self, lib):
        super().__init__()
        self.ball = lib.PoincareBallExact(c=torch.tensor(0.7, dtype=torch.float64))
        self.table = lib.ManifoldParameter(torch.randn(8, 3).double() * 0.2, manifold=self.ball)

    def loss(self):
        every = self.ball.dist(self.table[:, None], self.table[None] + 1e-3)
        edges = (torch.arange(8) + 1) // 2 - 1
        return torch.nn.functional.cross_entropy(-every[1:], edges[1:].clamp(min=0))


class Classifier(torch.nn.Module):
    """A linear layer of the ball with a bias, and distances from planes as logits (Ganea et al. 2018)."""

    def __init__(self, lib):
        super().__init__()
        self.ball = lib.PoincareBallExact(c=torch.tensor(0.7, dtype=torch.float64), learnable=True)
        self.weight = torch.nn.Parameter(torch.randn(4, 3).double() * 0.5)
        self.bias = lib.ManifoldParameter(torch.randn(4).double() * 0.1, manifold=self.ball)
        self.planes = lib.ManifoldParameter(torch.randn(2, 4).double() * 0.1, manifold=self.ball)
        self.normals = torch.nn.Parameter(torch.randn(2, 4).double())
        self.data, self.labels = torch.randn(10, 3).double(), torch.arange(10) % 2

    def loss(self):
        hidden = self.ball.mobius_matvec(self.weight, self.ball.expmap0(self.data * 0.3))
        hidden = self.ball.mobius_add(hidden, self.bias)
        hidden = self.ball.mobius_fn_apply(torch.tanh, hidden)
        logits = self.ball.dist2plane(hidden[:, None], self.planes, self.normals, signed=True, scaled=True)
        return torch.nn.functional.cross_entropy(logits, self.labels)


class LorentzEmbedding(torch.nn.Module):
    """Points of the hyperboloid whose distances are those of a tree (Nickel and Kiela 2018)."""

    def __init__(self, lib):
        super().__init__()
        self.lorentz = lib.Lorentz(k=torch.tensor(2.0, dtype=torch.float64))
        tangent = torch.nn.functional.pad(torch.randn(7, 3).double(), (1, 0))
        self.table = lib.ManifoldParameter(self.lorentz.expmap0(tangent), manifold=self.lorentz)

    def loss(self):
        parents = self.table[(torch.arange(1, 7) - 1) // 2]
        near = self.lorentz.dist(self.table[1:], parents)
        far = self.lorentz.dist(self.table[1:], self.table[[3, 4, 5, 6, 1, 2]])
        return (near - 1).square().mean() + torch.relu(3 - far).mean()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model, kind", [(LinkPredictor, "adam"), (Classifier, "adam"), (LorentzEmbedding, "sgd")])
def test_models_of_geoopt(model, kind):
    """The import changed, and nothing else: losses of 40 steps differ by 1e-6 of them at most."""
    geoopt = pytest.importorskip("geoopt", reason="geoopt is not installed")
    histories = []
    for lib in (ours, geoopt):
        torch.manual_seed(3)
        m = model(lib)
        optimizer = KINDS[kind](m.parameters(), lib)
        losses = []
        for _ in range(40):
            optimizer.zero_grad()
            loss = m.loss()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        histories.append(losses)
    assert histories[0] == pytest.approx(histories[1], rel=1e-6) and histories[0][-1] < 0.9 * histories[0][0]
