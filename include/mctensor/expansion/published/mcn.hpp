// The published operators on numbers of N components: Add-MCN, ScalingN and Alg. 27 to 32.
//
// Error: the dissertation states no bound. The suite measured errors; docs/errata.md and the
// report's table of peers have them. Domain: finite numbers without overflow or underflow of a
// component; a zero divisor gives NaN. Source: Yu 2024, the algorithms of these names.
#pragma once

#include <cmath>

#include "mctensor/expansion/published/blocks.hpp"

namespace mct::published::inline MCT_ISA_NAMESPACE {

/// Converts an Expansion to the sequence of components that published algorithms take, and back.
/// All components stay as they are.
template <class T, int N>
MCT_HD constexpr Components<T, N> components(const Expansion<T, N>& x) {
  Components<T, N> r{};
  for (int i = 0; i < N; ++i) r[i] = x.limb[i];
  return r;
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> expansion(const Components<T, N>& x) {
  return Expansion<T, N>::from_limbs(x.value);
}

template <class T, int N>
MCT_HD constexpr Components<T, N> negated(const Components<T, N>& x) {
  Components<T, N> r{};
  for (int i = 0; i < N; ++i) r[i] = -x[i];
  return r;
}

/// Add-MCN: Alg. 11, with its result combined into N components.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> add_mcn(const Components<T, N>& x, const Components<T, N>& y) {
  return put_together<Policy, N>(add_expansion(x, y));
}

/// ScalingN: Alg. 14, with its result combined into N components (the dissertation's "expand =
/// False").
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> scaling_n(const Components<T, N>& x, T v) {
  return put_together<Policy, N>(scale_expansion<Policy>(x, v));
}

/// Alg. 15, with its result combined into N components.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> mul_mcn(const Components<T, N>& x, const Components<T, N>& y) {
  return put_together<Policy, N>(mul_expansion<Policy>(x, y));
}

/// Alg. 27: Div-MCN, long division. NaN for a zero y.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> div_mcn(Components<T, N> x, const Components<T, N>& y) {
  Components<T, N + 1> h{};
  h[0] = x[0] / y[0];
  for (int i = 1; i <= N; ++i) {
    x = add_mcn<Policy>(x, negated(scaling_n<Policy>(y, h[i - 1])));
    h[i] = x[0] / y[0];
  }
  return put_together<Policy, N>(h);
}

/// Alg. 30: DivN, a single float divided by an N-component number.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> div_n(T x, const Components<T, N>& y) {
  Components<T, N> wide{};
  wide[0] = x;
  return div_mcn<Policy>(wide, y);
}

/// Alg. 28: Mult-MCN, x / (1 / y): two divisions for one product. NaN for a zero y.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> mult_mcn(const Components<T, N>& x, const Components<T, N>& y) {
  const auto inverse = renormalize<N>(div_n<Policy>(T(1), y));
  return renormalize<N>(div_mcn<Policy>(x, inverse));
}

/// Alg. 29: Mult-MCN-Slow, a product by repeated division. NaN for a zero y.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> mult_mcn_slow(Components<T, N> x, const Components<T, N>& y) {
  Components<T, N + 1> h{};
  h[0] = x[0] * y[0];
  for (int i = 1; i <= N; ++i) {
    x = add_mcn<Policy>(x, negated(div_n<Policy>(h[i - 1], y)));
    h[i] = x[0] * y[0];
  }
  return put_together<Policy, N>(h);
}

/// Alg. 31: Exp-MCN, the product of exp(x_i); the printed text has exp(h_i). Each factor has the
/// accuracy of one component, and so has the result, for every N.
template <class Policy = Corrected, class T, int N>
MCT_HD inline Components<T, N> exp_mcn(const Components<T, N>& x) {
  Components<T, N> h{};
  h[0] = std::exp(x[0]);
  for (int i = 1; i < N; ++i) h = scaling_n<Policy>(h, std::exp(x[i]));
  return h;
}

/// Alg. 32: Square-MCN, x_0^2 + 2 x_0 x_1. The printed text has 2^x_0 for x_0^2, and drops the
/// rounding error of x_0^2; the policy Corrected keeps this error. The algorithm does not use the
/// later components of x, so the result has at most the accuracy of two components.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> square_mcn(const Components<T, N>& x) {
  Components<T, N> h{};
  const auto [p, e] = two_prod<Corrected>(x[0], x[0]);
  h[0] = p;
  if constexpr (N > 1) {
    if constexpr (Policy::corrected) h[1] = e;
    h = grow_exp_n<Policy>(h, T(2 * x[0] * x[1]));
  }
  return h;
}

}  // namespace mct::published::inline MCT_ISA_NAMESPACE
