"""Every PTX instruction that is known, and what it is in C++.

TABLE maps an opcode, written out with all its modifiers, to a function (writer, instruction) ->
statement. Most are a row of `compute`: the type of the result, those of the operands, and an
expression of the operands $a, $b, $c, $d; what is more than an operator is a function of
tests/cuda/ptx. Memory, exchanges and jumps are in ptx_memory.py. Semantics: NVIDIA, PTX ISA 9.0.
What is not in the table is an error; among that are atomics, barriers of a part of a block, calls,
bulk copies.
"""
import itertools
from string import Template

TABLE = {}

UNSIGNED = {"u16": "b16", "s16": "b16", "u32": "b32", "s32": "b32", "u64": "b64", "s64": "b64"}
WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
SHORT_INTEGERS = ["u16", "s16", "u32", "s32"]
INTEGERS = [*SHORT_INTEGERS, "u64", "s64"]
LONG_INTEGERS = ["u32", "s32", "u64", "s64"]
BITS = ["b16", "b32", "b64"]
FLOATS = ["f32", "f64"]
HALVES = ["f16", "bf16"]
PAIRS = ["f16x2", "bf16x2"]
DIRECTED = ["rz", "rm", "rp"]


def expand(pattern, sets):
    """All ways to fill the fields of a pattern: (opcode, the values chosen)."""
    for values in itertools.product(*sets.values()):
        chosen = dict(zip(sets, values))
        yield Template(pattern).substitute(chosen), chosen


def derived(chosen):
    """$t_bits and $t_wider of a type $t."""
    more = {f"{n}_bits": UNSIGNED.get(v, v) for n, v in chosen.items()}
    more |= {f"{n}_wider": WIDER[v] for n, v in chosen.items() if v in WIDER}
    return chosen | more


def compute(pattern, result, operands, code, wide=False, **sets):
    """Instructions that compute one value. `wide`: registers may be wider than the types."""
    for opcode, chosen in expand(pattern, sets):
        chosen = derived(chosen)
        types = Template(operands).substitute(chosen).split()
        expression = Template(code).safe_substitute(chosen)
        TABLE[opcode] = computed(Template(result).substitute(chosen), types, expression, wide)


def computed(result, types, expression, wide):
    def emit(writer, instruction):
        target, *values = writer.operands(instruction, 1 + len(types))
        read = dict(zip("abcd", (writer.read(v, t, wide) for v, t in zip(values, types))))
        return writer.write(target, result, Template(expression).substitute(read), wide)
    return emit


def special(pattern, **sets):
    """Decorates a function (writer, instruction, **chosen) -> statement."""
    def register(function):
        for opcode, chosen in expand(pattern, sets):
            TABLE[opcode] = lambda w, i, chosen=chosen: function(w, i, **chosen)
        return function
    return register


def integers():
    """Without sign where the low bits are the same, so that overflow is defined."""
    compute("add.$t", "$t_bits", "$t_bits $t_bits", "$a + $b", t=INTEGERS)
    compute("sub.$t", "$t_bits", "$t_bits $t_bits", "$a - $b", t=INTEGERS)
    compute("neg.$t", "$t_bits", "$t_bits", "0u - $a", t=["s16", "s32", "s64"])
    compute("abs.$t", "$t_bits", "$t", "absolute($a)", t=["s16", "s32", "s64"])
    compute("mul.lo.$t", "$t_bits", "$t_bits $t_bits", "1u * $a * $b", t=INTEGERS)
    compute("mul.hi.$t", "$t", "$t $t", "mul_hi($a, $b)", t=INTEGERS)
    compute("mul.wide.$t", "$t_wider", "$t $t", "mul_wide($a, $b)", t=SHORT_INTEGERS)
    compute("mul24.lo.$t", "$t_bits", "$t $t", "mul24($a, $b)", t=["u32", "s32"])
    compute("mad.lo.$t", "$t_bits", "$t_bits $t_bits $t_bits", "1u * $a * $b + $c", t=INTEGERS)
    compute("mad.hi.$t", "$t_bits", "$t $t $t_bits", "to_bits(mul_hi($a, $b)) + $c", t=INTEGERS)
    compute("mad.wide.$t", "$t_wider", "$t $t $t_wider", "mad_wide($a, $b, $c)", t=SHORT_INTEGERS)
    compute("div.$t", "$t", "$t $t", "divide($a, $b)", t=INTEGERS)
    compute("rem.$t", "$t", "$t $t", "remainder($a, $b)", t=INTEGERS)
    compute("sad.$t", "$t_bits", "$t $t $t_bits", "difference($a, $b) + $c", t=INTEGERS)
    compute("min.$t", "$t", "$t $t", "$a < $b ? $a : $b", t=INTEGERS)
    compute("max.$t", "$t", "$t $t", "$a > $b ? $a : $b", t=INTEGERS)
    compute("dp4a.$s.$t", "b32", "$s $t b32", "dot_bytes($a, $b, $c)", s=["u32", "s32"],
            t=["u32", "s32"])


def bits():
    compute("and.$t", "$t", "$t $t", "$a & $b", t=[*BITS, "pred"])
    compute("or.$t", "$t", "$t $t", "$a | $b", t=[*BITS, "pred"])
    compute("xor.$t", "$t", "$t $t", "$a ^ $b", t=[*BITS, "pred"])
    compute("not.$t", "$t", "$t", "~$a", t=BITS)
    compute("not.pred", "pred", "pred", "!$a")
    compute("cnot.$t", "$t", "$t", "$a == 0", t=BITS)
    compute("shl.$t", "$t", "$t u32", "shift_left($a, $b)", t=BITS)
    compute("shr.$t", "$t", "$t u32", "shift_right($a, $b)", t=BITS + INTEGERS)
    compute("shf.$side.$mode.b32", "b32", "b32 b32 u32", "funnel_$side($a, $b, funnel_$mode($c))",
            side=["l", "r"], mode=["wrap", "clamp"])
    compute("bfe.$t", "$t", "$t u32 u32", "extract($a, $b, $c)", t=LONG_INTEGERS)
    compute("bfi.$t", "$t", "$t $t u32 u32", "insert($a, $b, $c, $d)", t=["b32", "b64"])
    compute("bfind.$t", "u32", "$t", "leading_bit($a)", t=LONG_INTEGERS)
    compute("bfind.shiftamt.$t", "u32", "$t", "leading_shift($a)", t=LONG_INTEGERS)
    compute("brev.$t", "$t", "$t", "reverse($a)", t=["b32", "b64"])
    compute("popc.$t", "u32", "$t", "std::popcount($a)", t=["b32", "b64"])
    compute("clz.$t", "u32", "$t", "std::countl_zero($a)", t=["b32", "b64"])
    compute("prmt.b32", "b32", "b32 b32 b32", "permute($a, $b, $c)")
    compute("prmt.b32.$mode", "b32", "b32 b32 b32", "permute_$mode($a, $b, $c)",
            mode=["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"])
    compute("lop3.b32", "b32", "b32 b32 b32 u32", "logic($a, $b, $c, $d)")


def carries():
    """With the carry of an instruction before; those with .cc keep theirs."""
    for cc, kept in (("", "no_carry"), (".cc", "carry")):
        for c, old in (("", "false"), ("c", "carry")):
            if not c and not cc:
                continue
            compute(f"add{c}{cc}.$t", "$t_bits", "$t_bits $t_bits",
                    f"add_carry($a, $b, {old}, {kept})", t=LONG_INTEGERS)
            compute(f"sub{c}{cc}.$t", "$t_bits", "$t_bits $t_bits",
                    f"subtract_borrow($a, $b, {old}, {kept})", t=LONG_INTEGERS)
            compute(f"mad{c}.lo{cc}.$t", "$t_bits", "$t_bits $t_bits $t_bits",
                    f"add_carry($a * $b, $c, {old}, {kept})", t=LONG_INTEGERS)
            compute(f"mad{c}.hi{cc}.$t", "$t_bits", "$t $t $t_bits",
                    f"add_carry(to_bits(mul_hi($a, $b)), $c, {old}, {kept})", t=LONG_INTEGERS)


def floats():
    for name, operator in (("add", "+"), ("sub", "-"), ("mul", "*")):
        code = f"$a {operator} $b"
        for rn in ("", ".rn"):
            compute(f"{name}{rn}.$t", "$t", "$t $t", code, t=FLOATS + HALVES)
            compute(f"{name}{rn}.ftz.f32", "f32", "f32 f32",
                    f"flush(flush($a) {operator} flush($b))")
            compute(f"{name}{rn}.sat.f32", "f32", "f32 f32", f"saturate({code})")
            compute(f"{name}{rn}.$t", "$t", "$t $t", f"each_{name}($a, $b)", t=PAIRS)
        compute(f"{name}.$r.$t", "$t", "$t $t", f"{name}_directed($a, $b, Rounding::$r)",
                r=DIRECTED, t=FLOATS)
    compute("fma.rn.$t", "$t", "$t $t $t", "fused($a, $b, $c)", t=FLOATS + HALVES)
    compute("fma.rn.ftz.f32", "f32", "f32 f32 f32", "flush(fused(flush($a), flush($b), flush($c)))")
    compute("fma.rn.sat.f32", "f32", "f32 f32 f32", "saturate(fused($a, $b, $c))")
    compute("fma.rn.$t", "$t", "$t $t $t", "each_fma($a, $b, $c)", t=PAIRS)
    compute("fma.$r.$t", "$t", "$t $t $t", "fma_directed($a, $b, $c, Rounding::$r)", r=DIRECTED,
            t=FLOATS)
    compute("div.rn.$t", "$t", "$t $t", "$a / $b", t=FLOATS)
    compute("div.$r.$t", "$t", "$t $t", "div_directed($a, $b, Rounding::$r)", r=DIRECTED, t=FLOATS)
    compute("rcp.rn.$t", "$t", "$t", "1 / $a", t=FLOATS)
    compute("rcp.$r.$t", "$t", "$t", "div_directed(decltype($a)(1), $a, Rounding::$r)", r=DIRECTED,
            t=FLOATS)
    compute("sqrt.rn.$t", "$t", "$t", "std::sqrt($a)", t=FLOATS)
    compute("sqrt.$r.$t", "$t", "$t", "sqrt_directed($a, Rounding::$r)", r=DIRECTED, t=FLOATS)
    compute("div.rn.ftz.f32", "f32", "f32 f32", "flush(flush($a) / flush($b))")
    compute("rcp.rn.ftz.f32", "f32", "f32", "flush(1 / flush($a))")
    compute("sqrt.rn.ftz.f32", "f32", "f32", "flush(std::sqrt(flush($a)))")
    compute("neg.$t", "$t", "$t", "negate($a)", t=FLOATS + HALVES + PAIRS)
    compute("abs.$t", "$t", "$t", "magnitude($a)", t=FLOATS + HALVES + PAIRS)
    compute("neg.ftz.f32", "f32", "f32", "flush(negate($a))")
    compute("abs.ftz.f32", "f32", "f32", "flush(magnitude($a))")
    for name in ("min", "max"):
        compute(f"{name}.$t", "$t", "$t $t", f"{name}_number($a, $b)", t=FLOATS + HALVES + PAIRS)
        compute(f"{name}.NaN.$t", "$t", "$t $t", f"{name}_nan($a, $b)", t=["f32", *HALVES, *PAIRS])
        compute(f"{name}.ftz.f32", "f32", "f32 f32", f"{name}_number(flush($a), flush($b))")
    compute("copysign.$t", "$t", "$t $t", "std::copysign($b, $a)", t=FLOATS)
    compute("testp.$what.$t", "pred", "$t", "is_$what($a)", t=FLOATS,
            what=["finite", "infinite", "number", "notanumber", "normal", "subnormal"])


def approximations():
    """Modelled by the rounded value: tests/cuda/ptx/approximate.hpp."""
    for ftz in ("", ".ftz"):
        flush = (lambda text: f"flush({text})") if ftz else (lambda text: text)
        for name in ("ex2", "lg2", "rcp", "sqrt", "rsqrt", "sin", "cos"):
            compute(f"{name}.approx{ftz}.f32", "f32", "f32",
                    flush(f"approximate_{name}({flush('$a')})"))
        for mode in ("approx", "full"):
            compute(f"div.{mode}{ftz}.f32", "f32", "f32 f32",
                    flush(f"approximate_div({flush('$a')}, {flush('$b')})"))
    compute("tanh.approx.f32", "f32", "f32", "approximate_tanh($a)")
    compute("rcp.approx.ftz.f64", "f64", "f64", "approximate_rcp($a)")
    compute("rsqrt.approx.f64", "f64", "f64", "approximate_rsqrt($a)")
    compute("rsqrt.approx.ftz.f64", "f64", "f64", "approximate_rsqrt_head($a)")


EQUAL = {"eq": "$a == $b", "ne": "$a != $b"}
ORDERED = {"lt": "$a < $b", "le": "$a <= $b", "gt": "$a > $b", "ge": "$a >= $b"}
NAMES_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
# of floats: with a NaN false, those with a u true
OF_FLOATS = {**ORDERED, "eq": "$a == $b", "ne": "$a < $b || $a > $b",
             "equ": "!($a < $b || $a > $b)", "neu": "!($a == $b)", "ltu": "!($a >= $b)",
             "leu": "!($a > $b)", "gtu": "!($a <= $b)", "geu": "!($a < $b)",
             "num": "$a == $a && $b == $b", "nan": "$a != $a || $b != $b"}


def compares_of(t):
    if t in FLOATS + HALVES:
        return OF_FLOATS
    if t in BITS:
        return EQUAL
    if t in ("u16", "u32", "u64"):
        return {**EQUAL, **ORDERED, **{n: ORDERED[o] for n, o in NAMES_UNSIGNED.items()}}
    return {**EQUAL, **ORDERED}


def compares():
    for t in BITS + INTEGERS + FLOATS + HALVES:
        for name, code in compares_of(t).items():
            compute(f"set.{name}.u32.{t}", "u32", f"{t} {t}", f"{code} ? 0xffffffffu : 0u")
            compute(f"set.{name}.s32.{t}", "u32", f"{t} {t}", f"{code} ? 0xffffffffu : 0u")
            compute(f"set.{name}.f32.{t}", "f32", f"{t} {t}", f"{code} ? 1.0f : 0.0f")
            both_ways(f"setp.{name}.{t}", t, code)
            for join in ("and", "or", "xor"):
                both_ways(f"setp.{name}.{join}.{t}", t, code, join)
    for name, code in OF_FLOATS.items():
        flushed = Template(code).substitute(a="flush($a)", b="flush($b)")
        both_ways(f"setp.{name}.ftz.f32", "f32", flushed)
    for t in BITS + INTEGERS + FLOATS:
        compute(f"selp.{t}", t, f"{t} {t} pred", "$c ? $a : $b")
        compute(f"slct.{t}.s32", t, f"{t} {t} s32", "$c >= 0 ? $a : $b")
        compute(f"slct.{t}.f32", t, f"{t} {t} f32", "$c >= 0 ? $a : $b")


def both_ways(opcode, t, code, join=None):
    """setp: the predicate, and behind a | its complement; the last operand joins both."""
    operator = {None: "", "and": " & ", "or": " | ", "xor": " ^ "}[join]

    @special(opcode)
    def emit(writer, instruction):
        targets, a, b, *rest = writer.operands(instruction, 4 if join else 3)
        values = {"a": writer.read(a, t), "b": writer.read(b, t)}
        truth = f"({Template(code).substitute(values)})"
        joined = operator + writer.read(rest[0], "pred") if join else ""
        first, _, second = (x.strip() for x in targets.partition("|"))
        if not second:
            return writer.write(first, "pred", truth + joined)
        return (f"{{ const bool truth = {truth}; {writer.write(first, 'pred', 'truth' + joined)} "
                f"{writer.write(second, 'pred', '!truth' + joined)} }}")


def conversions():
    integers_of = ["u8", "s8", *INTEGERS]
    for target in integers_of:
        compute("cvt.$to.$t", "$to", "$t", "convert_integer<$cpp>($a)", wide=True, t=integers_of,
                to=[target], cpp=[cpp(target)])
        compute("cvt.sat.$to.$t", "$to", "$t", "saturate_integer<$cpp>($a)", wide=True,
                t=integers_of, to=[target], cpp=[cpp(target)])
        for sat in ("", ".sat"):
            compute(f"cvt.$r{sat}.$to.$t", "$to", "$t", "to_integer<$cpp>($a, Rounding::$r)",
                    wide=True, r=["rni", "rzi", "rmi", "rpi"], t=FLOATS + HALVES, to=[target],
                    cpp=[cpp(target)])
            compute(f"cvt.$r.ftz{sat}.$to.f32", "$to", "f32",
                    "to_integer<$cpp>(flush($a), Rounding::$r)", wide=True,
                    r=["rni", "rzi", "rmi", "rpi"], to=[target], cpp=[cpp(target)])
    for target in FLOATS + HALVES:
        compute("cvt.$r.$to.$t", "$to", "$t", "to_float<$cpp>($a, Rounding::$r)", wide=True,
                r=["rn", *DIRECTED], t=integers_of, to=[target], cpp=[cpp(target)])
        compute("cvt.$r.$to.$to", "$to", "$to", "to_integral($a, Rounding::$r)", to=[target],
                r=["rni", "rzi", "rmi", "rpi"])
    narrowing = [("f32", "f64"), *((h, f) for h in HALVES for f in FLOATS)]
    for to, t in narrowing:
        compute(f"cvt.$r.{to}.{t}", to, t, f"narrow<{cpp(to)}>($a, Rounding::$r)",
                r=["rn", *DIRECTED])
    for to, t in (("f64", "f32"), *((f, h) for h in HALVES for f in FLOATS)):
        compute(f"cvt.{to}.{t}", to, t, f"{cpp(to)}($a)")
    compute("cvt.ftz.f64.f32", "f64", "f32", "flush($a)")
    compute("cvt.rn.ftz.f32.f64", "f32", "f64", "flush(narrow<float>($a, Rounding::rn))")
    compute("cvt.sat.f32.f32", "f32", "f32", "saturate($a)")
    compute("cvt.ftz.sat.f32.f32", "f32", "f32", "saturate(flush($a))")
    compute("cvt.ftz.f32.f32", "f32", "f32", "flush($a)")
    compute("cvt.$r.ftz.f32.f32", "f32", "f32", "to_integral(flush($a), Rounding::$r)",
            r=["rni", "rzi", "rmi", "rpi"])
    # the first operand becomes the upper half
    for half in HALVES:
        compute(f"cvt.$r.{half}x2.f32", f"{half}x2", "f32 f32",
                f"narrow_pair<{cpp(half)}>($a, $b, Rounding::$r)",
                r=["rn", "rz"])


def cpp(t):
    """The C++ type of a PTX type."""
    if t[0] in "bus" and t[1:].isdigit():
        return f"std::{'' if t[0] == 's' else 'u'}int{t[1:]}_t"
    return {"f32": "float", "f64": "double", "pred": "bool", "f16": "half", "bf16": "bfloat16",
            "f16x2": "Pair<half>", "bf16x2": "Pair<bfloat16>"}[t]


for rows in (integers, bits, carries, floats, approximations, compares, conversions):
    rows()
