// The suite's entries for + - * / and roots.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <utility>
#include <vector>

#include "mctensor/expansion/hash.hpp"
#include "validation/core/exact_cases.hpp"
#include "validation/core/operation.hpp"

namespace mct::validation {

namespace detail {

/// Replaces the second operand by its leading limb: the operations with one component.
template <class T, int N>
void second_is_component(const Operation<T, N>&, std::array<Expansion<T, N>, 3>& x) {
  x[1] = Expansion<T, N>(x[1].limb[0]);
}

/// Mostly non-negative, so that roots have something to do; one in sixteen keeps its sign.
template <class T, int N>
void mostly_positive(const Operation<T, N>&, std::array<Expansion<T, N>, 3>& x) {
  if (std::hash<T>{}(x[0].limb[0]) % 16 != 0) x[0] = abs(x[0]);
}

/// A list of operations in the making.
template <class T, int N>
struct ArithmeticList {
  using Xs = std::array<Expansion<T, N>, 3>;
  using Ts = std::array<T, 3>;

  Operation<T, N>& enter(const char* name, int arity, Promise promise, const char* of,
                         Expansion<T, N> (*apply)(const Xs&), T (*ieee)(const Ts&)) {
    Operation<T, N>& op = list.emplace_back();
    op.name = name;
    op.arity = arity;
    op.promise = promise;
    op.bound_text = bound_in_words(promise.bound, N, of, promise.eta);
    op.apply = apply;
    op.ieee = ieee;
    return op;
  }
  /// The entry made last: its results of up to N p bits must come out exactly.
  void exact(void (*make)(Random&, Xs&)) {
    list.back().exact_bits = N * FloatTraits<T>::p;
    list.back().make_exact = make;
  }
  void one(const char* name, Promise promise, const char* of, Expansion<T, N> (*apply)(const Xs&),
           UnaryOracle oracle, T (*ieee)(const Ts&),
           void (*prepare)(const Operation<T, N>&, Xs&) = nullptr) {
    Operation<T, N>& op = enter(name, 1, promise, of, apply, ieee);
    op.unary_oracle = oracle;
    op.prepare = prepare;
  }
  void two(const char* name, Promise promise, const char* of, Expansion<T, N> (*apply)(const Xs&),
           Oracle oracle, T (*ieee)(const Ts&),
           void (*prepare)(const Operation<T, N>&, Xs&) = nullptr) {
    Operation<T, N>& op = enter(name, 2, promise, of, apply, ieee);
    op.oracle = oracle;
    op.prepare = prepare;
    if (oracle == oracle::add || oracle == oracle::sub) op.below_largest_float_from = 0;
  }

  std::vector<Operation<T, N>> list;
};

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> arithmetic_operations() {
  using Xs = std::array<Expansion<T, N>, 3>;
  using Ts = std::array<T, 3>;
  static constexpr ErrorBounds b = error_bounds<N>;
  detail::ArithmeticList<T, N> m;
  T (*const plus)(const Ts&) = [](const Ts& x) { return T(x[0] + x[1]); };
  T (*const times)(const Ts&) = [](const Ts& x) { return T(x[0] * x[1]); };
  T (*const over)(const Ts&) = [](const Ts& x) { return T(x[0] / x[1]); };
  m.two(
      "add", {b.add}, "x + y", [](const Xs& x) { return x[0] + x[1]; }, oracle::add, plus);
  m.two(
      "sub", {b.add}, "x - y", [](const Xs& x) { return x[0] - x[1]; }, oracle::sub,
      [](const Ts& x) { return T(x[0] - x[1]); });
  m.two(
      "add_scalar", {b.add_scalar}, "x + y", [](const Xs& x) { return x[0] + x[1].limb[0]; },
      oracle::add, plus, detail::second_is_component<T, N>);
  const Promise product{b.mul, b.mul_eta};
  m.two(
      "mul", product, "x y", [](const Xs& x) { return x[0] * x[1]; }, oracle::mul, times);
  m.two(
      "mul_scalar", {b.mul_scalar, b.mul_eta}, "x y",
      [](const Xs& x) { return x[0] * x[1].limb[0]; }, oracle::mul, times,
      detail::second_is_component<T, N>);
  m.one(
      "square", product, "x^2", [](const Xs& x) { return square(x[0]); }, oracle::square,
      [](const Ts& x) { return T(x[0] * x[0]); });
  const Promise quotient{b.div, b.div_eta};
  m.two(
      "div", quotient, "x / y", [](const Xs& x) { return x[0] / x[1]; }, oracle::div, over);
  m.exact(exact_quotient<T, N>);
  m.two(
      "div_scalar", quotient, "x / y", [](const Xs& x) { return x[0] / x[1].limb[0]; }, oracle::div,
      over, detail::second_is_component<T, N>);
  m.exact(exact_quotient<T, N, FloatTraits<T>::p>);
  m.one(
      "sqrt", {b.sqrt, b.div_eta}, "sqrt(x)", [](const Xs& x) { return sqrt(x[0]); }, oracle::sqrt,
      [](const Ts& x) { return T(sqrt(x[0])); }, detail::mostly_positive<T, N>);
  m.exact(exact_root<T, N>);
  m.one(
      "rsqrt", {b.rsqrt, b.div_eta}, "1 / sqrt(x)", [](const Xs& x) { return rsqrt(x[0]); },
      oracle::rsqrt, [](const Ts& x) { return T(1 / sqrt(x[0])); }, detail::mostly_positive<T, N>);
  m.exact(power_of_four<T, N>);
  return std::move(m.list);
}

/// mul_add: its bound is relative to the product and the sum together.
template <class T, int N>
std::vector<Operation<T, N>> mul_add_operations() {
  using Xs = std::array<Expansion<T, N>, 3>;
  static constexpr ErrorBounds b = error_bounds<N>;
  std::vector<Operation<T, N>> list(1);
  Operation<T, N>& op = list[0];
  op.name = "mul_add";
  op.arity = 3;
  op.promise = {1, b.mul_eta};
  op.bound_text = fmt::format("{:g} u^{} |x y| + {:g} u^{} |x y + z|", b.mul, N, b.add, N);
  op.apply = [](const Xs& x) { return mul_add(x[0], x[1], x[2]); };
  op.oracle = oracle::fma;
  op.reference = [](mpfr_ptr r, const oracle::Reals& in) {
    Real product(64);
    mpfr_mul(product.get(), in[0].get(), in[1].get(), MPFR_RNDD);
    mpfr_abs(product.get(), product.get(), MPFR_RNDN);
    mpfr_mul_d(product.get(), product.get(), b.mul, MPFR_RNDU);
    mpfr_fma(r, in[0].get(), in[1].get(), in[2].get(), MPFR_RNDN);
    mpfr_abs(r, r, MPFR_RNDN);
    mpfr_mul_d(r, r, b.add, MPFR_RNDU);
    mpfr_add(r, r, product.get(), MPFR_RNDU);
  };
  op.check = [](const Operation<T, N>& o, Workspace& w, const Xs& x) {
    // a product that overflows is infinite, even if the exact sum would not be
    const T product = fabs(mul(x[0], x[1]).limb[0]);
    if (product == FloatTraits<T>::max || isinf(product)) return Outcome{0, 0, nullptr, true};
    return compare_with_oracle(o, w, x, o.apply(x));
  };
  op.ieee = [](const std::array<T, 3>& x) { return T(x[0] * x[1] + x[2]); };
  return list;
}

}  // namespace mct::validation
