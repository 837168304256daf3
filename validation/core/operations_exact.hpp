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

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> exact_operations() {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  using Ts = std::array<T, 3>;
  using Reals = std::array<Real, 3>;
  std::vector<Operation<T, N>> list;

  const auto enter = [&](const std::string& name, int arity, Promise promise, auto apply,
                         const Oracle& oracle, auto ieee, double weight = 1) {
    Operation<T, N> op;
    op.name = name;
    op.arity = arity;
    op.promise = promise;
    op.bound_text = promise.bound == 0 && promise.eta == 0 ? "exact"
                    : promise.bound == 0 ? fmt::format("exact + {:g} eta", promise.eta)
                                         : fmt::format("{:g} u^{} |r|", promise.bound, N);
    op.check = numeric_check<T, N>(arity, apply, oracle, promise);
    op.apply = apply;
    op.ieee = ieee;
    op.weight = weight;
    list.push_back(std::move(op));
  };
  const auto unary = [&](const std::string& name, auto apply, auto mpfr_function, auto ieee) {
    enter(
        name, 1, {0}, [apply](const Xs& x) { return apply(x[0]); },
        [mpfr_function](mpfr_ptr r, const Reals& in) { mpfr_function(r, in[0].get()); },
        [ieee](const Ts& x) { return ieee(x[0]); });
  };
  unary(
      "neg", [](const X& x) { return -x; },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_neg(r, x, MPFR_RNDN); }, [](T x) { return -x; });
  unary(
      "abs", [](const X& x) { return abs(x); },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_abs(r, x, MPFR_RNDN); }, [](T x) { return fabs(x); });
  unary(
      "floor", [](const X& x) { return floor(x); },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_floor(r, x); }, [](T x) { return floor(x); });
  unary(
      "ceil", [](const X& x) { return ceil(x); },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_ceil(r, x); }, [](T x) { return ceil(x); });
  unary(
      "trunc", [](const X& x) { return trunc(x); },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_trunc(r, x); }, [](T x) { return trunc(x); });
  unary(
      "round", [](const X& x) { return round(x); },
      [](mpfr_ptr r, mpfr_srcptr x) { mpfr_round(r, x); }, [](T x) { return round(x); });
  // min and max of NaN are NaN here, unlike std::fmin: the table compares only ordered pairs
  enter(
      "min", 2, {0}, [](const Xs& x) { return min(x[0], x[1]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_min(r, in[0].get(), in[1].get(), MPFR_RNDN); },
      [](const Ts& x) {
        return x[0] != x[0] || x[1] != x[1] ? x[0] + x[1] : x[1] < x[0] ? x[1] : x[0];
      });
  enter(
      "max", 2, {0}, [](const Xs& x) { return max(x[0], x[1]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_max(r, in[0].get(), in[1].get(), MPFR_RNDN); },
      [](const Ts& x) {
        return x[0] != x[0] || x[1] != x[1] ? x[0] + x[1] : x[0] < x[1] ? x[1] : x[0];
      });
  enter(
      "ldexp", 2, {0, N / 2.0},
      [](const Xs& x) { return ldexp(x[0], detail::exponent_operand(x[1])); },
      [](mpfr_ptr r, const Reals& in) {
        const long e = mpfr_zero_p(in[1].get()) ? 0 : (mpfr_get_exp(in[1].get()) - 1);
        mpfr_mul_2si(r, in[0].get(), e / 2, MPFR_RNDN);
      },
      nullptr);
  list.back().prepare = detail::second_is_component<T, N>;  // its exponent is that of one limb
  enter(
      "fmod", 2, {1}, [](const Xs& x) { return fmod(x[0], x[1]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_fmod(r, in[0].get(), in[1].get(), MPFR_RNDN); },
      [](const Ts& x) { return fmod(x[0], x[1]); }, 0.05);
  enter(
      "renormalize", 3, {1},
      [](const Xs& x) {
        T terms[3 * N];
        for (int i = 0; i < 3 * N; ++i) terms[i] = x[std::size_t(i % 3)].limb[i / 3];
        return renormalize<N>(terms);
      },
      [](mpfr_ptr r, const Reals& in) {
        const mpfr_ptr terms[3] = {const_cast<mpfr_ptr>(in[0].get()),
                                   const_cast<mpfr_ptr>(in[1].get()),
                                   const_cast<mpfr_ptr>(in[2].get())};
        mpfr_sum(r, terms, 3, MPFR_RNDN);
      },
      nullptr, 0.3);
  // no partial sum may overflow
  list.back().prepare = [](Xs& x) {
    for (X& term : x)
      if (fabs(term.limb[0]) > FloatTraits<T>::max / 8) term = ldexp(term, -3);
  };

  Operation<T, N> compare;
  compare.name = "compare";
  compare.bound_text = "exact";
  compare.check = [](Workspace& w, const Xs& x) {
    Outcome outcome;
    outcome.problem = detail::check_comparisons(w, x[0], x[1]);
    return outcome;
  };
  list.push_back(std::move(compare));
  Operation<T, N> decompose;
  decompose.name = "frexp";
  decompose.arity = 1;
  decompose.bound_text = "exact";
  decompose.check = [](Workspace& w, const Xs& x) {
    Outcome outcome;
    outcome.problem = detail::check_frexp(w, x[0]);
    return outcome;
  };
  list.push_back(std::move(decompose));
  return list;
}

}  // namespace mct::validation
