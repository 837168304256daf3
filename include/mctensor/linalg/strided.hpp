// Products and triangular solves on strided memory of expansions, so that matrices of other
// libraries need no copy. Functions have the names of the BLAS.
//
//   std::vector<f64x2> a(m * k), b(k * n), c(m * n);  // columns one after the other
//   linalg::gemm<double, 2>(1, {a.data(), m, k, 1, m}, {b.data(), k, n, 1, k}, 0,
//                           {c.data(), m, n, 1, m});
//
// Every function is compiled for the types of MCT_FOR_EACH_LONG_TENSOR and runs on num_threads().
// The result is the same for any number of threads. The memory of the result must not overlap the
// memory of an operand. Shapes that do not fit throw ShapeError.
//
// Error: the bounds of products.hpp and solve_triangular.hpp. Source: those two headers.
#pragma once

#include <cstdint>

#include "mctensor/expansion/expansion.hpp"

namespace mct::linalg {

/// A matrix in memory: element (i, j) is data[i row_stride + j column_stride].
template <class X>
struct Strided {
  X* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;

  X& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_stride + j * column_stride];
  }
  Strided transposed() const { return {data, columns, rows, column_stride, row_stride}; }
  /// The block of `r` rows from row i on and `c` columns from column j on, in the same memory.
  Strided block(std::int64_t i, std::int64_t j, std::int64_t r, std::int64_t c) const {
    return {data + i * row_stride + j * column_stride, r, c, row_stride, column_stride};
  }
};
template <class T, int N>
using ConstMatrix = Strided<const Expansion<T, N>>;
template <class T, int N>
using MutableMatrix = Strided<Expansion<T, N>>;

/// The half of a square or trapezoidal matrix that is read or written, with its diagonal.
enum class Half { lower, upper };
/// The diagonal of a triangular matrix: its stored elements, or ones or zeros instead.
enum class Diagonal { stored, ones, zeros };

/// c = alpha a b + beta c. With beta = 0 the old c is ignored, even a NaN. The product has the
/// error of mm (product_bound). It is rounded before it is scaled and added; each of these steps
/// rounds once.
template <class T, int N>
void gemm(const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
          const Expansion<T, N>& beta, MutableMatrix<T, N> c);

/// c += alpha a b in one half of the square matrix c. The other half is neither read nor written.
template <class T, int N>
void gemmt(Half half, const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
           MutableMatrix<T, N> c);

/// c += alpha a a^T in one half of the symmetric matrix c. For alpha a^T a pass a.transposed().
template <class T, int N>
void syrk(Half half, const Expansion<T, N>& alpha, ConstMatrix<T, N> a, MutableMatrix<T, N> c) {
  gemmt<T, N>(half, alpha, a, a.transposed(), c);
}

/// c += alpha tri(a) b, where tri(a) is the given half of a with zeros in the other half. a need
/// not be square. An infinity or NaN in b is multiplied by these zeros, so up to 64 rows of c that
/// do not depend on it may become NaN, too.
template <class T, int N>
void trmm(Half half, Diagonal diagonal, const Expansion<T, N>& alpha, ConstMatrix<T, N> a,
          ConstMatrix<T, N> b, MutableMatrix<T, N> c);

/// b = tri(a)^-1 b by substitution: every column x satisfies (a + E) x = b with |E| a modest
/// multiple of n u^N |a| (tests: below product_bound<T, N>(n) + 32 n). To solve x tri(a) = b pass
/// the transposed matrices. Diagonal::zeros throws DomainError.
template <class T, int N>
void trsm(Half half, Diagonal diagonal, ConstMatrix<T, N> a, MutableMatrix<T, N> b);

}  // namespace mct::linalg
