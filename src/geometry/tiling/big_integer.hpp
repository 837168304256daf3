// The big half of Integer.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

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

}  // namespace mct::geometry
