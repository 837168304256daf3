// Building blocks of the published algorithms: Alg. 4 to 8, 11 to 15, 18 to 26.
//
// Error: each comment says whether its algorithm is exact. The papers state no bound for the other
// algorithms; the suite measures their errors (docs/errata.md, the report's table of peers).
// Domain: finite numbers whose sums and products neither overflow nor underflow. Source: Yu 2024,
// the algorithms with these numbers.
#pragma once

#include "mctensor/expansion/published/policy.hpp"

namespace mct::published::inline MCT_ISA_NAMESPACE {

/// Alg. 4, 18: Two-Sum.
using mct::two_sum;

/// Theorem 3.4.1: Fast2Sum, for |a| >= |b|.
using mct::fast_two_sum;

/// Alg. 5: Grow-Expansion. The exact sum of b and an expansion in INCREASING order. The M + 1
/// components of the sum do not overlap and are in increasing order; some may be 0.
template <class T, int M>
MCT_HD constexpr Components<T, M + 1> grow_expansion(const Components<T, M>& e, T b) {
  Components<T, M + 1> h{};
  T q = b;
  for (int i = 0; i < M; ++i) {
    const auto [s, error] = two_sum(q, e[i]);
    q = s;
    h[i] = error;
  }
  h[M] = q;
  return h;
}

/// Alg. 6: Renormalize, K components to R. The printed algorithm never stores the last sum, so that
/// (1, 0, 0) becomes (0, 0). Here it is stored, and the remaining places are 0. The result is exact
/// if at most R components remain, for components that overlap little.
template <int R, class T, int K>
MCT_HD constexpr Components<T, R> renormalize(const Components<T, K>& a) {
  T t[K] = {};
  T s = a[K - 1];
  for (int i = K - 1; i > 0; --i) {
    const auto [sum, error] = two_sum(a[i - 1], s);
    s = sum;
    t[i] = error;
  }
  Components<T, R> b{};
  int k = 0;
  for (int i = 1; i < K && k < R; ++i) {
    const auto [sum, error] = two_sum(s, t[i]);
    s = sum;
    if (error != 0) {
      b[k++] = s;
      s = error;
    }
  }
  if (k < R) b[k] = s;
  return b;
}

/// Alg. 26: Simple-Renorm, the nonzero components moved to the front. The printed loop stops after
/// R inputs; this loop goes on until R places are filled. The algorithm neither sorts components
/// nor removes overlap.
template <int R, class T, int K>
MCT_HD constexpr Components<T, R> simple_renorm(const Components<T, K>& x) {
  Components<T, R> b{};
  int k = 0;
  for (int i = 0; i < K && k < R; ++i)
    if (x[i] != 0) b[k++] = x[i];
  return b;
}

/// The algorithm by which a policy combines the parts of a result: Alg. 6 or Alg. 26.
template <class Policy, int R, class T, int K>
MCT_HD constexpr Components<T, R> put_together(const Components<T, K>& x) {
  if constexpr (Policy::corrected) {
    return renormalize<R>(x);
  } else {
    return simple_renorm<R>(x);
  }
}

/// Alg. 7: Grow-ExpN, x + v in N components.
template <class Policy = Corrected, class T, int N>
MCT_HD constexpr Components<T, N> grow_exp_n(const Components<T, N>& x, T v) {
  Components<T, N + 1> h{};
  T q = v;
  for (int i = N; i > 0; --i) {
    const auto [s, error] = two_sum(x[i - 1], q);
    q = s;
    h[i] = error;
  }
  h[0] = q;
  return put_together<Policy, N>(h);
}

/// Alg. 8: Grow, (x, y) + a for |x| >= |a|.
template <class T>
MCT_HD constexpr Components<T, 2> grow(const Components<T, 2>& x, T a) {
  const auto [u, v] = fast_two_sum(x[0], a);
  const auto [hi, lo] = fast_two_sum<T>(u, x[1] + v);
  return {{hi, lo}};
}

/// Alg. 11: Add-Expansion, the sum of two expansions of M components as M + 1 components. The
/// errors of each place are added in working precision.
template <class T, int M>
MCT_HD constexpr Components<T, M + 1> add_expansion(const Components<T, M>& a,
                                                    const Components<T, M>& b) {
  Components<T, M + 1> h{};
  T e = 0;
  for (int i = 0; i < M; ++i) {
    const auto [p, e1] = two_sum(a[i], b[i]);
    const auto [s, e2] = two_sum(p, e);
    h[i] = s;
    e = e1 + e2;
  }
  h[M] = e;
  return h;
}

/// Alg. 12, 19, 24: Split. Corrected: mct::split. AsPrinted: Alg. 24's constant, 2^12 + 1 for float
/// and 2^26 + 1 for double. For double the exponent is one too small, so the low half may have one
/// bit too many for exact products.
template <class Policy = Corrected, class T>
MCT_HD constexpr HiLo<T> split(T a) {
  if constexpr (Policy::corrected) {
    return mct::split(a);
  } else {
    constexpr T factor = pow2<T>(FloatTraits<T>::p / 2) + 1;
    const T t = factor * a;
    const T hi = t - (t - a);
    return {hi, a - hi};
  }
}

/// Alg. 13, 20: Two-Prod by splitting. The printed text calls the product x and p, and its error y
/// and e. The sum of both results is exact with the corrected split; with the printed split it is
/// not for about 15 % of products in double.
template <class Policy = Corrected, class T>
MCT_HD constexpr HiLo<T> two_prod(T a, T b) {
  if constexpr (Policy::corrected) {
    return mct::two_prod_dekker(a, b);
  } else {
    const T p = a * b;
    const auto [a_hi, a_lo] = split<Policy>(a);
    const auto [b_hi, b_lo] = split<Policy>(b);
    const T error1 = p - a_hi * b_hi;
    const T error2 = error1 - a_lo * b_hi;
    const T error3 = error2 - a_hi * b_lo;
    return {p, a_lo * b_lo - error3};
  }
}

/// Alg. 21, 25: Two-Prod with fma.
template <class T>
MCT_HD inline HiLo<T> two_prod_fma(T a, T b) {
  const T p = a * b;
  return {p, std::fma(a, b, -p)};
}

/// Alg. 14: Scale-Expansion, a b as M + 1 components.
template <class Policy = Corrected, class T, int M>
MCT_HD constexpr Components<T, M + 1> scale_expansion(const Components<T, M>& a, T b) {
  Components<T, M + 1> h{};
  T e = 0;
  for (int i = 0; i < M; ++i) {
    const auto [p, e1] = two_prod<Policy>(a[i], b);
    const auto [s, e2] = two_sum(p, e);
    h[i] = s;
    e = e1 + e2;
  }
  h[M] = e;
  return h;
}

namespace detail {

/// The tree of Alg. 15: each level adds pairs of terms, and a term without a partner moves up. The
/// printed algorithm has floor(log2 m1) levels, so it loses terms unless m1 is a power of two.
template <class T, int Count, int Length>
MCT_HD constexpr auto add_tree(const Components<T, Length> (&terms)[Count]) {
  if constexpr (Count == 1) {
    return terms[0];
  } else {
    Components<T, Length + 1> sums[(Count + 1) / 2] = {};
    for (int i = 0; i + 1 < Count; i += 2) sums[i / 2] = add_expansion(terms[i], terms[i + 1]);
    if constexpr (Count % 2 == 1)
      for (int k = 0; k < Length; ++k) sums[Count / 2][k] = terms[Count - 1][k];
    return add_tree(sums);
  }
}

}  // namespace detail

/// Alg. 15: Mul-Expansion, a b as M2 + 1 + ceil(log2 M1) components. It multiplies b by each
/// component of a and adds the products in a tree.
template <class Policy = Corrected, class T, int M1, int M2>
MCT_HD constexpr auto mul_expansion(const Components<T, M1>& a, const Components<T, M2>& b) {
  Components<T, M2 + 1> products[M1] = {};
  for (int i = 0; i < M1; ++i) products[i] = scale_expansion<Policy>(b, a[i]);
  return detail::add_tree(products);
}

/// Alg. 22: Scaling, v (a1, a2).
template <class T>
MCT_HD inline Components<T, 2> scaling(T v, const Components<T, 2>& a) {
  const auto [p, e] = two_prod_fma(a[0], v);
  const auto [hi, lo] = fast_two_sum<T>(p, std::fma(a[1], v, e));
  return {{hi, lo}};
}

/// Alg. 23: Mul, (a1, a2) (b1, b2). The printed text does not say in which order the small terms
/// are added. Here both cross products are rounded and added, and their sum is added to the error
/// of a1 b1.
template <class T>
MCT_HD inline Components<T, 2> mul(const Components<T, 2>& a, const Components<T, 2>& b) {
  const auto [p, e] = two_prod_fma(a[0], b[0]);
  const T cross = a[0] * b[1] + a[1] * b[0];
  const auto [hi, lo] = fast_two_sum<T>(p, e + cross);
  return {{hi, lo}};
}

}  // namespace mct::published::inline MCT_ISA_NAMESPACE
