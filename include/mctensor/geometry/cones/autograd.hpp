// Cones of tensors and variables, and the losses for training embeddings.
//
//   const Variable<double> radius(Tensor<double>::from_values({1, 0.1}), true);  // of K, of balls
//   // cones of constant radii will do, too
//   const Learnable<UmbralCones<HalfSpace<double>>> cones(like, radius);
//   auto near = cone_distance(cones, u, v, 1e-4);                  // (b)
//   auto far = cone_distance(cones, u.unsqueeze(1), others, 1e-4);  // (b, m)
//   shadow_loss(near, far, 1e-3).backward();
//
// Every operation of cones takes tensors and variables, as operations of manifolds do (tensors.hpp,
// autograd.hpp). The formulas are differentiated step by step. The distance from the axis has a
// corner on the axis; its derivative there is taken as 0. At equal points, derivatives of angles
// are 0, and derivatives of lengths are the derivatives at the cone's boundary. In the ball this is
// the boundary on the side of the last coordinate; cone_distance_gradient takes the mean of all
// sides instead. At a corner of cone_distance (altitude 0, gamma > 0) derivatives belong to the
// case that holds.
//
// Error: no bound is stated for the losses. Distances have the bounds of cones.hpp; exp and log
// have 1.5 u^N. Domain: finite energies.
#pragma once

#include "mctensor/autograd/all.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/cones/cones.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// At equal points an angle has no derivative.
template <>
inline constexpr bool has_corner_at_zero<operation::cone_angle> = true;
template <>
inline constexpr bool has_corner_at_zero<operation::angle_energy> = true;

}  // namespace detail

/// contains() for tensors, or for tensors and single points. The result is a mask; its shape is the
/// broadcast of the leading dimensions. Of variables the values are taken.
template <class C, class X, class Y>
requires(is_tensor_v<X> || is_tensor_v<Y> || is_variable_v<X> ||
         is_variable_v<Y>) Tensor<bool> contains(const C& cones, const X& x, const Y& y) {
  using Op = operation::contains;
  using V = typename C::Value;
  const auto& u = autograd_detail::value_of(x);
  const auto& v = autograd_detail::value_of(y);
  const int n = detail::coordinates_of<Op>(std::make_index_sequence<2>(), cones, u, v);
  return detail::pointwise(
      Op::name, n, n, [&](const auto& a, const auto& b) { return contains(cones, a, b); },
      detail::pointwise_operand<Op, 0, V>(u), detail::pointwise_operand<Op, 1, V>(v));
}

/// The mean over i of -log(e^-p / (e^-p + sum_j e^(-q_j))) with p = max(E_i, -gamma_2) and q_j =
/// min(E_ij - gamma_1, 0). E_i are the energies (b) of positive pairs, which belong together. E_ij
/// are the energies (b, m) of negative pairs, which do not: m for each positive pair. The loss
/// draws positive pairs into the cone, to a depth of gamma_2. It pushes negative pairs out of the
/// cone, to a distance of gamma_1. Throws ShapeError for other shapes, DomainError for a gamma that
/// is negative or NaN. Source: Yu 2024, equation (2.1), where the sign of gamma_2 and the summand
/// e^-p are missing.
template <class T, int N, int M>
Variable<T, N, M> shadow_loss(const Variable<T, N, M>& positive, const Variable<T, N, M>& negative,
                              double gamma_1, double gamma_2 = 0) {
  if (positive.dim() != 1 || negative.dim() != 2 || positive.size(0) != negative.size(0))
    throw ShapeError("shadow_loss: energies of shapes " + to_string(positive.shape()) + " and " +
                     to_string(negative.shape()) + ", expected (b) and (b, m)");
  for (const double gamma : {gamma_1, gamma_2})
    if (!(gamma >= 0))
      throw DomainError("shadow_loss: gamma " + number_text(gamma) + " is not at least 0");
  const Variable<T, N, M> own = T(gamma_2) - relu(positive + T(gamma_2));  // -p
  const Variable<T, N, M> others = relu(T(gamma_1) - negative);            // -q
  const auto scores = cat(std::vector<Variable<T, N, M>>{own.unsqueeze(1), others}, 1);
  return -mean(log_softmax(scores, 1).select(1, 0));
}

/// The sum of max(0, E) over pairs that belong together, plus the sum of max(0, gamma - E) over
/// pairs that do not. Both tensors may have any shape. Throws DomainError for a gamma that is
/// negative or NaN. Source: Ganea et al. 2018. Here E is cut off at 0. The energies of Ganea et al.
/// are not negative, but distances are negative in the cone, and their sum would have no minimum.
template <class T, int N, int M>
Variable<T, N, M> max_margin_loss(const Variable<T, N, M>& positive,
                                  const Variable<T, N, M>& negative, double gamma) {
  if (!(gamma >= 0))
    throw DomainError("max_margin_loss: gamma " + number_text(gamma) + " is not at least 0");
  return sum(relu(positive)) + sum(relu(T(gamma) - negative));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
