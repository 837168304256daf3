// Tells for which manifolds operations on tensors are compiled; see registry.hpp.
#pragma once

#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/registry.hpp"

namespace mct::geometry {

namespace tensor_detail {

/// The model of a manifold, found by its formulas, because methods have a Manifold<Formulas, V>.
template <class Formulas>
struct ModelOfFormulas {};
template <class W>
struct ModelOfFormulas<detail::BallFormulas<W>> {
  static constexpr Model value = Model::ball;
};
template <class W>
struct ModelOfFormulas<detail::HalfSpaceFormulas<W>> {
  static constexpr Model value = Model::half_space;
};
template <class W>
struct ModelOfFormulas<detail::LorentzFormulas<W>> {
  static constexpr Model value = Model::lorentz;
};
template <class M>
struct ModelOf {};
template <class M>
requires requires(const M& m) { m.formulas(); }
struct ModelOf<M> : ModelOfFormulas<decltype(std::declval<const M&>().formulas())> {};

}  // namespace tensor_detail

/// True if the operations of M on Tensor<T, N> are compiled.
template <class M, class T, int N>
concept HasPointKernels = tensor_detail::is_compiled<T, N> && requires {
  tensor_detail::ModelOf<M>::value;
};

}  // namespace mct::geometry
