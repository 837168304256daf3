// The whole numbers of the tilings as numbers of Boost.Multiprecision, for who computes with both.
//
// Error: exact. Domain: every whole number. Source: the digits as they are.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::geometry {

/// The same number. Compiled code of mctensor::mctensor.
boost::multiprecision::cpp_int to_cpp_int(const Integer& x);
Integer from_cpp_int(boost::multiprecision::cpp_int&& x);

}  // namespace mct::geometry
