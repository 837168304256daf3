// The element-wise operations as function objects on Expansion<V, N>, V a scalar or a SIMD batch:
// the library's own scalar templates, under one name each.
#pragma once

#include <algorithm>
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/tensor/operation.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// True for operations that go element by element: those that branch on their operands, and the
/// functions of one component, which are the C++ library's.
template <int N>
constexpr bool is_scalar_only(Unary op) {
  if (op >= Unary::gelu) return true;
  return N == 1 && op >= Unary::exp;
}
template <int N>
constexpr bool is_scalar_only(Binary op) {
  return op == Binary::pow;
}
template <int N>
constexpr bool is_scalar_only(Ternary) {
  return false;
}

/// True in the lanes that hold a NaN. (The != of a batch library may be false for NaN: that of
/// xsimd 8.1 is with AVX.)
template <class V>
MCT_ALWAYS_INLINE inline auto is_nan_mask(const V& x) {
  return !(x == x);
}

/// The larger (smaller) operand; NaN if either is.
template <class V, int N>
MCT_ALWAYS_INLINE inline Expansion<V, N> maximum(const Expansion<V, N>& x,
                                                 const Expansion<V, N>& y) {
  return detail::blend(x >= y || is_nan_mask(x.limb[0]), x, y);
}
template <class V, int N>
MCT_ALWAYS_INLINE inline Expansion<V, N> minimum(const Expansion<V, N>& x,
                                                 const Expansion<V, N>& y) {
  return detail::blend(x <= y || is_nan_mask(x.limb[0]), x, y);
}

/// The functions of the math layer are for double and float; half and bfloat16 go through two
/// doubles, which hold every value of theirs but for a relative 2^-106 in the lowest limb (one
/// double where there is one component: exact).
template <class T, int N, class F>
MCT_ALWAYS_INLINE inline Expansion<T, N> in_wider_type(const Expansion<T, N>& x, const F& f) {
  if constexpr (FloatTraits<T>::p < FloatTraits<float>::p) {
    constexpr int wide = N == 1 ? 1 : 2;
    return Expansion<T, N>(f(Expansion<double, wide>(x)));
  } else {
    return f(x);
  }
}

/// gelu of one component narrower than double, by the C library's erfc of a double: 0.51 u, and 15
/// times as fast as two components rounded to one.
template <class T>
inline T short_gelu(const T& x) {
  constexpr double inverse_sqrt2 = 0.70710678118654752440;
  const double v(x);
  if (v > 40) return x;
  if (v < -40) return T(-0.0);  // it underflows, and -inf has no product
  return T(0.5 * v * std::erfc(-v * inverse_sqrt2));
}

/// The value of an operation.
template <Unary Op, class V, int N>
MCT_ALWAYS_INLINE inline Expansion<V, N> apply(const Expansion<V, N>& x) {
  if constexpr (Op == Unary::neg) {
    return -x;
  } else if constexpr (Op == Unary::abs) {
    return abs(x);
  } else if constexpr (Op == Unary::square) {
    return square(x);
  } else if constexpr (Op == Unary::sqrt) {
    return sqrt(x);
  } else if constexpr (Op == Unary::rsqrt) {
    return rsqrt(x);
  } else if constexpr (Op == Unary::relu) {
    const Expansion<V, N> zero{};
    return detail::blend(x.limb[0] <= zero.limb[0], zero, x);  // NaN stays
  } else if constexpr (Op == Unary::gelu && N == 1 && FloatTraits<V>::p < FloatTraits<double>::p) {
    return short_gelu(x.limb[0]);
  } else {
    return in_wider_type(x, [](const auto& y) {
      if constexpr (Op == Unary::exp) return exp(y);
      if constexpr (Op == Unary::expm1) return expm1(y);
      if constexpr (Op == Unary::log) return log(y);
      if constexpr (Op == Unary::log1p) return log1p(y);
      if constexpr (Op == Unary::sinh) return sinh(y);
      if constexpr (Op == Unary::cosh) return cosh(y);
      if constexpr (Op == Unary::tanh) return tanh(y);
      if constexpr (Op == Unary::sigmoid) return sigmoid(y);
      if constexpr (Op == Unary::softplus) return softplus(y);
      if constexpr (Op == Unary::gelu) return gelu(y);
      if constexpr (Op == Unary::sin) return sin(y);
      if constexpr (Op == Unary::cos) return cos(y);
      if constexpr (Op == Unary::asinh) return asinh(y);
      if constexpr (Op == Unary::acosh) return acosh(y);
      if constexpr (Op == Unary::atanh) return atanh(y);
      if constexpr (Op == Unary::erf) return erf(y);
    });
  }
}

template <Binary Op, class V, int A, int B>
MCT_ALWAYS_INLINE inline auto apply(const Expansion<V, A>& x, const Expansion<V, B>& y) {
  constexpr int N = std::max(A, B);
  const auto whole = [](const auto& z) {
    Expansion<V, N> r(z.limb[0]);
    if constexpr (std::remove_cvref_t<decltype(z)>::components == N) r = z;
    return r;
  };
  // the cheaper forms for one component where there are some
  const auto operand = [](const auto& z) {
    if constexpr (std::remove_cvref_t<decltype(z)>::components == N) {
      return z;
    } else {
      return z.limb[0];
    }
  };
  if constexpr (Op == Binary::add) {
    return add(operand(x), operand(y));
  } else if constexpr (Op == Binary::sub) {
    return sub(operand(x), operand(y));
  } else if constexpr (Op == Binary::mul) {
    return mul(operand(x), operand(y));
  } else if constexpr (Op == Binary::div) {
    return div(operand(x), operand(y));
  } else if constexpr (Op == Binary::maximum) {
    return maximum(whole(x), whole(y));
  } else if constexpr (Op == Binary::minimum) {
    return minimum(whole(x), whole(y));
  } else if constexpr (FloatTraits<V>::p < FloatTraits<float>::p) {
    constexpr int wide = N == 1 ? 1 : 2;
    using W = Expansion<double, wide>;
    return Expansion<V, N>(pow(W(whole(x)), W(whole(y))));
  } else {
    return pow(whole(x), whole(y));
  }
}

template <Ternary Op, class V, int N>
MCT_ALWAYS_INLINE inline Expansion<V, N> apply(const Expansion<V, N>& x, const Expansion<V, N>& y,
                                               const Expansion<V, N>& z) {
  if constexpr (Op == Ternary::mul_add) {
    return mul_add(x, y, z);
  } else {
    return minimum(maximum(x, y), z);
  }
}

template <Compare Op, class V, int A, int B>
MCT_ALWAYS_INLINE inline auto apply(const Expansion<V, A>& x, const Expansion<V, B>& y) {
  constexpr int N = std::max(A, B);
  const auto whole = [](const auto& z) {
    Expansion<V, N> r(z.limb[0]);
    if constexpr (std::remove_cvref_t<decltype(z)>::components == N) r = z;
    return r;
  };
  if constexpr (Op == Compare::eq) {
    return whole(x) == whole(y);
  } else if constexpr (Op == Compare::ne) {
    return whole(x) != whole(y);
  } else if constexpr (Op == Compare::lt) {
    return whole(x) < whole(y);
  } else {
    return whole(x) <= whole(y);
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
