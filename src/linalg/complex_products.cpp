// A product of complex matrices through integers, or as a real one of twice the rows and twice the
// depth.
#include "mctensor/linalg/complex_products.hpp"

#include <optional>
#include <string>
#include <type_traits>

#include "mctensor/error.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/integer_product.hpp"

namespace mct {

namespace {

template <class T, int N>
void check(const char* name, int dimensions, const ComplexTensor<T, N>& a,
           const ComplexTensor<T, N>& b) {
  for (const ComplexTensor<T, N>* x : {&a, &b})
    if (x->real.shape() != x->imag.shape())
      throw ShapeError(std::string(name) +
                       ": the real and the imaginary part of an operand have different shapes, " +
                       to_string(x->real.shape()) + " and " + to_string(x->imag.shape()));
  const Shape& left = a.real.shape();
  const Shape& right = b.real.shape();
  const auto is_matrix = [&](const Shape& shape) { return int(shape.size()) == dimensions; };
  if (!is_matrix(left) || !is_matrix(right) || a.real.size(-1) != b.real.size(-2) ||
      (dimensions == 3 && left[0] != right[0]))
    throw ShapeError(std::string(name) + ": complex shapes " + to_string(left) + " and " +
                     to_string(right) + " do not fit, expected " +
                     (dimensions == 3 ? "(b, m, k) and (b, k, n)" : "(m, k) and (k, n)"));
}

/// Two tensors beside each other along a dimension.
template <class T, int N>
Tensor<T, N> joined(const Tensor<T, N>& x, const Tensor<T, N>& y, int dim) {
  Shape shape = x.shape();
  shape[std::size_t(dim)] *= 2;
  auto both = Tensor<T, N>::uninitialized(shape);
  const std::int64_t size = x.size(dim);
  both.narrow(dim, 0, size).copy_(x);
  both.narrow(dim, size, size).copy_(y);
  return both;
}

/// (ar -ai; ai ar) (br; bi) = (Re; Im).
template <class T, int N, class Multiply>
ComplexTensor<T, N> joined_product(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                                   const Multiply& multiply) {
  const int columns = a.real.dim() - 1;
  const int rows = columns - 1;
  const auto left =
      joined(joined(a.real, neg(a.imag), columns), joined(a.imag, a.real, columns), rows);
  const auto c = multiply(left, joined(b.real, b.imag, rows));
  const std::int64_t m = a.real.size(rows);
  return {c.narrow(rows, 0, m), c.narrow(rows, m, m)};
}

/// The matrix `index` of a batch, or the only one.
template <class E, int N>
linalg_detail::MatrixView<E> matrix(const Tensor<double, N>& x, std::int64_t index) {
  const int rows = x.dim() - 2;
  return {x.data() + (rows > 0 ? index * x.strides()[0] : 0), x.plane_stride(),
          x.strides()[std::size_t(rows)], x.strides()[std::size_t(rows) + 1]};
}

/// With the bits of joined_product, in three products of real matrices instead of four; none where
/// one of them must be summed up in floating point.
template <int N>
std::optional<ComplexTensor<double, N>> integer_product(const ComplexTensor<double, N>& a,
                                                        const ComplexTensor<double, N>& b,
                                                        MatmulAccuracy accuracy) {
  Shape shape = a.real.shape();
  shape.back() = b.real.size(-1);
  const std::int64_t rows = shape[shape.size() - 2];
  shape[shape.size() - 2] = 2 * rows;  // both parts in one memory
  const auto c = Tensor<double, N>::uninitialized(shape);
  const ComplexTensor<double, N> parts{c.narrow(-2, 0, rows), c.narrow(-2, rows, rows)};
  const auto operand = [](const ComplexTensor<double, N>& x, std::int64_t i) {
    return linalg_detail::Operand{matrix<const double>(x.real, i), N,
                                  matrix<const double>(x.imag, i)};
  };
  const std::int64_t batch = a.real.dim() == 3 ? shape[0] : 1;
  for (std::int64_t i = 0; i < batch; ++i)
    if (!linalg_detail::integer_product(
            rows, shape.back(), a.real.size(-1), operand(a, i), operand(b, i),
            {matrix<double>(parts.real, i), N, matrix<double>(parts.imag, i)}, {accuracy}))
      return std::nullopt;
  return parts;
}

template <class T, int N, class Multiply>
ComplexTensor<T, N> product(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                            MatmulAccuracy accuracy, const Multiply& multiply) {
  if constexpr (std::is_same_v<T, double> && N <= 3)
    if (auto c = integer_product(a, b, accuracy)) return *c;
  return joined_product(a, b, multiply);
}

}  // namespace

template <class T, int N>
ComplexTensor<T, N> mm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                       MatmulAccuracy accuracy) {
  check("mm", 2, a, b);
  return product(a, b, accuracy, [=](const auto& x, const auto& y) { return mm(x, y, accuracy); });
}

template <class T, int N>
ComplexTensor<T, N> bmm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                        MatmulAccuracy accuracy) {
  check("bmm", 3, a, b);
  return product(a, b, accuracy, [=](const auto& x, const auto& y) { return bmm(x, y, accuracy); });
}

#define MCT_INSTANTIATE(T, N)                                                              \
  template ComplexTensor<T, N> mm(const ComplexTensor<T, N>&, const ComplexTensor<T, N>&,  \
                                  MatmulAccuracy);                                         \
  template ComplexTensor<T, N> bmm(const ComplexTensor<T, N>&, const ComplexTensor<T, N>&, \
                                   MatmulAccuracy);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)

}  // namespace mct
