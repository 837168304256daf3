// A score for nn::MultiheadAttention: the layer's queries and keys are mapped to a space and
// compared there, in memory O(L + S), with learnable temperature and radius of each head.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "mctensor/attention/softmax_attention.hpp"
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

inline constexpr std::array<std::string_view, 7> comparison_names = {
    "dot-product", "laplacian", "umbral", "penumbral", "half-space", "ball", "lorentz"};

inline std::string_view name_of(Comparison comparison) {
  return comparison_names[std::size_t(comparison)];
}
/// Throws DomainError, naming those that there are.
inline Comparison comparison_from(std::string_view name) {
  std::string all;
  for (std::size_t i = 0; i < comparison_names.size(); ++i) {
    if (comparison_names[i] == name) return Comparison(i);
    all.append(i == 0 ? "" : ", ").append(comparison_names[i]);
  }
  throw DomainError("there is no comparison '" + std::string(name) + "'; there are " + all);
}

/// Attention of Euclidean vectors by a comparison: they are mapped to its space first. gamma: the
/// temperature, not read by the dot product; radius: of the balls of umbral cones, or the height of
/// the light of penumbral ones, not read by the others. Shapes as softmax_attention.
template <class T>
Variable<T> compared_attention(Comparison comparison, const Variable<T>& q, const Variable<T>& k,
                               const Variable<T>& v, const Variable<T>& gamma,
                               const Variable<T>& radius, const Mask<T>& mask = {}) {
  switch (comparison) {
    case Comparison::dot_product:
      return dot_product_attention(q, k, v, mask);
    case Comparison::laplacian:
      return laplacian_attention(q, k, v, gamma, mask);
    case Comparison::umbral:
      return umbral_attention(psi(q), psi(k), v, radius, gamma, mask);
    case Comparison::penumbral:
      return penumbral_attention(xi(q, radius), xi(k, radius), v, radius, gamma, mask);
    case Comparison::half_space:
      return distance_attention(of_half_space(psi(q)), of_half_space(psi(k)), v, gamma, mask);
    case Comparison::ball:
      return distance_attention(exp_origin(q), exp_origin(k), v, gamma, mask);
    default:
      return distance_attention(pseudopolar(q), pseudopolar(k), v, gamma, mask);
  }
}

/// Parameters, by what they are logarithms of, each (heads, 1, 1) and 0 at first: log_gamma, the
/// temperature (not of the dot product), and log_radius, of the balls of umbral cones or the height
/// of the light of penumbral ones. T: float, double, half, bfloat16.
template <class T>
class StreamingAttention : public nn::AttentionRule<T> {
 public:
  using Activation = Variable<T>;

  /// Throws DomainError unless there are heads.
  StreamingAttention(Comparison comparison, std::int64_t heads) : comparison_(comparison) {
    if (heads < 1) throw DomainError("StreamingAttention: " + std::to_string(heads) + " heads");
    const auto number = [&](const char* name) {
      return this->register_parameter(name, Tensor<T>({heads, 1, 1}));
    };
    if (comparison != Comparison::dot_product) log_gamma_ = number("log_gamma");
    if (comparison == Comparison::umbral || comparison == Comparison::penumbral)
      log_radius_ = number("log_radius");
  }

  Comparison comparison() const { return comparison_; }

  Activation attend(const Activation& q, const Activation& k, const Activation& v,
                    const nn::AttentionMask& hidden, nn::Dropout<T>& dropout) override {
    Mask<T> mask;
    mask.causal = hidden.causal;
    mask.hidden = hidden.hidden;
    if (this->is_training() && dropout.probability() > 0) {
      mask.dropout = dropout.probability();
      mask.seed = dropout.seed();
      mask.call = dropout.take_call();
    }
    return attend(q, k, v, mask);
  }
  /// Queries (.., heads, L, d), keys (.., heads, S, d), values (.., heads, S, e).
  Activation attend(const Activation& q, const Activation& k, const Activation& v,
                    const Mask<T>& mask) {
    const bool has_gamma = comparison_ != Comparison::dot_product;
    const bool has_radius =
        comparison_ == Comparison::umbral || comparison_ == Comparison::penumbral;
    return compared_attention(comparison_, q, k, v, has_gamma ? exp(log_gamma_) : log_gamma_,
                              has_radius ? exp(log_radius_) : log_radius_, mask);
  }

 private:
  Comparison comparison_;
  Variable<T> log_gamma_, log_radius_;
};

}  // namespace mct::attention
