// Products of complex matrices, which are pairs of tensors.
//
//   const ComplexTensor<double, 2> a{re, im};
//   const auto c = mm(a, b);                                  // c.real, c.imag
//   const auto g = mm({a.real.t(), neg(a.imag.t())}, a);      // a^H a
//
// Each part (real or imaginary) of an element is one sum of 2 k real products,
//
//     Re = sum ar br - ai bi,    Im = sum ar bi + ai br,
//
// and has the error of such a sum (products.hpp): at most product_bound<T, N>(2 k) u^N times |ar|
// |br| + |ai| |bi| for Re, and times |ar| |bi| + |ai| |br| for Im. So if the two sums of a part
// cancel, the part is as exact as a real element whose sum cancels. With MatmulAccuracy::normwise
// (double only) the error is at most normwise_bound<N>(2 k) u^N X Y + u^N |part|. X is the
// magnitude of the largest real or imaginary part in the row of a, Y in the column of b. The
// derivation is in docs/decisions.md, "Complex products".
//
// Infinities and NaN follow IEEE 754 in these sums, as in BLAS and NumPy: an infinite complex
// number times another may have a NaN part.
//
// Source: the definition, as real sums; Higham 1992 explains why three real products do not
// suffice.
#pragma once

#include "mctensor/linalg/products.hpp"

namespace mct {

/// A complex tensor: its parts, of one shape.
template <class T, int N = 1>
struct ComplexTensor {
  Tensor<T, N> real;
  Tensor<T, N> imag;
};

/// Complex matrix (m, k) times complex matrix (k, n): (m, n). The parts of the result share one
/// memory. Throws ShapeError naming the shapes that do not fit.
template <class T, int N>
ComplexTensor<T, N> mm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                       MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// Batches of complex matrices, (batch, m, k) times (batch, k, n).
template <class T, int N>
ComplexTensor<T, N> bmm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                        MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

}  // namespace mct
