// The suite's entries for operations without rounding error, and for the remainder.
#pragma once

#include <compare>
#include <functional>

#include "mctensor/expansion/hash.hpp"
#include "validation/core/operations_arithmetic.hpp"

namespace mct::validation {

namespace detail {

/// All six comparisons, <=> and the hash, against MPFR's comparison of the exact values.
template <class T, int N>
const char* check_comparisons(Workspace& w, const Expansion<T, N>& x, const Expansion<T, N>& y) {
  w.in[0].set_exact(x);
  w.in[1].set_exact(y);
  const int c = mpfr_cmp(w.in[0].get(), w.in[1].get());
  if ((x == y) != (c == 0) || (x != y) != (c != 0)) return "== is wrong";
  if ((x < y) != (c < 0) || (x > y) != (c > 0)) return "< or > is wrong";
  if ((x <= y) != (c <= 0) || (x >= y) != (c >= 0)) return "<= or >= is wrong";
  const auto order = x <=> y;
  if (std::is_lt(order) != (c < 0) || std::is_gt(order) != (c > 0)) return "<=> is wrong";
  const std::hash<Expansion<T, N>> hash;
  if (c == 0 && hash(x) != hash(y)) return "equal values with different hashes";
  return nullptr;
}

/// frexp: mantissa in [1/2, 1) and mantissa 2^exponent = x, exactly but for limbs of the mantissa
/// below the smallest subnormal.
template <class T, int N>
const char* check_frexp(Workspace& w, const Expansion<T, N>& x) {
  int exponent = 0;
  const Expansion<T, N> m = frexp(x, &exponent);
  w.in[0].set_exact(x);
  if (x.limb[0] != 0 && mpfr_get_exp(w.in[0].get()) != exponent) return "wrong exponent";
  mpfr_set_prec(w.exact.get(), mpfr_get_prec(w.in[0].get()));
  mpfr_mul_2si(w.exact.get(), w.in[0].get(), -exponent, MPFR_RNDN);
  return measure(w, m, w.exact.get(), {0, N / 2.0}).problem;
}

/// An exponent for ldexp, taken from the second operand so that a replay repeats it.
template <class T, int N>
int exponent_operand(const Expansion<T, N>& y) {
  return y.limb[0] == 0 ? 0 : ilogb(y.limb[0]) / 2;
}

template <class T, int N>
void add_comparison_and_frexp(std::vector<Operation<T, N>>& list) {
  using Xs = std::array<Expansion<T, N>, 3>;
  Operation<T, N>& compare = list.emplace_back();
  compare.name = "compare";
  compare.bound_text = "exact";
  compare.check = [](const Operation<T, N>&, Workspace& w, const Xs& x) {
    Outcome outcome;
    outcome.problem = check_comparisons(w, x[0], x[1]);
    return outcome;
  };
  Operation<T, N>& decompose = list.emplace_back();
  decompose.name = "frexp";
  decompose.arity = 1;
  decompose.bound_text = "exact";
  decompose.check = [](const Operation<T, N>&, Workspace& w, const Xs& x) {
    Outcome outcome;
    outcome.problem = check_frexp(w, x[0]);
    return outcome;
  };
}

/// Entries whose bound, if they have one, is that of a remainder.
template <class T, int N>
struct ExactList {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  using Ts = std::array<T, 3>;

  Operation<T, N>& several(const char* name, int arity, Promise promise, X (*apply)(const Xs&),
                           Oracle oracle, T (*ieee)(const Ts&), double weight = 1) {
    Operation<T, N>& op = list.emplace_back();
    op.name = name;
    op.arity = arity;
    op.promise = promise;
    op.bound_text = promise.bound == 0 && promise.eta == 0 ? "exact"
                    : promise.bound == 0 ? fmt::format("exact + {:g} eta", promise.eta)
                                         : fmt::format("{:g} u^{} |r|", promise.bound, N);
    op.apply = apply;
    op.oracle = oracle;
    op.ieee = ieee;
    op.weight = weight;
    return op;
  }
  void one(const char* name, X (*apply)(const Xs&), UnaryOracle oracle, T (*ieee)(const Ts&)) {
    several(name, 1, {0}, apply, nullptr, ieee).unary_oracle = oracle;
  }

  std::vector<Operation<T, N>> list;
};

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> exact_operations() {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  using Ts = std::array<T, 3>;
  detail::ExactList<T, N> m;
#define MCT_EXACT_ENTRY(name)                                      \
  m.one(                                                           \
      #name, [](const Xs& x) { return name(x[0]); }, oracle::name, \
      [](const Ts& x) { return T(name(x[0])); })
  m.one(
      "neg", [](const Xs& x) { return -x[0]; }, oracle::neg, [](const Ts& x) { return T(-x[0]); });
  m.one(
      "abs", [](const Xs& x) { return abs(x[0]); }, oracle::abs,
      [](const Ts& x) { return T(fabs(x[0])); });
  MCT_EXACT_ENTRY(floor);
  MCT_EXACT_ENTRY(ceil);
  MCT_EXACT_ENTRY(trunc);
  MCT_EXACT_ENTRY(round);
#undef MCT_EXACT_ENTRY
  // min and max of NaN are NaN here, unlike std::fmin: the table compares only ordered pairs
  m.several(
      "min", 2, {0}, [](const Xs& x) { return min(x[0], x[1]); }, oracle::min,
      [](const Ts& x) {
        return x[0] != x[0] || x[1] != x[1] ? T(x[0] + x[1]) : x[1] < x[0] ? x[1] : x[0];
      });
  m.several(
      "max", 2, {0}, [](const Xs& x) { return max(x[0], x[1]); }, oracle::max,
      [](const Ts& x) {
        return x[0] != x[0] || x[1] != x[1] ? T(x[0] + x[1]) : x[0] < x[1] ? x[1] : x[0];
      });
  m.several(
       "ldexp", 2, {0, N / 2.0},
       [](const Xs& x) { return ldexp(x[0], detail::exponent_operand(x[1])); },
       oracle::ldexp_by_operand, nullptr)
      .prepare = detail::second_is_component<T, N>;  // its exponent is that of one limb
  m.several(
      "fmod", 2, {1}, [](const Xs& x) { return fmod(x[0], x[1]); }, oracle::fmod,
      [](const Ts& x) { return T(fmod(x[0], x[1])); }, 0.05);
  m.several(
       "renormalize", 3, {1},
       [](const Xs& x) {
         T terms[3 * N];
         for (int i = 0; i < 3 * N; ++i) terms[i] = x[std::size_t(i % 3)].limb[i / 3];
         return renormalize<N>(terms);
       },
       oracle::sum, nullptr, 0.3)
      .prepare = [](const Operation<T, N>&, Xs& x) {
    // no partial sum may overflow
    for (X& term : x)
      if (fabs(term.limb[0]) > FloatTraits<T>::max / 8) term = ldexp(term, -3);
  };
  detail::add_comparison_and_frexp(m.list);
  return std::move(m.list);
}

}  // namespace mct::validation
