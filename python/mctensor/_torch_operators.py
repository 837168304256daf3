"""Operations of the library as operators of PyTorch, torch.ops.mctensor: for eager calls, torch.compile,
torch.export, torch.func and autograd, which sees each as one step.

An operation is up to three of them: the value; ``_backward``, its derivatives; ``_second``, the derivatives of those.
Forward mode needs no more: first derivatives are linear in the gradient of the result, and what multiplies it is the
derivative along a direction; second derivatives are symmetric. Kernels run on the CPU, most on CUDA
devices; for the others operands on a device are copied to the CPU, and results back.
"""
from __future__ import annotations

import contextlib

import torch

from . import _torch_required  # noqa: F401  before names that an older PyTorch lacks
from torch.autograd import forward_ad  # noqa: E402
from torch.autograd.function import _SingleLevelFunction  # noqa: E402
from torch._functorch.utils import enable_single_level_autograd_function

from . import _core
from ._torch_device import computed_here
from ._torch_groups import Groups, beside, is_one, leading_shape

LIBRARY = torch.library.Library("mctensor", "DEF")
_DISPATCH = torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set()


#: whether one of the arguments requires a gradient: PyTorch's own question has come with 2.5
_wants_gradient = getattr(torch._C, "_any_requires_grad", None) or (
    lambda *args: any(isinstance(x, torch.Tensor) and x.requires_grad for x in args))


@contextlib.contextmanager
def with_autograd():
    """In a kernel, which the dispatcher calls without: PyTorch's own derivatives of a formula."""
    with torch._C._ForceDispatchKeyGuard(*_DISPATCH), torch.inference_mode(False), torch.enable_grad():
        yield


def _elsewhere(name: str, kernel, fake, program=None):
    """The kernel of CUDA tensors: ``program`` or, where there is none for them, the CPU's, on copies. ``fake`` knows to
    which devices results belong."""
    def there(*args):
        found = program(*args) if program else None
        if found is not None:
            return found
        device = next(x.device for x in args if isinstance(x, torch.Tensor) and x.device.type != "cpu")
        places = fake(*args)
        if isinstance(places, torch.Tensor):
            places = places.device  # not the memory
            return computed_here(name, device, kernel, *args).to(places)
        places = [x.device for x in places]
        return tuple(x.to(place) for x, place in zip(computed_here(name, device, kernel, *args), places, strict=True))

    return there


def _has_tangent(x) -> bool:
    return isinstance(x, torch.Tensor) and forward_ad.unpack_dual(x).tangent is not None


def _differentiable(operator, keep, derive, along):
    """The kernel that has PyTorch note the operator where a derivative of it is wanted. The dispatcher has it run at
    one level of torch.func's transformations, which a torch.autograd.Function would begin with all over again
    (and so does torch.library.register_autograd, whose operators torch.func.grad refuses)."""
    def run(keyset, *args):
        with torch._C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & torch._C._after_autograd_keyset, *args)

    def forward(ctx, keyset, *args):
        # which this level has turned off, for torch.func's levels around it
        with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
            output = run(keyset, *args)
        ctx.wanted = ctx.needs_input_grad[1:]
        keep(ctx, args, output)
        if forward_ad._current_level >= 0:
            ctx.forward_inputs = args
            ctx.set_materialize_grads(False)  # a tangent that is none is None
        return output

    def jvp(ctx, keyset, *tangents):
        args = [forward_ad.unpack_dual(x).primal if isinstance(x, torch.Tensor) else x for x in ctx.forward_inputs]
        del ctx.forward_inputs
        # PyTorch has switched it off, for the levels of torch.func below this one, too: they would miss tangents
        with forward_ad._set_fwd_grad_enabled(True):
            return along(args, tangents)

    step = type(operator._opname, (_SingleLevelFunction,), {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, *gradients: (None, *derive(ctx, *gradients))),
        "jvp": staticmethod(jvp)})

    def kernel(keyset, *args):
        forward = forward_ad._current_level >= 0 and any(map(_has_tangent, args))
        if forward or (torch.is_grad_enabled() and _wants_gradient(*args)):
            if not torch._C._are_functorch_transforms_active():
                return step.apply(keyset, *args)
            with enable_single_level_autograd_function():
                return step.apply(keyset, *args)
        return run(keyset, *args)

    return kernel


def define(schema: str, kernel, fake, *, keep=None, derive=None, along=None, batch=None, there=False):
    """The operator of a schema. ``fake`` is the kernel that gives shapes and types alone. ``there`` says how CUDA
    tensors are computed: False, by ``kernel`` on copies; True, by ``kernel``, which takes them; a function, by that,
    or on copies where it returns None. Autograd's are
    ``keep(ctx, inputs, output)``, where ctx.wanted has a flag for each input, and ``derive(ctx, *gradients)``;
    forward mode's is ``along(inputs, tangents)``, None of an input that has none; ``batch`` is vmap's rule."""
    name = schema[:schema.index("(")]
    full = f"mctensor::{name}"
    LIBRARY.define(schema, tags=(torch.Tag.pt2_compliant_tag,))
    LIBRARY.impl(name, kernel, "CPU")
    LIBRARY.impl(name, kernel if there is True else _elsewhere(name, kernel, fake, there or None), "CUDA")
    torch.library.register_fake(full, fake, lib=LIBRARY)
    operator = getattr(torch.ops.mctensor, name).default
    if derive is not None:
        LIBRARY.impl(name, _differentiable(operator, keep, derive, along), "Autograd", with_keyset=True)
    if batch is not None and hasattr(torch.library, "register_vmap"):  # before PyTorch 2.5 vmap loops by itself
        torch.library.register_vmap(full, batch, lib=LIBRARY)
    return operator


def from_gradients(gradients, like, wanted, to_torch=_core.to_torch):
    """The library's gradients, or PyTorch's tensors, in the types of their operands; an empty one where none is
    wanted."""
    return tuple(x.new_zeros(x.shape if w else 0) if g is None
                 else (g if isinstance(g, torch.Tensor) else to_torch(g)).to(device=x.device, dtype=x.dtype)
                 for g, x, w in zip(gradients, like, wanted))


def no_derivative(name: str):
    """derive() and along() of what has none."""
    def derive(*args):
        raise NotImplementedError(f"mctensor: {name} has no derivative, but one was asked for")

    return derive


def _without_numbers(x, at):
    """Shape and type of an argument of one element of a batch, which may be empty."""
    if not isinstance(x, torch.Tensor):
        return x
    return x.new_empty(x.shape if at is None else x.movedim(at, 0).shape[1:], device="meta")


def loop(operator, info, in_dims, args):
    """vmap's rule by one call for each element of the batch."""
    if info.batch_size == 0:
        one = operator(*map(_without_numbers, args, in_dims))
        places = [x.device for x in args if isinstance(x, torch.Tensor)]
        device = next((place for place in places if place.type != "cpu"), places[0])
        if isinstance(one, torch.Tensor):
            return torch.empty((0, *one.shape), dtype=one.dtype, device=device), 0
        return tuple(torch.empty((0, *x.shape), dtype=x.dtype, device=device) for x in one), (0,) * len(one)
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
    """An operation whose operands have leading dimensions that broadcast. The first one, as a radius, is one for all
    or, where there are no options, differs; the library takes one at a call, and what derives from this class says how
    it is called.

    ``cores``: of each other operand how many dimensions belong to an element; ``first_core``: of the first;
    ``core``: of the result. ``options``: what the schema has after the operands, as ", int dim". ``lost``: how many
    leading dimensions the result has less than the operands.
    """

    options = ""
    lost = 0
    first_core = 0
    there = False  # whether its value and derivatives take CUDA tensors
    to_torch = staticmethod(_core.to_torch)

    def __init__(self, name: str, cores, core: int):
        self.name, self.cores, self.core = name, tuple(cores), core

    def value(self, first, operands, options):
        """The result, of the type of the operands."""
        raise NotImplementedError

    def derivatives(self, first, operands, options, grad, wanted):
        """The library's gradients of the first operand and the others; None where not wanted."""
        raise NotImplementedError

    def second(self, first, operands, options, grad, cotangents, wanted):
        """The same of derivatives(), and of its grad."""
        raise NotImplementedError

    def fake(self, first, *rest):
        """An empty tensor of the result's type and shape."""
        raise NotImplementedError

    def leading(self, first, operands) -> torch.Size:
        """The shape of the batch."""
        if self._is_one(first):
            return leading_shape(operands, self.cores)
        return leading_shape((first, *operands), (self.first_core, *self.cores))

    #: a gradient of all elements as that of an operand that is the same for some of them
    add_up = staticmethod(torch.Tensor.sum_to_size)

    def _is_one(self, first) -> bool:
        return bool(self.options) or is_one(first, self.first_core)

    def _value(self, first, operands, options):
        if self._is_one(first):
            return self.value(first, operands, options)
        groups = Groups(first, self.first_core, beside(operands, self.cores), self.cores, False)
        return groups.whole(self.value(one, given, options) for one, given in groups)

    def _gradients(self, call, first, tensors, cores, like, wanted, by_place: bool):
        """The gradients that call(first, tensors) returns, as tensors of the types and shapes of ``like``."""
        if self._is_one(first):
            return from_gradients(call(first, tensors), like, wanted, self.to_torch)
        groups = Groups(first, self.first_core, beside(tensors, cores), cores, by_place)
        each = [[g if g is None or isinstance(g, torch.Tensor) else self.to_torch(g) for g in call(one, given)]
                for one, given in groups]
        by_first, *others = zip(*each)
        # of no elements there is one group, however many first operands there are
        found = [(torch.stack(by_first).reshape(first.shape) if groups.has_elements else torch.zeros_like(first))
                 if wanted[0] else None]
        found += [self.add_up(groups.whole(parts), x.shape) if w else None
                  for parts, x, w in zip(others, like[1:], wanted[1:])]
        return from_gradients(found, like, wanted, lambda g: g)

    def in_batch(self, options) -> tuple:
        """The options where a dimension is added in front."""
        return options

    def define(self):
        """Defines the operators, and returns that of the value."""
        count = len(self.cores)
        names = [f"x{i}" for i in range(count)]
        given = "Tensor k" + "".join(f", Tensor {x}" for x in names) + self.options
        outputs = ", ".join(["Tensor"] * (count + 1))
        cotangents = "".join(f", Tensor? c{i}" for i in range(count + 1))
        second = self._define_second(f"{self.name}_second(Tensor grad, {given}{cotangents}, bool[] wanted)"
                                     f" -> ({outputs}, Tensor)", lambda: backward)
        backward = self._define_backward(f"{self.name}_backward(Tensor grad, {given}, bool[] wanted) -> ({outputs})",
                                         second)

        def kernel(first, *rest):
            return self._value(first, rest[:count], rest[count:])

        def keep(ctx, inputs, output):
            ctx.save_for_backward(*inputs[:count + 1])
            ctx.options = inputs[count + 1:]

        def derive(ctx, grad):
            if grad is None:
                return (None,) * (count + 1 + len(ctx.options))
            wanted = list(ctx.wanted[:count + 1])
            gradients = backward(grad, *ctx.saved_tensors, *ctx.options, wanted)
            return *(g if w else None for g, w in zip(gradients, wanted)), *(None for _ in ctx.options)

        def batch(info, in_dims, *args):
            if in_dims[0] is not None and self.options:
                return loop(operator, info, in_dims, args)
            moved = self._in_batch(info, in_dims, args[:count + 1], self.cores, False)
            return operator(*moved, *self.in_batch(args[count + 1:])), 0

        def along(args, tangents):
            # the derivative of <tangents, what backward gives> by its gradient
            return second(self.fake(*args).zero_(), *args, *tangents[:count + 1], [False] * (count + 1) + [True])[-1]

        operator = define(f"{self.name}({given}) -> Tensor", kernel, self.fake, keep=keep, derive=derive, along=along,
                          batch=batch, there=self.there)
        return operator

    def _define_backward(self, schema: str, second):
        count = len(self.cores)

        def kernel(grad, first, *rest):
            operands, options, wanted = rest[:count], rest[count:-1], rest[-1]
            return self._gradients(
                lambda one, given: self.derivatives(one, given[:count], options, given[count], wanted), first,
                (*operands, grad), (*self.cores, self.core), (first, *operands), wanted, wanted[0])

        def fake(grad, first, *rest):
            return tuple(x.new_empty(x.shape if w else 0) for x, w in zip((first, *rest[:count]), rest[-1]))

        def keep(ctx, inputs, output):
            ctx.save_for_backward(*inputs[:count + 2])
            ctx.options, ctx.given = inputs[count + 2:-1], inputs[-1]
            ctx.set_materialize_grads(False)

        def derive(ctx, *gradients):
            cotangents = [g if w else None for g, w in zip(gradients, ctx.given)]
            wanted = [*ctx.wanted[1:count + 2], ctx.wanted[0]]
            nothing = (None,) * (len(ctx.options) + 1)
            if all(c is None for c in cotangents):
                return *(None for _ in wanted), *nothing
            *by_operands, by_grad = (g if w else None for g, w in zip(
                second(*ctx.saved_tensors, *ctx.options, *cotangents, wanted), wanted))
            return by_grad, *by_operands, *nothing

        def along(args, tangents):
            _, *given, wanted = args
            found = [None] * (count + 1)
            if any(t is not None for t in tangents[1:count + 2]):  # second derivatives are symmetric
                found = second(*args[:-1], *tangents[1:count + 2], [*wanted, False])[:-1]
            if tangents[0] is not None:
                by_grad = operator(tangents[0], *given, wanted)
                found = [b if a is None else a + b for a, b in zip(found, by_grad)]
            return tuple(found)

        def batch(info, in_dims, *args):
            if self.options and (in_dims[1] is not None or args[-1][0]):
                return loop(operator, info, in_dims, args)
            first, *moved, grad = self._in_batch(
                info, (*in_dims[1:count + 2], in_dims[0]), (*args[1:count + 2], args[0]),
                (*self.cores, self.core - self.lost), args[-1][0])
            found = operator(grad, first, *moved, *self.in_batch(args[count + 2:-1]), args[-1])
            return self.in_shapes(info, found, in_dims[1:], args[1:], args[-1])

        operator = define(schema, kernel, fake, keep=keep, derive=derive, along=along, batch=batch,
                          there=self.there)
        return operator

    def _define_second(self, schema: str, backward):
        """``backward``: gives the operator of first derivatives, which is defined later."""
        count = len(self.cores)
        end = count + 2 + self.options.count(",")  # where the options end

        def parts(args):
            return args[0], args[1], args[2:count + 2], args[count + 2:end], args[end:-1], args[-1]

        def kernel(*args):
            grad, first, operands, options, cotangents, wanted = parts(args)

            def call(one, given):
                of_first, *others = given[count + 1:]
                if of_first is not None and of_first.dim() > one.dim():  # the same for all of a group
                    of_first = of_first[0] if len(of_first) else torch.zeros_like(one)
                return self.second(one, given[:count], options, given[count], (of_first, *others), wanted)

            return self._gradients(call, first, (*operands, grad, *cotangents),
                                   (*self.cores, self.core, self.first_core, *self.cores),
                                   (first, *operands, grad), wanted, wanted[0] or cotangents[0] is not None)

        def fake(*args):
            return tuple(x.new_empty(x.shape if w else 0) for x, w in zip((*args[1:count + 2], args[0]), args[-1]))

        def batch(info, in_dims, *args):
            grad, first, operands, options, cotangents, wanted = parts(args)
            if self.options and (in_dims[1] is not None or wanted[0] or cotangents[0] is not None):
                return loop(operator, info, in_dims, args)
            there = [i for i, c in enumerate(cotangents) if c is not None]
            *moved, grad = self._in_batch(
                info, (*in_dims[1:count + 2], *(in_dims[end + i] for i in there), in_dims[0]),
                (first, *operands, *(cotangents[i] for i in there), grad),
                (*self.cores, *((self.first_core, *self.cores)[i] for i in there), self.core - self.lost),
                wanted[0] or cotangents[0] is not None)
            filled = [None] * len(cotangents)
            for i, c in zip(there, moved[count + 1:]):
                # a cotangent has the shape of its operand, which is now one of the whole batch
                filled[i] = c.expand(moved[i].shape)
            found = operator(grad, *moved[:count + 1], *self.in_batch(options), *filled, wanted)
            return self.in_shapes(info, found, (*in_dims[1:count + 2], in_dims[0]), (*args[1:count + 2], args[0]),
                                   wanted)

        def keep(ctx, inputs, output):
            grad, first, operands, ctx.options, cotangents, ctx.given = parts(inputs)
            ctx.save_for_backward(first, *operands, *cotangents)
            ctx.set_materialize_grads(False)

        def derive(ctx, *gradients):
            if any(ctx.given[:-1]):
                return none(ctx)
            # what forward mode asks for, linear in the cotangents and without grad in it
            *given, grad = *ctx.saved_tensors, gradients[-1]
            given, cotangents = given[:count + 1], given[count + 1:]
            by_given, by_cotangents = [None] * (count + 1), [None] * (count + 1)
            wanted = [*ctx.wanted[1:count + 2]]
            if grad is not None and any(wanted):
                by_given = operator(grad, *given, *ctx.options, *cotangents, [*wanted, False])[:-1]
            if grad is not None and any(ctx.wanted[end:-1]):
                by_cotangents = backward()(grad, *given, *ctx.options, list(ctx.wanted[end:-1]))
            return (None, *(g if w else None for g, w in zip(by_given, wanted)), *(None for _ in ctx.options),
                    *(g if w else None for g, w in zip(by_cotangents, ctx.wanted[end:-1])), None)

        none = no_derivative(f"second derivatives of {self.name}")
        operator = define(schema, kernel, fake, keep=keep, derive=derive, along=none, batch=batch,
                          there=self.there)
        return operator

    def _in_batch(self, info, in_dims, tensors, cores, by_element: bool):
        """Operands with vmap's dimension in front, of the first one where it has it or, ``by_element``, a gradient of
        it is that of each element of the batch."""
        (at, *dims), (first, *others) = in_dims, tensors
        if at is None and self._is_one(first) and not by_element:
            return [first, *self.moved(info, dims, others, cores)]
        first, at = (first.expand(info.batch_size, *first.shape), 0) if at is None else (first.movedim(at, 0), 0)
        own = first.shape[first.dim() - self.first_core:]
        if first.shape[1:first.dim() - self.first_core].numel() == 1:  # whose dimensions are none of the result's
            first = first.reshape(info.batch_size, *own)
        return self.moved(info, (at, *dims), (first, *others), (self.first_core, *cores))

    @staticmethod
    def moved(info, in_dims, tensors, cores):
        tensors = beside(tensors, [core if at is None else -1 for at, core in zip(in_dims, cores)])
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
                g = g.reshape(info.batch_size, *shape).to(x.device)
            results.append(g)
        return tuple(results), tuple(0 if w else None for w in wanted)
