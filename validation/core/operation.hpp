// One operation of one type: how to compute it, what is exact, what is promised.
//
// Everything is a pointer to a function that captures nothing: hundreds of closures of each type
// were most of the time that the suite took to compile.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "validation/core/check.hpp"
#include "validation/core/oracle_arithmetic.hpp"
#include "validation/core/philox.hpp"

namespace mct::validation {

/// Where a function of one argument is interesting.
struct Domain {
  int low = -8, high = 8;  // exponents of the leading limb
  bool positive = false;
  std::vector<double> centers = {};  // arguments are also taken next to these
  bool half_turns = false;           // and nearest to multiples of pi/2
};

/// The part that does not depend on the type of the operands.
struct OperationFacts {
  std::string name;
  int arity = 2;
  std::string bound_text;
  Promise promise;
  /// The mathematical function: one of both.
  Oracle oracle = nullptr;
  UnaryOracle unary_oracle = nullptr;
  /// The magnitude that the bound is relative to, if that is not the exact result (mul_add).
  Oracle reference = nullptr;
  /// Cases in which an operand from this one on is the largest float are left out: as a second
  /// operand of two_sum it may overflow inside, which the domain of exact sums leaves out.
  std::size_t below_largest_float_from = 3;
  /// Where random operands are brought to, for a `prepare` that does so.
  std::vector<Domain> domains = {};
  /// Length and precision of the result, in whose u^N errors are measured.
  int result_components = 0;
  int result_precision = 0;
  /// Share of the cases, 1 for an operation of ordinary cost.
  double weight = 1;
  /// A result of at most so many bits, from its highest to its lowest one, must come out exactly,
  /// whatever the bound; 0: nothing is said of such results.
  int exact_bits = 0;
};

/// An operation on up to three operands of Expansion<T, N>.
template <class T, int N>
struct Operation : OperationFacts {
  using X = Expansion<T, N>;
  using Operands = std::array<X, 3>;

  Operation() {
    result_components = N;
    result_precision = FloatTraits<T>::p;
  }

  /// Brings random operands into the domain; null leaves them alone.
  void (*prepare)(const Operation&, Operands&) = nullptr;
  /// Makes operands whose result is a number of the type: the category "exact results", which is
  /// left out where this is null. `exact_bits` says that no error is allowed there.
  void (*make_exact)(Random&, Operands&) = nullptr;
  /// The operation itself; null if its result is of another type.
  X (*apply)(const Operands&) = nullptr;
  /// Computes the operation and compares it with the truth; null: `apply` with the oracle.
  Outcome (*check)(const Operation&, Workspace&, const Operands&) = nullptr;
  /// The IEEE 754 operation on leading limbs, for the table of special values; may be null.
  T (*ieee)(const std::array<T, 3>&) = nullptr;
};

/// "3 u^2 |x + y|", with the underflow term if there is one.
std::string bound_in_words(double bound, int n, const std::string& of, double eta = 0);

/// Writes the exact result for w.in, and the reference, of which it returns the one that errors are
/// relative to. Where no error is allowed every bit is kept: the range of the exponents, so that
/// sums and products of the operands fit, and all their bits.
mpfr_srcptr ask_oracle(const OperationFacts& operation, Workspace& w, mpfr_prec_t exponent_range,
                       mpfr_prec_t oracle_bits);

/// True if w.exact is the result itself, as MPFR says of its last call, and must come out exactly:
/// it has at most `exact_bits` bits, none below 2^lowest_exponent.
bool must_be_exact(const OperationFacts& operation, const Workspace& w, long lowest_exponent);

/// Compares a result with the oracle.
template <class T, int N, class R, int M>
Outcome compare_with_oracle(const OperationFacts& operation, Workspace& w,
                            const std::array<Expansion<T, N>, 3>& x,
                            const Expansion<R, M>& result) {
  for (std::size_t i = 0; i < std::size_t(operation.arity); ++i) w.in[i].set_exact(x[i]);
  constexpr mpfr_prec_t range = FloatTraits<T>::emax - FloatTraits<T>::emin;
  // twice the precision of the result, and what a difference within a formula may lose
  constexpr mpfr_prec_t bits = 2 * std::max(N * FloatTraits<T>::p, M * FloatTraits<R>::p) + 128;
  mpfr_srcptr reference = ask_oracle(operation, w, range, bits);
  if (!must_be_exact(operation, w, FloatTraits<R>::emin))
    return measure(w, result, reference, operation.promise);
  Outcome outcome = measure(w, result, reference, {});
  if (outcome.error > 0) outcome.problem = "an exact result is missed";
  return outcome;
}

/// True if the leading limb of an operand, of those from `first` on, is the largest float.
template <class T, int N>
bool has_largest_float(const std::array<Expansion<T, N>, 3>& x, std::size_t first, int arity) {
  for (std::size_t i = first; i < std::size_t(arity); ++i)
    if (fabs(x[i].limb[0]) == FloatTraits<T>::max) return true;
  return false;
}

/// Checks one case.
template <class T, int N>
Outcome check_case(const Operation<T, N>& operation, Workspace& w,
                   const std::array<Expansion<T, N>, 3>& x) {
  if (has_largest_float(x, operation.below_largest_float_from, operation.arity))
    return {0, 0, nullptr, true};
  if (operation.check != nullptr) return operation.check(operation, w, x);
  return compare_with_oracle(operation, w, x, operation.apply(x));
}

}  // namespace mct::validation
