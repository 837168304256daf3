// Square root and its reciprocal.
//
// Source: Lefèvre et al., algorithm 8 (N = 2); for N = 3 and 4 one correction by Newton's rule,
// whose bound stands in this header (sqrt_limbs).
#pragma once

#include "mctensor/expansion/div.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

namespace detail {

/// SQRTDWtoDW: error <= 25/8 u^2 sqrt(x). x0 - s^2 is taken from two_prod, exactly.
/// Source: Lefevre, Louvet, Muller, Picot, Rideau: Accurate calculation of Euclidean norms using
/// double-word arithmetic, ACM TOMS 49(1), 2023, algorithm 8.
template <class T>
MCT_HD inline Expansion<T, 2> sqrt_double_word(const Expansion<T, 2>& x) {
  const T s = square_root(x.limb[0]);
  const auto [p, e] = two_square(s);
  const T rest = x.limb[1] + ((x.limb[0] - p) - e);
  const auto [z0, z1] = fast_two_sum<T>(s, rest / (s + s));
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// N >= 3: the double-word root s of the first two limbs (N = 5: the root of the first three), then
/// one Newton correction c = (x - s^2) / (2 s) of the limbs that are left. s is in error by at most
/// 25/8 u^2 + u^2/2 (the limbs left out), the correction by 3u (N = 3) or 12u^2 (N = 4) relative, x
/// - s^2 by 8u^3 or 16u^4 relative to x; in all < 24u^3 and < 72u^4.
template <class T, int N>
MCT_HD inline Expansion<T, N> sqrt_limbs(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return square_root(x.limb[0]);
  } else if constexpr (N == 2) {
    return sqrt_double_word(x);
  } else {
    constexpr int M = (N + 1) / 2;
    const Expansion<T, M> s = sqrt_limbs(leading<M>(x));
    const Expansion<T, N> r = add_limbs(x, -mul_widening<N>(s, s));
    const Expansion<T, N - M> two_s = leading<N - M>(scale_limbs(s, T(scalar_t<T>(2))));
    return add_leading<T, N>(s, div_limbs(leading<N - M>(r), two_s));
  }
}

/// x scaled by an even power of two into the range where the lowest limb of the root's remainder
/// is a normal number: x = value * root_scale^2.
template <class T, int N>
struct ScaledRadicand {
  Expansion<T, N> value;
  T root_scale, inverse_root_scale;
};

template <class T, int N>
MCT_HD constexpr ScaledRadicand<T, N> scale_radicand(const Expansion<T, N>& x) {
  using S = scalar_t<T>;
  using Traits = FloatTraits<T>;
  // a fifth limb counts only as long as its errors are normal: floats leave no more room
  constexpr int M = N - (N == 5 ? 1 : 0);
  constexpr int half = ((M + 1) * Traits::p + 1) / 2;
  const T down(pow2<S>(-half));
  const T up(pow2<S>(half));
  const T one(S(1));
  const auto small = x.limb[0] < T(pow2<S>(Traits::emin + (M + 2) * Traits::p));
  const auto large = x.limb[0] > T(pow2<S>(Traits::emax - 4));
  const T scale = blend(large, up, blend(small, down, one));
  const T inverse = blend(large, down, blend(small, up, one));
  return {scale_limbs(scale_limbs(x, inverse), inverse), scale, inverse};
}

}  // namespace detail

/// sqrt(x). Error <= K u^N sqrt(x), K = 1, 25/8, 24, 72 for N = 1..4, for every x >= 0, plus N eta
/// where limbs of the root fall below the smallest subnormal eta (not for double). Half, computed
/// in double as its division is: K = 1.001 plus eta / 2. sqrt(-0) = -0; NaN for x < 0. No branch:
/// the operand is scaled by a power of four where it is very large or small.
template <class T, int N>
MCT_HD inline Expansion<T, N> sqrt(const Expansion<T, N>& x) {
  const T naive = detail::square_root(x.limb[0]);
  if constexpr (N == 1) {
    return naive;
  } else if constexpr (std::is_same_v<T, half>) {
    return std::sqrt(double(x));
  } else {
    const auto scaled = detail::scale_radicand(x);
    const Expansion<T, N> root = detail::sqrt_limbs(scaled.value);
    return detail::guard_specials<T, N>(detail::scale_limbs(root, scaled.root_scale), naive);
  }
}

/// 1 / sqrt(x): the quotient of 1 and the root, error <= (K_div + K_sqrt + 1) u^N / sqrt(x), that
/// is K = 2, 14, 73, 233 for N = 1..4, plus N eta where limbs fall below the smallest subnormal;
/// half: K = 1.001 plus eta / 2 for N >= 2.
/// rsqrt(+-0) = +-infinity, rsqrt(infinity) = 0, NaN for x < 0. No branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> rsqrt(const Expansion<T, N>& x) {
  const T one(scalar_t<T>(1));
  const T naive = one / detail::square_root(x.limb[0]);
  if constexpr (N == 1) {
    return naive;
  } else if constexpr (std::is_same_v<T, half>) {
    return 1 / std::sqrt(double(x));
  } else {
    const auto scaled = detail::scale_radicand(x);
    const Expansion<T, N> r =
        detail::div_limbs(Expansion<T, N>(one), detail::sqrt_limbs(scaled.value));
    return detail::guard_specials<T, N>(detail::scale_limbs(r, scaled.inverse_root_scale), naive);
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
