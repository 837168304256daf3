// A score for nn::MultiheadAttention: the layer's queries and keys are mapped to a space and
// compared there, in memory O(L + S), with learnable temperature and radius of each head.
//
// Error: that of the maps (maps.hpp) and of the attention (softmax_attention.hpp); no bound is
// stated as a number. Domain: every finite vector. Source: those two headers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/base/names.hpp"
#include "mctensor/nn/attention.hpp"

namespace mct::attention {

/// How queries and keys are compared; name_of has what programs call it.
enum class Comparison {
  dot_product,  ///< q.k / sqrt(d)
  laplacian,    ///< -gamma |q - k|
  umbral,       ///< cones of psi(q), psi(k); the radius of the balls is learned
  penumbral,    ///< cones of xi(q), xi(k); the height of the light is learned
  half_space,   ///< -gamma distance of psi(q), psi(k)
  ball,         ///< -gamma distance of exp(q), exp(k) at the origin
  lorentz,      ///< -gamma distance on the hyperboloid, pseudopolar coordinates
};

inline constexpr Names<Comparison, 7> comparison_names{{
    {Comparison::dot_product, "dot-product"},
    {Comparison::laplacian, "laplacian"},
    {Comparison::umbral, "umbral"},
    {Comparison::penumbral, "penumbral"},
    {Comparison::half_space, "half-space"},
    {Comparison::ball, "ball"},
    {Comparison::lorentz, "lorentz"},
}};
inline std::string_view name_of(Comparison comparison) { return comparison_names.of(comparison); }
/// Throws DomainError, naming those that there are.
inline Comparison comparison_from(std::string_view name) {
  return comparison_names.value("there is no comparison", name);
}

/// Euclidean vectors as a comparison takes them: mapped to its space first. gamma: the
/// temperature, not read by the dot product; radius: of the balls of umbral cones, or the height of
/// the light of penumbral ones, not read by the others.
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
    case Comparison::half_space:
      return distance_scored(of_half_space(psi(q)), of_half_space(psi(k)), gamma);
    case Comparison::ball:
      return distance_scored(exp_origin(q), exp_origin(k), gamma);
    default:
      return distance_scored(pseudopolar(q), pseudopolar(k), gamma);
  }
}
/// Attention of Euclidean vectors by a comparison. Shapes, and a bias that receives its gradient,
/// as softmax_attention.
template <class T, int N, int M>
Variable<T, N, M> compared_attention(Comparison comparison, const Variable<T, N, M>& q,
                                     const Variable<T, N, M>& k, const Variable<T, N, M>& v,
                                     const Variable<T, N, M>& gamma,
                                     const Variable<T, N, M>& radius, const Mask<T, N>& mask,
                                     const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(compared(comparison, q, k, gamma, radius), v, mask, bias);
}

/// Parameters, by what they are logarithms of, each (heads, 1, 1) and 0 at first: log_gamma, the
/// temperature (not of the dot product), and log_radius, of the balls of umbral cones or the height
/// of the light of penumbral ones. T: float, double, half, bfloat16; activations of one component,
/// or of two doubles (A = 2).
template <class T, int N = 1, int A = 1, int M = 1>
class StreamingAttention : public nn::AttentionRule<T, N, A, M> {
 public:
  using typename nn::AttentionRule<T, N, A, M>::Activation;

  /// Throws DomainError unless there are heads.
  StreamingAttention(Comparison comparison, std::int64_t heads) : comparison_(comparison) {
    if (heads < 1) throw DomainError("StreamingAttention: " + std::to_string(heads) + " heads");
    const auto number = [&](const char* name) {
      return this->register_parameter(name, Tensor<T, N>({heads, 1, 1}));
    };
    if (has_gamma()) log_gamma_ = number("log_gamma");
    if (has_radius()) log_radius_ = number("log_radius");
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
  /// Queries (.., heads, L, d), keys (.., heads, S, d), values (.., heads, S, e); a bias that is
  /// added to the scores and receives its gradient (softmax_attention.hpp).
  Activation attend(const Activation& q, const Activation& k, const Activation& v,
                    const Mask<T, A>& mask, const Activation& bias = Activation()) {
    const auto power = [](const auto& log) { return nn::to_activation<A>(exp(log)); };
    return compared_attention(comparison_, q, k, v, has_gamma() ? power(log_gamma_) : Activation(),
                              has_radius() ? power(log_radius_) : Activation(), mask, bias);
  }

 private:
  bool has_gamma() const { return comparison_ != Comparison::dot_product; }
  bool has_radius() const {
    return comparison_ == Comparison::umbral || comparison_ == Comparison::penumbral;
  }

  Comparison comparison_;
  Variable<T, N, M> log_gamma_, log_radius_;
};

}  // namespace mct::attention
