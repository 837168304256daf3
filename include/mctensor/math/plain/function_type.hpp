// Functions of plain numbers as types. at<W> computes the function of doubles with W limbs, and
// of() is the same function of expansions. A type with `lowest` and `highest` also has within(),
// for doubles between these limits. within() computes to 2^-40 and skips special cases. Its results
// are normal in a format with the exponents of float, unless the argument is subnormal. So the test
// is_near_normal_midpoint() is enough to round them.
#pragma once

#include "mctensor/config.hpp"
#include "mctensor/eft/float_traits.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// A placeholder for a missing function.
struct NoFunction {};

/// The smallest |argument| that within() takes. A function has this limit only if its results for
/// smaller arguments are neither the argument itself nor normal numbers.
template <class F>
inline constexpr float least_argument = 0;

/// within() also takes arguments of at most this number. Their results round to zero, as for masked
/// entries of a softmax.
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
