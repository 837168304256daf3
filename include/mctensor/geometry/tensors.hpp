// Manifold operations on tensors of points.
//
// A tensor of shape (..., n) holds one point or tangent vector of n coordinates for every index of
// the leading dimensions (Lorentz: n + 1 coordinates, the time first). Leading dimensions broadcast
// as in NumPy; a result has the broadcast shape and n, a distance the broadcast shape alone. All
// throw ShapeError, naming the shapes, where they do not fit. Compiled for double and its sums of
// two and three, float, half, bfloat16 and their sums of two; SIMD lanes hold one point each, large
// tensors use num_threads() threads. Formulas, domains and bounds are those of the manifold's own
// methods (poincare_ball.hpp, half_space.hpp, lorentz.hpp); results are the same for any number of
// threads.
//
//   const PoincareBall<double> ball(1);
//   const Tensor<double> d = dist(ball, x.unsqueeze(1), y.unsqueeze(0));  // all pairs
#pragma once

#include "mctensor/geometry/half_space.hpp"
#include "mctensor/geometry/lorentz.hpp"
#include "mctensor/geometry/poincare_ball.hpp"
#include "mctensor/geometry/tensor_operation.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

namespace tensor_detail {

/// The model of a manifold type.
template <class M>
struct ModelOf {};
template <class V>
struct ModelOf<PoincareBall<V>> {
  static constexpr TensorModel value = TensorModel::ball;
};
template <class V>
struct ModelOf<HalfSpace<V>> {
  static constexpr TensorModel value = TensorModel::half_space;
};
template <class V>
struct ModelOf<Lorentz<V>> {
  static constexpr TensorModel value = TensorModel::lorentz;
};

template <class T, int N>
using Value = typename Tensor<T, N>::Value;

// the compiled entry points
template <class T, int N>
Tensor<T, N> run(TensorModel model, TensorOperation operation, const Value<T, N>& radius,
                 const Tensor<T, N>& x, const Tensor<T, N>& y, const Tensor<T, N>* u = nullptr);
template <class T, int N>
Tensor<T, N> run_convert(TensorModel from, TensorModel to, const Value<T, N>& radius,
                         const Tensor<T, N>& x);
template <class T, int N>
Tensor<T, N> run_projx(TensorModel model, const Value<T, N>& radius, const Tensor<T, N>& x);
/// The origin of as many coordinates as x has.
template <class T, int N>
Tensor<T, N> origin_like(TensorModel model, const Value<T, N>& radius, const Tensor<T, N>& x);

}  // namespace tensor_detail

/// A manifold whose points may be in tensors: PoincareBall, HalfSpace and Lorentz of the tensor's
/// value type.
template <class M, class T, int N>
concept TensorManifold = requires {
  tensor_detail::ModelOf<M>::value;
}
&&std::is_same_v<typename M::Value, tensor_detail::Value<T, N>>;

template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> dist(const M& m, const Tensor<T, N>& x,
                                                   const Tensor<T, N>& y) {
  return tensor_detail::run(tensor_detail::ModelOf<M>::value, TensorOperation::dist, m.radius, x,
                            y);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> dist0(const M& m, const Tensor<T, N>& x) {
  return dist(m, tensor_detail::origin_like(tensor_detail::ModelOf<M>::value, m.radius, x), x);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> expmap(const M& m, const Tensor<T, N>& x,
                                                     const Tensor<T, N>& u) {
  return tensor_detail::run(tensor_detail::ModelOf<M>::value, TensorOperation::expmap, m.radius, x,
                            u);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> expmap0(const M& m, const Tensor<T, N>& u) {
  return expmap(m, tensor_detail::origin_like(tensor_detail::ModelOf<M>::value, m.radius, u), u);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> logmap(const M& m, const Tensor<T, N>& x,
                                                     const Tensor<T, N>& y) {
  return tensor_detail::run(tensor_detail::ModelOf<M>::value, TensorOperation::logmap, m.radius, x,
                            y);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> logmap0(const M& m, const Tensor<T, N>& y) {
  return logmap(m, tensor_detail::origin_like(tensor_detail::ModelOf<M>::value, m.radius, y), y);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> ptransp(const M& m, const Tensor<T, N>& x,
                                                      const Tensor<T, N>& y,
                                                      const Tensor<T, N>& u) {
  return tensor_detail::run(tensor_detail::ModelOf<M>::value, TensorOperation::ptransp, m.radius, x,
                            y, &u);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> egrad2rgrad(const M& m, const Tensor<T, N>& x,
                                                          const Tensor<T, N>& g) {
  return tensor_detail::run(tensor_detail::ModelOf<M>::value, TensorOperation::egrad2rgrad,
                            m.radius, x, g);
}
template <class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> projx(const M& m, const Tensor<T, N>& x) {
  return tensor_detail::run_projx(tensor_detail::ModelOf<M>::value, m.radius, x);
}
template <class T, int N>
Tensor<T, N> mobius_add(const PoincareBall<tensor_detail::Value<T, N>>& ball, const Tensor<T, N>& x,
                        const Tensor<T, N>& y) {
  return tensor_detail::run(TensorModel::ball, TensorOperation::mobius_add, ball.radius, x, y);
}

/// Points of one model in another: convert<HalfSpace>(ball, x). Lorentz has one coordinate more. To
/// the same model: a copy, the time of Lorentz computed anew.
template <template <class> class To, class M, class T, int N>
requires TensorManifold<M, T, N> Tensor<T, N> convert(const M& from, const Tensor<T, N>& x) {
  return tensor_detail::run_convert(tensor_detail::ModelOf<M>::value,
                                    tensor_detail::ModelOf<To<typename M::Value>>::value,
                                    from.radius, x);
}

/// The types that these are compiled for.
#define MCT_FOR_EACH_POINT_TENSOR(macro)                                             \
  macro(double, 1) macro(double, 2) macro(double, 3) macro(float, 1) macro(float, 2) \
      macro(half, 1) macro(half, 2) macro(bfloat16, 1) macro(bfloat16, 2)

}  // namespace mct::geometry
