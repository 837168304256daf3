// The error bounds of the doc comments, as numbers. The precision suite checks them.
#pragma once

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// Relative error bounds of expansions of N components, in units of u^N, where u = 2^-p. Two of
/// them depend on whether the instruction set has fma. For half and bfloat16 measurements confirm
/// the bounds (docs/decisions.md); for their sums of two components 3 / (1 - 4u) is proven. All
/// bounds hold for results whose error terms do not underflow. The `eta` members bound the
/// additional error of underflow, in units of the smallest subnormal.
struct ErrorBounds {
  double add;         ///< x + y and x - y, relative to |x + y|
  double add_scalar;  ///< x + one component
  double mul;         ///< x * y
  double mul_scalar;  ///< x * one component
  double div;         ///< x / y
  double sqrt;        ///< sqrt(x)
  double rsqrt;       ///< 1 / sqrt(x)
  double mul_eta;     ///< added to mul, mul_scalar and square
  double div_eta;     ///< added to div, sqrt and rsqrt
};

// Where each bound comes from (docs/proofs.md states what is proven, and under which assumptions):
// N = 2: add, add_scalar, mul and mul_scalar are proven in Joldes, Muller, Popescu 2017 and Muller,
// Rideau 2022, sqrt in Lefevre et al. 2023. div is proven by ./run prove for p >= 24, and measured
// for half and bfloat16. rsqrt follows from div and sqrt. For the code as it stands, ./run prove
// proves 4 for add, 2 for add_scalar, 8.1 for mul (with fma 6.1) and 3.1 for mul_scalar (with fma
// 2.1). N = 3: ./run prove proves add, add_scalar and mul_scalar. For p >= 24 it proves div and
// sqrt, too; these are measured for half and bfloat16. rsqrt follows from div and sqrt. The proven
// 3 for add and 2 for add_scalar are relative to the leading component. This may be larger than the
// exact sum by a factor 1 + 2u; hence the tenths. (The papers have 8 for networks of this kind:
// Zhang, Aiken 2025.) The network of mul is from that paper. Its bound is measured; ./run prove
// proves 32.5. N = 4: as N = 3, but div is derived in digits.hpp and measured. ./run prove proves
// 222 for div (with fma 189), 10 for add, 1 for add_scalar, 15.2 for mul_scalar and 108 for mul.
// The bounds of sums hold for every precision of at least 8 bits.
namespace detail {
inline constexpr bool has_fma = MCT_HAS_FMA != 0;
inline constexpr ErrorBounds bounds_of_length[5] = {
    {},
    {1, 1, 1, 1, 1, 1, 2, 1, 1},
    {3, 2, has_fma ? 4.0 : 5.0, has_fma ? 2.0 : 3.0, 1.1, 25.0 / 8, 4.3, has_fma ? 4.0 : 16.0, 2},
    {3.1, 2.1, 8, 7.1, 1.1, 1.1, 2.3, has_fma ? 8.0 : 32.0, 3},
    {10.1, 1.1, 16, 15.2, 1.1, 1.1, 2.3, has_fma ? 16.0 : 64.0, 4},
};
}  // namespace detail

/// error_bounds<2>.add == 3: f64x2 and f32x2 addition has a relative error of at most 3u^2.
template <int N>
inline constexpr ErrorBounds error_bounds = detail::bounds_of_length[N];

/// The functions of math/ with N > 1 components have an error of at most function_bound u^N times
/// the result. If limbs of the result are below the smallest subnormal, function_eta<N> smallest
/// subnormals are added. The bound is measured. For exp and log of two doubles, ./run prove proves
/// 1.01 and 1.03.
inline constexpr double function_bound = 1.5;
template <int N>
inline constexpr double function_eta = double(1 << N);
/// The error of a function of plain numbers is at most plain_function_bound ulps of the result plus
/// plain_function_eta smallest subnormals. Results of float, half and bfloat16 are correctly
/// rounded, as far as the suite can measure.
template <class T>
inline constexpr double plain_function_bound = sizeof(T) == sizeof(double) ? 0.51 : 0.5 + 0x1p-40;
template <class T>
inline constexpr double plain_function_eta = sizeof(T) == sizeof(double) ? 0.25 : 0;

}  // namespace mct::inline MCT_ISA_NAMESPACE
