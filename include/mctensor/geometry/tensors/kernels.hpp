// What is compiled for tensors of points: kernels with a point in every SIMD lane.
#pragma once

#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/tensors/operation.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// The types that kernels are compiled for.
#define MCT_FOR_EACH_POINT_TENSOR(macro)                                             \
  macro(double, 1) macro(double, 2) macro(double, 3) macro(float, 1) macro(float, 2) \
      macro(half, 1) macro(half, 2) macro(bfloat16, 1) macro(bfloat16, 2)

namespace tensor_detail {

/// The model of a manifold, by its formulas: methods know a model as Manifold<Formulas, V>.
template <class Formulas>
struct ModelOfFormulas {};
template <class W>
struct ModelOfFormulas<detail::BallFormulas<W>> {
  static constexpr TensorModel value = TensorModel::ball;
};
template <class W>
struct ModelOfFormulas<detail::HalfSpaceFormulas<W>> {
  static constexpr TensorModel value = TensorModel::half_space;
};
template <class W>
struct ModelOfFormulas<detail::LorentzFormulas<W>> {
  static constexpr TensorModel value = TensorModel::lorentz;
};
template <class M>
struct ModelOf {};
template <class M>
requires requires(const M& m) { m.formulas(); }
struct ModelOf<M> : ModelOfFormulas<decltype(std::declval<const M&>().formulas())> {};

template <class T, int N>
using Value = typename Tensor<T, N>::Value;

#define MCT_IS_COMPILED(C, n) || (std::is_same_v<T, C> && N == n)
template <class T, int N>
inline constexpr bool is_compiled = false MCT_FOR_EACH_POINT_TENSOR(MCT_IS_COMPILED);
#undef MCT_IS_COMPILED

/// operation(operands) in x's order, of broadcast leading dimensions.
template <class T, int N>
Tensor<T, N> run(TensorModel model, TensorOperation operation, const Value<T, N>& radius,
                 const std::vector<const Tensor<T, N>*>& operands);
/// Between two models that differ.
template <class T, int N>
Tensor<T, N> run_convert(TensorModel from, TensorModel to, const Value<T, N>& radius,
                         const Tensor<T, N>& x);

}  // namespace tensor_detail

/// True if M's operations on Tensor<T, N> are compiled.
template <class M, class T, int N>
concept HasPointKernels = tensor_detail::is_compiled<T, N> && requires {
  tensor_detail::ModelOf<M>::value;
};

}  // namespace mct::geometry
