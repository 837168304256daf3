// LongSum<T, M>: a number as the sum of M components, where M may be large, for quantities that
// need only addition and subtraction.
//
// The horizontal coordinates of the half-space are such quantities. A distance needs the leading
// digits of a difference, and a step adds a small number. Both take O(M) operations. So twenty
// doubles, which hold every point within distance 600 of the origin, are affordable; general
// arithmetic of that length is not.
//
// Domain: every finite number. Source: Shewchuk 1997, with a fixed number of components.
#pragma once

#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::geometry {

/// The sum of M components of T, each at most half an ulp of the one before it. Trivially copyable.
/// T: double or float.
template <class T, int M>
struct LongSum {
  static_assert(std::is_arithmetic_v<T> && M >= 1);
  static constexpr int components = M;

  T limb[M] = {};

  constexpr LongSum() = default;
  MCT_HD constexpr LongSum(T value) : limb{value} {}  // NOLINT(google-explicit-constructor)
  template <int N>
  MCT_HD constexpr explicit LongSum(const Expansion<T, N>& x) {
    static_assert(N <= M);
    for (int i = 0; i < N; ++i) limb[i] = x.limb[i];
  }
};

inline namespace MCT_ISA_NAMESPACE {
namespace halfspace_detail {

/// One pass of two_sum from the last term to the first. The sum stays the same, and the large terms
/// come nearer to their final values. Removes zeros. Returns whether a term changed.
template <class T>
MCT_HD constexpr bool settle_once(T* terms, int& count) {
  bool moved = false;
  for (int i = count - 1; i > 0; --i) {
    const auto [hi, lo] = two_sum(terms[i - 1], terms[i]);
    moved = moved || hi != terms[i - 1];
    terms[i - 1] = hi;
    terms[i] = lo;
  }
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (terms[i] != T(0)) terms[kept++] = terms[i];
  count = kept;
  return moved;
}

/// Writes the M leading components of the sum of `count` terms, which have roughly decreasing
/// magnitude, to out. Yu 2024, Alg. 6, makes two passes; this function repeats passes until no term
/// changes. That takes three or four passes for sums of two normalized numbers, and never more than
/// count + 1. The dropped part is at most half an ulp of the last component, u^M of the sum.
template <int M, class T>
MCT_HD constexpr void distil(T* terms, int count, T* out) {
  const int most = count + 1;
  for (int pass = 0; pass < most && settle_once(terms, count); ++pass) {
    if constexpr (M == 1) {
      T rest = 0;
      for (int i = count - 1; i > 0; --i) rest += terms[i];
      if (count == 0 || terms[0] + rest == terms[0]) break;
    }
  }
  for (int k = 0; k < M; ++k) out[k] = k < count ? terms[k] : T(0);
}

/// x + sign y as at most 2M terms of decreasing magnitude. Equal leading limbs cancel and are left
/// out, because two points that are near each other and far out share most of their limbs.
template <class T, int M>
MCT_HD constexpr int merged(const LongSum<T, M>& x, const LongSum<T, M>& y, T sign, T* terms) {
  int i = 0;
  while (i < M && x.limb[i] == -sign * y.limb[i]) ++i;
  int j = i;
  int count = 0;
  while (i < M || j < M) {
    const bool take_x = j >= M || (i < M && std::fabs(x.limb[i]) >= std::fabs(y.limb[j]));
    const T term = take_x ? x.limb[i++] : T(sign * y.limb[j++]);
    if (term != T(0)) terms[count++] = term;
  }
  return count;
}

}  // namespace halfspace_detail

/// x + b, rounded to M components. Error <= u^M |x + b|; exact if M components hold the sum.
/// Source: Grow-Expansion and Renormalize (Yu 2024, Alg. 5, 6), repeated until no term changes.
template <class T, int M>
MCT_HD constexpr LongSum<T, M> add(const LongSum<T, M>& x, T b) {
  T terms[M + 1] = {};
  int count = 0;
  bool placed = false;
  for (int i = 0; i < M; ++i) {
    if (!placed && std::fabs(b) > std::fabs(x.limb[i])) {
      terms[count++] = b;
      placed = true;
    }
    if (x.limb[i] != T(0)) terms[count++] = x.limb[i];
  }
  if (!placed) terms[count++] = b;
  LongSum<T, M> r;
  halfspace_detail::distil<M>(terms, count, r.limb);
  return r;
}

/// x + y, rounded to M components. Error <= u^M |x + y|.
template <class T, int M>
MCT_HD constexpr LongSum<T, M> add(const LongSum<T, M>& x, const LongSum<T, M>& y) {
  T terms[2 * M] = {};
  LongSum<T, M> r;
  halfspace_detail::distil<M>(terms, halfspace_detail::merged(x, y, T(1), terms), r.limb);
  return r;
}
/// x - y, rounded to M components. Error <= u^M |x - y|.
template <class T, int M>
MCT_HD constexpr LongSum<T, M> sub(const LongSum<T, M>& x, const LongSum<T, M>& y) {
  T terms[2 * M] = {};
  LongSum<T, M> r;
  halfspace_detail::distil<M>(terms, halfspace_detail::merged(x, y, T(-1), terms), r.limb);
  return r;
}

/// x - y rounded to one component. Error <= u |x - y|, also if nearly all digits cancel.
template <class T, int M>
MCT_HD constexpr T difference(const LongSum<T, M>& x, const LongSum<T, M>& y) {
  T terms[2 * M] = {};
  T lead[1] = {};
  halfspace_detail::distil<1>(terms, halfspace_detail::merged(x, y, T(-1), terms), lead);
  return lead[0];
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
