// The two error bounds of a matrix product. The caller chooses one of them.
//
// Domain: any k >= 1. Source: the derivation in docs/decisions.md, after Ozaki, Uchino, Imamura
// 2025.
#pragma once

namespace mct {

/// The error bound of the elements of a matrix product a b.
///
/// Products of one to three doubles may be computed through integers (Ozaki scheme II, see
/// docs/decisions.md). For this the elements of a row of a, and of a column of b, are rounded to
/// integers relative to the largest of them. The product of these integers is exact.
enum class MatmulAccuracy {
  /// product_bound<T, N>(k) u^N (|A| |B|), element by element, so small elements beside large ones
  /// keep their digits. Large products of two and three doubles go through integers if the elements
  /// of each row and column are near enough to each other for this bound. All others are summed in
  /// floating point.
  componentwise,
  /// normwise_bound<N>(k) u^N max|row of a| max|column of b| + u^N |c|, where c is the exact
  /// element, plus the error of underflow. Products of one to three doubles without infinities and
  /// NaN go through integers, whatever their shape. Other products are computed as with
  /// componentwise.
  normwise
};

/// The factor of the first term in the bound of MatmulAccuracy::normwise, for sums of k products of
/// N doubles. If elements are not normalized, the largest component takes the place of the largest
/// element.
///
/// Derivation: let b = 62 for N = 1, and b = 53 N + 1 for larger N. An element is rounded to a
/// multiple of 2^-b times the power of two above the largest element. So its error is at most 2^-b
/// of the largest element. k products of two factors with such errors give 2^(1 - b) k. The sum of
/// the integers is exact.
template <int N>
constexpr double normwise_bound(double k) {
  return (N == 1 ? 0x1p-8 : 1.0) * 1.001 * k;
}

}  // namespace mct
