// The suite's entries for + - * / and roots.
#pragma once

#include <fmt/format.h>
#include <functional>

#include "mctensor/expansion/hash.hpp"
#include "validation/core/operation.hpp"

namespace mct::validation {

/// "3 u^2 |x + y|", with the underflow term if there is one.
inline std::string bound_in_words(double bound, int n, const std::string& of, double eta = 0) {
  std::string text = fmt::format("{:g} u^{} |{}|", bound, n, of);
  if (eta > 0) text += fmt::format(" + {:g} eta", eta);
  return text;
}

namespace detail {

/// Replaces the second operand by its leading limb: the operations with one component.
template <class T, int N>
void second_is_component(std::array<Expansion<T, N>, 3>& x) {
  x[1] = Expansion<T, N>(x[1].limb[0]);
}

/// Mostly non-negative, so that roots have something to do; one in sixteen keeps its sign.
template <class T, int N>
void mostly_positive(std::array<Expansion<T, N>, 3>& x) {
  if (std::hash<T>{}(x[0].limb[0]) % 16 != 0) x[0] = abs(x[0]);
}

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> arithmetic_operations() {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  using Ts = std::array<T, 3>;
  using Reals = std::array<Real, 3>;
  static constexpr ErrorBounds b = error_bounds<N>;
  std::vector<Operation<T, N>> list;

  const auto enter = [&](const std::string& name, int arity, Promise promise, const std::string& of,
                         auto apply, const Oracle& oracle, auto ieee,
                         std::function<void(Xs&)> prepare = {}) {
    Operation<T, N> op;
    op.name = name;
    op.arity = arity;
    op.promise = promise;
    op.bound_text = bound_in_words(promise.bound, N, of, promise.eta);
    op.prepare = std::move(prepare);
    op.check = numeric_check<T, N>(arity, apply, oracle, promise);
    if (op.name == "add" || op.name == "sub" || op.name == "add_scalar")
      op.check = below_largest_float<T, N>(arity, op.check);
    op.apply = apply;
    op.ieee = ieee;
    list.push_back(std::move(op));
  };
  const auto plus = [](mpfr_ptr r, const Reals& in) {
    mpfr_add(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const auto minus = [](mpfr_ptr r, const Reals& in) {
    mpfr_sub(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const auto times = [](mpfr_ptr r, const Reals& in) {
    mpfr_mul(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const auto over = [](mpfr_ptr r, const Reals& in) {
    mpfr_div(r, in[0].get(), in[1].get(), MPFR_RNDN);
  };
  const auto ieee_plus = [](const Ts& x) { return x[0] + x[1]; };
  const auto ieee_minus = [](const Ts& x) { return x[0] - x[1]; };
  const auto ieee_times = [](const Ts& x) { return x[0] * x[1]; };
  const auto ieee_over = [](const Ts& x) { return x[0] / x[1]; };

  enter(
      "add", 2, {b.add}, "x + y", [](const Xs& x) { return x[0] + x[1]; }, plus, ieee_plus);
  enter(
      "sub", 2, {b.add}, "x - y", [](const Xs& x) { return x[0] - x[1]; }, minus, ieee_minus);
  enter(
      "add_scalar", 2, {b.add_scalar}, "x + y", [](const Xs& x) { return x[0] + x[1].limb[0]; },
      plus, ieee_plus, detail::second_is_component<T, N>);
  enter(
      "mul", 2, {b.mul, b.mul_eta}, "x y", [](const Xs& x) { return x[0] * x[1]; }, times,
      ieee_times);
  enter(
      "mul_scalar", 2, {b.mul_scalar, b.mul_eta}, "x y",
      [](const Xs& x) { return x[0] * x[1].limb[0]; }, times, ieee_times,
      detail::second_is_component<T, N>);
  enter(
      "square", 1, {b.mul, b.mul_eta}, "x^2", [](const Xs& x) { return square(x[0]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_sqr(r, in[0].get(), MPFR_RNDN); },
      [](const Ts& x) { return x[0] * x[0]; });
  enter(
      "div", 2, {b.div, b.div_eta}, "x / y", [](const Xs& x) { return x[0] / x[1]; }, over,
      ieee_over);
  enter(
      "div_scalar", 2, {b.div, b.div_eta}, "x / y", [](const Xs& x) { return x[0] / x[1].limb[0]; },
      over, ieee_over, detail::second_is_component<T, N>);
  enter(
      "sqrt", 1, {b.sqrt, b.div_eta}, "sqrt(x)", [](const Xs& x) { return sqrt(x[0]); },
      [](mpfr_ptr r, const Reals& in) { mpfr_sqrt(r, in[0].get(), MPFR_RNDN); },
      [](const Ts& x) { return sqrt(x[0]); }, detail::mostly_positive<T, N>);
  enter(
      "rsqrt", 1, {b.rsqrt, b.div_eta}, "1 / sqrt(x)", [](const Xs& x) { return rsqrt(x[0]); },
      [](mpfr_ptr r, const Reals& in) {
        // MPFR gives +infinity for -0; IEEE 754 rSqrt gives the sign of the zero
        mpfr_rec_sqrt(r, in[0].get(), MPFR_RNDN);
        if (mpfr_zero_p(in[0].get())) mpfr_set_inf(r, mpfr_signbit(in[0].get()) ? -1 : 1);
      },
      [](const Ts& x) { return 1 / sqrt(x[0]); }, detail::mostly_positive<T, N>);
  return list;
}

/// mul_add: its bound is relative to the product and the sum together.
template <class T, int N>
Operation<T, N> mul_add_operation() {
  using Xs = std::array<Expansion<T, N>, 3>;
  using Reals = std::array<Real, 3>;
  static constexpr ErrorBounds b = error_bounds<N>;
  Operation<T, N> op;
  op.name = "mul_add";
  op.arity = 3;
  op.promise = {1, b.mul_eta};
  op.bound_text = fmt::format("{:g} u^{} |x y| + {:g} u^{} |x y + z|", b.mul, N, b.add, N);
  const auto apply = [](const Xs& x) { return mul_add(x[0], x[1], x[2]); };
  const auto check = numeric_check<T, N>(
      3, apply,
      [](mpfr_ptr r, const Reals& in) {
        mpfr_fma(r, in[0].get(), in[1].get(), in[2].get(), MPFR_RNDN);
      },
      op.promise,
      [](mpfr_ptr r, const Reals& in) {
        Real product(64);
        mpfr_mul(product.get(), in[0].get(), in[1].get(), MPFR_RNDD);
        mpfr_abs(product.get(), product.get(), MPFR_RNDN);
        mpfr_mul_d(product.get(), product.get(), b.mul, MPFR_RNDU);
        mpfr_fma(r, in[0].get(), in[1].get(), in[2].get(), MPFR_RNDN);
        mpfr_abs(r, r, MPFR_RNDN);
        mpfr_mul_d(r, r, b.add, MPFR_RNDU);
        mpfr_add(r, r, product.get(), MPFR_RNDU);
      });
  op.check = [check](Workspace& w, const Xs& x) {
    // a product that overflows is infinite, even if the exact sum would not be
    if (isinf(2 * x[0].limb[0] * x[1].limb[0])) return Outcome{0, 0, nullptr, true};
    return check(w, x);
  };
  op.apply = apply;
  op.ieee = [](const std::array<T, 3>& x) { return x[0] * x[1] + x[2]; };
  return op;
}

}  // namespace mct::validation
