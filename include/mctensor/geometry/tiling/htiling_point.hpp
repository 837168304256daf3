// Points of the H-tiling, and the algorithm that moves a point into its cube.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/integer.hpp"
#include "mctensor/geometry/tiling/scalar.hpp"

namespace mct::geometry {

/// The point 2^j (z + (k, 0)) of the half-space x_n > 0, with z in the cube [0, 1)^(n-1) x [1, 2).
/// The whole numbers k have any size, and |j| <= 2^40. V is double, float or an expansion of these.
template <class V, std::size_t n>
struct HTilingPoint {
  static_assert(n >= 1);
  std::int64_t j = 0;
  std::array<Integer, n - 1> k{};
  std::array<V, n> z = top_corner();

 private:
  static std::array<V, n> top_corner() {
    std::array<V, n> z;
    z.fill(V(0));
    z[n - 1] = V(1);
    return z;
  }
};

inline namespace MCT_ISA_NAMESPACE {
namespace tiling_detail {

/// The largest |j|. It allows heights of 2^(+-2^40) and distances of 7e11 from (0, ..., 0, 1).
constexpr std::int64_t largest_level = std::int64_t(1) << 40;

/// The number of bits by which a fraction is scaled in one step; so it stays far from overflow.
template <class V>
constexpr int bits_at_once = FloatTraits<limb_t<V>>::p == 53 ? 512 : 64;

/// floor(x) exactly.
template <class V>
Integer whole_part(const V& x) {
  const V whole = floor(x);
  if constexpr (std::is_arithmetic_v<V>) {
    return Integer::from_double(double(whole));
  } else {
    Integer sum;
    for (const auto limb : whole.limb) sum = sum + Integer::from_double(double(limb));
    return sum;
  }
}

/// Splits x into its whole part, truncated toward zero, and the fraction. Returns the whole part
/// and stores the fraction in x. Both are exact; a fraction in [0, 1) would lose digits of a small
/// negative x.
template <class V>
Integer take_whole(V& x) {
  if constexpr (std::is_arithmetic_v<V>) {
    const V whole = std::trunc(x);
    x = x - whole;
    return Integer::from_double(double(whole));
  } else {
    Integer sum;
    V fraction(0);
    for (int i = limbs_of<V>; i-- > 0;) {
      const auto limb = x.limb[i];
      const auto whole = std::trunc(limb);
      sum = sum + Integer::from_double(double(whole));
      fraction = V(limb - whole) + fraction;
    }
    x = fraction;
    return sum;
  }
}

}  // namespace tiling_detail

/// True if z lies in the cube of the H-tiling.
template <class V, std::size_t n>
bool in_cube(const std::array<V, n>& z) {
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (!(z[i] >= V(0) && z[i] < V(1))) return false;
  return z[n - 1] >= V(1) && z[n - 1] < V(2);
}

/// Moves a point with any finite z with z_n > 0 into the cube. The represented point changes by at
/// most u^N in each coordinate of the new z. Throws DomainError for any other z, and if |j| would
/// exceed 2^40.
template <class V, std::size_t n>
void reduce(HTilingPoint<V, n>& x) {
  using namespace tiling_detail;
  for (std::size_t i = 0; i < n; ++i)
    if (!finite(x.z[i]) || (i + 1 == n && !(x.z[i] > V(0))))
      throw DomainError(
          "coordinate " + std::to_string(i) + " of a point of the H-tiling is " +
          number_text(double(lead(x.z[i]))) +
          (i + 1 == n ? ", expected a finite number above 0" : ", expected a finite number"));
  const int up = level_of(x.z[n - 1]);
  x.z[n - 1] = ldexp(x.z[n - 1], -up);
  x.j += up;
  if (x.j > largest_level || x.j < -largest_level)
    throw DomainError("the level of a point of the H-tiling is " + std::to_string(x.j));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    V& z = x.z[i];
    Integer& k = x.k[i];
    // the fraction is taken in the smaller cubes, where rounding of its digits matters least. It is
    // scaled a few bits at a time, because all bits at once may exceed the range of V
    for (int left = -up; left > 0;) {
      const int bits = std::min(left, bits_at_once<V>);
      k = (k + take_whole(z)).shifted(bits);
      z = ldexp(z, bits);
      left -= bits;
    }
    k = k + whole_part(z);
    z = z - floor(z);
    if (up > 0) {
      const Integer quotient = k.shifted(-up);
      z = ldexp(z + (k - quotient.shifted(up)).template scaled<V>(), -up);
      k = quotient;
    }
    // a sum just below 1 may have been rounded to 1
    if (!(z < V(1))) {
      z = V(0);
      k = k + 1;
    }
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
