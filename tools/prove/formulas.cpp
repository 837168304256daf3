// Prints as JSON the formulas of functions that tools/prove/functions.py proves, one a line, and
// the tables that they read.
#include <cstdio>
#include <cstdlib>

#include "traced.hpp"

namespace {

using mct::f64x2;
using prove::Value;

using prove::print_ids;
using prove::print_list;

void print_block(const prove::Block& block) {
  std::printf("{\"name\": \"%s\", ", block.name.c_str());
  const auto print_one = [](const prove::Ids& ids) { print_ids(ids); };
  print_list("operands", block.operands, print_one);
  std::printf(", ");
  print_list("inputs", block.inputs, print_one);
  std::printf(", ");
  print_ids("results", block.results);
  std::printf(", ");
  print_list("steps", block.steps, prove::print_step);
  std::printf("}");
}
void print_comparison(const prove::Comparison& c) {
  std::printf("[\"%s\", %d, %d, %s]", c.name, c.a, c.b, c.holds ? "true" : "false");
}

/// Prints the formula of f, as a run with the argument x takes it.
template <class F>
void print_formula(const char* name, const f64x2& x, const F& f) {
  prove::Formula formula;
  prove::formula = &formula;
  mct::Expansion<Value, 2> argument;
  for (int i = 0; i < 2; ++i) argument.limb[i] = Value::made(x.limb[i]);
  const auto result = f(argument);
  const f64x2 expected = f(x);
  for (int i = 0; i < 2; ++i) {
    if (result.limb[i].number() != expected.limb[i]) {
      std::fprintf(stderr, "%s: the formula has another result than the function\n", name);
      std::exit(1);
    }
  }
  std::printf("{\"name\": \"%s\", ", name);
  print_ids("argument", prove::ids(argument));
  std::printf(", ");
  print_ids("results", prove::ids(result));
  std::printf(", ");
  print_list("blocks", formula.blocks, print_block);
  std::printf(", ");
  print_list("comparisons", formula.comparisons, print_comparison);
  std::printf(", ");
  print_list("constants", formula.constants, [](const std::pair<int, double>& constant) {
    std::printf("[%d, \"%a\"]", constant.first, constant.second);
  });
  std::printf("}\n");
}

/// Prints the first limbs of each row.
template <template <class> class Table>
void print_table(const char* name, int limbs) {
  std::printf("{\"table\": \"%s\", \"rows\": [", name);
  for (int i = 0; i < Table<double>::count; ++i) {
    std::printf("%s[", i ? ", " : "");
    for (int limb = 0; limb < limbs; ++limb)
      std::printf("%s\"%a\"", limb ? ", " : "", Table<double>::row(i)[limb]);
    std::printf("]");
  }
  std::printf("]}\n");
}

}  // namespace

int main() {
  const auto exp = [](const auto& x) { return mct::exp(x); };
  const auto log = [](const auto& x) { return mct::log(x); };
  print_formula("exp above 0", f64x2::from_limbs(3.7, 0x1p-55), exp);
  print_formula("exp below 0", f64x2::from_limbs(-3.7, 0x1p-55), exp);
  print_formula("log between", f64x2::from_limbs(3.7, 0x1p-55), log);
  print_formula("log small", f64x2::from_limbs(0x1.3p-900, 0x1p-955), log);
  print_formula("log large", f64x2::from_limbs(0x1.3p1020, 0x1p960), log);
  print_table<mct::tables::Exp2Table>("Exp2Table", 3);
  print_table<mct::tables::LogReciprocal>("LogReciprocal", 1);
  print_table<mct::tables::LogTable>("LogTable", 3);
}
