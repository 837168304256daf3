// Dot products and matrix products of tensors: shapes, dispatch, batches. The work is in dot.cpp
// and gemm.cpp.
#include "mctensor/linalg/products.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/dot.hpp"
#include "src/linalg/matrix_product.hpp"

namespace mct {

namespace {

using linalg_detail::BatchOffsets;
using linalg_detail::MatrixView;

/// The last two dimensions as a matrix, of const T if the matrix is only read.
template <class C, class T, int N>
MatrixView<C> matrix(const Tensor<T, N>& x) {
  const auto& strides = x.strides();
  return {x.data(), x.plane_stride(), strides[strides.size() - 2], strides.back()};
}

template <class T, int A, int B>
ShapeError mismatch(const char* name, const Tensor<T, A>& a, const Tensor<T, B>& b) {
  return ShapeError(std::string(name) + ": shapes " + to_string(a.shape()) + " and " +
                    to_string(b.shape()) + " do not fit");
}

/// The places of the operands and the result of each product of a broadcast batch.
template <class T, int A, int B, int N>
std::vector<BatchOffsets> batch_offsets(const Shape& batch, const Tensor<T, A>& a,
                                        const Tensor<T, B>& b, const Tensor<T, N>& c) {
  std::vector<BatchOffsets> offsets(static_cast<std::size_t>(numel(batch)));
  Shape index(batch.size(), 0);
  const auto offset = [&](const Shape& shape, const Shape& strides) {
    std::int64_t sum = 0;
    const std::size_t missing = batch.size() + 2 - shape.size();
    for (std::size_t d = missing; d < batch.size(); ++d)
      if (shape[d - missing] != 1) sum += index[d] * strides[d - missing];
    return sum;
  };
  for (auto& entry : offsets) {
    entry = {offset(a.shape(), a.strides()), offset(b.shape(), b.strides()),
             offset(c.shape(), c.strides())};
    for (std::size_t d = batch.size(); d-- > 0;) {
      if (++index[d] < batch[d]) break;
      index[d] = 0;
    }
  }
  return offsets;
}

/// The product of operands of at least two dimensions, with a result of N components.
template <int N, class T, int A, int B>
Tensor<T, N> batched_product(const char* name, const Tensor<T, A>& a, const Tensor<T, B>& b,
                             MatmulAccuracy accuracy = MatmulAccuracy::componentwise) {
  const std::int64_t m = a.size(-2);
  const std::int64_t k = a.size(-1);
  const std::int64_t n = b.size(-1);
  if (b.size(-2) != k) throw mismatch(name, a, b);
  const Shape batch = broadcast_shapes(leading_shape(a.shape(), 2), leading_shape(b.shape(), 2));
  Shape shape = batch;
  shape.push_back(m);
  shape.push_back(n);
  auto c = Tensor<T, N>::uninitialized(shape);
  linalg_detail::matrix_product<T, N, A, B>(m, n, k, matrix<const T>(a), matrix<const T>(b),
                                            matrix<T>(c), batch_offsets(batch, a, b, c), accuracy);
  return c;
}

}  // namespace

template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> dot(const Tensor<T, A>& x,
                                                                           const Tensor<T, B>& y) {
  if (x.dim() != 1 || x.shape() != y.shape()) throw mismatch("dot", x, y);
  constexpr int N = tensor_detail::ProductOf<T, A, B>::components;
  if constexpr (A < B) {
    return dot(y, x);
  } else {
    const auto value = linalg_detail::dot<T, N>(x, y);
    if constexpr (N == 1) {
      return Tensor<T, 1>::scalar(value.limb[0]);
    } else {
      return Tensor<T, N>::scalar(value);
    }
  }
}

template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> mv(const Tensor<T, A>& a,
                                                                          const Tensor<T, B>& x) {
  if (a.dim() != 2 || x.dim() != 1 || a.size(1) != x.size(0)) throw mismatch("mv", a, x);
  constexpr int N = tensor_detail::ProductOf<T, A, B>::components;
  if (a.strides()[1] == 1) {
    auto y = Tensor<T, N>::uninitialized({a.size(0)});
    linalg_detail::mv<T, N>(a, x.contiguous(), y);
    return y;
  }
  return batched_product<N>("mv", a, x.unsqueeze(1)).squeeze(1);
}

template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> mm(const Tensor<T, A>& a,
                                                                          const Tensor<T, B>& b,
                                                                          MatmulAccuracy accuracy) {
  if (a.dim() != 2 || b.dim() != 2) throw mismatch("mm", a, b);
  return batched_product<tensor_detail::ProductOf<T, A, B>::components>("mm", a, b, accuracy);
}

template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> bmm(
    const Tensor<T, A>& a, const Tensor<T, B>& b, MatmulAccuracy accuracy) {
  if (a.dim() != 3 || b.dim() != 3 || a.size(0) != b.size(0)) throw mismatch("bmm", a, b);
  return batched_product<tensor_detail::ProductOf<T, A, B>::components>("bmm", a, b, accuracy);
}

template <class T, int N, int A, int B>
requires(
    tensor_detail::ProductComponents<A, B>&& std::is_same_v<Tensor<T, N>, ProductTensor<T, A, B>>)
    Tensor<T, N> addmm(const Tensor<T, N>& c, const Tensor<T, A>& a, const Tensor<T, B>& b,
                       const Expansion<T, N>& beta, const Expansion<T, N>& alpha) {
  auto product = mm(a, b);
  if (broadcast_shapes(c.shape(), product.shape()) != product.shape())
    throw ShapeError("addmm: shape " + to_string(c.shape()) + " does not broadcast to " +
                     to_string(product.shape()));
  const Expansion<T, N> one(T(1));
  if (!(alpha == one)) mul_(product, alpha);
  if (beta == Expansion<T, N>{}) return product;
  add_(product, beta == one ? c : mul(c, beta));
  return product;
}

template <class T, int A, int B>
requires tensor_detail::ProductComponents<A, B> ProductTensor<T, A, B> matmul(
    const Tensor<T, A>& a, const Tensor<T, B>& b, MatmulAccuracy accuracy) {
  constexpr int N = tensor_detail::ProductOf<T, A, B>::components;
  const int da = a.dim();
  const int db = b.dim();
  if (da == 0 || db == 0) throw mismatch("matmul", a, b);
  if (da == 1 && db == 1) return dot(a, b);
  if (da == 2 && db == 1) return mv(a, b);
  if (da == 1 && db == 2) return mv(b.t(), a);
  if (da == 2 && db == 2) return mm(a, b, accuracy);
  if (db == 1) return matmul(a, b.unsqueeze(1), accuracy).squeeze(-1);
  if (da == 1) return matmul(a.unsqueeze(0), b, accuracy).squeeze(-2);
  if (a.size(-1) != b.size(-2)) throw mismatch("matmul", a, b);
  if (db == 2) {
    // one right factor for the whole batch: all rows are one matrix
    Shape shape = a.shape();
    shape.back() = 1;
    const std::int64_t rows = numel(shape);
    shape.back() = b.size(1);
    return batched_product<N>("matmul", a.reshape({rows, a.size(-1)}), b, accuracy).reshape(shape);
  }
  return batched_product<N>("matmul", a, b, accuracy);
}

template <class T>
T dot2(const Tensor<T>& x, const Tensor<T>& y) {
  if (x.dim() != 1 || x.shape() != y.shape()) throw mismatch("dot2", x, y);
  return linalg_detail::dot<T, 2>(x, y).limb[0];
}
template <class T>
T dot3(const Tensor<T>& x, const Tensor<T>& y) {
  if (x.dim() != 1 || x.shape() != y.shape()) throw mismatch("dot3", x, y);
  return linalg_detail::dot<T, 3>(x, y).limb[0];
}
template <class T>
Tensor<T> mm2(const Tensor<T>& a, const Tensor<T>& b) {
  if (a.dim() != 2 || b.dim() != 2) throw mismatch("mm2", a, b);
  return batched_product<2>("mm2", a, b).fc();
}
template <class T>
Tensor<T> mm3(const Tensor<T>& a, const Tensor<T>& b) {
  if (a.dim() != 2 || b.dim() != 2) throw mismatch("mm3", a, b);
  return batched_product<3>("mm3", a, b).fc();
}

#define MCT_INSTANTIATE(T, A, B)                                                                 \
  template ProductTensor<T, A, B> dot(const Tensor<T, A>&, const Tensor<T, B>&);                 \
  template ProductTensor<T, A, B> mv(const Tensor<T, A>&, const Tensor<T, B>&);                  \
  template ProductTensor<T, A, B> mm(const Tensor<T, A>&, const Tensor<T, B>&, MatmulAccuracy);  \
  template ProductTensor<T, A, B> bmm(const Tensor<T, A>&, const Tensor<T, B>&, MatmulAccuracy); \
  template ProductTensor<T, A, B> matmul(const Tensor<T, A>&, const Tensor<T, B>&,               \
                                         MatmulAccuracy);                                        \
  template ProductTensor<T, A, B> addmm(                                                         \
      const ProductTensor<T, A, B>&, const Tensor<T, A>&, const Tensor<T, B>&,                   \
      const Expansion<T, tensor_detail::ProductOf<T, A, B>::components>&,                        \
      const Expansion<T, tensor_detail::ProductOf<T, A, B>::components>&);
#define MCT_INSTANTIATE_LONG(T, N) \
  MCT_INSTANTIATE(T, N, N)         \
  MCT_INSTANTIATE(T, N, 1)         \
  MCT_INSTANTIATE(T, 1, N)
MCT_INSTANTIATE(double, 1, 1)
MCT_INSTANTIATE(float, 1, 1)
MCT_INSTANTIATE(half, 1, 1)
MCT_INSTANTIATE(bfloat16, 1, 1)
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE_LONG)

#define MCT_INSTANTIATE_COMPENSATED(T)                        \
  template T dot2(const Tensor<T>&, const Tensor<T>&);        \
  template T dot3(const Tensor<T>&, const Tensor<T>&);        \
  template Tensor<T> mm2(const Tensor<T>&, const Tensor<T>&); \
  template Tensor<T> mm3(const Tensor<T>&, const Tensor<T>&);
MCT_INSTANTIATE_COMPENSATED(double)
MCT_INSTANTIATE_COMPENSATED(float)

}  // namespace mct
