// The big half of Integer.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/tiling/boost_integer.hpp"

namespace mct::geometry {

struct BigInteger {
  boost::multiprecision::cpp_int value;
};

/// x for a message: its digits, or how many bits it has.
std::string shortened(const Integer& x);

/// The leading 53 N bits of x, times 2^-shift: truncated, with an error below 2^(2 - 53 N) of it.
/// N is 2 or 3.
template <int N>
Expansion<double, N> leading_value(const Integer& x, std::int64_t shift);

}  // namespace mct::geometry
