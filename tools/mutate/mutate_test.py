#!/usr/bin/env python3
"""Tests the mutation tester: what it mutates, and a whole run on a tree of one header."""
import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path

import mutate
from mutate_session import Session
from mutate_source import Schema, find_mutants, mutated
from mutate_workshop import CompileError, Coverage, Workshop, error_places

HEADER = """\
#pragma once
namespace mct {
/// The larger one: a < b.
template <class T>
constexpr T larger(const T& a, const T& b) {
  if (a < b) return b;  // a < b
  return a;
}
inline int twice(int x) { return x + x + 0 * x; }
inline constexpr int width = 4;
}  // namespace mct
"""
TEST = """\
#include <gtest/gtest.h>
#include "mctensor/eft/tiny.hpp"
TEST(Tiny, Larger) { EXPECT_EQ(mct::larger(2, 1), 2); EXPECT_EQ(mct::larger(1, 3), 3); }
TEST(Tiny, Twice) { EXPECT_EQ(mct::twice(5), 10); EXPECT_EQ(mct::width, 4); }
"""
FILE = "include/mctensor/eft/tiny.hpp"


def body(statement):
    return "void f(int a, int b) {\n  " + statement + "\n}\n"


def changes(text):
    return [m.change for m in find_mutants("x.hpp", text)]


class SourceTest(unittest.TestCase):
    def test_each_kind(self):
        self.assertEqual(changes(body("g(a < b);")), ["statement removed", "< -> <=", "< -> >="])
        self.assertEqual(changes(body("const int c = -limb[1];")),
                         ["- removed", "1 -> 2", "1 -> 0"])
        self.assertIn("operands of / swapped", changes(body("return a + b / a;")))
        self.assertIn("arguments of fast_two_sum swapped", changes(body("fast_two_sum<T>(a, b);")))
        self.assertIn("min -> max", changes(body("return std::min(a, b);")))
        self.assertIn("condition negated", changes(body("if (a < 1 && b) return;")))
        self.assertIn("+= -> -=", changes(body("a += b;")))
        self.assertIn("wire<1> -> wire<2>", changes(body("return wire<1>(a);")))

    def test_never(self):
        for text in ("// a + b", "/* a + b */", 'const char* c = "a + b";', "static_assert(a < b);",
                     "using X = Y<1 + 2>;", "T x;", "std::vector<int> v;",
                     "if constexpr (a < b) {}", "return f([](int c) { return c; });"):
            self.assertEqual(changes(body(text)), [], text)
        self.assertEqual(changes("#if A < 1\n#define B(x) \\\n  (x + 1)\n#endif\n"), [])
        self.assertEqual(changes("template <int N>\nrequires(N < 3) void f(T (&a)[N]);\n"), [])
        self.assertEqual(changes("T operator-(T a);\nbool operator<(T a, T b);\n"), [])
        text = "constexpr bool operator<=(T a) { return 1; }\nvoid f(int blend(int, int, int));\n"
        self.assertEqual({m.form for m in find_mutants("x", text)}, {"expression"})

    def test_operands_of_a_quotient(self):
        mutant = next(m for m in find_mutants("x", body("return a + g(b, a) / (a - b) * b;"))
                      if "operands" in m.change)
        self.assertIn("a + ((a - b)) / (g(b, a)) * b", mutant.replacement)

    def test_constants_are_compiled_alone(self):
        forms = {m.form for m in find_mutants("x", "inline constexpr int width = 4 * 2;\n")}
        self.assertEqual(forms, {"single"})
        forms = {m.change: m.form for m in find_mutants("x", body("return a + pow2<T>(8);"))}
        self.assertEqual(forms["8 -> 9"], "single")
        self.assertEqual(forms["+ -> -"], "expression")

    def test_lines_that_read_alike_stay_apart(self):
        keys = [m.key for m in find_mutants("x", body("a += b;\n  a += b;"))]
        self.assertEqual(len(keys), 4)
        self.assertEqual(len(set(keys)), 4)

    def test_schema_keeps_lines_and_the_original(self):
        mutants = dict(enumerate((m for m in find_mutants(FILE, HEADER) if m.form != "single"), 1))
        schema = Schema(HEADER, mutants)
        self.assertEqual(schema.text.count("\n"), HEADER.count("\n"))
        for number in mutants:
            self.assertEqual(schema.text.count(f"mutate::on({number})"), 1)
        column = schema.text.split("\n")[8].index("mutate::on(") + 1
        self.assertEqual(len(schema.mutants_at(9, column)), 1)
        self.assertEqual(Schema(HEADER, {}).text, HEADER)

    def test_schema_of_limbs_of_another_type(self):
        mutants = dict(enumerate(find_mutants(FILE, body("return wire<1>(a);")), 1))
        self.assertEqual({m.form for m in mutants.values()}, {"limb"})
        self.assertIn("(mutate::either(mutate::on(1), (wire<2>(a)), "
                      "mutate::either(mutate::on(2), (wire<0>(a)), (wire<1>(a)))));",
                      Schema(body("return wire<1>(a);"), mutants).text)

    def test_mutated(self):
        mutant = next(m for m in find_mutants(FILE, HEADER) if m.change == "< -> >=")
        self.assertIn("if (a >= b) return b;", mutated(HEADER, mutant))

    def test_functions_that_the_compiler_may_call(self):
        for text, known in (("constexpr int f(int a) { return a + 1; }\n", True),
                            ("int f(int a) { return a + 1; }\n", False)):
            self.assertEqual({m.in_constexpr for m in find_mutants("x", text)}, {known})

    def test_coverage(self):
        coverage = Coverage("* 0 4\nA.* 0 2\nA.x 1000 1 3\nA.y 10\nB.* 0\nB.x 20 1\n")
        self.assertEqual(coverage.tests(1), [["B.x"], ["A.x"]])
        self.assertEqual(coverage.tests(2), [["A.y"], ["A.x"]])
        self.assertEqual(coverage.tests(4), [["A.y", "B.x"], ["A.x"]])
        self.assertFalse(coverage.reaches(5))
        self.assertEqual(coverage.duration(), 1030)

    def test_error_places(self):
        message = "/t/a.hpp:3:4:   required from here\n/t/b.hpp:7:9: error: no\n"
        self.assertEqual(error_places(message, Path("/t")), [[("b.hpp", 7, 9), ("a.hpp", 3, 4)]])


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        for name, text in ((FILE, HEADER), ("tests/eft/transforms_test.cpp", TEST)):
            (self.root / name).parent.mkdir(parents=True)
            (self.root / name).write_text(text, encoding="utf-8")
        (self.root / "tools/mutate").mkdir(parents=True)
        here = Path(__file__).resolve().parent
        shutil.copyfile(here / "mutate_runtime.hpp", self.root / "tools/mutate/mutate_runtime.hpp")
        self.order = mutate.in_order(mutate.all_mutants(self.root, ["eft"]), 1)

    def tearDown(self):
        self.folder.cleanup()

    def session(self, equivalents):
        shop = Workshop(self.root, self.root / "build/mutate", None)
        shop.reset()
        session = Session(self.order, 100, shop, equivalents, self.root)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            session.run()
            code = mutate.report(session)
        return code, out.getvalue(), {m.change: session.record_of(m)["status"]
                                      for m in session.chosen()}

    def test_whole_run(self):
        code, out, status = self.session({})
        self.assertEqual(code, 1, out)
        self.assertEqual(status["< -> >="], "killed")
        self.assertEqual(status["4 -> 5"], "killed")  # compiled alone
        self.assertEqual(status["< -> <="], "alive")  # of equal values, either is the larger
        self.assertEqual((self.root / FILE).read_text(encoding="utf-8"), HEADER)
        # again: nothing is left to do, and the list of equivalents counts
        alive = {m.key: "because" for m in self.order if status[m.change] == "alive"}
        code, out, status = self.session(alive)
        self.assertEqual(code, 0, out)
        self.assertNotIn("compiling", out)
        self.assertEqual(status["< -> <="], "equivalent")

    def test_order_depends_on_the_seed_only(self):
        found = mutate.all_mutants(self.root, ["eft"])
        self.assertEqual(mutate.in_order(found, 1), self.order)
        self.assertNotEqual(mutate.in_order(found, 2), self.order)

    def test_programs_must_pass_without_a_mutant(self):
        test = self.root / "tests/eft/transforms_test.cpp"
        test.write_text(TEST.replace("10", "11"), encoding="utf-8")
        with self.assertRaises(CompileError):
            self.session({})


class CommandLineTest(unittest.TestCase):
    def test_bad_usage(self):
        for words in (["--count", "0"], ["--only", "nonsense"], ["--seed", "x"], ["--nonsense"]):
            with self.assertRaises(SystemExit) as stopped, \
                    contextlib.redirect_stderr(io.StringIO()):
                mutate.main(words)
            self.assertEqual(stopped.exception.code, 2)

    def test_equivalents(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "list.txt")
            path.write_text("# words\na.hpp\n  x + y;\n    + -> -\n  y;\n    statement removed\n    because y is 0\n",
                            encoding="utf-8")
            self.assertEqual(mutate.read_equivalents(path),
                             {"a.hpp|x + y;|+ -> -": "because y is 0", "a.hpp|y;|statement removed": "because y is 0"})
            path.write_text("a.hpp\n  x + y;\n    + -> -\n", encoding="utf-8")
            with self.assertRaises(ValueError):
                mutate.read_equivalents(path)

    def test_a_changed_line_is_named_and_ignored(self):
        mutants = find_mutants("x.hpp", body("return a + b;"))
        equivalents = {mutants[0].key: "because", "x.hpp|return b + a;|+ -> -": "because", "no.hpp|a;|b": "because",
                       "mutate.py|of a file of another layer|x": "because"}
        self.assertEqual(mutate.outdated(equivalents, mutants, Path(mutate.__file__).parent),
                         ["x.hpp|return b + a;|+ -> -", "no.hpp|a;|b"])


if __name__ == "__main__":
    unittest.main()
