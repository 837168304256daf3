// A product of complex matrices as a real one of twice the rows and twice the depth.
#include "mctensor/linalg/complex_products.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct {

namespace {

template <class T, int N>
void check(const char* name, int dimensions, const ComplexTensor<T, N>& a,
           const ComplexTensor<T, N>& b) {
  for (const ComplexTensor<T, N>* x : {&a, &b})
    if (x->real.shape() != x->imag.shape())
      throw ShapeError(std::string(name) + ": parts of shapes " + to_string(x->real.shape()) +
                       " and " + to_string(x->imag.shape()) + " are of no complex tensor");
  const Shape& left = a.real.shape();
  const Shape& right = b.real.shape();
  const auto is_matrix = [&](const Shape& shape) { return int(shape.size()) == dimensions; };
  if (!is_matrix(left) || !is_matrix(right) || a.real.size(-1) != b.real.size(-2) ||
      (dimensions == 3 && left[0] != right[0]))
    throw ShapeError(std::string(name) + ": complex shapes " + to_string(left) + " and " +
                     to_string(right) + " do not fit");
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
ComplexTensor<T, N> product(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                            const Multiply& multiply) {
  const int columns = a.real.dim() - 1;
  const int rows = columns - 1;
  const auto left =
      joined(joined(a.real, neg(a.imag), columns), joined(a.imag, a.real, columns), rows);
  const auto c = multiply(left, joined(b.real, b.imag, rows));
  const std::int64_t m = a.real.size(rows);
  return {c.narrow(rows, 0, m), c.narrow(rows, m, m)};
}

}  // namespace

template <class T, int N>
ComplexTensor<T, N> mm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                       MatmulAccuracy accuracy) {
  check("mm", 2, a, b);
  return product(a, b, [=](const auto& x, const auto& y) { return mm(x, y, accuracy); });
}

template <class T, int N>
ComplexTensor<T, N> bmm(const ComplexTensor<T, N>& a, const ComplexTensor<T, N>& b,
                        MatmulAccuracy accuracy) {
  check("bmm", 3, a, b);
  return product(a, b, [=](const auto& x, const auto& y) { return bmm(x, y, accuracy); });
}

#define MCT_INSTANTIATE(T, N)                                                              \
  template ComplexTensor<T, N> mm(const ComplexTensor<T, N>&, const ComplexTensor<T, N>&,  \
                                  MatmulAccuracy);                                         \
  template ComplexTensor<T, N> bmm(const ComplexTensor<T, N>&, const ComplexTensor<T, N>&, \
                                   MatmulAccuracy);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)

}  // namespace mct
