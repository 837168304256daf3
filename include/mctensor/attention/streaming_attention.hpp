// A score for nn::MultiheadAttention. The layer's queries and keys are mapped to a space and
// compared there, in memory O(L + S). Each head has a learnable temperature and radius.
//
// Error: no bound is stated as a number. The error consists of the errors of the maps (maps.hpp)
// and of the attention (softmax_attention.hpp). Domain: every finite vector. Source: those two
// headers.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/base/names.hpp"
#include "mctensor/nn/attention.hpp"

namespace mct::attention {

/// How queries and keys are compared. name_of returns the name that programs use.
enum class Comparison {
  dot_product,  ///< q.k / sqrt(d)
  laplacian,    ///< -gamma |q - k|
  umbral,       ///< cones of psi(q), psi(k); the radius of the balls is learned
  penumbral,    ///< cones of xi(q), xi(k); the height of the light is learned
  entailment,   ///< Ganea's cones of below_ball(q), below_ball(k); the light's radius is learned
  half_space,   ///< -gamma distance of psi(q), psi(k)
  ball,         ///< -gamma distance of exp(q), exp(k) at the origin
  lorentz,      ///< -gamma distance on the hyperboloid, pseudopolar coordinates
  half_space_squared,  ///< -gamma distance^2 of the same points
  ball_squared,
  lorentz_squared,
  umbral_exp,  ///< umbral, but of exp(q), exp(k) at the half-space's origin
  penumbral_exp,
  half_space_exp,
};

inline constexpr Names<Comparison, 14> comparison_names{{
    {Comparison::dot_product, "dot-product"},
    {Comparison::laplacian, "laplacian"},
    {Comparison::umbral, "umbral"},
    {Comparison::penumbral, "penumbral"},
    {Comparison::entailment, "entailment"},
    {Comparison::half_space, "half-space"},
    {Comparison::ball, "ball"},
    {Comparison::lorentz, "lorentz"},
    {Comparison::half_space_squared, "half-space-squared"},
    {Comparison::ball_squared, "ball-squared"},
    {Comparison::lorentz_squared, "lorentz-squared"},
    {Comparison::umbral_exp, "umbral-exp"},
    {Comparison::penumbral_exp, "penumbral-exp"},
    {Comparison::half_space_exp, "half-space-exp"},
}};
inline std::string_view name_of(Comparison comparison) { return comparison_names.of(comparison); }
/// The comparison of this name. Throws DomainError for any other name; the message lists all names.
inline Comparison comparison_from(std::string_view name) {
  return comparison_names.value("there is no comparison", name);
}

inline bool has_gamma(Comparison comparison) { return comparison != Comparison::dot_product; }
inline bool has_radius(Comparison comparison) {
  switch (comparison) {
    case Comparison::umbral:
    case Comparison::penumbral:
    case Comparison::entailment:
    case Comparison::umbral_exp:
    case Comparison::penumbral_exp:
      return true;
    default:
      return false;
  }
}

/// Maps Euclidean vectors to the space of a comparison. gamma is the inverse temperature; it is
/// read if has_gamma. radius is read if has_radius. It is the radius of the balls for umbral cones,
/// the height of the light for penumbral cones, and the radius of the light for entailment cones.
template <class T, int N, int M>
Scored<T, N, M> compared(Comparison comparison, const Variable<T, N, M>& q,
                         const Variable<T, N, M>& k, const Variable<T, N, M>& gamma,
                         const Variable<T, N, M>& radius) {
  switch (comparison) {
    case Comparison::dot_product:
      return dot_product_scored(q, k);
    case Comparison::laplacian:
      return laplacian_scored(q, k, gamma);
    case Comparison::umbral:
      return umbral_scored(psi(q), psi(k), radius, gamma);
    case Comparison::penumbral:
      return penumbral_scored(xi(q, radius), xi(k, radius), radius, gamma);
    case Comparison::entailment:
      return entailment_scored(below_ball(q, radius), below_ball(k, radius), radius, gamma);
    case Comparison::umbral_exp:
      return umbral_scored(exp_half_space(q), exp_half_space(k), radius, gamma);
    case Comparison::penumbral_exp:
      return penumbral_scored(below_light(exp_half_space(q), radius),
                              below_light(exp_half_space(k), radius), radius, gamma);
    default:
      break;
  }
  const auto point = [&](const Variable<T, N, M>& x) {
    switch (comparison) {
      case Comparison::half_space:
      case Comparison::half_space_squared:
        return of_half_space(psi(x));
      case Comparison::half_space_exp:
        return of_half_space(exp_half_space(x));
      case Comparison::ball:
      case Comparison::ball_squared:
        return exp_origin(x);
      default:
        return pseudopolar(x);
    }
  };
  const bool squared = comparison == Comparison::half_space_squared ||
                       comparison == Comparison::ball_squared ||
                       comparison == Comparison::lorentz_squared;
  return distance_scored(point(q), point(k), gamma,
                         squared ? Score::distance_squared : Score::distance);
}
/// Attention of Euclidean vectors by a comparison. Shapes are as in softmax_attention; the bias
/// receives its gradient, too.
template <class T, int N, int M>
Variable<T, N, M> compared_attention(Comparison comparison, const Variable<T, N, M>& q,
                                     const Variable<T, N, M>& k, const Variable<T, N, M>& v,
                                     const Variable<T, N, M>& gamma,
                                     const Variable<T, N, M>& radius, const Mask<T, N>& mask,
                                     const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(compared(comparison, q, k, gamma, radius), v, mask, bias);
}

/// The initial temperature and radius of all heads; above 0.
struct Start {
  double gamma = 1, radius = 1;
};

/// The parameters are logarithms, each of shape (heads, 1, 1): log_gamma of the temperature (not
/// for the dot product), and log_radius of `radius` in compared() (only for cones). T: float,
/// double, half, bfloat16; activations of one component, or of two doubles (A = 2).
template <class T, int N = 1, int A = 1, int M = 1>
class StreamingAttention : public nn::AttentionRule<T, N, A, M> {
 public:
  using typename nn::AttentionRule<T, N, A, M>::Activation;

  /// Throws DomainError unless there are heads and the initial numbers are positive and finite.
  /// Numbers that the comparison does not use are not checked.
  StreamingAttention(Comparison comparison, std::int64_t heads, Start start = {})
      : comparison_(comparison) {
    if (heads < 1)
      throw DomainError("StreamingAttention: " + std::to_string(heads) +
                        " heads, expected at least one");
    const auto number = [&](const char* name, double value) {
      if (!(value > 0 && std::isfinite(value)))
        throw DomainError(std::string("StreamingAttention: ") + name + " of " +
                          std::to_string(value) + ", which has no logarithm");
      return this->register_parameter(name, full<T, N>({heads, 1, 1}, T(std::log(value))));
    };
    if (has_gamma(comparison_)) log_gamma_ = number("log_gamma", start.gamma);
    if (has_radius(comparison_)) log_radius_ = number("log_radius", start.radius);
  }

  Comparison comparison() const { return comparison_; }

  Activation attend(const Activation& q, const Activation& k, const Activation& v,
                    const nn::AttentionMask& hidden, nn::Dropout<T, N, A, M>& dropout) override {
    Mask<T, A> mask;
    mask.causal = hidden.causal;
    mask.hidden = hidden.hidden;
    if (this->is_training() && dropout.probability() > 0) {
      mask.dropout = dropout.probability();
      mask.seed = dropout.seed();
      mask.call = dropout.take_call();
    }
    return attend(q, k, v, mask);
  }
  /// Queries (.., heads, L, d), keys (.., heads, S, d), values (.., heads, S, e). The bias is added
  /// to the scores and receives its gradient (softmax_attention.hpp).
  Activation attend(const Activation& q, const Activation& k, const Activation& v,
                    const Mask<T, A>& mask, const Activation& bias = Activation()) {
    const auto power = [](const auto& log) { return nn::to_activation<A>(exp(log)); };
    return compared_attention(
        comparison_, q, k, v, has_gamma(comparison_) ? power(log_gamma_) : Activation(),
        has_radius(comparison_) ? power(log_radius_) : Activation(), mask, bias);
  }

 private:
  Comparison comparison_;
  Variable<T, N, M> log_gamma_, log_radius_;
};

}  // namespace mct::attention
