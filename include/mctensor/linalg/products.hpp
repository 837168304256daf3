// Products of vectors and matrices.
//
// Operands: tensors of N components and plain tensors of the same component type, in any mixture
// and with any strides; a transposed operand is read in place. The result has as many components as
// the longer operand. Sums of k products are accumulated without normalizing in between (see
// Accumulator). For float, half and bfloat16 they are accumulated in float if N = 1, else in double
// (in two doubles for three and four floats). Large matrix products of two and three doubles go
// through integers instead if that is faster and as exact. The caller chooses the error bound
// (MatmulAccuracy).
//
// Error of every element: at most product_bound<T, N>(k) u^N (|A| |B|), where |A| |B| is the same
// sum of the products' magnitudes. Underflow adds k 2^N eta (without fma k 4 2^N eta). For narrow
// types it also adds the rounding to eta of a result that underflows. Infinities and NaN give the
// result of IEEE 754 for the leading components. Results do not depend on the number of threads.
// All instruction sets with fma give the same bits; baseline x86-64 may differ within the bound.
// Products through integers have the same bits everywhere.
//
// Every function throws ShapeError, which names the shapes, if shapes do not fit.
//
// Source: Ogita, Rump, Oishi 2005 (Accumulator); Ozaki, Uchino, Imamura 2025 (through integers);
// the derivations are in docs/decisions.md.
#pragma once

#include <algorithm>

#include "mctensor/expansion/accumulator.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The factor K in the error bound K u^N (|A| |B|) of a sum of k products with N components.
template <class T, int N>
constexpr double product_bound(double k) {
  if constexpr (std::is_same_v<T, double>) {
    return accumulate_bound<N>(k);
  } else if constexpr (std::is_same_v<T, float> && N == 1) {
    return k + 1;
  } else {
    // rounded once to N components, after a sum in `levels` components of precision p
    constexpr int p = N == 1 ? 24 : 53;
    constexpr int levels = std::is_same_v<T, float> && N > 2 ? 2 : 1;
    double ratio = 1;  // the unit of that sum in units of u^N
    for (int i = 0; i < p * levels - N * FloatTraits<T>::p; ++i) ratio /= 2;
    return 1 + ratio * accumulate_bound<levels>(k + 3);
  }
}

namespace tensor_detail {
/// A product has as many components as its longer operand. This is a type, because g++ and clang
/// mangle a function differently if its result depends on a variable template. Code of one compiler
/// would then not link with code of the other.
template <class T, int A, int B>
struct ProductOf {
  static constexpr int components = std::max(A, B);
  using type = Tensor<T, components>;
};
/// True for pairs of operands that products are compiled for.
template <int A, int B>
concept ProductComponents = A == B || A == 1 || B == 1;
}  // namespace tensor_detail

/// The type of a product of tensors with A and B components: the components of the longer one.
template <class T, int A, int B>
using ProductTensor = typename tensor_detail::ProductOf<T, A, B>::type;

/// The inner product of two vectors (k) and (k), as a tensor without dimensions.
template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> dot(const Tensor<T, A>& x,
                                                                           const Tensor<T, B>& y);

/// Matrix (m, k) times vector (k): (m).
template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> mv(const Tensor<T, A>& a,
                                                                          const Tensor<T, B>& x);

/// Matrix (m, k) times matrix (k, n): (m, n). The sizes decide whether the product goes through
/// integers, so the product of a part of a matrix may differ in its last bits.
template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> mm(
    const Tensor<T, A>& a, const Tensor<T, B>& b,
    MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// Batches of matrices (batch, m, k) times (batch, k, n): (batch, m, n).
template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> bmm(
    const Tensor<T, A>& a, const Tensor<T, B>& b,
    MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// beta c + alpha a b, with c broadcast to (m, n). With beta = 0, c is ignored, even a NaN. The
/// product is rounded to N components before it is scaled and added, so the error has the errors of
/// mm, mul and add.
template <class T, int N, int A, int B>
requires(
    tensor_detail::ProductComponents<A, B>&& std::is_same_v<Tensor<T, N>, ProductTensor<T, A, B>>)
    Tensor<T, N> addmm(const Tensor<T, N>& c, const Tensor<T, A>& a, const Tensor<T, B>& b,
                       const Expansion<T, N>& beta = Expansion<T, N>(T(1)),
                       const Expansion<T, N>& alpha = Expansion<T, N>(T(1)));

/// The product that the dimensions determine, as in NumPy and Yu 2024, Alg. 39. Two vectors give
/// dot, a matrix and a vector give mv, a vector and a matrix give mv of the transpose, and two
/// matrices give mm. With more dimensions, the last two dimensions are matrices and the others are
/// a batch that broadcasts. A one-dimensional operand then acts as a matrix of one row or one
/// column, and the result lacks this dimension. Both operands must have dimensions.
template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> matmul(
    const Tensor<T, A>& a, const Tensor<T, B>& b,
    MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

#define MCT_REFUSE_PRODUCT(name)                                                              \
  template <class T, int A, int B>                                                            \
  requires(!tensor_detail::ProductComponents<A, B>) Tensor<T, A> name(const Tensor<T, A>& a,  \
                                                                      const Tensor<T, B>&) {  \
    static_assert(A == B,                                                                     \
                  #name ": tensors of different numbers of components: convert one of them"); \
    return a;                                                                                 \
  }
// for different numbers of components, neither of them 1: the compiler's error has one line
MCT_REFUSE_PRODUCT(dot)
MCT_REFUSE_PRODUCT(mv)
MCT_REFUSE_PRODUCT(mm)
MCT_REFUSE_PRODUCT(bmm)
MCT_REFUSE_PRODUCT(matmul)
#undef MCT_REFUSE_PRODUCT

/// Compensated products of plain tensors of double or float. They are accumulated in two (dot2,
/// mm2) or three components (dot3, mm3) and rounded once. Error <= u |result| + product_bound<T,
/// K>(k) u^K |x| |y| for K = 2, 3, as in K-fold precision. Source: Ogita, Rump, Oishi 2005, Dot2
/// and DotK.
template <class T>
T dot2(const Tensor<T>& x, const Tensor<T>& y);
template <class T>
T dot3(const Tensor<T>& x, const Tensor<T>& y);
template <class T>
Tensor<T> mm2(const Tensor<T>& a, const Tensor<T>& b);
template <class T>
Tensor<T> mm3(const Tensor<T>& a, const Tensor<T>& b);

}  // namespace mct
