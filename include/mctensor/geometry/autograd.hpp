// Differentiable geometry: the operations of manifolds on variables.
//
//   const PoincareBall<double> ball(1);
//   Variable<double> x(points, true);
//   sum(ball.dist(x, y)).backward();  // y a tensor or a variable; x.grad() has x's shape
//
// Every operation of the list (operations.hpp) takes variables where it takes tensors, with the
// same values. Gradients are Euclidean: the derivatives by the coordinates. egrad2rgrad makes
// Riemannian gradients of them. Gradients are summed over the dimensions along which an operand was
// broadcast. Points of Lorentz and Hemisphere have one coordinate more than they need. Their
// gradients are derivatives of the formula as it is written. The formulas of Lorentz read the
// spatial coordinates only, so the derivative by the time is zero.
//
// If the manifold is a Learnable<PoincareBall<double>>, its radius is a variable, too.
//
// The stable formulas are differentiated step by step (traced.hpp), so derivatives have as many
// digits as values. They have a corner only where the operation has one; at equal points and zero
// vectors there is no additional corner. The corners that remain (dist, dist0 and norm at zero)
// have the gradient 0. Derivatives of one component on PoincareBall, HalfSpace and Lorentz run in
// SIMD lanes (src/geometry/programs). In other cases, a value and its derivatives take, for each
// point, the time of 7 to 12 single calls.
//
// Error: values have the bound of the operation (docs/geometry.md). No bound is stated for
// derivatives; tests compare them with differences in twice the components. Domain: as the
// operation. Source: the chain rule on the formulas, step by step.
#pragma once

#include "mctensor/autograd/record.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/geometry/traced_operands.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::geometry {

/// A manifold whose radius K is learned: a variable of one number, or of shape (k) for a product of
/// k manifolds.
///
///   Variable<double> radius(Tensor<double>::scalar(1.0), true);
///   const Learnable<PoincareBall<double>> ball(radius);
///   sum(ball.dist(x, y)).backward();  // radius.grad()
template <class M, int G = 1>
class Learnable : public Operations<Learnable<M, G>> {
 public:
  using Value = typename M::Value;
  using Radius = Variable<typename tensor_of<Value>::Component, tensor_of<Value>::components, G>;

  /// Throws ShapeError unless there are as many numbers as radii. A product takes its weights and
  /// sizes from `like`.
  explicit Learnable(Radius radius) requires std::is_constructible_v<M, Value>
      : Learnable(M(Value(scalar_t<Value>(1))), std::move(radius)) {}
  Learnable(const M& like, Radius radius) : like_(like), radius_(std::move(radius)) {
    if (radius_.numel() != M::radii)
      throw ShapeError("Learnable: the radius is a variable of shape " +
                       to_string(radius_.shape()) + ", expected " + std::to_string(M::radii) +
                       (M::radii == 1 ? " number" : " numbers"));
  }
  const Radius& radius() const { return radius_; }
  /// The manifold with the present radius.
  MCT_ALWAYS_INLINE M manifold() const {
    std::array<Value, M::radii> k;
    const auto values = radius_.value().flatten();
    for (int i = 0; i < M::radii; ++i) k[std::size_t(i)] = Value(values.at({i}));
    return with_radii(like_, k);
  }

 private:
  M like_;
  Radius radius_;
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Converts a derivative to a gradient of G components, and back.
template <class GradValue, class W>
GradValue gradient_value(const W& derivative) {
  if constexpr (std::is_same_v<work_t<GradValue>, W>) {
    return from_work<GradValue>(derivative);
  } else {
    return from_work<GradValue>(lead(derivative));
  }
}

/// The gradient of one operand. It has a number or a point for every index of `all`.
template <class T, int G>
class OperandGradient {
 public:
  using Value = typename Tensor<T, G>::Value;

  OperandGradient(bool wanted, const Shape& all, int coordinates)
      : wanted_(wanted), coordinates_(coordinates) {
    if (!wanted) return;
    Shape shape(all);
    shape.push_back(coordinates);
    grad_ = zeros<T, G>(shape);
  }
  bool wanted() const { return wanted_; }
  template <class W>
  void set(std::int64_t p, const Traced<W>& x) const {
    set(p, 0, x);
  }
  template <class W, int n>
  void set(std::int64_t p, const Point<Traced<W>, n>& x) const {
    for (int i = 0; i < coordinates_; ++i) set(p, i, x[i]);
  }
  template <class W, std::size_t k>
  void set(std::int64_t p, const std::array<Traced<W>, k>& x) const {
    for (std::size_t i = 0; i < k; ++i) set(p, int(i), x[i]);
  }
  /// The gradient; for a number it has no last dimension.
  Tensor<T, G> take(bool number) const { return number ? grad_.select(-1, 0) : grad_; }

 private:
  template <class W>
  void set(std::int64_t p, int i, const Traced<W>& x) const {
    if (!wanted_ || x.index == 0) return;
    PointWriter<T, G>(grad_, coordinates_)
        .set(p, i, gradient_value<Value>(Trace<W>::current().derivative(x.index)));
  }

  bool wanted_;
  int coordinates_;
  Tensor<T, G> grad_;
};

/// The number of coordinates of operand i.
template <class Op, std::size_t i, class X>
int own_coordinates_of(const X& x) {
  return Op::operands[i] == 'n' ? 1 : own_coordinates(x);
}

/// Adds the derivatives of a result, weighted by its gradient, to the derivatives that the trace
/// holds.
template <class W, class Reader>
void seed(const Traced<W>& result, const Reader& grad, std::int64_t p) {
  Trace<W>::current().add(result.index, W(to_work(grad.coordinate(grad.at(p), 0))));
}
template <class W, int n, class Reader>
void seed(const Point<Traced<W>, n>& result, const Reader& grad, std::int64_t p) {
  const auto* begin = grad.at(p);
  for (int i = 0; i < result.size(); ++i)
    Trace<W>::current().add(result[i].index, W(to_work(grad.coordinate(begin, i))));
}

/// The gradients of the radii, of shape (..., k), summed over all points. The result has the shape
/// of the radius.
template <class T, int G>
Tensor<T, G> summed(const Tensor<T, G>& grad, const Shape& shape) {
  return sum(grad.reshape({-1, grad.size(-1)}), {0}).reshape(shape);
}

/// Gives their gradients to the radius, which is operand 0, and to all other operands.
template <class Op, class M, class To, class T, int G, class Value, std::size_t... i, class... X>
void give_derivatives(std::index_sequence<i...>, const M& m, const To& to, const Tensor<T, G>& grad,
                      const Value& value, const X&... x) {
  using V = typename M::Value;
  using W = work_t<V>;
  const auto operands = std::make_tuple(pointwise_operand<Op, i, V>(x)...);
  const Shape all = tensor_detail::broadcast_leading(Op::name, {std::get<i>(operands).leading...});
  const auto read = std::make_tuple(std::get<i>(operands).bind(all)...);
  const int n = coordinates_of<Op>(std::index_sequence_for<X...>(), m, x...);
  const auto gradients =
      std::make_tuple(OperandGradient<T, G>(to.needs(i + 1), all, own_coordinates_of<Op, i>(x))...);
  const OperandGradient<T, G> radius_gradient(to.needs(0), all, M::radii);
  const bool number = value.shape() == all;
  const PointReader<T, G> seeds(number ? grad.unsqueeze(-1) : grad, all);
  const auto values = value.contiguous();
  const std::int64_t count = numel(all);
  const auto formulas = m.formulas();
  parallel_for(count, double(count) * n * 1000 * limbs_of<W> * limbs_of<W>,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t p = begin; p < end; ++p) {
                   if (has_corner_at_zero<Op> && values.data()[p] == T(0)) continue;
                   pass_back<Op, V>(
                       m, formulas, [&](std::size_t k) { return to.needs(k); },
                       [&](const auto& result) { seed(result, seeds, p); },
                       [&](const auto& radii, const auto&... input) {
                         radius_gradient.set(p, radii);
                         (std::get<i>(gradients).set(p, input), ...);
                       },
                       to_work(std::get<i>(read)(p))...);
                 }
               });
  if (radius_gradient.wanted()) to.give(0, summed(radius_gradient.take(false), to.input_shape(0)));
  const auto give = [&](std::size_t k, const auto& gradient) {
    if (gradient.wanted()) to.give(k + 1, gradient.take(Op::operands[k] == 'n'));
  };
  (give(i, std::get<i>(gradients)), ...);
}

/// The same as give_derivatives, for compiled operations.
template <class Op, class M, class To, class T, int G, class... X>
void give_compiled(const M& m, const To& to, const Tensor<T, G>& grad, const X&... x) {
  using V = typename M::Value;
  constexpr int N = tensor_of<V>::components;
  std::vector<bool> wanted;
  for (std::size_t i = 0; i <= sizeof...(X); ++i) wanted.push_back(to.needs(i));
  const auto gradients =
      tensor_detail::run_vjp<T, N, G>(compiled_operation<Op, M>, tensor_number<T, N>(m.radius()),
                                      {compiled_operand<V>(x)...}, grad, wanted);
  if (wanted[0]) to.give(0, gradients[0].reshape(to.input_shape(0)));
  for (std::size_t i = 1; i < wanted.size(); ++i)
    if (wanted[i]) to.give(i, gradients[i]);
}

template <class Op, class M, class Radius, class... X>
auto differentiable(const M& m, const Radius& radius, const X&... x) {
  const auto value = operate<Op>(m, autograd_detail::value_of(x)...);
  return autograd_detail::record(
      value,
      [m, value, operands = std::make_tuple(autograd_detail::value_of(x)...)](const auto& to,
                                                                              const auto& grad) {
        std::apply(
            [&](const auto&... operand) {
              if constexpr (Compiled<Op, M, std::remove_cvref_t<decltype(operand)>...>) {
                give_compiled<Op>(m, to, grad, operand...);
              } else {
                give_derivatives<Op>(std::index_sequence_for<X...>(), m, to, grad, value,
                                     operand...);
              }
            },
            operands);
      },
      radius, x...);
}

}  // namespace detail

/// An operation on variables. The result is a variable.
template <class Op, FormulaManifold M, class... X>
requires((is_variable_v<X> || ...) && detail::has_operation<Op, M>() &&
         detail::operand_count<Op> == sizeof...(X)) auto operate(const M& m, const X&... x) {
  return detail::differentiable<Op>(m, 0, x...);
}
/// The same with the radius as a variable.
template <class Op, class M, int G, class... X>
requires(detail::has_operation<Op, M>() &&
         detail::operand_count<Op> == sizeof...(X)) auto operate(const Learnable<M, G>& m,
                                                                 const X&... x) {
  return detail::differentiable<Op>(m.manifold(), m.radius(), x...);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
