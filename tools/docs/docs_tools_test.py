#!/usr/bin/env python3
"""The tools of the documentation find what they are for."""
import tempfile
import unittest
from pathlib import Path

import build_site
import check_links
import code_blocks
import cpp_blocks
import headers
import page_blocks
import reference

PAGE = """# Page
```cpp
#include <a>
using namespace n;
int x = 1;
```
<!-- code: continues
int hidden = 2;
-->
```cpp
int y = x + hidden;
```

<!-- code: skip: no device -->
```cpp
...
```
"""


class CodeBlocks(unittest.TestCase):
    def test_blocks_and_hints(self):
        first, second, third = code_blocks.blocks_of(PAGE, "p.md")
        self.assertEqual((first.line, first.words), (3, set()))
        self.assertEqual((second.words, second.hidden), ({"continues"}, "int hidden = 2;"))
        self.assertEqual(third.reason, "no device")
        self.assertEqual(code_blocks.joined([first, second, third]), [[first, second]])

    def test_wrong_hints_are_refused(self):
        for hint in ("<!-- code: contiues -->\n```cpp\n```\n", "<!-- code: skip -->\n```cpp\n```\n",
                     "<!-- code: compile -->\ntext\n"):
            with self.assertRaises(ValueError):
                code_blocks.blocks_of(hint, "p.md")

    def test_functions_keep_lines_and_includes(self):
        blocks = code_blocks.blocks_of(PAGE, "p.md")
        text = cpp_blocks.functions(code_blocks.joined(blocks), blocks)
        self.assertIn('#line 3 "p.md"\n\nusing namespace n;\nint x = 1;', text)
        self.assertIn("int hidden = 2;\nint y = x + hidden;", text)
        self.assertLess(text.index("#include <a>"), text.index("void run() {"))

    def test_commands_of_a_block(self):
        block = code_blocks.Block("p", 1, "sh", set(), "", "cat > x <<'END'\nmct no\nEND\nmct a \\\n  --b && mct c # d\n", "")
        self.assertEqual([" ".join(c.split()) for c in page_blocks.commands_of(block)],
                         ["cat > x", "mct a --b", "mct c", ""])

    def test_a_python_block_that_fails_is_a_fault(self):
        block = code_blocks.Block("p", 7, "python", set(), "", "a = 1\na / 0\n", "")
        self.assertIn("line 8: ZeroDivisionError", page_blocks.run_python(block, {})[0])


class Commands(unittest.TestCase):
    def test_unknown_options_and_subcommands(self):
        helps = page_blocks.Help("no program")
        helps.texts = {("mct",): "Subcommands:\n  eval  says\n", ("mct", "eval"): "Options:\n  --edges FILE\n",
                       ("./run",): "  test [x]   all\n"}
        self.assertEqual(helps.faults("mct eval x --edges y"), [])
        self.assertEqual(helps.faults("mct eval --edge y"), ["mct eval has no --edge"])
        self.assertEqual(helps.faults("mct evil"), ["mct has no 'evil'"])
        self.assertEqual(helps.faults("./run tset"), ["./run has no 'tset'"])


class Links(unittest.TestCase):
    def test_missing_files_and_headings(self):
        with tempfile.TemporaryDirectory() as root:
            page = Path(root, "docs", "a.md")
            page.parent.mkdir()
            page.write_text("# A `b` c\n[x](#a-b-c) [y](#other) [z](no.md) `tools/no.py`\n", "utf-8")
            self.assertEqual(len(list(check_links.faults_of(Path(root), "docs/a.md"))), 3)


class Reference(unittest.TestCase):
    def test_comments_show_as_they_stand(self):
        self.assertEqual(reference.escape("a_b * `c_d` < 2"), r"a\_b \* `c_d` &lt; 2")

    def test_source(self):
        self.assertEqual(reference.source_of("// x", "Adds. Source: Dekker\n1971.\n\nMore."), "Dekker 1971.")

    def test_statements_stand_behind_their_labels(self):
        text = "Adds. Error <= 2 u, exact for 0. Domain: every x. Source: Dekker 1971."
        self.assertEqual(reference.stated(reference.DOMAIN, text, ""), "Every x.")
        self.assertEqual(reference.stated(reference.BOUND, "Adds.", "All.\n\nError: none. Exact."), "None.")

    def test_links_show_titles(self):
        self.assertEqual(build_site.linked("[linalg.md](linalg.md#x) [here](linalg.md)", {"linalg"}),
                         "[Linear algebra](linalg.md#x) [here](linalg.md)")

    def test_long_signatures_are_wrapped(self):
        self.assertEqual(headers.wrapped("V f(const A<int, 2> &a, B b) const", 10),
                         "V f(\n    const A<int, 2> &a,\n    B b) const")


if __name__ == "__main__":
    unittest.main()
