// One operation of one type: how to compute it, what is exact, what is promised.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "validation/core/check.hpp"

namespace mct::validation {

/// An operation on up to three operands of Expansion<T, N>.
template <class T, int N>
struct Operation {
  using X = Expansion<T, N>;
  using Operands = std::array<X, 3>;

  std::string name;
  int arity = 2;
  std::string bound_text;
  Promise promise;
  /// Brings random operands into the domain; may leave them alone.
  std::function<void(Operands&)> prepare;
  /// Computes the operation on operands and compares it with the oracle.
  std::function<Outcome(Workspace&, const Operands&)> check;
  /// The IEEE 754 operation on leading limbs, for the table of special values; may be empty.
  std::function<T(const std::array<T, 3>&)> ieee;
  /// The operation itself, for the table of special values.
  std::function<X(const Operands&)> apply;
  /// Length and precision of the result, in whose u^N errors are measured.
  int result_components = N;
  int result_precision = FloatTraits<T>::p;
  /// Share of the cases, 1 for an operation of ordinary cost.
  double weight = 1;
};

/// The mathematical function: writes the exact result, rounded to the precision of `exact`.
using Oracle = std::function<void(mpfr_ptr exact, const std::array<Real, 3>& in)>;

/// True if an operand's leading limb is the largest float: the one value on which two_sum may
/// overflow internally, outside the domain of exact sums.
template <class T, int N>
bool has_largest_float(const std::array<Expansion<T, N>, 3>& x, int arity) {
  for (int i = 0; i < arity; ++i)
    if (fabs(x[std::size_t(i)].limb[0]) == FloatTraits<T>::max) return true;
  return false;
}

/// A check that skips the cases outside the domain of exact sums.
template <class T, int N>
auto below_largest_float(
    int arity, std::function<Outcome(Workspace&, const std::array<Expansion<T, N>, 3>&)> check) {
  return [=](Workspace& w, const std::array<Expansion<T, N>, 3>& x) {
    if (has_largest_float(x, arity)) return Outcome{0, 0, nullptr, true};
    return check(w, x);
  };
}

/// Builds the check of `apply` (operands -> Expansion<R, M>) against an oracle. With a reference
/// (mul_add), the bound is relative to that instead of the exact result.
template <class T, int N, class Apply>
auto numeric_check(int arity, Apply apply, const Oracle& oracle, Promise promise,
                   const Oracle& reference = {}) {
  using Operands = typename Operation<T, N>::Operands;
  return [=](Workspace& w, const Operands& x) {
    const auto result = apply(x);
    using Result = std::decay_t<decltype(result)>;
    // sums and products of the operands fit: the range of the exponents, and all their bits
    mpfr_prec_t exact_bits = FloatTraits<T>::emax - FloatTraits<T>::emin + 64;
    for (int i = 0; i < arity; ++i) {
      w.in[std::size_t(i)].set_exact(x[std::size_t(i)]);
      exact_bits += mpfr_get_prec(w.in[std::size_t(i)].get());
    }
    // four times the precision of the result; where no error is allowed, every bit
    constexpr int oracle_bits =
        4 * std::max(N * FloatTraits<T>::p,
                     Result::components * FloatTraits<typename Result::Scalar>::p);
    const mpfr_prec_t bits = promise.bound == 0 ? exact_bits : oracle_bits;
    mpfr_set_prec(w.exact.get(), bits);
    oracle(w.exact.get(), w.in);
    if (!reference) return measure(w, result, w.exact.get(), promise);
    mpfr_set_prec(w.reference.get(), 64);
    reference(w.reference.get(), w.in);
    return measure(w, result, w.reference.get(), promise);
  };
}

}  // namespace mct::validation
