"""PTX instructions of memory, exchanges between threads, matrices and jumps: the rest of the TABLE
of ptx_instructions.py."""
from ptx_instructions import BITS, FLOATS, INTEGERS, compute, cpp, special
from ptx_parser import PtxError

STORED = ["b8", "u8", "s8", *BITS, *INTEGERS, *FLOATS]
SPACES = {"": "generic", ".global": "global", ".shared": "shared", ".shared::cta": "shared",
          ".local": "local", ".const": "constant", ".param::entry": "parameter",
          ".param": "generic"}  # of the kernel, or of a call, which lie in local memory
# how a cache is used, and orders that one processor always keeps
READ_HINTS = ["", ".nc", ".ca", ".cg", ".cs", ".lu", ".cv", ".nc.L1::no_allocate",
              ".L1::no_allocate", ".nc.L1::evict_first", ".nc.L1::evict_last"]
WRITE_HINTS = ["", ".wb", ".cg", ".cs", ".wt"]
VECTORS = {"": 1, ".v2": 2, ".v4": 4}


@special("ld$order$space$hint$vector.$t", order=["", ".volatile", ".weak"], space=SPACES,
         hint=READ_HINTS, vector=VECTORS, t=STORED)
def load(writer, instruction, order, space, hint, vector, t):
    target, source = writer.operands(instruction, 2)
    count = VECTORS[vector]
    code = f"t.load<Space::{SPACES[space]}, {cpp(t)}, {count}>({writer.address(source)})"
    return writer.write_all(target if count > 1 else f"{{{target}}}", t, code, count, wide=True)


@special("st$order$space$hint$vector.$t", order=["", ".volatile", ".weak"], space=SPACES,
         hint=WRITE_HINTS, vector=VECTORS, t=STORED)
def store(writer, instruction, order, space, hint, vector, t):
    target, source = writer.operands(instruction, 2)
    count = VECTORS[vector]
    values = writer.read_all(source if count > 1 else f"{{{source}}}", t, count, wide=True)
    return (f"t.store<Space::{SPACES[space]}, {cpp(t)}, {count}>({writer.address(target)}, "
            f"{{{', '.join(values)}}});")


@special("mov.$t", t=["pred", *BITS, *INTEGERS, *FLOATS])
def move(writer, instruction, t):
    target, source = writer.operands(instruction, 2)
    if "{" not in target + source:
        return writer.write(target, t, writer.read(source, t))
    bits = int(t[1:])
    if target.startswith("{"):
        count = len(writer.elements(target))
        code = f"unpack<{cpp(f'b{bits // count}')}, {count}>({writer.read(source, t)})"
        return writer.write_all(target, f"b{bits // count}", code, count)
    count = len(writer.elements(source))
    part = f"b{bits // count}"
    values = ", ".join(writer.read_all(source, part, count))
    return writer.write(target, t, f"pack<{cpp(t)}, {cpp(part)}>({{{values}}})")


for a_space, window in (("global", "0"), ("const", "0"), ("local", "0"), ("param", "0"),
                        ("shared", "window(Space::shared)")):
    compute(f"cvta.{a_space}.u64", "b64", "b64", f"$a + {window}")
    compute(f"cvta.to.{a_space}.u64", "b64", "b64", f"$a - {window}")
compute("isspacep.$space", "pred", "b64", "is_in(Space::$space, $a)", space=["shared", "local"])
compute("isspacep.global", "pred", "b64", "is_in(Space::generic, $a)")


@special("cp.async.cg.shared.global$hint", hint=["", ".L2::128B", ".L2::256B", ".L2::64B"])
@special("cp.async.ca.shared.global$hint", hint=["", ".L2::128B", ".L2::256B", ".L2::64B"])
def copy(writer, instruction, hint):
    to, source, size, *rest = instruction.operands
    if size != "16" or len(rest) > 1:
        raise PtxError(instruction.line, f"a copy of other than 16 bytes: {instruction.opcode}")
    valid = writer.read(rest[0], "u32") if rest else "16"
    return f"t.copy({writer.address(to)}, {writer.address(source)}, {valid});"


@special("cp.async.commit_group")
def commit(writer, instruction):
    writer.operands(instruction, 0)
    return "t.commit();"


@special("cp.async.wait_group")
def wait(writer, instruction):
    return f"t.wait({writer.read(writer.operands(instruction, 1)[0], 'u32')});"


@special("cp.async.wait_all")
def wait_for_all(writer, instruction):
    writer.operands(instruction, 0)
    return "t.commit(); t.wait(0);"


@special("shfl.sync.$mode.b32", mode=["idx", "up", "down", "bfly"])
def shuffle(writer, instruction, mode):
    targets, a, b, c, mask = writer.operands(instruction, 5)
    operands = ", ".join([writer.read(a, "b32")] + [writer.read(x, "u32") for x in (b, c, mask)])
    value, _, valid = (x.strip() for x in targets.partition("|"))
    code = f"t.shuffle(Shuffle::{mode}, {operands})"
    return (f"{{ const auto shown = {code}; {writer.write(value, 'b32', 'shown.value')} "
            f"{writer.write(valid or '_', 'pred', 'shown.valid')} }}")


compute("vote.sync.$how.pred", "pred", "pred u32", "t.vote_$how($a, $b)", how=["all", "any", "uni"])
compute("vote.sync.ballot.b32", "b32", "pred u32", "t.ballot($a, $b)")
compute("redux.sync.$how.$t", "$t", "$t u32", "t.reduce_$how($a, $b)", how=["add", "min", "max"],
        t=["u32", "s32"])
compute("redux.sync.$how.b32", "b32", "b32 u32", "t.reduce_$how($a, $b)", how=["and", "or", "xor"])


@special("ldmatrix.sync.aligned.m8n8.x$count$trans.shared$cta.b16", count="124",
         trans=["", ".trans"], cta=["", "::cta"])
def load_matrix(writer, instruction, count, trans, cta):
    target, source = writer.operands(instruction, 2)
    transposed = "true" if trans else "false"
    code = f"t.load_matrix<{transposed}, {count}>({writer.address(source)})"
    return writer.write_all(target, "b32", code, int(count))


@special("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", name=["multiply_bfloat16"],
         t=["f32"])
@special("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", name=["multiply_bytes"], t=["s32"])
def multiply(writer, instruction, name, t):
    d, a, b, c = writer.operands(instruction, 4)
    group = lambda x, kind, count: "{" + ", ".join(writer.read_all(x, kind, count)) + "}"
    code = f"t.{name}({group(a, 'b32', 4)}, {group(b, 'b32', 2)}, {group(c, t, 4)})"
    return writer.write_all(d, t, code, 4)


def registers(writer, operand, t, count):
    """The addresses of `count` registers: what an asynchronous instruction writes later."""
    names = writer.elements(operand)
    if len(names) != count or any(writer.register_type(x) != t for x in names):
        raise PtxError(writer.line, f"not {count} registers of {t}: {operand}")
    return "{" + ", ".join("&" + writer.read(x, t) for x in names) + "}"


@special("wgmma.mma_async.sync.aligned.m64n${n}k16.f32.bf16.bf16",
         n=[str(8 * i) for i in range(1, 33)])
def product_of_a_warpgroup(writer, instruction, n):
    """Of factors in shared memory, neither transposed; of registers and a transposed one there."""
    in_registers = instruction.operands[1].startswith("{")
    d, a, b, add, *modes = writer.operands(instruction, 7 if in_registers else 8)
    if modes != ["1", "1", "1"] and in_registers or modes != ["1", "1", "0", "0"] and \
            not in_registers:
        raise PtxError(instruction.line, f"signs or orders of factors: {', '.join(modes)}")
    left = f"std::array<const std::uint32_t*, 4>{registers(writer, a, 'b32', 4)}" \
        if in_registers else writer.read(a, "b64")
    count = int(n) // 2
    return (f"t.start_product(std::array<float*, {count}>{registers(writer, d, 'f32', count)}, "
            f"{left}, {writer.read(b, 'b64')}, {writer.read(add, 'pred')});")


for name, function in (("wgmma.fence.sync.aligned", "fence_products"),
                       ("wgmma.commit_group.sync.aligned", "commit_products"),
                       ("fence.proxy.async", "publish"),
                       ("fence.proxy.async.shared::cta", "publish")):
    special(name)(lambda w, i, function=function: f"t.{function}();")


@special("wgmma.wait_group.sync.aligned")
def wait_for_products(writer, instruction):
    return f"t.wait_for_products({writer.read(writer.operands(instruction, 1)[0], 'u32')});"


def barrier(writer, instruction):
    if writer.operands(instruction, 1) != ["0"]:
        raise PtxError(instruction.line, "a barrier other than number 0")
    return "t.barrier();"


for barrier_name in ("bar.sync", "bar.cta.sync", "barrier.sync", "barrier.sync.aligned",
                     "barrier.cta.sync", "barrier.cta.sync.aligned"):
    special(barrier_name)(barrier)


@special("bar.warp.sync")
def warp_barrier(writer, instruction):
    return f"t.warp_barrier({writer.read(writer.operands(instruction, 1)[0], 'u32')});"


def fence(writer, instruction):
    """Nothing: the simulator is sequentially consistent."""
    return ";"


for fence_name in ("membar.cta", "membar.gl", "membar.sys", "griddepcontrol.wait",
                   "griddepcontrol.launch_dependents"):
    special(fence_name)(fence)
special("fence.$kind.$scope", kind=["sc", "acq_rel"], scope=["cta", "gpu", "sys", "cluster"])(
    lambda w, i, kind, scope: ";")


@special("bra$uni", uni=["", ".uni"])
def branch(writer, instruction, uni):
    return f"goto {writer.label(writer.operands(instruction, 1)[0])};"


@special("brx.idx$uni", uni=["", ".uni"])
def branch_by_index(writer, instruction, uni):
    index, name = writer.operands(instruction, 2)
    targets = enumerate(writer.branch_targets(instruction, name))
    cases = " ".join(f"case {i}: goto {writer.label(x)};" for i, x in targets)
    return f"switch ({writer.read(index, 'u32')}) {{ {cases} default: t.trap(); }}"


for leave in ("ret", "ret.uni", "exit"):
    special(leave)(lambda w, i: "return;")
special("trap")(lambda w, i: "t.trap();")
