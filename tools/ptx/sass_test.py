#!/usr/bin/env python3
"""Tests sass.py on machine code as nvdisasm prints it, shortened."""
import unittest

import sass

HEAD = """	.target	sm_90

//--------------------- .nv.info                  --------------------------
	.section	.nv.info,"",@"SHT_CUDA_INFO"
	//----- nvinfo : EIATTR_REGCOUNT
	.align		4
        /*0000*/ 	.byte	0x04, 0x2f
        /*0002*/ 	.short	(.L_1 - .L_0)
	.align		4
.L_0:
        /*0004*/ 	.word	index@(_Z3runv)
        /*0008*/ 	.word	0x0000002a


	//----- nvinfo : EIATTR_FRAME_SIZE
	.align		4
.L_1:
        /*000c*/ 	.byte	0x04, 0x11
        /*000e*/ 	.short	(.L_3 - .L_2)
	.align		4
.L_2:
        /*0010*/ 	.word	index@(_Z3runv)
        /*0014*/ 	.word	0x00000010


//--------------------- .text._Z3runv --------------------------
	.section	.text._Z3runv,"ax",@progbits
        .global         _Z3runv
.text._Z3runv:
"""
CODE = """        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
.L_x_1:
        /*0020*/                   LDS.128 R8, [R3+0x10] ;
        /*0030*/              @!PT LDS RZ, [RZ] ;
        /*0040*/                   DFMA R4, R4, R8, R12 ;
        /*0050*/              @!P0 DADD R4, R4, R8 ;
        /*0060*/                   IADD3 R2, R2, 0x10, RZ ;
        /*0070*/               @P1 BRA `(.L_x_1) ;
        /*0080*/              @!P0 CALL.REL.NOINC `(.L_x_2) ;
        /*0090*/                   BRA.U UP0, `(.L_x_0) ;
.L_x_2:
        /*00a0*/                   STG.E.64 desc[UR4][R2.64], R4 ;
        /*00b0*/                   EXIT ;
.L_x_3:
        /*00c0*/                   BRA `(.L_x_3);
        /*00d0*/                   NOP;
"""


def kernel(code=CODE, head=HEAD):
    return sass.parse(head + code)["_Z3runv"]


class SassTest(unittest.TestCase):
    def test_sizes(self):
        k = kernel()
        self.assertEqual((k.architecture, k.registers, k.frame), ("sm_90", 42, 16))
        self.assertEqual(len(k.code), 14)

    def test_loops_are_backward_jumps_and_the_hot_one_holds_no_other(self):
        k = kernel()
        self.assertEqual(k.loops(), [(1, 10), (2, 8)])
        self.assertEqual([i.base for i in k.hot()], ["LDS", "LDS", "DFMA", "DADD", "IADD3", "BRA"])

    def test_without_loops_all_is_hot(self):
        k = kernel("        /*0000*/                   MOV R1, R2 ;\n"
                   "        /*0010*/                   EXIT ;\n")
        self.assertEqual(len(k.hot()), 2)

    def test_what_is_never_executed_is_not_counted(self):
        self.assertEqual(sass.counts(kernel().hot())["LDS"], 1)
        self.assertEqual(sass.narrow(kernel().hot()), [])

    def test_cycles(self):
        cycles = sass.cycles(kernel().hot(), sass.ARCHITECTURES["sm_90"])
        # 64 lanes for 32 threads; 512 bytes at 128 a cycle; 6 instructions, 4 at once
        self.assertEqual(dict(cycles), {"fp64": 1.0, "memory": 4.0, "integer": 0.5, "issue": 1.5})
        self.assertEqual(sass.cycles(kernel().hot(), sass.ARCHITECTURES["sm_80"])["fp64"], 2.0)

    def test_widths(self):
        widths = {"LDG.E.128": 16, "LDG.E.64": 8, "STG.E": 4, "LDG.E.U16": 2, "STG.E.U8": 1,
                  "LDSM.16.M88.4": 16, "LDSM.16.MT88.2": 8, "LDGSTS.E.BYPASS.128": 16,
                  "SHFL.BFLY": 0, "DFMA": 0}
        for name, width in widths.items():
            self.assertEqual(sass.Instruction(name, "").width, width, name)

    def test_pipes(self):
        pipes = {"DMUL": "fp64", "FFMA.RM": "fp32", "MUFU.EX2": "special", "IMAD.WIDE": "integer",
                 "HMMA.16816.F32.BF16": "tensor", "F2F.F64.F32": "conversions", "BRA": "other",
                 "LDL.64": "memory"}
        for name, pipe in pipes.items():
            self.assertEqual(sass.Instruction(name, "").pipe, pipe, name)

    def test_matrix_instructions(self):
        self.assertEqual(sass.multiply_adds(sass.Instruction("HMMA.16816.F32.BF16", "")), 2048)
        self.assertEqual(sass.multiply_adds(sass.Instruction("IMMA.16832.S8.S8", "")), 2048)

    def test_matrix_instructions_of_a_warpgroup(self):
        text = ("        /*0000*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24 ;\n"
                "        /*0010*/                   HGMMA.64x72x16.F32.BF16 R88, R124, "
                "gdesc[UR8].tnspB, R88 ;\n")
        both, right = kernel(text).code
        # a quarter of what the four warps share
        self.assertEqual(sass.multiply_adds(both), 64 * 128 * 16 / 4)
        self.assertEqual(sass.factor_bytes(both), (64 + 128) * 32 / 4)
        self.assertEqual(sass.factor_bytes(right), 72 * 32 / 4)
        cycles = sass.cycles([both, right], sass.ARCHITECTURES["sm_90"])
        self.assertEqual((cycles["tensor"], cycles["memory"]), (25, (192 + 72) * 8 / 128))

    def test_where_a_warpgroup_multiplies_it_is_hot(self):
        line = "        /*{:04x}*/                   {} ;\n"
        code = [".L_a:\n", line.format(0, "HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24")]
        code += [".L_b:\n"] + [line.format(16 * i, "FADD R1, R1, R2") for i in range(1, 9)]
        code += [line.format(144, "@P0 BRA `(.L_b)"), line.format(160, "@P1 BRA `(.L_a)"),
                 line.format(176, "EXIT")]
        self.assertEqual(len(kernel("".join(code)).hot()), 11)

    def test_what_must_not_be(self):
        code = [sass.Instruction(n, o) for n, o in
                (("LD.E", "R1, [R2]"), ("STL", "[R1], R2"), ("LDG.E", "R1, [R2]"),
                 ("CALL.REL.NOINC", "`($__internal_0_$__cuda_sm20_div_s64)"),
                 ("CALL.REL.NOINC", "`(.L_x_2)"))]
        self.assertEqual([i.name for i in sass.generic(code)], ["LD.E"])
        self.assertEqual([i.name for i in sass.spills(code)], ["STL"])
        self.assertEqual(len(sass.calls(code)), 1)
        self.assertEqual([i.name for i in sass.narrow(code)], ["LD.E", "STL", "LDG.E"])

    def test_blocks(self):
        h100 = sass.ARCHITECTURES["sm_90"]
        self.assertEqual(sass.blocks_per_sm(256, 128, 32768, h100), 2)  # registers
        self.assertEqual(sass.blocks_per_sm(256, 129, 32768, h100), 1)
        self.assertEqual(sass.blocks_per_sm(256, 32, 0, h100), 8)  # threads
        self.assertEqual(sass.blocks_per_sm(32, 16, 0, h100), 32)
        self.assertEqual(sass.blocks_per_sm(128, 32, 100000, h100), 2)  # shared memory

    def test_names(self):
        self.assertEqual(sass.program_of("void mct::cuda::run_block<mct::cuda::Gemm<double, 2> >"
                                         "(mct::cuda::Gemm<double, 2>)"), "Gemm<double, 2>")


if __name__ == "__main__":
    unittest.main()
