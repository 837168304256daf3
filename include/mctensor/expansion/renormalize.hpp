// Renormalization of arbitrary terms, and a test whether an expansion is normalized.
#pragma once

#include "mctensor/expansion/expansion.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// Replaces terms[0..K), which may be any values in any order, by a nonoverlapping sequence with
/// the same exact sum. Apart from zeros, the sequence increases in magnitude. Source: Shewchuk
/// 1997, GROW-EXPANSION, theorem 10; Yu 2024, Alg. 5.
template <class T, int K>
MCT_HD constexpr void make_nonoverlapping(T (&terms)[K]) {
  for (int k = 1; k < K; ++k) {
    T q = terms[k];
    for (int i = 0; i < k; ++i) {
      const auto [s, e] = two_sum(q, terms[i]);
      terms[i] = e;
      q = s;
    }
    terms[k] = q;
  }
}

/// Moves the zeros of terms[0..count) to the end; returns how many terms are not zero.
template <class T, int K>
MCT_HD constexpr int drop_zeros(T (&terms)[K], int count) {
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (terms[i] != 0) terms[kept++] = terms[i];
  for (int i = kept; i < count; ++i) terms[i] = 0;
  return kept;
}

/// Adds neighbours in terms[first..count), nonoverlapping and decreasing, from the smallest term up
/// until no term changes. Then each term is the rounded sum of itself and the next. Every pass is
/// exact and only carries upward, so few passes are needed. Returns how many terms are left.
template <class T, int K>
MCT_HD constexpr int settle(T (&terms)[K], int first, int count) {
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = count - 2; i >= first; --i) {
      const auto [s, e] = two_sum(terms[i], terms[i + 1]);
      moved = moved || (s != terms[i] && s - s == 0);  // an overflow ends it
      terms[i] = s;
      terms[i + 1] = e;
    }
    count = drop_zeros(terms, count);
  }
  return count;
}

/// If a term is half the distance from the term before it to a number next to that one, the later
/// terms decide between both. Afterwards each term is the sum of itself and all later terms,
/// rounded to nearest.
template <class T, int K>
MCT_HD constexpr void break_ties(T (&terms)[K], int count) {
  for (int i = 0; i + 2 < count; ++i) {
    if ((terms[i + 1] < 0) != (terms[i + 2] < 0)) continue;
    // after settling, terms[i + 1] is at most half the distance to the neighbour of terms[i]; if it
    // is just half, then terms[i] + step is that neighbour
    const T step = 2 * terms[i + 1];
    const T neighbour = terms[i] + step;
    if (neighbour - terms[i] != step) continue;
    terms[i] = neighbour;
    terms[i + 1] = -terms[i + 1];
    count = settle(terms, i + 1, count);
  }
}

}  // namespace detail

namespace detail {

/// The sum of K arbitrary terms as limbs. Each limb is the sum minus the limbs before it, rounded
/// to nearest. All partial sums must be finite.
template <class T, int K, int M>
MCT_HD constexpr void round_terms(const T (&values)[K], T (&limbs)[M]) {
  T growing[K];
  for (int i = 0; i < K; ++i) growing[i] = values[i];
  make_nonoverlapping(growing);
  T terms[K + 2] = {};  // two zeros to spare, so that every term has neighbours
  for (int i = 0; i < K; ++i) terms[i] = growing[K - 1 - i];
  const int count = settle(terms, 0, drop_zeros(terms, K));
  break_ties(terms, count);
  for (int i = 0; i < M; ++i) limbs[i] = i < K ? terms[i] : T(0);
}

}  // namespace detail

/// The first N limbs of the sum of K arbitrary terms, in any order, which may overlap or be zero.
/// Every limb is the sum minus the limbs before it, rounded to nearest, ties to even. So the result
/// is normalized and depends only on the sum. Error <= u^N |sum|; exact if the sum fits into N
/// limbs. Domain: finite terms whose partial sums do not overflow; otherwise the result is the
/// infinity or NaN of the plain sum. A sum within 8 ulps of the largest finite number may become an
/// infinity. K should be small, because time grows as K^2. Source: Shewchuk 1997 (grow and
/// compress); replaces Yu 2024, Alg. 6 and 26.
template <int N, class T, int K>
requires is_component_v<T> MCT_HD constexpr Expansion<T, N> renormalize(const T (&values)[K]) {
  T naive = values[0];
  for (int i = 1; i < K; ++i) naive += values[i];
  if (!(naive - naive == 0)) return naive;
  Expansion<T, N> r;
  detail::round_terms(values, r.limb);
  // next to the overflow threshold the sums above may overflow where the plain sum did not
  for (int i = 0; i < N; ++i)
    if (!(r.limb[i] - r.limb[i] == 0)) return T(naive * T(1 + 8 * FloatTraits<T>::u));
  if (r.limb[0] == 0) r.limb[0] = naive == 0 ? naive : T(0);  // the sign of zero
  return r;
}

/// The value of x, whose limbs may be any, in normalized limbs.
template <class T, int N>
requires is_component_v<T> MCT_HD constexpr Expansion<T, N> renormalize(const Expansion<T, N>& x) {
  return renormalize<N>(x.limb);
}

/// True if |limb[i+1]| <= ulp(limb[i]) / 2 for every i, and zero limbs (or the limbs after an
/// infinity or NaN) have only zeros after them.
template <class T, int N>
requires is_component_v<T> MCT_HD inline bool is_normalized(const Expansion<T, N>& x) {
  for (int i = 0; i + 1 < N; ++i) {
    const T head = x.limb[i];
    const T tail = x.limb[i + 1];
    if (head == 0 || !(head - head == 0)) {
      if (tail != 0) return false;
    } else if (!(detail::magnitude(tail) <= ulp(head) / 2)) {
      return false;
    }
  }
  return true;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
