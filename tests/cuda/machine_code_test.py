#!/usr/bin/env python3
"""Tests that machine_code.py notices what it is there for."""
import unittest

import machine_code
import sass


def kernel(*names, registers=64, frame=0, architecture="sm_90"):
    code = [sass.Instruction(n, "") for n in names]
    return sass.Kernel("k", architecture, registers, frame, code)


EXPECTED = machine_code.Expected(threads=256, registers=128, blocks=2, units=2,
                                 counts={"DFMA": 1.5}, limit="fp64", lead=1.2, wide=True)
RIGHT = ["DFMA", "DFMA", "DFMA", "LDS.128"]


class MachineCodeTest(unittest.TestCase):
    def faults(self, *names, **how):
        return " ".join(machine_code.faults(kernel(*names, **how), EXPECTED))

    def test_right(self):
        expected = machine_code.dataclasses.replace(EXPECTED, lead=0.1)
        self.assertEqual(list(machine_code.faults(kernel(*RIGHT), expected)), [])

    def test_each_fault(self):
        self.assertIn("16 bytes", self.faults(*RIGHT, frame=16))
        self.assertIn("1 spills", self.faults(*RIGHT, "STL.128"))
        self.assertIn("130 registers", self.faults(*RIGHT, registers=130))
        self.assertIn("1 blocks", self.faults(*RIGHT, registers=130))
        self.assertIn("generic", self.faults(*RIGHT, "LD.E.128"))
        self.assertIn("1 calls", self.faults(*RIGHT, "CALL.REL.NOINC"))
        self.assertIn("narrow accesses in the hot loop: ['LDG.E.64']",
                      self.faults(*RIGHT, "LDG.E.64"))
        self.assertIn("2 DFMA for each element instead of 1.5", self.faults(*RIGHT, "DFMA"))
        self.assertIn("of memory", self.faults(*RIGHT))

    def test_spills_of_an_architecture_are_outside_of_the_hot_loop(self):
        expected = machine_code.dataclasses.replace(EXPECTED, outside={"sm_90": 1})

        def found(architecture):
            return " ".join(machine_code.faults(kernel(*RIGHT, "STL.128", architecture=architecture), expected))
        self.assertNotIn("a stack", found("sm_90"))
        self.assertIn("1 spills in the hot loop", found("sm_90"))
        self.assertIn("a stack of 0 bytes, 1 spills", found("sm_100"))

    def test_too_many_instructions(self):
        expected = machine_code.Expected(threads=32, registers=99, instructions=3)
        self.assertIn("4 instructions in the hot loop instead of 3",
                      " ".join(machine_code.faults(kernel(*RIGHT), expected)))

    def test_exceptions_of_an_architecture(self):
        expected = machine_code.Expected(threads=32, registers=99, counts={"DMUL": 1},
                                         also={"sm_80": {"DMUL": 2}})
        two = ["DMUL", "DMUL"]
        on_a100 = kernel(*two, architecture="sm_80")
        self.assertEqual(list(machine_code.faults(on_a100, expected)), [])
        self.assertEqual(len(list(machine_code.faults(kernel(*two), expected))), 1)

    def test_the_table_and_the_code_must_have_the_same_kernels(self):
        wrong = list(machine_code.check([("linalg_gemm", "Unknown", kernel(*RIGHT))]))
        self.assertIn("linalg_gemm Unknown: not in the table of tests/cuda/machine_code.py", wrong)
        self.assertIn("linalg_gemm Gemm<double, 2>: in the table, but no cubin has it", wrong)


if __name__ == "__main__":
    unittest.main()
