// The two error bounds of a matrix product, one of which you choose.
//
// Domain: any k >= 1. Source: the derivation in docs/decisions.md, after Ozaki, Uchino, Imamura
// 2025.
#pragma once

namespace mct {

/// The error bound of the elements of a matrix product a b.
///
/// Products of one to three doubles may be computed through integers (Ozaki scheme II, see
/// docs/decisions.md): rows of a and columns of b are cut to integers relative to their largest
/// element, and the product of these integers is exact.
enum class MatmulAccuracy {
  /// product_bound<T, N>(k) u^N (|A| |B|), element by element: small elements beside large ones
  /// keep their digits. Large products of two and three doubles go through integers where the
  /// elements of each row and column are near enough to each other for this bound to hold; all
  /// others are summed up in floating point.
  componentwise,
  /// normwise_bound<N>(k) u^N max|row of a| max|column of b| + u^N |c|, c the exact element; plus
  /// the error of underflow. Products of one to three doubles without infinities and NaN always go
  /// through integers, whatever their shape; other products are computed as with componentwise.
  normwise
};

/// The K of the first term of the bound of MatmulAccuracy::normwise for sums of k products of N
/// doubles. "Largest element" is the largest component, if an element is not normalized.
///
/// Derivation: an element is rounded to a multiple of 2^-b of the power of two above the largest
/// one, b = 62 for N = 1 and 53 N + 1 above, with an error of at most 2^-b of the largest. Two
/// factors with such an error, in k products, give 2^(1 - b) k. The sum of the integers is exact.
template <int N>
constexpr double normwise_bound(double k) {
  return (N == 1 ? 0x1p-8 : 1.0) * 1.001 * k;
}

}  // namespace mct
