// Exact sums of limbs as big integers times powers of two, and their rounding to limbs.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "mctensor/eft/half.hpp"

namespace mct::io_detail {

// unqualified, these find the functions of half and bfloat16 as well
using std::copysign;
using std::fabs;
using std::fmod;
using std::frexp;
using std::isfinite;
using std::isinf;
using std::ldexp;
using std::signbit;

using Integer = boost::multiprecision::cpp_int;

/// mantissa * 2^exponent.
struct Exact {
  Integer mantissa;
  int exponent = 0;
};

/// Where a value halfway between two floats goes.
enum class Ties { even, up, down };

/// x + value, exactly. value is finite.
template <class T>
void add_to(Exact& x, T value);

/// The exact sum of finite limbs; the mantissa is odd or zero.
template <class T>
Exact exact_sum(const T* limbs, int count);

/// x rounded to nearest; subnormals, overflow to infinity and the sign of a result 0 as IEEE 754.
template <class T>
T nearest(const Exact& x, Ties ties = Ties::even);

/// limbs[i] = the rest of x after limbs 0..i-1, rounded to nearest. An overflow gives an infinity
/// in limb 0 and zeros; limbs other than 0 are never -0.
template <class T>
void nearest_limbs(const Exact& x, T* limbs, int count, Ties ties = Ties::even);

/// The lowest bits of a positive integer against half of 2^bits: -1 below, 0 equal, 1 above.
int compare_low_bits_to_half(const Integer& value, int bits);

}  // namespace mct::io_detail
