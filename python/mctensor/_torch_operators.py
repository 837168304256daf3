"""Operations of the library as operators of PyTorch, torch.ops.mctensor: for eager calls, torch.compile,
torch.export, torch.func and autograd, which sees each as one step.

An operation is up to three of them: the value; ``_backward``, its derivatives; ``_second``, the derivatives of those.
Kernels run on the CPU, some on CUDA devices; for others there an operator is an error.
"""
from __future__ import annotations

import torch

from . import _torch_required  # noqa: F401  before names that an older PyTorch lacks
from torch.autograd import forward_ad  # noqa: E402
from torch.autograd.function import _SingleLevelFunction  # noqa: E402
from torch._functorch.utils import enable_single_level_autograd_function

from . import _core

LIBRARY = torch.library.Library("mctensor", "DEF")


#: whether one of the arguments requires a gradient: PyTorch's own question has come with 2.5
_wants_gradient = getattr(torch._C, "_any_requires_grad", None) or (
    lambda *args: any(isinstance(x, torch.Tensor) and x.requires_grad for x in args))


def _elsewhere(name: str):
    def kernel(*args, **options):
        raise NotImplementedError(f"{name}: a tensor on a CUDA device, where there is no program for this; take .cpu()")

    return kernel


def _differentiable(operator, keep, derive):
    """The kernel that has PyTorch note the operator where a derivative of it is wanted. The dispatcher has it run at
    one level of torch.func's transformations, which a torch.autograd.Function would begin with all over again
    (and so does torch.library.register_autograd, whose operators torch.func.grad refuses)."""
    def run(keyset, *args):
        with torch._C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & torch._C._after_autograd_keyset, *args)

    def forward(ctx, keyset, *args):
        output = run(keyset, *args)
        ctx.wanted = ctx.needs_input_grad[1:]
        keep(ctx, args, output)
        return output

    step = type(operator._opname, (_SingleLevelFunction,), {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, *gradients: (None, *derive(ctx, *gradients)))})

    def kernel(keyset, *args):
        if forward_ad._current_level >= 0 and any(isinstance(x, torch.Tensor) and forward_ad.unpack_dual(x).tangent
                                                  is not None for x in args):
            raise NotImplementedError(f"mctensor: {operator._opname} has no forward-mode derivatives (jvp, jacfwd, "
                                      "torch.func.hessian): take jacrev")
        if torch.is_grad_enabled() and _wants_gradient(*args):
            if not torch._C._are_functorch_transforms_active():
                return step.apply(keyset, *args)
            with enable_single_level_autograd_function():
                return step.apply(keyset, *args)
        return run(keyset, *args)

    return kernel


def define(schema: str, kernel, fake, *, keep=None, derive=None, batch=None, there: bool = False):
    """The operator of a schema. ``fake``: the kernel that gives shapes and types alone; ``there``: whether the other
    one takes CUDA tensors, too. Autograd's are
    ``keep(ctx, inputs, output)``, where ctx.wanted has a flag for each input, and ``derive(ctx, *gradients)``;
    ``batch`` is vmap's rule."""
    name = schema[:schema.index("(")]
    full = f"mctensor::{name}"
    LIBRARY.define(schema, tags=(torch.Tag.pt2_compliant_tag,))
    LIBRARY.impl(name, kernel, "CPU")
    LIBRARY.impl(name, kernel if there else _elsewhere(name), "CUDA")
    torch.library.register_fake(full, fake, lib=LIBRARY)
    operator = getattr(torch.ops.mctensor, name).default
    if derive is not None:
        LIBRARY.impl(name, _differentiable(operator, keep, derive), "Autograd", with_keyset=True)
    if batch is not None and hasattr(torch.library, "register_vmap"):  # before PyTorch 2.5 vmap loops by itself
        torch.library.register_vmap(full, batch, lib=LIBRARY)
    return operator


def from_gradients(gradients, like, wanted, to_torch=_core.to_torch):
    """The library's gradients, or PyTorch's tensors, in the types of their operands; an empty one where none is
    wanted."""
    return tuple(x.new_zeros(x.shape if w else 0) if g is None
                 else (g if isinstance(g, torch.Tensor) else to_torch(g)).to(x.dtype)
                 for g, x, w in zip(gradients, like, wanted))


def no_derivative(name: str):
    """derive() of what has none."""
    def derive(ctx, *gradients):
        raise NotImplementedError(f"mctensor: a derivative of {name}, which has none, was asked for")

    return derive


def loop(operator, info, in_dims, args):
    """vmap's rule by one call for each element of the batch."""
    each = []
    for i in range(info.batch_size):
        each.append(operator(*(x if at is None or isinstance(at, (list, tuple)) else x.select(at, i)
                               for x, at in zip(args, in_dims))))
    if isinstance(each[0], torch.Tensor):
        return torch.stack(each), 0
    return tuple(map(torch.stack, zip(*each))), (0,) * len(each[0])


def to_front(x, at, size: int, leading: int, core: int):
    """An operand with vmap's dimension in front of so many leading ones, of which some may be of size 1."""
    x = x.unsqueeze(0).expand(size, *x.shape) if at is None else x.movedim(at, 0)
    for _ in range(leading - (x.dim() - 1 - core)):
        x = x.unsqueeze(1)
    return x


class Pointwise:
    """An operation whose operands have leading dimensions that broadcast, and a first operand that is one for all,
    as a radius. What derives from it says how the library is called.

    ``cores``: of each other operand how many dimensions belong to an element; ``core``: of the result.
    ``options``: what the schema has behind the operands, as ", int dim". ``lost``: how many leading dimensions the
    result has less than the operands.
    """

    options = ""
    lost = 0
    there = False  # whether its value and derivatives may be asked for on CUDA devices
    to_torch = staticmethod(_core.to_torch)

    def __init__(self, name: str, cores, core: int):
        self.name, self.cores, self.core = name, tuple(cores), core

    def value(self, first, operands, options):
        """The result, of the type of the operands."""
        raise NotImplementedError

    def derivatives(self, first, operands, options, grad, wanted):
        """The library's gradients of the first operand and the others; None where not wanted."""
        raise NotImplementedError

    #: as second(first, operands, options, grad, cotangents, wanted): the same of derivatives(), and of its grad
    second = None

    def fake(self, first, *rest):
        """An empty tensor of the result's type and shape."""
        raise NotImplementedError

    def in_batch(self, options) -> tuple:
        """The options where a dimension is added in front."""
        return options

    def define(self):
        """Defines the operators, and returns that of the value."""
        count = len(self.cores)
        names = [f"x{i}" for i in range(count)]
        given = "Tensor k" + "".join(f", Tensor {x}" for x in names) + self.options
        outputs = ", ".join(["Tensor"] * (count + 1))
        second = None
        if self.second is not None:
            cotangents = "".join(f", Tensor? c{i}" for i in range(count + 1))
            second = self._define_second(f"{self.name}_second(Tensor grad, {given}{cotangents}, bool[] wanted)"
                                         f" -> ({outputs}, Tensor)")
        backward = self._define_backward(f"{self.name}_backward(Tensor grad, {given}, bool[] wanted) -> ({outputs})",
                                         second)

        def kernel(first, *rest):
            return self.value(first, rest[:count], rest[count:])

        def keep(ctx, inputs, output):
            ctx.save_for_backward(*inputs[:count + 1])
            ctx.options = inputs[count + 1:]

        def derive(ctx, grad):
            wanted = list(ctx.wanted[:count + 1])
            gradients = backward(grad, *ctx.saved_tensors, *ctx.options, wanted)
            return *(g if w else None for g, w in zip(gradients, wanted)), *(None for _ in ctx.options)

        def batch(info, in_dims, *args):
            if in_dims[0] is not None:
                return loop(operator, info, in_dims, args)
            moved = self.moved(info, in_dims[1:], args[1:count + 1], self.cores)
            return operator(args[0], *moved, *self.in_batch(args[count + 1:])), 0

        operator = define(f"{self.name}({given}) -> Tensor", kernel, self.fake, keep=keep, derive=derive, batch=batch,
                          there=self.there)
        return operator

    def _define_backward(self, schema: str, second):
        count = len(self.cores)

        def kernel(grad, first, *rest):
            operands, options, wanted = rest[:count], rest[count:-1], rest[-1]
            return from_gradients(self.derivatives(first, operands, options, grad, wanted), (first, *operands), wanted,
                                  self.to_torch)

        def fake(grad, first, *rest):
            return tuple(x.new_empty(x.shape if w else 0) for x, w in zip((first, *rest[:count]), rest[-1]))

        def keep(ctx, inputs, output):
            ctx.save_for_backward(*inputs[:count + 2])
            ctx.options, ctx.given = inputs[count + 2:-1], inputs[-1]
            ctx.set_materialize_grads(False)

        def derive(ctx, *gradients):
            if second is None:
                raise NotImplementedError(f"mctensor: {self.name} has first derivatives only; a gradient of it was "
                                          "differentiated once more")
            cotangents = [g if w else None for g, w in zip(gradients, ctx.given)]
            wanted = [*ctx.wanted[1:count + 2], ctx.wanted[0]]
            nothing = (None,) * (len(ctx.options) + 1)
            if all(c is None for c in cotangents):
                return *(None for _ in wanted), *nothing
            *by_operands, by_grad = (g if w else None for g, w in zip(
                second(*ctx.saved_tensors, *ctx.options, *cotangents, wanted), wanted))
            return by_grad, *by_operands, *nothing

        def batch(info, in_dims, *args):
            if in_dims[1] is not None or args[-1][0]:
                return loop(operator, info, in_dims, args)
            grad, *moved = self.moved(info, (in_dims[0], *in_dims[2:]), (args[0], *args[2:count + 2]),
                                       (self.core - self.lost, *self.cores))
            found = operator(grad, args[1], *moved, *self.in_batch(args[count + 2:-1]), args[-1])
            return self.in_shapes(info, found, in_dims[1:], args[1:], args[-1])

        operator = define(schema, kernel, fake, keep=keep, derive=derive, batch=batch, there=self.there)
        return operator

    def _define_second(self, schema: str):
        count = len(self.cores)
        end = count + 2 + self.options.count(",")  # where the options end

        def parts(args):
            return args[0], args[1], args[2:count + 2], args[count + 2:end], args[end:-1], args[-1]

        def kernel(*args):
            grad, first, operands, options, cotangents, wanted = parts(args)
            return from_gradients(self.second(first, operands, options, grad, cotangents, wanted),
                                  (first, *operands, grad), wanted, self.to_torch)

        def fake(*args):
            return tuple(x.new_empty(x.shape if w else 0) for x, w in zip((*args[1:count + 2], args[0]), args[-1]))

        def batch(info, in_dims, *args):
            grad, first, operands, options, cotangents, wanted = parts(args)
            if in_dims[1] is not None or wanted[0] or cotangents[0] is not None:
                return loop(operator, info, in_dims, args)
            there = [i for i, c in enumerate(cotangents) if c is not None]
            grad, *moved = self.moved(
                info, (in_dims[0], *in_dims[2:count + 2], *(in_dims[end + i] for i in there)),
                (grad, *operands, *(cotangents[i] for i in there)),
                (self.core - self.lost, *self.cores, *(self.cores[i - 1] for i in there)))
            filled = [None] * len(cotangents)
            for i, c in zip(there, moved[count:]):
                # a cotangent has the shape of its operand, which is now one of the whole batch
                filled[i] = c.expand(moved[i - 1].shape)
            found = operator(grad, first, *moved[:count], *self.in_batch(options), *filled, wanted)
            return self.in_shapes(info, found, (*in_dims[1:count + 2], in_dims[0]), (*args[1:count + 2], args[0]),
                                   wanted)

        operator = define(schema, kernel, fake, keep=lambda ctx, inputs, output: None,
                          derive=no_derivative(f"second derivatives of {self.name}"), batch=batch)
        return operator

    @staticmethod
    def moved(info, in_dims, tensors, cores):
        leading = max(x.dim() - (at is not None) - core for x, at, core in zip(tensors, in_dims, cores))
        return [to_front(x, at, info.batch_size, leading, core) for x, at, core in zip(tensors, in_dims, cores)]

    @staticmethod
    def in_shapes(info, found, in_dims, like, wanted):
        """Gradients of a batch in the shapes of their operands; where none is wanted, as they are."""
        results = []
        for g, at, x, w in zip(found, in_dims, like, wanted):
            if w:  # else x may be None
                shape = list(x.shape)
                if at is not None:
                    del shape[at]
                g = g.reshape(info.batch_size, *shape)
            results.append(g)
        return tuple(results), tuple(0 if w else None for w in wanted)
