// A function of plain numbers as a type: at<W> computes a double to W limbs, of() is the same
// function of expansions. Those that have a `lowest` and a `highest` compute doubles between them
// by within(), to 2^-40: without a look at special cases, and with results whose rounding to a
// format of float's exponents is decided by is_near_normal_midpoint() alone, as none is below the
// normal numbers but next to an argument below them.
#pragma once

#include "mctensor/config.hpp"
#include "mctensor/eft/float_traits.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// Stands where there is no function.
struct NoFunction {};

/// The least argument, without its sign, that within() takes: where small ones have results that
/// are neither themselves nor normal numbers.
template <class F>
inline constexpr float least_argument = 0;

/// within() also takes arguments up to this one, whose results are zero after rounding: those of
/// masked entries of a softmax.
template <class F>
inline constexpr float last_vanishing = -FloatTraits<float>::infinity;

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail

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
