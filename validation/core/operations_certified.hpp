// The suite's entries for numbers that carry their error: the exact result must lie within the
// radius.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/certified/all.hpp"
#include "validation/core/operations_arithmetic.hpp"
#include "validation/core/operations_math.hpp"
#include "validation/results.hpp"

namespace mct::validation {

namespace detail {

/// A number whose enclosure holds x: x itself, or without its last limb, which the radius then
/// covers, or with a larger radius. Which of them depends on x alone, so that a replay repeats it.
template <class T, int N>
Certified<T, N> enclosing(const Expansion<T, N>& x) {
  const std::size_t kind = scramble(x) % 8;
  if (kind < 2) return x;
  Expansion<T, N> center = x;
  center.limb[N - 1] = T(0);
  const T radius = std::fabs(x.limb[N - 1]);
  if (kind < 6) return {center, radius};
  // up to the size of the number itself
  return {center, std::max(radius, T(std::fabs(x.limb[0]) * std::exp2(-T(scramble(center) % 64))))};
}

/// How many radii lie between the value and the exact result; the bound is 1.
template <class T, int N>
Outcome compare_enclosure(const Operation<T, N>& op, Workspace& w,
                          const std::array<Expansion<T, N>, 3>& x, const Certified<T, N>& result) {
  Outcome outcome;
  for (std::size_t i = 0; i < std::size_t(op.arity); ++i) w.in[i].set_exact(x[i]);
  constexpr mpfr_prec_t bits = 3 * N * FloatTraits<T>::p + 128;
  ask_oracle(op, w, FloatTraits<T>::emax - FloatTraits<T>::emin, bits);
  const Magnitude exact = magnitude_of(w.exact.get());
  outcome.exponent = exact.mantissa == 0 ? FloatTraits<T>::emin : exact.exponent - 1;
  if (isinf(result.radius())) return outcome;  // it says that it knows nothing
  if (!mpfr_number_p(w.exact.get())) {
    outcome.problem = "a radius where there is no result";
    return outcome;
  }
  w.result.set_exact(result.value());
  const Expansion<T, 1> radius(result.radius());
  w.reference.set_exact(radius);
  mpfr_set_prec(w.difference.get(), 64);
  mpfr_sub(w.difference.get(), w.result.get(), w.exact.get(), MPFR_RNDA);
  if (mpfr_zero_p(w.difference.get())) return outcome;
  outcome.error =
      scaled_ratio(magnitude_of(w.difference.get()), magnitude_of(w.reference.get()), 0);
  if (!(outcome.error <= 1)) outcome.problem = "the exact result lies outside of the radius";
  return outcome;
}

/// Turns entries of operations into entries of their enclosures.
template <class T, int N>
class CertifiedList {
 public:
  using X = Certified<T, N>;
  using Xs = std::array<X, 3>;

  /// The entry `name` of `known` with the same operands and the same exact results, computed by F.
  template <class F>
  void enter(std::vector<Operation<T, N>>& known, const std::string& name, F) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const auto& operation) { return operation.name == name; });
    Operation<T, N>& op = list.emplace_back(*found);
    op.name = "certified_" + name;
    op.promise = {1};
    op.bound_text = bound_of_enclosures;
    op.reference = nullptr;
    op.exact_bits = 0;
    op.weight = std::min(op.weight, 0.1);
    op.apply = nullptr;
    op.ieee = nullptr;
    op.check = [](const Operation<T, N>& self, Workspace& w,
                  const std::array<Expansion<T, N>, 3>& x) {
      return compare_enclosure(self, w, x, F()(Xs{enclosing(x[0]), enclosing(x[1]), X()}));
    };
  }

  std::vector<Operation<T, N>> list;
};

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> certified_operations() {
  detail::CertifiedList<T, N> c;
  using Xs = typename detail::CertifiedList<T, N>::Xs;
  auto arithmetic = arithmetic_operations<T, N>();
  c.enter(arithmetic, "add", [](const Xs& x) { return x[0] + x[1]; });
  c.enter(arithmetic, "sub", [](const Xs& x) { return x[0] - x[1]; });
  c.enter(arithmetic, "mul", [](const Xs& x) { return x[0] * x[1]; });
  c.enter(arithmetic, "div", [](const Xs& x) { return x[0] / x[1]; });
  c.enter(arithmetic, "sqrt", [](const Xs& x) { return sqrt(x[0]); });
  auto functions = math_operations<T, N>();
#define MCT_ENTER_CERTIFIED(name) c.enter(functions, #name, [](const Xs& x) { return name(x[0]); });
  MCT_ENTER_CERTIFIED(exp)
  MCT_ENTER_CERTIFIED(exp2)
  MCT_ENTER_CERTIFIED(expm1)
  MCT_ENTER_CERTIFIED(log)
  MCT_ENTER_CERTIFIED(log2)
  MCT_ENTER_CERTIFIED(log10)
  MCT_ENTER_CERTIFIED(log1p)
  MCT_ENTER_CERTIFIED(cbrt)
  MCT_ENTER_CERTIFIED(sin)
  MCT_ENTER_CERTIFIED(cos)
  MCT_ENTER_CERTIFIED(tan)
  MCT_ENTER_CERTIFIED(sinh)
  MCT_ENTER_CERTIFIED(cosh)
  MCT_ENTER_CERTIFIED(tanh)
  MCT_ENTER_CERTIFIED(asinh)
  MCT_ENTER_CERTIFIED(acosh)
  MCT_ENTER_CERTIFIED(atanh)
  MCT_ENTER_CERTIFIED(asin)
  MCT_ENTER_CERTIFIED(acos)
  MCT_ENTER_CERTIFIED(atan)
  MCT_ENTER_CERTIFIED(erf)
#undef MCT_ENTER_CERTIFIED
  return std::move(c.list);
}

}  // namespace mct::validation
