// Hyperbolic positional encoding (HyPE) adds a bias to attention scores. The bias depends on the
// difference of two positions. Extra columns of queries and keys produce it, so no matrix of biases
// is stored.
//
//   a(q, k) = tau sinh(mu (k - q)),   [Q; hype_query] [K; hype_key]' = Q K' + sqrt(d) a
//
// Here q and k in a(q, k) are the positions of the query and the key. In n dimensions a is the sum
// over all coordinates. ALiBi uses the bias mu (k - q), which falls with the distance of an earlier
// key. With tau = 1 and mu |k - q| <= 1, a differs from ALiBi's bias by at most (mu |k - q|)^3 / 5.
//
// Positions are a tensor (L), or (L, n) for n coordinates. mu and tau are tensors or variables of
// one number type. Their shape is (..) for positions (L) and (.., n) for positions (L, n). It
// broadcasts: the shape (heads) gives each head its own parameter. A parameter that is a variable
// gets a gradient.
//
// Source: Angelotti 2023, eq. 5 to 15. Eq. 5 is used with the opposite sign, which agrees with eq.
// 14 (docs/errata.md).
//
// Error: no bound is stated as a number. The error has two parts: the errors of the columns and the
// error of their inner product. Each column has a relative error of at most 1.1 u^N (f64x4: 1.5 u^N
// for e^(mu k), plus the error of the product mu k). Domain: finite positions with |mu| L < 1 in
// each coordinate, where L - 1 is the largest magnitude of a position; others throw DomainError.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/autograd/all.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/float_traits.hpp"
#include "mctensor/error.hpp"
#include "mctensor/nn/attention.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::attention::detail {

// Parts of HyPE: they give positions and parameters one shape, compute exponentials in more bits
// than the result has, and join and split columns.

/// The number of doubles in which columns of N components of T are computed. They have more bits
/// than the result, except for f64x4.
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

/// Positions (L) or (L, n), and the conversions of parameters (..) or (.., n) to the shape of
/// columns and back.
class HypePlaces {
 public:
  /// Throws as hype_query. `name` is the function's name in messages.
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
                       " for positions of " + std::to_string(n()) +
                       " coordinates; its last dimension must have this size");
  }
  /// A parameter as (.., 1, n).
  template <int K, class T, int N>
  Tensor<double, K> wide(const Tensor<T, N>& parameter) const {
    const auto x = convert<double, K>(parameter);
    return (single_ ? x.unsqueeze(-1) : x).unsqueeze(-2);
  }
  /// Converts a gradient (.., L, n) to the gradient of a parameter, not yet summed over broadcast
  /// dimensions.
  template <class Gradient, int K>
  Gradient narrow(const Tensor<double, K>& x) const {
    const auto total = sum(x, {-2});
    return convert<typename Gradient::Component, Gradient::components>(single_ ? total.squeeze(-1)
                                                                               : total);
  }
  /// The waves for mu (.., 1, n); each has the shape (.., L, n).
  template <int K>
  HypeWaves<K> waves(const Tensor<double, K>& mu) const {
    const auto x = mu * coordinates_;
    return {exp(-x), exp(x)};
  }
  /// Two tensors (.., L, n) as one (.., L, 2 n copies), side by side for every coordinate.
  template <int K>
  Tensor<double, K> columns(const Tensor<double, K>& first, const Tensor<double, K>& second) const {
    Shape shape = first.shape();
    shape.back() *= 2;
    const auto once = stack(std::vector<Tensor<double, K>>{first, second}, -1).reshape(shape);
    return cat(std::vector<Tensor<double, K>>(std::size_t(copies_), once), -1);
  }
  /// Converts gradients (.., L, 2 n copies) of the columns to the gradients of both tensors.
  template <int K>
  std::pair<Tensor<double, K>, Tensor<double, K>> parts(const Tensor<double, K>& g) const {
    Shape shape = g.shape();
    shape.pop_back();
    shape.insert(shape.end(), {copies_, n(), 2});
    const auto both = sum(g.reshape(shape), {-3});
    return {both.select(-1, 0), both.select(-1, 1)};
  }

 private:
  /// Throws unless |mu| (largest |position| + 1) < 1 in every coordinate.
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

namespace mct::attention {

/// The columns of queries, of shape (.., L, 2 n): (tau sqrt(d) / 2) (e^(-mu q), e^(mu q)) for every
/// coordinate. The softmax divides scores by sqrt(d). `copies` repeats the columns to (.., L, 2 n
/// copies) and divides them by `copies`, which keeps the inner product. A kernel that needs a
/// divisible width gets it so.
///
/// The columns are computed in more bits and rounded once. Every column has a relative error of at
/// most 1.1 u^N (f64x4, which has no additional bits: not measured). The product with hype_key has
/// an error of at most 2.2 u^N |tau| sqrt(d) cosh(mu (k - q)), plus the error of the product itself
/// (linalg/products.hpp). Throws ShapeError for shapes that do not fit. Throws DomainError unless
/// |mu| L < 1 in each coordinate, where L - 1 is the largest magnitude of a position. For larger mu
/// the bias would grow exponentially. Throws DomainError unless d and copies are positive.
template <class Mu, class Tau>
auto hype_query(const Tensor<double>& positions, const Mu& mu, const Tau& tau, std::int64_t d,
                int copies = 1) {
  using namespace detail;
  const auto& m = autograd_detail::value_of(mu);
  const auto& t = autograd_detail::value_of(tau);
  using Value = std::remove_cvref_t<decltype(m)>;
  static_assert(std::is_same_v<Value, std::remove_cvref_t<decltype(t)>>,
                "mu and tau are of one number type");
  using T = typename Value::Component;
  constexpr int N = Value::components;
  constexpr int K = hype_width<T, N>;
  const HypePlaces places("hype_query", positions, m, copies);
  places.require_parameter("tau", t.shape());
  const auto amplitude = places.wide<K>(t) * hype_scale<K>(d, copies);
  const auto waves = places.waves(places.wide<K>(m));
  auto value = convert<T, N>(places.columns(amplitude * waves.falling, amplitude * waves.rising));
  if constexpr (!is_variable_v<Mu> && !is_variable_v<Tau>) {
    return value;
  } else {
    return autograd_detail::record(
        std::move(value),
        [=, scale = hype_scale<K>(d, copies)](const auto& to, const auto& g) {
          using G = std::remove_cvref_t<decltype(g)>;
          const auto [falling, rising] = places.parts(convert<double, K>(g));
          const auto difference = rising * waves.rising - falling * waves.falling;
          if (to.needs(0))
            to.give(0, places.template narrow<G>(amplitude * places.coordinates() * difference));
          const auto total = rising * waves.rising + falling * waves.falling;
          if (to.needs(1)) to.give(1, places.template narrow<G>(total * scale));
        },
        mu, tau);
  }
}

/// The columns of keys: (e^(mu k), -e^(-mu k)) for every coordinate, in the order of hype_query.
template <class Mu>
auto hype_key(const Tensor<double>& positions, const Mu& mu, int copies = 1) {
  using namespace detail;
  const auto& m = autograd_detail::value_of(mu);
  using Value = std::remove_cvref_t<decltype(m)>;
  using T = typename Value::Component;
  constexpr int N = Value::components;
  constexpr int K = hype_width<T, N>;
  const HypePlaces places("hype_key", positions, m, copies);
  const auto waves = places.waves(places.wide<K>(m));
  auto value = convert<T, N>(places.columns(waves.rising, -waves.falling));
  if constexpr (!is_variable_v<Mu>) {
    return value;
  } else {
    return autograd_detail::record(
        std::move(value),
        [=](const auto& to, const auto& g) {
          using G = std::remove_cvref_t<decltype(g)>;
          const auto [rising, falling] = places.parts(convert<double, K>(g));
          to.give(0, places.template narrow<G>(places.coordinates() *
                                               (rising * waves.rising + falling * waves.falling)));
        },
        mu);
  }
}

/// The columns of queries and keys at the same positions.
template <class Query, class Key>
struct HypeFeatures {
  Query query;
  Key key;
};
template <class Mu, class Tau>
auto hype_features(const Tensor<double>& positions, const Mu& mu, const Tau& tau, std::int64_t d,
                   int copies = 1) {
  auto query = hype_query(positions, mu, tau, d, copies);
  auto key = hype_key(positions, mu, copies);
  return HypeFeatures<decltype(query), decltype(key)>{std::move(query), std::move(key)};
}

/// The bias a itself, without columns: (.., L, S) for positions of queries (L) or (L, n) and keys
/// (S) or (S, n). The term of each coordinate has a relative error of 1.1 u^N (f64x4: not measured)
/// if the differences of positions are exact in double. Differences of whole numbers are exact.
/// Throws as hype_query, for both tensors of positions.
template <class T, int N>
Tensor<T, N> hype_bias(const Tensor<double>& query_positions, const Tensor<double>& key_positions,
                       const Tensor<T, N>& mu, const Tensor<T, N>& tau) {
  constexpr int K = detail::hype_width<T, N>;
  const detail::HypePlaces queries("hype_bias", query_positions, mu, 1);
  const detail::HypePlaces keys("hype_bias", key_positions, mu, 1);
  if (query_positions.dim() != key_positions.dim() || queries.n() != keys.n())
    throw ShapeError("hype_bias: positions of shapes " + to_string(query_positions.shape()) +
                     " and " + to_string(key_positions.shape()) +
                     "; both must have as many coordinates");
  queries.require_parameter("tau", tau.shape());
  // exact for whole numbers
  const auto apart = keys.coordinates().unsqueeze(0) - queries.coordinates().unsqueeze(1);
  const auto slope = queries.wide<K>(mu).unsqueeze(-2);
  const auto terms = queries.wide<K>(tau).unsqueeze(-2) * sinh(slope * apart);
  return convert<T, N>(sum(terms, {-1}));
}

/// softmax(q k' / sqrt(d) + a) v, computed from [q; hype_query] and [k; hype_key], without the
/// matrix a. For plain numbers the function calls dot_product_attention: it needs no matrix of
/// weights either, its memory is O(L + S), and a query without keys gets 0. For other numbers it
/// calls nn::scaled_dot_product_attention, whose shapes and mask it has. Keys and values are
/// expanded to the leading dimensions of q. The columns (.., L, 2 n) of queries broadcast to q (..,
/// L, d), and the columns of keys to k (.., S, d). mu and tau are tensors or variables. Throws as
/// nn::scaled_dot_product_attention and hype_query.
template <class T, int N, int M, class Mu, class Tau>
Variable<T, N, M> hype_attention(const Variable<T, N, M>& q, const Variable<T, N, M>& k,
                                 const Variable<T, N, M>& v, const Tensor<double>& query_positions,
                                 const Tensor<double>& key_positions, const Mu& mu, const Tau& tau,
                                 const nn::AttentionMask& mask = {}) {
  using Tensors = Tensor<T, N>;
  if (q.dim() < 2 || k.dim() < 2 || v.dim() < 2)
    throw ShapeError("hype_attention: queries of shape " + to_string(q.shape()) +
                     ", keys of shape " + to_string(k.shape()) + " and values of shape " +
                     to_string(v.shape()) + "; each must have at least two dimensions");
  const std::int64_t d = q.size(-1);
  const std::int64_t all = d + 2 * (query_positions.dim() == 2 ? query_positions.size(1) : 1);
  // the softmax divides by the root of the whole width, not of d
  const auto scale = mct::sqrt(Tensors::scalar(typename Tensors::Value(T(double(all)))) /
                               Tensors::scalar(typename Tensors::Value(T(double(d)))));
  using Columns = Variable<T, N, M>;
  const auto for_queries = [&](const Columns& x) {
    Shape shape = leading_shape(q.shape(), 2);
    shape.insert(shape.end(), x.shape().end() - 2, x.shape().end());
    return x.expand(shape);
  };
  const auto beside = [](const Columns& x, const Columns& columns) {
    Shape shape = x.shape();
    shape.back() = columns.size(-1);
    return cat(std::vector<Columns>{x, columns.expand(shape)}, -1);
  };
  const auto query = beside(q * scale, Columns(hype_query(query_positions, mu, tau, all)));
  const auto key = beside(for_queries(k), Columns(hype_key(key_positions, mu)));
  if constexpr (N == 1 && M == 1) {
    Mask<T> unseen;
    unseen.causal = mask.causal;
    unseen.hidden = mask.hidden;
    return dot_product_attention(query, key, for_queries(v), unseen);
  } else {
    return nn::scaled_dot_product_attention(query, key, for_queries(v),
                                            nn::hidden_by(mask, q.size(-2), k.size(-2)));
  }
}

}  // namespace mct::attention
