// The big half of Integer.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::geometry {

struct BigInteger {
  boost::multiprecision::cpp_int value;
};

/// x as a number of Boost.
inline boost::multiprecision::cpp_int to_cpp_int(const Integer& x) {
  return x.is_small() ? boost::multiprecision::cpp_int(x.small()) : x.big().value;
}

inline Integer from_cpp_int(boost::multiprecision::cpp_int&& x) {
  return Integer::from_big(BigInteger{std::move(x)});
}

/// x for a message: its digits, or how many bits it has.
std::string shortened(const Integer& x);

/// The leading 53 N bits of x, times 2^-shift: truncated, with an error below 2^(2 - 53 N) of it.
/// N is 2 or 3.
template <int N>
Expansion<double, N> leading_value(const Integer& x, std::int64_t shift);

}  // namespace mct::geometry
