#!/usr/bin/env python3
"""The check of statements finds what is missing, where it is, and nothing else."""
import tempfile
import unittest
from pathlib import Path

import headers
import statements

HEADER = """// Functions for a test.
#pragma once

#define MCT_TWICE(name) \\
  template <class T>    \\
  T name(const T& x) {  \\
    return x + x;       \\
  }

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {
inline double hidden(double x) { return x; }
}  // namespace detail

/// Exact for every x. Source: the definition.
template <class T>
requires(std::is_same_v<T, double> && sizeof(T) < 9) T stated(const T& x) {
  if (x > T(1)) { return x; }
  return -x;
}
/// Exact; throws for nothing.
double lacks_source(double x, const char* text = "){;") noexcept;
bool no_number(double x);

double
lacks_all(double x);

/// Error <= u^2, for all x. Source: Dekker 1971.
class Solver {
 public:
  explicit Solver(double x) : x_(x) {}
  double value() const { return x_; }
  double by_its_class(double x) const;
  static constexpr int count = 3;

 private:
  double of_its_own(double x);
  double x_;
};
MCT_TWICE(twice)
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
"""


def tree(root, text, header="math/test.hpp"):
    path = Path(root, "include/mctensor", header)
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return Path(root)


class Statements(unittest.TestCase):
    def found(self, text, header="math/test.hpp"):
        with tempfile.TemporaryDirectory() as root:
            return {f"{f.line}:{f.name}": missing for f, missing in statements.lacking(*headers.read(tree(root, text, header)))}

    def test_functions_are_read(self):
        with tempfile.TemporaryDirectory() as root:
            names = [f.name for f in headers.read(tree(root, HEADER))[0]]
        self.assertEqual(names, ["stated", "lacks_source", "no_number", "lacks_all", "Solver", "Solver", "value",
                                 "by_its_class", "twice"])

    def test_what_is_missing_is_named_with_its_line(self):
        self.assertEqual(self.found(HEADER), {"23:lacks_source": ["source"],
                                              "27:lacks_all": ["bound", "domain", "source"],
                                              "41:twice": ["bound", "domain", "source"]})

    def test_the_introduction_speaks_for_all(self):
        text = HEADER.replace("for a test.", "for a test.\n//\n// Error: none. Domain: all. Source: none.")
        self.assertEqual(self.found(text), {})

    def test_headers_that_calculate_nothing(self):
        self.assertEqual(self.found(HEADER, "tensor/npy.hpp"), {})
        self.assertEqual(self.found(HEADER, "base/markup.hpp"), {})


if __name__ == "__main__":
    unittest.main()
