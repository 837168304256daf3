// The big half of Integer.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/tiling/boost_integer.hpp"
#include "mctensor/geometry/tiling/scalar.hpp"

namespace mct::geometry {

struct BigInteger {
  boost::multiprecision::cpp_int value;
};

/// x for a message: its digits, or how many bits it has.
std::string shortened(const Integer& x);

/// The type in which numbers that may cancel are combined by their leading digits, for a result in
/// V: a limb more than V has is left where 40 bits cancel. void: exactly.
template <class V>
struct LeadingOf {
  using type = void;
};
template <class V>
requires(!is_expansion_v<V>) struct LeadingOf<V> {
  using type = f64x2;
};
template <>
struct LeadingOf<f64x2> {
  using type = f64x3;
};
/// The least size of the rest of numbers of about 1.
inline constexpr double most_cancelled = 0x1p-40;

template <class V, int N>
V rounded_leading(const Expansion<double, N>& x) {
  if constexpr (is_expansion_v<V>) {
    return V(x);
  } else {
    return V(x.limb[0]);
  }
}

/// The leading 53 N bits of x, times 2^-shift: truncated, with an error below 2^(2 - 53 N) of it.
/// N is 2 or 3.
template <int N>
Expansion<double, N> leading_value(const Integer& x, std::int64_t shift);

}  // namespace mct::geometry
