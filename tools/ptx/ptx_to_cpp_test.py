#!/usr/bin/env python3
"""Tests ptx_to_cpp.py: what C++ it writes, and that it stops at what it does not know."""
import unittest

import ptx_to_cpp
from ptx_parser import Parser, PtxError

HEAD = """.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 128 .b8 bytes[];
.const .align 8 .b8 table[16] = {0, 0, 0, 0, 0, 0, 240, 63, 255};
.global .align 8 .u64 pointers[2] = {generic(table), generic(table)+8};
.visible .entry run(
	.param .align 8 .b8 run_param_0[24],
	.param .u32 run_param_1
)
.maxntid 64, 1, 1
.minnctapersm 2
{
	.reg .pred 	%p<4>;
	.reg .b16 	%rs<4>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<8>;
	.reg .f32 	%f<4>;
	.reg .f64 	%fd<4>;
"""
TAIL = "\tret;\n}\n"


def translated(*lines, head=HEAD):
    return ptx_to_cpp.translate(head + "\n".join(lines) + "\n" + TAIL, "m")


def statement(line):
    """The C++ of one line."""
    number = HEAD.count("\n")
    after = translated(line).split("#line 1")[1].split("\n")
    return after[number + 1].strip()


class TranslatorTest(unittest.TestCase):
    def same(self, ptx, cpp):
        self.assertEqual(statement(ptx), cpp)

    def fails(self, what, *lines, head=HEAD):
        with self.assertRaises(PtxError) as caught:
            translated(*lines, head=head)
        self.assertIn(what, str(caught.exception))

    def test_products_of_a_warpgroup(self):
        sums = "{%f0, %f1, %f2, %f3}"
        named = "std::array<float*, 4>{&f0_, &f1_, &f2_, &f3_}"
        product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16"
        self.same(f"{product} {sums}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
                  f"t.start_product({named}, rd1_, rd2_, p1_);")
        self.same(f"{product} {sums}, {{%r1, %r2, %r3, %r4}}, %rd2, 1, 1, 1, 1;",
                  f"t.start_product({named}, std::array<const std::uint32_t*, 4>"
                  "{&r1_, &r2_, &r3_, &r4_}, rd2_, true);")
        self.same("wgmma.wait_group.sync.aligned 1;",
                  "t.wait_for_products(std::uint32_t(1ull));")
        self.same("fence.proxy.async.shared::cta;", "t.publish();")
        self.fails("orders of factors", f"{product} {sums}, %rd1, %rd2, %p1, 1, 1, 0, 1;")
        self.fails("orders of factors", f"{product} {sums}, %rd1, %rd2, %p1, 1, -1, 0, 0;")
        self.fails("not 4 registers", f"{product} {{%f0, %f1}}, %rd1, %rd2, %p1, 1, 1, 0, 0;")

    def test_arithmetic(self):
        self.same("add.rn.f64 %fd1, %fd2, %fd3;", "fd1_ = fd2_ + fd3_;")
        self.same("add.s32 %r1, %r2, -1;", "r1_ = r2_ + std::uint32_t(18446744073709551615ull);")
        self.same("fma.rn.f32 %f1, %f2, 0f3F800000, %f3;",
                  "f1_ = fused(f2_, as<float>(std::uint32_t(0x3F800000)), f3_);")
        self.same("mul.wide.s32 %rd1, %r1, 8;", "rd1_ = as<std::uint64_t>(std::int64_t(mul_wide("
                  "as<std::int32_t>(r1_), std::int32_t(8ull))));")
        self.same("fma.rm.f32 %f1, %f1, %f2, %f3;",
                  "f1_ = fma_directed(f1_, f2_, f3_, Rounding::rm);")

    def test_predicates(self):
        self.same("@!%p1 bra $L__BB0_1;", "if (!p1_) { goto _SL__BB0_1_; }")
        self.same("setp.lt.and.f32 %p1, %f1, %f2, !%p2;", "p1_ = (f1_ < f2_) & !p2_;")
        self.same("setp.ne.b32 %p1|%p2, %r1, 0;", "{ const bool truth = (r1_ != std::uint32_t(0ull)"
                  "); p1_ = truth; p2_ = !truth; }")

    def test_memory(self):
        self.same("ld.param.u64 %rd1, [run_param_0+16];", "rd1_ = t.load<Space::generic, "
                  "std::uint64_t, 1>(((window(Space::parameter) + 0) + 0) + 16)[0];")
        self.same("ld.param.u32 %r1, [run_param_1];", "r1_ = t.load<Space::generic, "
                  "std::uint32_t, 1>(((window(Space::parameter) + 24) + 0))[0];")
        self.same("st.shared.f64 [%r1+8], %fd1;",
                  "t.store<Space::shared, double, 1>(r1_ + 8, {fd1_});")
        self.same("ld.global.nc.v2.f64 {%fd1, %fd2}, [%rd1];", "{ const auto v = t.load<Space::"
                  "global, double, 2>(rd1_); fd1_ = v[0]; fd2_ = v[1]; }")
        # registers may be wider: the sign goes along, or only the low bits
        self.same("ld.global.s8 %r1, [%rd1];", "r1_ = std::uint32_t(std::int8_t(t.load<Space::"
                  "global, std::int8_t, 1>(rd1_)[0]));")
        self.same("st.global.u8 [%rd1], %rs1;",
                  "t.store<Space::global, std::uint8_t, 1>(rd1_, {low<std::uint8_t>(rs1_)});")

    def test_variables(self):
        text = translated("mov.u64 %rd1, table;")
        self.assertIn("alignas(8) const std::uint8_t table_[16] = {std::uint8_t(0ull),", text)
        self.assertIn("pointers_[2] = {place_of(table_) + 0, place_of(table_) + 8};", text)
        self.assertIn("rd1_ = std::uint64_t((place_of(table_) + 0));", text)
        self.assertIn('{"run", run_, 28, 64, 0}', text)

    def test_inline_assembly_and_lines(self):
        text = translated("// begin inline asm", "{ .reg .b32 %t; mov.b64 {%t, %r1}, %fd1;}",
                          "/* two\nlines */ add.s32 %r1, %r1, 1;")
        lines = text.split("#line 1")[1].split("\n")[1:]
        self.assertIn("{ std::uint32_t t_{};", lines[HEAD.count("\n") + 1])
        self.assertIn("r1_ = r1_ +", lines[HEAD.count("\n") + 3])

    def test_local_memory(self):
        text = translated(".local .align 16 .b8 a[24];", ".local .align 16 .b8 b[8];",
                          "mov.u64 %rd1, b;")
        self.assertIn("(window(Space::local) + 32)", text)
        self.assertIn('{"run", run_, 28, 64, 40}', text)

    def test_branches_by_index(self):
        text = translated("$L_brx: .branchtargets $L1, $L2;", "brx.idx %r1, $L_brx;", "$L1:",
                          "$L2:")
        self.assertIn("switch (r1_) { case 0: goto _SL1_; case 1: goto _SL2_;", text)

    def test_unknown_things_are_errors_with_their_line(self):
        line = HEAD.count("\n") + 1
        self.fails(f"line {line}: unknown instruction: frob.f32 %f1, %f2", "frob.f32 %f1, %f2;")
        self.fails("unknown instruction: add.rn.ftz.f64", "add.rn.ftz.f64 %fd1, %fd2, %fd3;")
        self.fails("unknown instruction: atom.global.add.f32",
                   "atom.global.add.f32 %f1, [%rd1], %f2;")
        self.fails("unknown line: .frob 3", ".frob 3;")
        self.fails("unknown name: %clock64", "mov.u64 %rd1, %clock64;")
        self.fails("unknown name: nothing", "ld.global.u32 %r1, [nothing+4];")
        self.fails("a barrier other than number 0", "bar.sync 1;")
        self.fails("2 operands", "bar.sync 0, 64;")
        self.fails("a copy of other than 16 bytes",
                   "cp.async.ca.shared.global [%r1], [%rd1], 4, 4;")
        self.fails("shared memory beside the program's own: s", ".shared .align 4 .b8 s[4];")

    def test_types_are_checked(self):
        self.fails("register %rd1 of type b64 as f32", "add.rn.f32 %f1, %f2, %rd1;")
        self.fails("register %f1 of type f32 for f64", "add.rn.f64 %f1, %fd2, %fd3;")
        self.fails("an integer in the place of f32", "add.rn.f32 %f1, %f2, 1;")
        self.fails("a constant of 8 bytes as f32", "add.rn.f32 %f1, %f2, 0d3FF0000000000000;")
        self.fails("unknown register: %nope", "add.rn.f32 %nope, %f1, %f2;")
        self.fails("has 2 operands", "add.rn.f32 %f1, %f2;")
        self.fails("not 4 elements", "ld.shared.v4.f32 {%f1, %f2}, [%r1];")

    def test_calls_and_functions(self):
        inner = (".func (.param .align 8 .b8 r[16]) inner(\n.param .b64 a\n)\n",
                 "{\n.local .align 8 .b8 kept[8];\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [a];\n"
                 "st.param.b64 [r+8], %rd1;\nret;\n}\n")
        outer = ".func outer(\n.param .b32 x,\n.param .b32 y\n){\n{ .param .b64 param0;\n" \
                ".param .align 8 .b8 retval0[16];\ncall.uni (retval0),\ninner,\n(\nparam0\n); }\n" \
                "}\n"
        unused = ".visible .func unused() {\n{ frob; }\n}\n"
        head = inner[0] + ";\n" + "".join(inner) + outer + unused + HEAD
        text = translated(".local .align 4 .b8 mine[4];", "{ .param .b32 a0;", ".param .b32 a1;",
                          "call.uni outer, (a0, a1); }", head=head)
        self.assertIn("void inner_(Thread& t, std::uint64_t frame, std::uint64_t r_, "
                      "std::uint64_t a_);", text)
        self.assertIn("rd1_ = t.load<Space::generic, std::uint64_t, 1>((a_ + 0))[0];", text)
        self.assertIn("t.store<Space::generic, std::uint64_t, 1>((r_ + 0) + 8, {rd1_});", text)
        self.assertIn("inner_(t, frame + 32, ((frame + 16) + 0), ((frame + 0) + 0));", text)
        self.assertNotIn("unused", text)
        # 4 bytes of its own, two arguments, two of outer's, 8 of inner's
        self.assertIn("outer_(t, window(Space::local) + 48, ((window(Space::local) + 16) + 0), "
                      "((window(Space::local) + 32) + 0));", text)
        self.assertIn('{"run", run_, 28, 64, 88}', text)
        self.fails("a call of a function that is not in the file: %rd1, proto",
                   "call.uni (param0), %rd1, (param0), proto;", head=head)
        self.fails("0 results and arguments of outer", "call.uni outer;", head=head)
        self.fails("unknown instruction: frob", "call.uni unused;", head=head)

    def test_an_edit_is_of_the_chosen_kernel(self):
        text = ".entry a(\n bar.sync 0;\n.entry b(\n\tbar.sync 0;\n\tbar.sync 0;\n"
        self.assertEqual(ptx_to_cpp.edited(text, "b", 1, "bar.sync", "x").split("\n")[4], "x 0;")
        with self.assertRaises(PtxError):
            ptx_to_cpp.edited(text, "b", 2, "bar.sync", "x")

    def test_kernels_are_chosen(self):
        two = HEAD + TAIL + HEAD[HEAD.index(".visible"):].replace("entry run", "entry other") + TAIL
        self.assertEqual(len(Parser(two).module().entries), 2)
        self.assertNotIn("run_(Thread", ptx_to_cpp.translate(two, "m", only="other"))
        with self.assertRaises(PtxError):
            ptx_to_cpp.translate(two, "m", only="third")


if __name__ == "__main__":
    unittest.main()
