// The functions of plain numbers as types: at<W> computes a double to W limbs, of() is the same
// function of expansions. Those that have a `lowest` and a `highest` compute doubles between them
// by within(), to 2^-40: without a look at special cases, and with results whose rounding to a
// format of float's exponents is decided by is_near_normal_midpoint() alone, as none is below the
// normal numbers but next to an argument below them.
#pragma once

#include "mctensor/math/plain/erf.hpp"
#include "mctensor/math/plain/exp.hpp"
#include "mctensor/math/plain/hyperbolic.hpp"
#include "mctensor/math/plain/inverse_trig.hpp"
#include "mctensor/math/plain/log.hpp"
#include "mctensor/math/plain/power.hpp"
#include "mctensor/math/plain/rounding.hpp"
#include "mctensor/math/plain/trig.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

#define MCT_PLAIN_FUNCTION_PARTS(function)                 \
  static constexpr bool meets_midpoints = false;           \
  template <int W, class... V>                             \
  MCT_HD MCT_ALWAYS_INLINE static auto at(const V&... x) { \
    return plain::function<W>(x...);                       \
  }                                                        \
  template <class... E>                                    \
  MCT_HD MCT_ALWAYS_INLINE static auto of(const E&... x) { \
    return function(x...);                                 \
  }
#define MCT_PLAIN_FUNCTION(Name, function) \
  struct Name {                            \
    MCT_PLAIN_FUNCTION_PARTS(function)     \
  };
#define MCT_PLAIN_FUNCTION_WITHIN(Name, function, from, to) \
  struct Name {                                             \
    MCT_PLAIN_FUNCTION_PARTS(function)                      \
    static constexpr float lowest = from, highest = to;     \
    template <class V>                                      \
    MCT_HD MCT_ALWAYS_INLINE static V within(const V& x) {  \
      return plain::function<1, true>(x);                   \
    }                                                       \
  };

MCT_PLAIN_FUNCTION(Hypot, hypot)

MCT_PLAIN_FUNCTION_WITHIN(Exp, exp, -87.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Exp2, exp2, -126.0F, 127.0F)
MCT_PLAIN_FUNCTION_WITHIN(Expm1, expm1, -40.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Log, log, 0x1p-126F, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Log2, log2, 0x1p-126F, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Sin, sin, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Cos, cos, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Tan, tan, -0x1p18F, 0x1p18F)
MCT_PLAIN_FUNCTION_WITHIN(Atan, atan, -0x1p80F, 0x1p80F)
MCT_PLAIN_FUNCTION_WITHIN(Tanh, tanh, -FloatTraits<float>::max, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Sigmoid, sigmoid, -87.0F, 87.0F)
MCT_PLAIN_FUNCTION_WITHIN(Log1p, log1p, -0.999F, 0x1p100F)
MCT_PLAIN_FUNCTION_WITHIN(Asin, asin, -0.99999F, 0.99999F)
MCT_PLAIN_FUNCTION_WITHIN(Acos, acos, -0.99999F, 0.99999F)
MCT_PLAIN_FUNCTION_WITHIN(Sinh, sinh, -88.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Cosh, cosh, -88.0F, 88.0F)
MCT_PLAIN_FUNCTION_WITHIN(Asinh, asinh, -0x1p30F, 0x1p30F)
MCT_PLAIN_FUNCTION_WITHIN(Acosh, acosh, 1.0F, 0x1p30F)
MCT_PLAIN_FUNCTION_WITHIN(Atanh, atanh, -0.99999F, 0.99999F)
MCT_PLAIN_FUNCTION_WITHIN(Erf, erf, -FloatTraits<float>::max, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Erfc, erfc, -FloatTraits<float>::max, 9.0F)
MCT_PLAIN_FUNCTION_WITHIN(Gelu, gelu, -13.0F, 13.0F)
MCT_PLAIN_FUNCTION_WITHIN(Softplus, softplus, -80.0F, 80.0F)
MCT_PLAIN_FUNCTION_WITHIN(Cbrt, cbrt, -FloatTraits<float>::max, FloatTraits<float>::max)
MCT_PLAIN_FUNCTION_WITHIN(Rsqrt, rsqrt, 0x1p-126F, FloatTraits<float>::max)
#undef MCT_PLAIN_FUNCTION
#undef MCT_PLAIN_FUNCTION_WITHIN
#undef MCT_PLAIN_FUNCTION_PARTS

/// The least argument, without its sign, that within() takes: where small ones have results that
/// are neither themselves nor normal numbers.
template <class F>
inline constexpr float least_argument = 0;
template <>
inline constexpr float least_argument<Erf> = 0x1p-100F;
template <>
inline constexpr float least_argument<Gelu> = 0x1p-100F;
template <>
inline constexpr float least_argument<Cbrt> = 0x1p-126F;

/// within() also takes arguments up to this one, whose results are zero after rounding: those of
/// masked entries of a softmax.
template <class F>
inline constexpr float last_vanishing = -FloatTraits<float>::infinity;
template <>
inline constexpr float last_vanishing<Exp> = -104.0F;

/// Powers alone may lie halfway between two numbers of a short format without being one of them.
struct Pow {
  static constexpr bool meets_midpoints = true;
  template <int W, class V>
  MCT_HD MCT_ALWAYS_INLINE static V at(const V& x, const V& y) {
    return plain::pow<W>(x, y);
  }
  template <class E>
  MCT_HD MCT_ALWAYS_INLINE static E of(const E& x, const E& y) {
    return pow(x, y);
  }
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
