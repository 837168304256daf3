// Differentiable products of vectors and matrices. Shapes and exceptions are as in
// linalg/products.hpp. Operands are variables and tensors (at least one variable), plain or of N
// components.
//
// Error: product_bound (linalg/products.hpp) for values and for gradients, because gradients are
// products, too. Domain: every finite value; infinities and NaN follow IEEE 754. Source:
// linalg/products.hpp.
#pragma once

#include "mctensor/autograd/record.hpp"
#include "mctensor/autograd/views.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct {

namespace autograd_detail {

template <class... X>
concept TensorOperands = Operands<X...> &&((is_variable_v<X> || is_tensor_v<X>)&&...);

/// x (.., n) as rows (m, n). The function counts the rows, because the number of elements does not
/// tell the number of empty rows.
template <class X>
X as_rows(const X& x) {
  const Shape& shape = x.shape();
  return x.reshape({numel(leading_shape(shape)), shape.back()});
}

/// Gives the gradients of matmul: those of matrix products, where vectors are rows or columns.
template <class To, class G, class A, class B>
void matmul_backward(const To& to, const G& g, const A& a, const B& b) {
  const bool row = a.dim() == 1;
  const bool column = b.dim() == 1;
  const auto left = row ? a.unsqueeze(0) : a;
  const auto right = column ? b.unsqueeze(1) : b;
  Shape shape = g.shape();
  if (row) shape.insert(shape.end() - (column ? 0 : 1), 1);
  if (column) shape.push_back(1);
  const auto grad = g.reshape(shape);
  if (to.needs(0)) {
    auto part = matmul(grad, right.t());
    to.give(0, row ? sum_to(part, left.shape()).squeeze(0) : std::move(part));
  }
  if (to.needs(1)) {
    // for one right factor and a batch, the product itself sums over the batch
    const bool flat = right.dim() == 2 && left.dim() > 2;
    auto part = flat ? mm(as_rows(left).t(), as_rows(grad)) : matmul(left.t(), grad);
    to.give(1, column ? sum_to(part, right.shape()).squeeze(1) : std::move(part));
  }
}

}  // namespace autograd_detail

/// The inner product of two vectors. Gradients: g y for x, g x for y.
template <class X, class Y>
requires autograd_detail::TensorOperands<X, Y>
auto dot(const X& x, const Y& y) {
  using namespace autograd_detail;
  constexpr int M = grad_components_of<X, Y>();
  return record(
      mct::dot(value_of(x), value_of(y)),
      [a = saved<M>(x), b = saved<M>(y)](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, g * b);
        if (to.needs(1)) to.give(1, g * a);
      },
      x, y);
}

/// Matrix times vector, matrix times matrix, batches of matrices, and the general product of
/// linalg/products.hpp. Gradients: g b^T and a^T g, summed over broadcast batches.
#define MCT_VARIABLE_PRODUCT(name)                                          \
  template <class X, class Y>                                               \
  requires autograd_detail::TensorOperands<X, Y>                            \
  auto name(const X& x, const Y& y) {                                       \
    using namespace autograd_detail;                                        \
    constexpr int M = grad_components_of<X, Y>();                           \
    return record(                                                          \
        mct::name(value_of(x), value_of(y)),                                \
        [a = saved<M>(x), b = saved<M>(y)](const auto& to, const auto& g) { \
          matmul_backward(to, g, a, b);                                     \
        },                                                                  \
        x, y);                                                              \
  }
MCT_VARIABLE_PRODUCT(mv)
MCT_VARIABLE_PRODUCT(mm)
MCT_VARIABLE_PRODUCT(bmm)
MCT_VARIABLE_PRODUCT(matmul)
#undef MCT_VARIABLE_PRODUCT

/// beta c + alpha a b, with c broadcast to (m, n); beta and alpha are constants. Gradients: beta g,
/// alpha g b^T, alpha a^T g.
template <class C, class A, class B, class Scalar = double>
requires autograd_detail::TensorOperands<C, A, B>
auto addmm(const C& c, const A& a, const B& b, const Scalar& beta = Scalar(1),
           const Scalar& alpha = Scalar(1)) {
  using namespace autograd_detail;
  constexpr int M = grad_components_of<C, A, B>();
  const auto& x = value_of(a);
  const auto& y = value_of(b);
  using T = typename std::remove_cvref_t<decltype(x)>::Component;
  constexpr int N = tensor_detail::result_components<decltype(x), decltype(y)>;
  return record(
      mct::addmm(tensor_detail::widen<T, N>(value_of(c)), x, y, Expansion<T, N>(beta),
                 Expansion<T, N>(alpha)),
      [p = saved<M>(a), q = saved<M>(b), beta, alpha](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, beta == Scalar(1) ? g : g * beta);
        const auto scaled = alpha == Scalar(1) ? g : g * alpha;
        if (to.needs(1)) to.give(1, mm(scaled, q.t()));
        if (to.needs(2)) to.give(2, mm(p.t(), scaled));
      },
      c, a, b);
}

/// A linear layer in one step: x w^T + b (.., out) for x (.., in), the weight w (out, in) and the
/// bias b (out). A bias without elements is left out. The result has as many components as the
/// operand with most components. Throws ShapeError if shapes do not fit.
template <class T, int A, int N, int M>
auto linear(const Variable<T, A, M>& x, const Variable<T, N, M>& weight,
            const Variable<T, N, M>& bias) {
  using namespace autograd_detail;
  const bool biased = bias.numel() > 0;
  if (biased && (bias.dim() != 1 || weight.dim() != 2 || bias.size(0) != weight.size(0)))
    throw ShapeError("linear: a bias of shape " + to_string(bias.shape()) +
                     " for weights of shape " + to_string(weight.shape()) +
                     ", expected (out) and (out, in)");
  auto value = matmul(x.value(), weight.value().t());
  if (biased) add_(value, bias.value());
  return record(
      std::move(value),
      [a = saved<M>(x), w = saved<M>(weight)](const auto& to, const auto& g) {
        if (to.needs(0)) to.give(0, matmul(g, w));
        const auto rows = as_rows(g);
        if (to.needs(1)) to.give(1, mm(rows.t(), as_rows(a)));
        if (to.needs(2)) to.give(2, rows);
      },
      x, weight, bias);
}

}  // namespace mct
