// What the columns of HyPE are made of: positions and parameters brought to one shape, exponentials
// in more components than the result has, columns put together and taken apart.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/float_traits.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::attention::detail {

/// Components of double in which features of N components of T are computed: some bits to spare
/// for all but f64x4.
template <class T, int N>
inline constexpr int hype_width = std::is_same_v<T, double> ? (N < 4 ? N + 1 : 4)
                                                            : (N* FloatTraits<T>::p <= 48 ? 1 : 2);

/// sqrt(d) / (2 copies).
template <int K>
Tensor<double, K> hype_scale(std::int64_t d, int copies) {
  if (d < 1) throw DomainError("hype_query: d = " + std::to_string(d) + " is not positive");
  using Number = typename Tensor<double, K>::Value;
  return sqrt(Tensor<double, K>::scalar(Number(double(d)))) /
         Tensor<double, K>::scalar(Number(2.0 * copies));
}

/// e^(-mu p) and e^(mu p).
template <int K>
struct HypeWaves {
  Tensor<double, K> falling, rising;
};

/// Positions (L) or (L, n) with the shape of their parameters, (..) or (.., n).
class HypePlaces {
 public:
  /// Throws as hype_query; `name` is the function's.
  template <class T, int N>
  HypePlaces(const char* name, const Tensor<double>& positions, const Tensor<T, N>& mu, int copies)
      : name_(name), single_(positions.dim() == 1), copies_(copies) {
    if (positions.dim() < 1 || positions.dim() > 2)
      throw ShapeError(name_ + ": positions of shape " + to_string(positions.shape()) +
                       " are neither (L) nor (L, n)");
    if (copies < 1)
      throw DomainError(name_ + ": copies = " + std::to_string(copies) + " is not positive");
    coordinates_ = (single_ ? positions.unsqueeze(1) : positions).contiguous();
    require_parameter("mu", mu.shape());
    require_range(convert<double, 1>(mu));
  }
  std::int64_t n() const { return coordinates_.size(1); }
  /// (L, n).
  const Tensor<double>& coordinates() const { return coordinates_; }

  void require_parameter(const char* which, const Shape& shape) const {
    if (!single_ && (shape.empty() || shape.back() != n()))
      throw ShapeError(name_ + ": " + which + " of shape " + to_string(shape) +
                       " for positions of " + std::to_string(n()) + " coordinates");
  }
  /// A parameter as (.., 1, n).
  template <int K, class T, int N>
  Tensor<double, K> wide(const Tensor<T, N>& parameter) const {
    const auto x = convert<double, K>(parameter);
    return (single_ ? x.unsqueeze(-1) : x).unsqueeze(-2);
  }
  /// A gradient (.., L, n) as that of a parameter, before it is summed over what was broadcast.
  template <class Gradient, int K>
  Gradient narrow(const Tensor<double, K>& x) const {
    const auto total = sum(x, {-2});
    return convert<typename Gradient::Component, Gradient::components>(single_ ? total.squeeze(-1)
                                                                               : total);
  }
  /// For mu (.., 1, n): (.., L, n) each.
  template <int K>
  HypeWaves<K> waves(const Tensor<double, K>& mu) const {
    const auto x = mu * coordinates_;
    return {exp(-x), exp(x)};
  }
  /// (.., L, n) twice to (.., L, 2 n copies), side by side for every coordinate.
  template <int K>
  Tensor<double, K> columns(const Tensor<double, K>& first, const Tensor<double, K>& second) const {
    Shape shape = first.shape();
    shape.back() *= 2;
    const auto once = stack(std::vector<Tensor<double, K>>{first, second}, -1).reshape(shape);
    return cat(std::vector<Tensor<double, K>>(std::size_t(copies_), once), -1);
  }
  /// The same backwards: gradients (.., L, 2 n copies) of the columns to those of both parts.
  template <int K>
  std::pair<Tensor<double, K>, Tensor<double, K>> parts(const Tensor<double, K>& g) const {
    Shape shape = g.shape();
    shape.pop_back();
    shape.insert(shape.end(), {copies_, n(), 2});
    const auto both = sum(g.reshape(shape), {-3});
    return {both.select(-1, 0), both.select(-1, 1)};
  }

 private:
  /// |mu| (largest |position| + 1) < 1 in every coordinate.
  void require_range(const Tensor<double>& mu) const {
    const auto slopes = mu.flatten();
    const auto farthest = max(abs(coordinates_), {0});
    for (std::int64_t i = 0; i < slopes.numel(); ++i) {
      const double length = farthest.at({i % n()}) + 1;
      const double slope = slopes.at({i});
      if (!(std::fabs(slope) * length < 1))
        throw DomainError(name_ + ": mu = " + number_text(slope) +
                          " is not below 1/L = " + number_text(1 / length) +
                          " for positions up to " + number_text(length - 1));
    }
  }

  std::string name_;
  bool single_;
  int copies_;
  Tensor<double> coordinates_;
};

}  // namespace mct::attention::detail
