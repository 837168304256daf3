"""MCAdamW in training as PyTorch's users write it: hooks, copies, steps in the backward pass, averages, trainers."""
import copy
import io
import pickle

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from torch.optim.swa_utils import get_ema_multi_avg_fn  # noqa: E402

from mctensor import _torch_state  # noqa: E402
from mctensor.torch import AveragedModel, MCAdamW  # noqa: E402
from test_torch import parameters, train  # noqa: E402


def network(kind=torch.bfloat16):
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)).to(kind)


def batches(count, kind=torch.bfloat16):
    generator = torch.Generator().manual_seed(4)
    return [torch.randn(32, 8, generator=generator).to(kind) for _ in range(count)]


def loss(net, x):
    return (net(x).float() - x.float().sum(1, keepdim=True)).square().mean()


# What every optimizer of PyTorch has

def test_hooks_of_steps():
    params = parameters(torch.bfloat16)
    optimizer, seen = MCAdamW(params), []
    before = optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append(("before", o is optimizer)))
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append(("after", o.state[params[0]]["step"])))
    train(optimizer, params, 1)
    before.remove()
    train(optimizer, params, 1, 1)
    assert seen == [("before", True), ("after", 1), ("after", 2)]


def test_pickles_and_defaults():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, lr=1e-2, metrics=True)
    train(optimizer, params, 2)
    other = pickle.loads(pickle.dumps(optimizer))
    assert {"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "foreach", "capturable", "differentiable",
            "fused", "strategy"} <= set(optimizer.defaults) == set(other.defaults)
    again = [p for group in other.param_groups for p in group["params"]]
    train(optimizer, params, 2, 2)
    train(other, again, 2, 2)
    assert all(torch.equal(p, q) for p, q in zip(params, again))
    group = {"params": [torch.nn.Parameter(torch.ones(3))], "lr": 0.5}
    other.add_param_group(group)
    assert other.param_groups[1]["weight_decay"] == 0.01 and other.param_groups[1]["lr"] == 0.5


def test_what_a_step_did_is_printed():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params)
    train(optimizer, params, 1)
    assert repr(optimizer.last_report) == "StepReport(elements=1238, nonfinite=0, skipped=False)"
    optimizer.metrics = True
    train(optimizer, params, 1, 1)
    assert "measured=1238, updates=1238, lost_updates=0, descent_quality=0.0" in repr(optimizer.last_report)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float32], ids=str)
def test_a_rate_that_is_a_tensor(kind):
    params, again = parameters(kind), parameters(kind)
    first, second = MCAdamW(params, lr=torch.tensor(0.25)), MCAdamW(again, lr=0.25)
    schedules = [torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5) for optimizer in (first, second)]
    for step in range(3):
        train(first, params, 1, step)
        train(second, again, 1, step)
        for schedule in schedules:
            schedule.step()
    assert isinstance(first.param_groups[0]["lr"], torch.Tensor) and all(map(torch.equal, params, again))
    with pytest.raises(TypeError, match=r"lr must be a float, not tensor\(\[0.1"):
        MCAdamW(parameters(kind), lr=torch.full((2,), 0.1))


# Loops

def test_steps_in_the_backward_pass():
    """An optimizer for each parameter, which is stepped as soon as its gradient is there, and lets it go."""
    net, plain = network(), network()
    optimizers = {p: MCAdamW([p], lr=1e-2, seed=i, process_group=None) for i, p in enumerate(net.parameters())}

    def step(p):
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(step)
    optimizer = MCAdamW(plain.parameters(), lr=1e-2)
    for x in batches(4):
        loss(net, x).backward()
        assert all(p.grad is None for p in net.parameters())
        loss(plain, x).backward()
        optimizer.step()
        optimizer.zero_grad()
    # split16-plus rounds moments stochastically: other seeds give other bits
    assert all(torch.allclose(p, q, atol=2e-3) for p, q in zip(net.parameters(), plain.parameters()))
    assert all(optimizers[p].state[p]["step"] == 4 for p in net.parameters())


def test_accumulated_and_clipped_gradients():
    net, plain = network(torch.float32), network(torch.float32)
    ours, theirs = MCAdamW(net.parameters(), lr=1e-2), torch.optim.AdamW(plain.parameters(), lr=1e-2)
    for _ in range(3):
        for model, optimizer in ((net, ours), (plain, theirs)):
            for x in batches(4, torch.float32):
                (loss(model, x) / 4).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
    assert all(torch.allclose(p, q, atol=1e-6) for p, q in zip(net.parameters(), plain.parameters()))


# Averages

def move(net):
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(2)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_moving_averages_move(kind):
    """From 1 to 2 by a ten-thousandth of what is left, 2,000 times."""
    net = torch.nn.Linear(3, 2).to(kind)
    for p in net.parameters():
        torch.nn.init.ones_(p)
    average = AveragedModel(net, decay=0.9999)
    torchs = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9999))
    average.update_parameters(net)
    torchs.update_parameters(net)
    move(net)
    for step in range(2000):
        average.update_parameters(net)
        if step < 100:
            torchs.update_parameters(net)
    exact = 2 - 0.9999 ** 2000
    tolerance = 5e-4 if kind == torch.float16 else 1e-5
    for mean, p in zip(average.means(), average.module.parameters()):
        assert torch.allclose(mean, torch.full_like(mean, exact), rtol=tolerance)
        assert p.dtype == kind and torch.equal(p, mean.to(kind))
    stays = all(torch.equal(p, torch.ones_like(p)) for p in torchs.module.parameters())
    assert stays == (kind != torch.float32)


def test_averages_are_files_and_models():
    net = network()
    optimizer = MCAdamW(net.parameters(), lr=1e-2)
    average, shown = AveragedModel(net, optimizer=optimizer), AveragedModel(net, decay=0.5, use_buffers=True)
    sums = [torch.zeros(p.shape) for p in net.parameters()]
    for x in batches(4):
        loss(net, x).backward()
        optimizer.step()
        optimizer.zero_grad()
        average.update_parameters(net)
        shown.update_parameters(net)
        for total, p in zip(sums, net.parameters()):
            total += optimizer.exact_weights(p)
    for mean, total in zip(average.means(), sums):
        assert torch.allclose(mean, total / 4, rtol=1e-6, atol=1e-7)
    file = io.BytesIO()
    torch.save(average.state_dict(), file)
    file.seek(0)
    other = AveragedModel(network(), optimizer=optimizer)
    other.load_state_dict(torch.load(file))
    twin = copy.deepcopy(shown)
    for model in (average, other, shown, twin):
        model.update_parameters(net)
    assert all(map(torch.equal, average.means(), other.means())) and all(map(torch.equal, shown.means(), twin.means()))
    assert torch.equal(average(x), other(x)) and int(average.n_averaged) == 5
    with pytest.raises(ValueError, match="decay 1.0"):
        AveragedModel(net, decay=1.0)


def test_averages_are_split_as_the_library_splits():
    net = torch.nn.Linear(500, 1, bias=False)
    torch.nn.init.normal_(net.weight)
    narrow = torch.nn.Linear(500, 1, bias=False).bfloat16()
    average = AveragedModel(narrow)
    with torch.no_grad():
        narrow.weight.copy_(net.weight)
    average._weight_of = lambda p, places: net.weight.detach()
    average.update_parameters(narrow)
    theta, low = torch.zeros(500, dtype=torch.bfloat16), torch.zeros(500, dtype=torch.int16)
    _torch_state.call_runs("set_weights", "split16", "bfloat16", {"theta": theta, "low": low}, [(0, 500)],
                           net.weight.detach().reshape(-1))
    assert torch.equal(average.module.weight[0], theta) and torch.equal(average.low_0[0], low)
    assert torch.equal(average.means()[0], net.weight)


@pytest.mark.parametrize("first", [torch.bfloat16, torch.float16, torch.float32], ids=str)
@pytest.mark.parametrize("second", [torch.bfloat16, torch.float16, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("swaps", [False, True])
def test_averages_change_their_type(first, second, swaps):
    """What is kept beside a parameter belongs to its type: bits of float32, a number of float16, or nothing."""
    net = network(first)
    net.register_buffer("kept", torch.full((3,), 0.3, dtype=first))
    average = AveragedModel(net, decay=0.999, use_buffers=True)
    average.update_parameters(net)
    move(net)
    average.update_parameters(net)
    means = [mean.clone() for mean in average.means()]
    torch.__future__.set_swap_module_params_on_conversion(swaps)
    try:
        assert average.to(second) is average
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)
    for mean, old, p in zip(average.means(), means, [*average.module.parameters(), average.module.kept], strict=True):
        assert p.dtype == second and torch.equal(p, mean.to(second))
        if second == torch.float16 != first:
            assert torch.allclose(mean, old, rtol=2.0 ** -21, atol=2.0 ** -24)
        else:
            assert torch.equal(mean, old)
    kinds = {torch.bfloat16: {torch.int16}, torch.float16: {torch.float16}}.get(second, set())
    assert {x.dtype for name, x in average.named_buffers() if name.startswith("low_")} == kinds
    other = AveragedModel(net.to(second), decay=0.999, use_buffers=True)
    other.load_state_dict(average.state_dict())
    for model in (average, other):
        model.update_parameters(net)
    assert all(map(torch.equal, average.means(), other.means()))
    assert not any(map(torch.equal, average.means()[:4], means[:4]))


def test_averages_whose_module_alone_changed_its_type():
    average = AveragedModel(network())
    average.module.float()
    with pytest.raises(ValueError, match="average 0 is of torch.float32.*convert the AveragedModel"):
        average.means()


def test_copies_of_averages_share_the_optimizer():
    """A copied optimizer would have other parameters than the model, and rounded weights would be averaged."""
    net = network()
    optimizer = MCAdamW(net.parameters(), lr=1e-3)
    average = AveragedModel(net, decay=0.5, optimizer=optimizer)
    twins = [copy.deepcopy(average), copy.copy(average)]
    file, without = pickle.loads(pickle.dumps(average)), AveragedModel(net, decay=0.5)
    for x in batches(3):
        loss(net, x).backward()
        optimizer.step()
        optimizer.zero_grad()
    for model in (average, twins[0], file, without):
        model.update_parameters(net)
    exact = [optimizer.exact_weights(p) for p in net.parameters()]
    assert all(torch.equal(mean, x) for model in (average, *twins) for mean, x in zip(model.means(), exact))
    assert not any(map(torch.equal, without.means(), exact)) and all(map(torch.equal, file.means(), without.means()))
    before = [mean.clone() for mean in average.means()]
    with pytest.raises(ValueError, match="the optimizer has none of the model's parameters"):
        average.update_parameters(copy.deepcopy(net))
    assert all(map(torch.equal, average.means(), before)) and int(average.n_averaged) == 1
    optimizer = MCAdamW(net[0].parameters())  # the others are frozen
    AveragedModel(net, optimizer=optimizer).update_parameters(net)


def test_averages_look_for_parameters_once(monkeypatch):
    net, calls = network(), []
    optimizer = MCAdamW(net.parameters())
    find = MCAdamW._places
    monkeypatch.setattr(MCAdamW, "_places", lambda self: calls.append(self) or find(self))
    AveragedModel(net, optimizer=optimizer).update_parameters(net)
    assert calls == [optimizer]


# Trainers

def test_the_trainer_of_transformers(tmp_path):
    """It saves after two steps; another trainer goes on there and ends with the same weights."""
    transformers = pytest.importorskip("transformers")
    data = [{"input_ids": ids, "labels": ids} for ids in torch.randint(0, 32, (16, 12))]

    def trainer(folder):
        torch.manual_seed(5)
        config = transformers.GPT2Config(vocab_size=32, n_positions=16, n_embd=16, n_layer=1, n_head=2)
        model = transformers.GPT2LMHeadModel(config).bfloat16()
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path / folder), max_steps=4, save_steps=2, per_device_train_batch_size=4, report_to=[],
            gradient_accumulation_steps=2, use_cpu=True, disable_tqdm=True, dataloader_num_workers=0)
        return transformers.Trainer(model=model, args=arguments, train_dataset=data,
                                    optimizers=(MCAdamW(model.parameters(), lr=1e-2), None))

    whole, resumed = trainer("whole"), trainer("resumed")
    whole.train()
    resumed.train(resume_from_checkpoint=str(tmp_path / "whole" / "checkpoint-2"))
    assert all(torch.equal(p, q) for p, q in zip(whole.model.parameters(), resumed.model.parameters()))
    assert {state["step"] for state in resumed.optimizer.state.values()} == {4}


def test_the_loop_of_accelerate():
    accelerate = pytest.importorskip("accelerate")
    accelerator = accelerate.Accelerator(cpu=True)
    net = network()
    net, optimizer = accelerator.prepare(net, MCAdamW(net.parameters(), lr=1e-2))
    losses = []
    for x in batches(20):
        value = loss(net, x)
        accelerator.backward(value)
        accelerator.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(float(value))
    assert losses[-1] < losses[0]


def test_the_trainer_of_lightning(tmp_path):
    lightning = pytest.importorskip("lightning")

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = network()
            self.losses = []

        def training_step(self, x, _):
            value = loss(self.net, x)
            self.losses.append(float(value))
            return value

        def configure_optimizers(self):
            return MCAdamW(self.parameters(), lr=1e-2)

    module = Module()
    trainer = lightning.Trainer(precision="bf16-true", accelerator="cpu", max_steps=20, gradient_clip_val=1.0,
                                enable_progress_bar=False, enable_model_summary=False, enable_checkpointing=False,
                                logger=False, default_root_dir=tmp_path)
    trainer.fit(module, torch.utils.data.DataLoader(batches(20), batch_size=None))
    assert module.losses[-1] < module.losses[0] and trainer.optimizers[0].state[module.net[0].weight]["step"] == 20
