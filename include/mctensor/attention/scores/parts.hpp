// The parts of attention's scores: maxima, minima, roots and distances of numbers and SIMD batches.
//
// Error: correctly rounded, unless a function states another bound. Domain: finite numbers. Source:
// elementary.
#pragma once

#include <cmath>

#include "mctensor/attention/dual.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/value.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/math/plain.hpp"

namespace mct::attention::inline MCT_ISA_NAMESPACE {

/// The derivatives of a score by t and by the numbers of query and key; at a kink, a subgradient.
template <class V, int Queries, int Keys>
struct Slopes {
  V t;
  V query[Queries + 1];  // at least one
  V key[Keys + 1];
};

namespace score_detail {

using mct::detail::blend;
using mct::detail::number;

/// The larger number. If one of the two is NaN the result is a, for floats on a GPU NaN: each is a
/// single instruction.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V larger(const V& a, const V& b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float r;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  if constexpr (is_expansion_v<V> || std::is_arithmetic_v<V>) {
    return blend(a < b, b, a);
  } else {
    return max(b, a);
  }
}

/// The smaller number; NaN is treated as in larger().
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V smaller(const V& a, const V& b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  if constexpr (is_expansion_v<V> || std::is_arithmetic_v<V>) {
    return blend(b < a, b, a);
  } else {
    return min(b, a);
  }
}

template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V size_of(const V& a) {
  if constexpr (is_expansion_v<V>) {
    return abs(a);
  } else {
    return mct::detail::magnitude(a);
  }
}

/// a b + c. For plain numbers it has one rounding where multiply_add has one.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V plus_product(const V& a, const V& b, const V& c) {
  if constexpr (is_expansion_v<V>) {
    return mul_add(a, b, c);
  } else {
    return mct::detail::multiply_add(a, b, c);
  }
}

/// The square root of t >= 0, correctly rounded. For floats on a GPU it is the GPU's approximation,
/// in one instruction instead of six: relative error 2 u, and the result 0 for a subnormal t.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V root_of(const V& t) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(t));
    return root;
  }
#endif
  using std::sqrt;
  return sqrt(t);
}

/// 1 / x, correctly rounded. For floats on a GPU it is the GPU's approximation with one Newton
/// step, for |x| in [2^-126, 2^126] only.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V inverse_of(const V& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(y, fmaf(-x, y, 1.0F), y);
  }
#endif
  return number<V>(1.0) / x;
}

/// Squared distances below this count as 0: their inverse overflows or lacks components.
template <class V>
inline constexpr double least_square = is_expansion_v<V>                            ? 0x1p-900
                                       : sizeof(mct::detail::base_scalar_t<V>) == 4 ? 0x1p-126
                                                                                    : 0x1p-1022;

/// 1 / x for x >= 0. For an x below least_square, returns the inverse of least_square; callers do
/// not use this result, because they treat the distance as 0.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V some_inverse_of(const V& x) {
  return inverse_of(larger(x, number<V>(least_square<V>)));
}

/// sqrt(t) and 1 / sqrt(t) of t >= 0; both 0 for t = 0, because equal points have no direction.
template <class V>
struct Roots {
  V root, inverse;

  MCT_HD MCT_ALWAYS_INLINE explicit Roots(const V& t) {
    root = root_of(t);
    const V zero = number<V>(0.0);
    inverse = blend(root > zero, inverse_of(root), zero);
  }
};

/// asinh(sqrt(s)) for s >= 0 as a log1p without a branch. V: double or lanes of it. Error <= 3 u;
/// for expansions 60 u^N.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V asinh_of_root(const V& s) {
  using std::sqrt;
  const V one = number<V>(1.0);
  const V above = sqrt(s) + s / (one + sqrt(V(one + s)));
  if constexpr (is_expansion_v<V>) {
    return log1p(above);
  } else {
    return mct::detail::plain_log1p(above);
  }
}

/// |x - y|^2 computed as |x|^2 + |y|^2 - 2 x.y.
template <class V>
struct DistanceOfProduct {
  V lengths;   // |x|^2 + |y|^2
  V distance;  // may be below 0 if nearly everything cancels

  MCT_HD MCT_ALWAYS_INLINE DistanceOfProduct(const V& product, const V& x_length, const V& y_length)
      : lengths(x_length + y_length), distance(plus_product(number<V>(-2.0), product, lengths)) {}

  /// Above 0 if so many digits cancel that differences of coordinates must be used (streaming.hpp).
  MCT_HD MCT_ALWAYS_INLINE V lost() const { return least(lengths) - distance; }
  /// The smallest result that has enough digits, for vectors of these lengths.
  MCT_HD MCT_ALWAYS_INLINE static V least(const V& lengths) {
    return lengths * number<V>(1.0 / 32);
  }
};

}  // namespace score_detail

using mct::detail::blend;
using score_detail::number;

}  // namespace mct::attention::inline MCT_ISA_NAMESPACE
