// The constants of a floating-point format that error-free transforms need.
//
// Error: none, the constants are exact. Domain: exponents of the format. Source: IEEE 754-2019,
// table 3.5.
#pragma once

#include <limits>
#include <type_traits>

#include "mctensor/config.hpp"

namespace mct {

/// True for double, float, half and bfloat16 (half.hpp), which can be components of an expansion.
template <class T>
inline constexpr bool is_component_v = std::is_same_v<T, double> || std::is_same_v<T, float>;

/// scalar_t<V> is the component type of V: V itself for a scalar, the element type for a SIMD batch
/// (any type with a member value_type).
template <class V, class = void>
struct ScalarOf {
  using type = V;
};
template <class V>
struct ScalarOf<V, std::void_t<typename V::value_type>> {
  using type = typename V::value_type;
};
template <class V>
using scalar_t = typename ScalarOf<V>::type;

/// 2^e as a constant of type T, for e within T's exponent range, subnormals included.
template <class T>
consteval T pow2(int e) {
  T r = 1;
  for (; e > 0; --e) r *= 2;
  for (; e < 0; ++e) r /= 2;
  return r;
}

/// Constants of the binary format of V: precision p, unit roundoff u = 2^-p, smallest subnormal.
template <class V>
struct FloatTraits {
  using Scalar = scalar_t<V>;
  static_assert(std::numeric_limits<Scalar>::is_iec559 && std::numeric_limits<Scalar>::radix == 2,
                "error-free transforms need IEEE 754 binary arithmetic");
  static constexpr int p = std::numeric_limits<Scalar>::digits;
  /// All finite numbers are below 2^emax.
  static constexpr int emax = std::numeric_limits<Scalar>::max_exponent;
  /// The smallest subnormal is eta = 2^emin.
  static constexpr int emin = std::numeric_limits<Scalar>::min_exponent - p;
  static constexpr Scalar u = pow2<Scalar>(-p);
  static constexpr Scalar eta = std::numeric_limits<Scalar>::denorm_min();
  static constexpr Scalar max = std::numeric_limits<Scalar>::max();
  static constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
  static constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
};

}  // namespace mct
