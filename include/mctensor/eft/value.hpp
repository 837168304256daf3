// Error-free transforms need a few operations of a value type beyond + - * /. Here they are, for a
// scalar, a SIMD batch (argument-dependent lookup finds its functions, e.g. in xsimd) and a CUDA
// thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "mctensor/eft/float_traits.hpp"

namespace mct {

/// a * b + c rounded once, for a value type V. A SIMD batch is computed lane by lane, unless a
/// header of interop/ names the instruction. The fma of a batch library is not called, because it
/// may round twice (as in xsimd 8.1 with AVX-512).
template <class V>
struct FusedMultiplyAdd {
  MCT_HD MCT_ALWAYS_INLINE static constexpr V apply(const V& a, const V& b, const V& c) {
    if constexpr (std::is_arithmetic_v<V>) {
      return std::fma(a, b, c);
    } else {
      using S = scalar_t<V>;
      S x[V::size];
      S y[V::size];
      S z[V::size];
      a.store_unaligned(x);
      b.store_unaligned(y);
      c.store_unaligned(z);
      for (std::size_t i = 0; i < V::size; ++i) z[i] = std::fma(x[i], y[i], z[i]);
      return V::load_unaligned(z);
    }
  }
};

/// The result of an error-free transform. Its two values are unpacked by `auto [hi, lo] =
/// two_sum(a, b);`.
template <class Hi, class Lo = Hi>
struct HiLo {
  Hi hi;
  Lo lo;
};

/// Replaces two_prod for a component type whose products fit exactly in a wider type. If
/// `available` is true, two_prod calls apply(a, b) and needs neither fma nor splitting.
template <class V>
struct ExactProduct {
  static constexpr bool available = false;
};

inline namespace MCT_ISA_NAMESPACE {

namespace detail {

/// a * b + c rounded once. It is fast only where MCT_HAS_FMA is 1.
template <class V>
MCT_HD constexpr V fused_multiply_add(const V& a, const V& b, const V& c) {
  return FusedMultiplyAdd<V>::apply(a, b, c);
}

/// Correctly rounded square root.
template <class V>
MCT_HD inline V square_root(const V& a) {
  using std::sqrt;
  return sqrt(a);
}

/// |a|. It clears the sign, also the sign of a NaN and of zero.
template <class V>
MCT_HD constexpr V magnitude(const V& a) {
  if constexpr (std::is_arithmetic_v<V>) {
    if (std::is_constant_evaluated()) return a < 0 ? -a : a + V(0);
    return std::fabs(a);
  } else {
    return abs(a);
  }
}

/// -a; 0 gives -0. (The minus of a batch library may be 0 - a, as in xsimd 8.1 with AVX-512.)
template <class V>
MCT_HD constexpr V negated(const V& a) {
  if constexpr (std::is_same_v<V, scalar_t<V>>) {
    return -a;
  } else {
    return a * V(scalar_t<V>(-1));
  }
}

/// mask ? a : b, lane by lane, without a branch.
template <class M, class V>
MCT_HD constexpr V blend(const M& mask, const V& a, const V& b) {
  if constexpr (std::is_same_v<M, bool>) {
    return mask ? a : b;
  } else {
    return select(mask, a, b);
  }
}

/// True in the lanes that hold neither an infinity nor a NaN.
template <class V>
MCT_HD constexpr auto is_finite_mask(const V& a) {
  return a - a == V(scalar_t<V>(0));
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
