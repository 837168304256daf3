// A function of Boost.Math on f64x2 against the same on Boost's own numbers of 50 digits.
#pragma once

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "mctensor/interop/boost_math.hpp"
#include "mctensor/interop/boost_multiprecision.hpp"

namespace mct::boost_functions_test {

using Reference = boost::multiprecision::cpp_bin_float_50;

/// What Boost's formulas may lose, in u^2: the worst is 33 (cyl_neumann).
inline constexpr double bound = 64;

template <class F>
double error_of(const F& f) {
  const f64x2 mine = f(f64x2());
  const Reference right = f(Reference());
  return double(ldexp(abs(to_boost<Reference>(mine) / right - 1), 106));
}

}  // namespace mct::boost_functions_test

/// The expression in X is that of 50 digits, X being f64x2.
#define MCT_EXPECT_AS_BOOST(expression) \
  EXPECT_LE(error_of([]<class X>(const X&) { return X(expression); }), bound) << #expression
