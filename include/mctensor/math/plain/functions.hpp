// The functions of plain numbers as types: at<W> computes a double to W limbs, of() is the same
// function of expansions.
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

#define MCT_PLAIN_FUNCTION(Name, function)                   \
  struct Name {                                              \
    static constexpr bool meets_midpoints = false;           \
    template <int W, class... V>                             \
    MCT_HD MCT_ALWAYS_INLINE static auto at(const V&... x) { \
      return plain::function<W>(x...);                       \
    }                                                        \
    template <class... E>                                    \
    MCT_HD MCT_ALWAYS_INLINE static auto of(const E&... x) { \
      return function(x...);                                 \
    }                                                        \
  };

MCT_PLAIN_FUNCTION(Exp, exp)
MCT_PLAIN_FUNCTION(Exp2, exp2)
MCT_PLAIN_FUNCTION(Expm1, expm1)
MCT_PLAIN_FUNCTION(Log, log)
MCT_PLAIN_FUNCTION(Log2, log2)
MCT_PLAIN_FUNCTION(Log1p, log1p)
MCT_PLAIN_FUNCTION(Sin, sin)
MCT_PLAIN_FUNCTION(Cos, cos)
MCT_PLAIN_FUNCTION(Tan, tan)
MCT_PLAIN_FUNCTION(Asin, asin)
MCT_PLAIN_FUNCTION(Acos, acos)
MCT_PLAIN_FUNCTION(Atan, atan)
MCT_PLAIN_FUNCTION(Sinh, sinh)
MCT_PLAIN_FUNCTION(Cosh, cosh)
MCT_PLAIN_FUNCTION(Tanh, tanh)
MCT_PLAIN_FUNCTION(Asinh, asinh)
MCT_PLAIN_FUNCTION(Acosh, acosh)
MCT_PLAIN_FUNCTION(Atanh, atanh)
MCT_PLAIN_FUNCTION(Erf, erf)
MCT_PLAIN_FUNCTION(Erfc, erfc)
MCT_PLAIN_FUNCTION(Sigmoid, sigmoid)
MCT_PLAIN_FUNCTION(Softplus, softplus)
MCT_PLAIN_FUNCTION(Gelu, gelu)
MCT_PLAIN_FUNCTION(Cbrt, cbrt)
MCT_PLAIN_FUNCTION(Rsqrt, rsqrt)
MCT_PLAIN_FUNCTION(Hypot, hypot)
#undef MCT_PLAIN_FUNCTION

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
