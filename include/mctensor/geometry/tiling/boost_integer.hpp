// Converts the whole numbers of the tilings to numbers of Boost.Multiprecision.
//
// Error: exact. Domain: every whole number. Source: the digits as they are.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::geometry {

/// The same number. Link mctensor::mctensor.
boost::multiprecision::cpp_int to_cpp_int(const Integer& x);
Integer from_cpp_int(boost::multiprecision::cpp_int&& x);

}  // namespace mct::geometry
