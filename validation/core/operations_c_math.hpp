// The suite's entries for the elementary functions that only C has.
#pragma once

#include "mctensor/math/exp10.hpp"
#include "mctensor/math/hypot3.hpp"
#include "mctensor/math/tanpi.hpp"
#include "validation/core/domain.hpp"
#include "validation/core/exact_function_cases.hpp"
#include "validation/core/operation.hpp"

namespace mct::validation {
namespace oracle {

void exp10(mpfr_ptr r, mpfr_srcptr x);
void tanpi(mpfr_ptr r, mpfr_srcptr x);
/// sqrt(x^2 + y^2 + z^2).
void hypot3(mpfr_ptr r, const Reals& in);

}  // namespace oracle

/// exp10, tanpi and the length of three, whose bound is that of the elementary functions.
template <class T, int N>
std::vector<Operation<T, N>> c_math_operations() {
  using Xs = std::array<Expansion<T, N>, 3>;
  using Ts = std::array<T, 3>;
  std::vector<Operation<T, N>> list(3);
  const auto enter = [&](std::size_t i, const char* name, int arity, const char* of,
                         Expansion<T, N> (*apply)(const Xs&), const std::vector<Domain>& domains) {
    Operation<T, N>& op = list[i];
    op.name = name;
    op.arity = arity;
    op.promise = {1.5, double(1 << N)};
    op.exact_bits = N * FloatTraits<T>::p;
    op.bound_text = bound_in_words(1.5, N, of, double(1 << N));
    op.weight = 0.06;
    op.prepare = bring_into_domains<T, N>;
    op.apply = apply;
    op.domains = domains;
    return &op;
  };
  const bool wide = FloatTraits<T>::emax == 1024;
  const double overflow = wide ? 308.25471555991675 : 38.5318394;
  const double underflow = wide ? -323.30621534311580 : -44.8534697;
  Operation<T, N>* op = enter(0, "exp10", 1, "10^x", [](const Xs& x) { return exp10(x[0]); },
                              {{-60, wide ? 8 : 5, false, {overflow, underflow, 1, 22, -5, 37}}});
  op->unary_oracle = oracle::exp10;
  op->make_exact = exponent_of_ten<T, N>;
  op->ieee = [](const Ts& x) { return T(std::pow(T(10), x[0])); };
  op = enter(1, "tanpi", 1, "tan(pi x)", [](const Xs& x) { return tanpi(x[0]); },
             {{-40, 20, false, {1, 0.5, 1.5, -3, 0.25, -0.75}}});
  op->unary_oracle = oracle::tanpi;
  op->make_exact = quarter_number<T, N>;
  op = enter(
      2, "hypot3", 3, "hypot(x, y, z)", [](const Xs& x) { return hypot(x[0], x[1], x[2]); },
      std::vector<Domain>(3, Domain{-40, 40}));
  op->oracle = oracle::hypot3;
  op->make_exact = quadruple<T, N>;
  op->ieee = [](const Ts& x) {
    // an infinity outweighs NaN, and a sum that overflows is none
    if (std::isinf(x[0]) || std::isinf(x[1]) || std::isinf(x[2])) return FloatTraits<T>::infinity;
    if (std::isnan(x[0]) || std::isnan(x[1]) || std::isnan(x[2])) return FloatTraits<T>::nan;
    return T(std::hypot(x[0], x[1], x[2]));
  };
  return list;
}

}  // namespace mct::validation
