// The report's part on method: how errors are measured, what the kinds of cases are.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "validation/report/first_seen.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"

namespace mct::validation {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 10> kinds = {{
    {"random",
     "Exponents uniform over the whole range of the component type; limbs that follow "
     "each other closely, or with gaps between them."},
    {"near", "All operands within a few binades of each other."},
    {"cancellation",
     "The second operand is the first, negated or not, changed in one limb; for "
     "mul_add the third operand is close to minus the product."},
    {"limb edges",
     "Limbs of exactly half a unit in the last place of the limb before, just below "
     "that, zero, or far smaller."},
    {"powers of two", "Every limb a power of two or its neighbour above or below."},
    {"subnormal",
     "Leading or lower limbs in or near the subnormal range, where error terms may underflow."},
    {"overflow", "Leading limbs near the largest number of the component type."},
    {"integers",
     "Integers, halves and quarters, with and without a tiny part after them: what rounding "
     "to integers must decide."},
    {"exact results",
     "Operands whose result is a number of the type, as products of whole numbers by one of them, "
     "or squares: it must come out without error."},
    {"special values",
     "Every combination of zeros of both signs, the smallest subnormal, the largest number, "
     "infinities and NaN; compared with IEEE 754 arithmetic on the leading limbs."},
}};

const char* description_of(const std::string& kind) {
  for (const auto& [name, text] : kinds)
    if (kind == name) return text;
  return "";
}

std::string kinds_html(const Results& results) {
  std::vector<std::string> names;
  for (const OperationResult& operation : results.operations)
    for (const CategoryResult& category : operation.categories) place_in(names, category.name);
  if (names.empty()) return "";
  std::string out = "<h3>Kinds of cases</h3>\n<dl class=\"kinds\">\n";
  for (const std::string& name : names)
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), description_of(name));
  return out + "</dl>\n";
}

}  // namespace

std::string method_html(const Results& results) {
  std::string out = "<section id=\"method\">\n<h2>How this was measured</h2>\n";
  out +=
      "<p><strong>Exact values.</strong> A case is a set of operands: expansions of N components "
      "(limbs) with p bits each. Their exact sums go into MPFR, which computes the operation with "
      "twice the precision of the result and 128 bits more. Where the operation is stated to be "
      "exact, MPFR keeps every bit.</p>\n"
      "<p><strong>Errors.</strong> The error of a case is |computed &#8722; exact|, less what "
      "underflow may add according to the bound (a multiple of &#951;, the smallest subnormal "
      "number), divided by the quantity that stands in bars in the bound, usually |exact|. It is "
      "given in units of u<sup>N</sup>, u = 2<sup>&#8722;p</sup>: an error of 1 u<sup>N</sup> "
      "corresponds to half a unit in the last place of a number with N p bits.</p>\n"
      "<p><strong>Verdicts.</strong> An operation passes if no case exceeds its stated bound, if "
      "every result is normalized (each limb at most half a unit in the last place of the limb "
      "before), and if infinities, NaN and zeros come out as stated. A case that does not is "
      "listed with its operands as hexadecimal floating-point numbers, and with the command that "
      "repeats it.</p>\n"
      "<p><strong>Cases.</strong> Operands come from a counter-based generator (Philox) and from "
      "the random seed in the heading: the cases do not depend on the number of threads. Each "
      "operation gets the kinds of cases below in turn; cases outside its domain are left out and "
      "not counted. A largest error is the largest one found: it does not prove a bound.</p>\n"
      "<p><strong>Comparisons.</strong> Worst relative errors are |computed &#8722; exact| / "
      "|exact| as powers of two, with the exact value again from MPFR.</p>\n";
  return out + kinds_html(results) + "</section>\n";
}

}  // namespace mct::validation
