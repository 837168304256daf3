// Matrix products of doubles and expansions of doubles through products of integers (Ozaki scheme
// II): cut, multiply modulo several numbers, put together.
#pragma once

#include <cstdint>

#include "mctensor/linalg/matmul_accuracy.hpp"
#include "src/linalg/kernels/residue_table.hpp"

namespace mct::linalg_detail {

/// How a product through integers is computed.
struct IntegerProductOptions {
  MatmulAccuracy accuracy = MatmulAccuracy::componentwise;
  /// Use integers also for shapes for which floating point is faster.
  bool any_shape = false;
  /// A tile other than the best tile of this processor. The bits are the same.
  const ResidueTile* tile = nullptr;
};

/// A matrix, or the real and the imaginary part of one.
struct Operand {
  MatrixView<const double> x;
  int limbs;
  MatrixView<const double> imaginary = {};
};
struct Result {
  MatrixView<double> x;
  int limbs;
  MatrixView<double> imaginary = {};
};

/// c = a b (m x k by k x n) through integers, of complex matrices where all three have imaginary
/// parts; false, and nothing is written, where the product must be summed up in floating point:
/// infinities or NaN, no depth; for MatmulAccuracy::componentwise also small shapes, one limb, and
/// elements of a line too far apart. The integers of a line depend on that line alone, and results
/// on them and k alone; the parts of a complex line have one unit, and each part of a result has
/// the bits of a sum of 2 k products.
bool integer_product(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a,
                     const Operand& b, const Result& c, const IntegerProductOptions& options);

}  // namespace mct::linalg_detail
