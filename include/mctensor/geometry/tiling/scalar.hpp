// Functions of a number that the tilings need. V is double, float or an expansion of these.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/work.hpp"
#include "mctensor/math/all.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::tiling_detail {

// with these, calls without std:: find the functions of plain numbers and of expansions
using std::asinh;
using std::cosh;
using std::exp;
using std::fabs;
using std::floor;
using std::isfinite;
using std::ldexp;
using std::log;
using std::log1p;
using std::sinh;
using std::sqrt;

using detail::lead;
using detail::limb_t;
using detail::limbs_of;
using detail::unit_roundoff;

template <class V>
bool finite(const V& x) {
  const auto head = lead(x);
  return head - head == 0;
}

/// 2^exponent, which must be a normal number.
inline double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(std::uint64_t(1023 + exponent) << 52);
}
/// x * 2^exponent for any exponent.
template <class V>
V times_power(const V& x, std::int64_t exponent) {
  if constexpr (std::is_same_v<V, double>) {  // the product is rounded as ldexp's is
    if (exponent > -1000 && exponent < 1000) return x * power_of_two(exponent);
  }
  return ldexp(x, int(std::clamp<std::int64_t>(exponent, -100000, 100000)));
}

/// The whole number m with 2^m <= x < 2^(m + 1), for x > 0.
template <class V>
int level_of(const V& x) {
  using std::frexp;
  int m;
  const V mantissa = frexp(x, &m);
  return mantissa < V(1) ? m - 1 : m;
}

/// ln 2 and sqrt 3, error <= 1.5 u^N. Plain numbers are constants, not static variables. g++ would
/// compute log(2.0) at compile time, clang at run time. If a program and a library came from the
/// two compilers, they would share one variable, and perhaps neither would set it.
template <class V>
const V& log_two() {
  if constexpr (std::is_floating_point_v<V>) {
    return std::numbers::ln2_v<V>;
  } else {
    static const V value = log(V(2));
    return value;
  }
}
template <class V>
const V& root_three() {
  if constexpr (std::is_floating_point_v<V>) {
    return std::numbers::sqrt3_v<V>;
  } else {
    static const V value = sqrt(V(3));
    return value;
  }
}

template <class V, std::size_t n>
V dot(const std::array<V, n>& x, const std::array<V, n>& y) {
  V sum = x[0] * y[0];
  for (std::size_t i = 1; i < n; ++i) sum = sum + x[i] * y[i];
  return sum;
}

/// The number of pieces of a geodesic with this length at radius 1, if no piece is longer than
/// `piece`. Throws DomainError for a length outside [0, longest]. The work grows with the square of
/// the length, because whole numbers grow with the distance. So a longer geodesic is most likely a
/// mistake.
inline std::int64_t pieces_of(double length, double piece, double longest) {
  if (!(length >= 0 && length <= longest))
    throw DomainError("a geodesic of length " + number_text(length) +
                      " at radius 1, expected a length from 0 to " + number_text(longest));
  return std::int64_t(std::ceil(length / piece));
}

/// acosh(1 + t) for t >= 0, without the sum 1 + t. For expansions this is the library's function,
/// error <= 1.5 u^N. For a double or float it is 2 asinh(sqrt(t / 2)), error <= 4 u; this is faster
/// than the library's function, which uses a second limb.
template <class V>
V acosh1p(const V& t) {
  if constexpr (is_expansion_v<V>) {
    return arcosh1p(t);
  } else {
    return V(2) * asinh(sqrt(t / V(2)));
  }
}

/// log(2^exponent x). For one component, ln 2 is split so that the parts of exponent ln 2 are
/// nearly exact. The error is then at most 1.01 u times the result plus 2 u (for |exponent| < 2^22,
/// in float 2^12). For expansions it is at most 10 u^N times the result.
template <class V>
V scaled_log(const V& x, std::int64_t exponent) {
  const V e = V(exponent);
  if constexpr (limbs_of<V> == 1) {
    constexpr int p = FloatTraits<limb_t<V>>::p;
    constexpr int bits = p == 53 ? 31 : 12;
    const V& ln2 = log_two<V>();
    const V high = ldexp(V(std::floor(ldexp(double(lead(ln2)), bits))), -bits);
    // ln 2 - high, where `beyond` has the digits of ln 2 after those of a double
    const V low(0.69314718055994530942 - double(lead(high)));
    constexpr double beyond = 2.3190468138462996e-17;  // ln 2 - double(ln 2)
    return e * high + (log(x) + e * (low + V(beyond)));
  } else {
    return e * log_two<V>() + log(x);
  }
}

/// acosh(1 + 2^exponent x) for x > 0 and 2^exponent far above 1, as exponent ln 2 + log(2 x + ...).
/// This form cannot overflow. Error as scaled_log.
template <class V>
V acosh1p_scaled(const V& x, std::int64_t exponent) {
  const V one = times_power(V(1), -exponent);
  const V root = sqrt(x * (x + one + one));
  return scaled_log(x + one + root, exponent);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::tiling_detail
