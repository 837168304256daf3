// The suite's entries for the error-free transforms of layer 1.
#pragma once

#include <utility>
#include <vector>

#include "validation/core/operation.hpp"

namespace mct::validation {

namespace detail {

/// A transform's result as the two-limb expansion it stands for.
template <class T>
Expansion<T, 2> as_expansion(const HiLo<T>& pair) {
  return Expansion<T, 2>::from_limbs(pair.hi, pair.lo);
}

/// The number of significant bits of a value: 1 for a power of two.
template <class T>
int significant_bits(T value) {
  if (value == 0) return 0;
  int exponent = 0;
  const T mantissa = frexp(fabs(value), &exponent);
  auto bits = std::uint64_t(ldexp(mantissa, FloatTraits<T>::p));
  int length = FloatTraits<T>::p;
  for (; (bits & 1) == 0; bits >>= 1) --length;
  return length;
}

/// split promises halves short enough that their products are exact.
template <class T>
const char* check_halves(T x) {
  constexpr int s = (FloatTraits<T>::p + 1) / 2;
  const auto [hi, lo] = split(x);
  const bool at_the_top =
      fabs(x) >= pow2<T>(FloatTraits<T>::emax - 1) * (2 - pow2<T>(s - FloatTraits<T>::p));
  if (significant_bits(hi) > FloatTraits<T>::p - s) return "hi has too many bits";
  if (significant_bits(lo) > (at_the_top ? s : s - 1)) return "lo has too many bits";
  return nullptr;
}

/// Compares what a transform leaves with the oracle.
template <class T, class Transform>
Outcome check_transform(const Operation<T, 1>& op, Workspace& w,
                        const std::array<Expansion<T, 1>, 3>& x) {
  return compare_with_oracle(op, w, x, as_expansion<T>(Transform{}(x)));
}

}  // namespace detail

template <class T>
std::vector<Operation<T, 1>> eft_operations() {
  using Xs = std::array<Expansion<T, 1>, 3>;
  std::vector<Operation<T, 1>> list;
  const auto enter = [&](const char* name, double eta, auto transform, Oracle oracle) -> auto& {
    Operation<T, 1>& op = list.emplace_back();
    op.name = name;
    // where underflow touches Dekker's product, its low part may exceed half an ulp
    op.promise = {0, eta, eta < 1};
    op.bound_text = eta == 0 ? "exact" : fmt::format("exact + {:g} eta", eta);
    op.oracle = oracle;
    op.check = detail::check_transform<T, decltype(transform)>;
    return op;
  };
  const double eta_fma = MCT_HAS_FMA || is_short_float_v<T> ? 0.5 : 4;
  enter(
      "two_sum", 0, [](const Xs& x) { return two_sum(x[0].limb[0], x[1].limb[0]); }, oracle::add)
      .below_largest_float_from = 1;
  enter(
      "fast_two_sum", 0, [](const Xs& x) { return fast_two_sum(x[0].limb[0], x[1].limb[0]); },
      oracle::add)
      .prepare = [](const Operation<T, 1>&, Xs& x) {
    if (fabs(x[0].limb[0]) < fabs(x[1].limb[0])) std::swap(x[0], x[1]);
  };
  enter(
      "two_diff", 0, [](const Xs& x) { return two_diff(x[0].limb[0], x[1].limb[0]); }, oracle::sub)
      .below_largest_float_from = 1;
  enter(
      "two_prod", eta_fma, [](const Xs& x) { return two_prod(x[0].limb[0], x[1].limb[0]); },
      oracle::mul);
  if constexpr (!std::is_same_v<T, half>) {
    enter(
        "two_prod_dekker", 4,
        [](const Xs& x) { return two_prod_dekker(x[0].limb[0], x[1].limb[0]); }, oracle::mul);
  }
  Operation<T, 1>& square = enter(
      "two_square", eta_fma, [](const Xs& x) { return two_square(x[0].limb[0]); }, nullptr);
  square.arity = 1;
  square.unary_oracle = oracle::square;

  Operation<T, 1>& halves = list.emplace_back();
  halves.name = "split";
  halves.arity = 1;
  halves.promise = {0, 0, false};
  halves.bound_text = "exact";
  halves.unary_oracle = oracle::copy;
  halves.check = [](const Operation<T, 1>& op, Workspace& w, const Xs& x) {
    Outcome outcome = compare_with_oracle(op, w, x, detail::as_expansion<T>(split(x[0].limb[0])));
    if (outcome.problem == nullptr) outcome.problem = detail::check_halves(x[0].limb[0]);
    return outcome;
  };
  return list;
}

}  // namespace mct::validation
