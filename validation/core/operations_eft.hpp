// The suite's entries for the error-free transforms of layer 1.
#pragma once

#include <functional>

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

}  // namespace detail

template <class T>
std::vector<Operation<T, 1>> eft_operations() {
  using Xs = std::array<Expansion<T, 1>, 3>;
  using Reals = std::array<Real, 3>;
  std::vector<Operation<T, 1>> list;

  const auto enter = [&](const std::string& name, int arity, double eta, auto transform,
                         const Oracle& oracle, std::function<void(Xs&)> prepare = {}) {
    Operation<T, 1> op;
    op.name = name;
    op.arity = arity;
    // where underflow touches Dekker's product, its low part may exceed half an ulp
    op.promise = {0, eta, eta < 1};
    op.bound_text = eta == 0 ? "exact" : fmt::format("exact + {:g} eta", eta);
    op.prepare = std::move(prepare);
    op.check = numeric_check<T, 1>(
        arity, [transform](const Xs& x) { return detail::as_expansion<T>(transform(x)); }, oracle,
        op.promise);
    if (op.name == "two_sum" || op.name == "two_diff" || op.name == "fast_two_sum")
      op.check = below_largest_float<T, 1>(arity, op.check);
    list.push_back(std::move(op));
  };
  const auto sum = [](mpfr_ptr r, const Reals& in) {
    mpfr_add(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const auto product = [](mpfr_ptr r, const Reals& in) {
    mpfr_mul(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const double eta_fma = MCT_HAS_FMA || is_short_float_v<T> ? 0.5 : 4;
  enter(
      "two_sum", 2, 0, [](const Xs& x) { return two_sum(x[0].limb[0], x[1].limb[0]); }, sum);
  enter(
      "fast_two_sum", 2, 0, [](const Xs& x) { return fast_two_sum(x[0].limb[0], x[1].limb[0]); },
      sum,
      [](Xs& x) {
        if (fabs(x[0].limb[0]) < fabs(x[1].limb[0])) std::swap(x[0], x[1]);
      });
  enter(
      "two_diff", 2, 0, [](const Xs& x) { return two_diff(x[0].limb[0], x[1].limb[0]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_sub(r, in[0].get(), in[1].get(), MPFR_RNDN); });
  enter(
      "two_prod", 2, eta_fma, [](const Xs& x) { return two_prod(x[0].limb[0], x[1].limb[0]); },
      product);
  if constexpr (!std::is_same_v<T, half>) {
    enter(
        "two_prod_dekker", 2, 4,
        [](const Xs& x) { return two_prod_dekker(x[0].limb[0], x[1].limb[0]); }, product);
  }
  enter(
      "two_square", 1, eta_fma, [](const Xs& x) { return two_square(x[0].limb[0]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_sqr(r, in[0].get(), MPFR_RNDN); });

  Operation<T, 1> halves;
  halves.name = "split";
  halves.arity = 1;
  halves.promise = {0, 0, false};
  halves.bound_text = "exact";
  const auto exact_sum = numeric_check<T, 1>(
      1, [](const Xs& x) { return detail::as_expansion<T>(split(x[0].limb[0])); },
      [](mpfr_ptr r, const Reals& in) { mpfr_set(r, in[0].get(), MPFR_RNDN); }, halves.promise);
  halves.check = [exact_sum](Workspace& w, const Xs& x) {
    Outcome outcome = exact_sum(w, x);
    if (outcome.problem == nullptr) outcome.problem = detail::check_halves(x[0].limb[0]);
    return outcome;
  };
  list.push_back(std::move(halves));
  return list;
}

}  // namespace mct::validation
