// Weighted products of manifolds, which are manifolds themselves.
//
// Error: as in the parts; joining and splitting are exact. Source: the sum of the metrics, w_i^2
// g_i (docs/geometry.md).
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/manifold.hpp"

namespace mct::geometry {

/// A part of a product: a manifold, the number of its coordinates, and the factor of its lengths.
template <class M>
struct ProductPart {
  M manifold;
  int coordinates;
  double weight = 1;
};
template <class M>
ProductPart(M, int) -> ProductPart<M>;
template <class M>
ProductPart(M, int, double) -> ProductPart<M>;

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// False for the sphere, because wrapped normal vectors may go around it more than once.
template <class Part, class W>
concept has_normal_log_prob = requires(const Part& part, const Point<W>& x, const W& s) {
  part.normal_log_prob(x, x, s);
};

/// The formulas of parts whose coordinates stand side by side. Lengths are roots of sums of
/// squares. All other results are computed part by part.
template <class W, class... Parts>
struct ProductFormulas : CommonFormulas<ProductFormulas<W, Parts...>, W> {
  static constexpr int count = int(sizeof...(Parts));
  using Each = std::make_index_sequence<sizeof...(Parts)>;

  std::tuple<Parts...> parts;
  std::array<int, sizeof...(Parts)> sizes;
  Point<W, count> weights;

#define MCT_EACH_PART(op)                                                                  \
  template <class... X>                                                                    \
  MCT_HD auto op(const X&... x) const {                                                    \
    return joined([](const auto& part, const auto&... p) { return part.op(p...); }, x...); \
  }
  MCT_EACH_PART(expmap)
  MCT_EACH_PART(expmap0)
  MCT_EACH_PART(retr)
  MCT_EACH_PART(logmap)
  MCT_EACH_PART(logmap0)
  MCT_EACH_PART(ptransp)
  MCT_EACH_PART(ptransp0)
  MCT_EACH_PART(ptransp0back)
  MCT_EACH_PART(geodesic)
  MCT_EACH_PART(proju)
  MCT_EACH_PART(origin_like)
#undef MCT_EACH_PART
#define MCT_LENGTH_OF_PARTS(op)                                                            \
  template <class... X>                                                                    \
  MCT_HD W op(const X&... x) const {                                                       \
    return norm_of(                                                                        \
        weighted([](const auto& part, const auto&... p) { return part.op(p...); }, x...)); \
  }
  MCT_LENGTH_OF_PARTS(dist)
  MCT_LENGTH_OF_PARTS(dist0)
  MCT_LENGTH_OF_PARTS(norm)
#undef MCT_LENGTH_OF_PARTS

  template <int n>
  MCT_HD W dist2(const Point<W, n>& x, const Point<W, n>& y) const {
    return squared_norm(weighted(
        [](const auto& part, const auto& a, const auto& b) { return part.dist(a, b); }, x, y));
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const Point<W, count> shares = weighted(inner_of_part, x, u, v);
    return dot(shares, weights);
  }
  template <int n>
  MCT_HD Point<W, n> component_inner(const Point<W, n>& x, const Point<W, n>& u,
                                     const Point<W, n>& v) const {
    int i = 0;
    return joined(
        [&](const auto& part, const auto& a, const auto& b, const auto& c) {
          const W weight = weights[i++];
          return part.component_inner(a, b, c) * W(weight * weight);
        },
        x, u, v);
  }
  /// The gradient of a part is divided by the square of its weight.
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    int i = 0;
    return joined(
        [&](const auto& part, const auto& a, const auto& b) {
          const W weight = weights[i++];
          return part.egrad2rgrad(a, b) / W(weight * weight);
        },
        x, g);
  }
  /// A result rounded to values V, part by part.
  template <class V, int n>
  Point<V, n> rounded(const Point<W, n>& z) const {
    Point<V, n> r = Point<V, n>::of_size(z.size());
    int at = 0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      const auto put = [&](const Point<V>& part) {
        for (int c = 0; c < part.size(); ++c) r[at++] = part[c];
      };
      (put(rounded_point<V>(std::get<i>(parts), part_of<i>(z))), ...);
    }
    (Each());
    return r;
  }
  /// True where a part of z is the last one that a step can reach.
  template <class V, int n>
  MCT_HD bool is_last(const Point<W, n>& z) const {
    const auto last = [](const auto& part, const auto& x) {
      if constexpr (requires { part.template is_last<V>(x); }) return part.template is_last<V>(x);
      return false;
    };
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return (last(std::get<i>(parts), part_of<i>(z)) || ...);
    }
    (Each());
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    return joined([](const auto& part, const auto& a) { return part.template projx<V>(a); }, x);
  }
  /// Orthonormal vectors of the parts, divided by the parts' weights, so that they are unit vectors
  /// of the product.
  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    int i = 0;
    return joined([&](const auto& part,
                      const auto& a) { return part.orthonormal_at_origin(a) / weights[i++]; },
                  u);
  }
  /// The density refers to volumes of the product: a part's volumes are multiplied by w^dimension,
  /// with its weight w.
  template <int n>
  requires(detail::has_normal_log_prob<Parts, W>&&...) MCT_HD W
      normal_log_prob(const Point<W, n>& x, const Point<W, n>& mean, const W& deviation)
  const {
    W sum = number<W>(0);
    int i = 0;
    const auto add = [&](const auto& part, const auto& a, const auto& b, const W& s) {
      const W weight = weights[i++];
      sum = sum + part.normal_log_prob(a, b, W(s / weight)) -
            number<W>(part.dimension(a.size())) * log_of(weight);
      return true;
    };
    all(add, x, mean, deviation);
    return sum;
  }
  template <int n>
  Point<W, n> uniform_vector(const Point<W, n>& u, std::uint64_t seed, std::uint64_t index,
                             double distance) const {
    std::uint32_t i = 0;
    return joined([&](const auto& part,
                      const auto& a) { return part.uniform_vector(a, seed, index, distance, i++); },
                  u);
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double tolerance) const {
    return all([&](const auto& part, const auto& a) { return part.check_point(a, tolerance); }, x);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double tolerance) const {
    return all([&](const auto& part, const auto& a,
                   const auto& b) { return part.check_vector(a, b, tolerance); },
               x, u);
  }

  /// The parts' shares in the squared length of u.
  template <int n>
  MCT_HD Point<W, count> squared_lengths(const Point<W, n>& x, const Point<W, n>& u) const {
    const auto lengths = weighted(
        [](const auto& part, const auto& a, const auto& b) { return part.norm(a, b); }, x, u);
    return generate<Point<W, count>>(count, [&](int i) { return W(lengths[i] * lengths[i]); });
  }
  /// The coordinates of part i. A number has no parts: each part uses it as it is.
  template <std::size_t i, int n>
  MCT_HD Point<W> part_of(const Point<W, n>& x) const {
    int begin = 0;
    for (std::size_t j = 0; j < i; ++j) begin += sizes[j];
    const auto part = generate<Point<W>>(sizes[i], [&](int c) { return x[begin + c]; });
    if constexpr (is_traced_v<W>) {
      return off_zero(part);  // a part of a vector may be zero
    } else {
      return part;
    }
  }
  template <std::size_t>
  MCT_HD const W& part_of(const W& x) const {
    return x;
  }
  /// The point whose parts are the results of f(part, number of the part as a constant).
  template <class P, class F>
  P from_parts(const F& f) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return side_by_side<P>({f(std::get<i>(parts), std::integral_constant<std::size_t, i>())...});
    }
    (Each());
  }

 private:
  static constexpr auto inner_of_part = [](const auto& part, const auto& a, const auto& b,
                                           const auto& c) { return part.inner(a, b, c); };

  /// The results of f for every part, side by side in the order of the parts.
  template <class F, class... X>
  MCT_HD auto joined(const F& f, const X&... x) const {
    return joined_of(Each(), f, x...);
  }
  template <std::size_t... i, class F, class... X>
  MCT_HD auto joined_of(std::index_sequence<i...>, const F& f, const X&... x) const {
    return side_by_side<typename FirstPoint<X...>::type>({at_part<i>(f, x...)...});
  }
  template <class P>
  MCT_HD P side_by_side(const std::array<Point<W>, sizeof...(Parts)>& each) const {
    int size = 0;
    for (const auto& part : each) size += part.size();
    P r = P::of_size(size);
    int at = 0;
    for (const auto& part : each)
      for (int c = 0; c < part.size(); ++c) r[at++] = part[c];
    return r;
  }
  /// The numbers that f returns for the parts, times the parts' weights.
  template <class F, class... X>
  MCT_HD Point<W, count> weighted(const F& f, const X&... x) const {
    return weighted_of(Each(), f, x...);
  }
  template <std::size_t... i, class F, class... X>
  MCT_HD Point<W, count> weighted_of(std::index_sequence<i...>, const F& f, const X&... x) const {
    return Point<W, count>(W(at_part<i>(f, x...) * weights[int(i)])...);
  }
  template <class F, class... X>
  MCT_HD bool all(const F& f, const X&... x) const {
    return all_of(Each(), f, x...);
  }
  template <std::size_t... i, class F, class... X>
  MCT_HD bool all_of(std::index_sequence<i...>, const F& f, const X&... x) const {
    return (at_part<i>(f, x...) && ...);
  }
  template <std::size_t i, class F, class... X>
  MCT_HD auto at_part(const F& f, const X&... x) const {
    return f(std::get<i>(parts), part_of<i>(x)...);
  }

  template <class... X>
  struct FirstPoint;
  template <class... Rest>
  struct FirstPoint<W, Rest...> : FirstPoint<Rest...> {};
  template <int n, class... Rest>
  struct FirstPoint<Point<W, n>, Rest...> {
    using type = Point<W, n>;
  };
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

/// The product of manifolds of one value type. A point has the coordinates of the parts side by
/// side. The metric is sum w_i^2 g_i, so dist = sqrt(sum w_i^2 dist_i^2). Weights multiply lengths
/// and do not change geodesics.
///
///   Product space(ProductPart{PoincareBall<double>(1), 2},
///                 ProductPart{Sphere<double>(2), 3, 0.5});
///   // points of 5 coordinates, or tensors or variables of shape (..., 5)
///   space.dist(x, y);
///
/// Bounds: each part has the bounds of its manifold; sums of squares neither over- nor underflow.
/// Points of another number of coordinates throw ShapeError.
template <class... Ms>
class Product : public Operations<Product<Ms...>>,
                public PointMethods<Product<Ms...>,
                                    typename std::tuple_element_t<0, std::tuple<Ms...>>::Value>,
                public RandomPoints<Product<Ms...>,
                                    typename std::tuple_element_t<0, std::tuple<Ms...>>::Value> {
  using First = std::tuple_element_t<0, std::tuple<Ms...>>;

 public:
  using Value = typename First::Value;
  using Work = typename First::Work;
  static_assert((std::is_same_v<typename Ms::Value, Value> && ...), "parts of one value type");
  static constexpr int parts = int(sizeof...(Ms));
  static constexpr int radii = parts;

  /// Throws DomainError for a weight that is not positive and finite, and ShapeError for a part of
  /// too few coordinates.
  explicit Product(const ProductPart<Ms>&... each)
      : manifolds_(each.manifold...), sizes_{each.coordinates...}, weights_{each.weight...} {
    for (const double weight : weights_)
      if (!(weight > 0) || !std::isfinite(weight))
        throw DomainError("Product: weight " + number_text(weight) + " is not a positive number");
    static_cast<void>((each.manifold.origin(each.coordinates), ...));
    for (const int size : sizes_) coordinates_ += size;
  }

  int coordinates() const { return coordinates_; }
  template <std::size_t i>
  const auto& part() const {
    return std::get<i>(manifolds_);
  }
  int coordinates(int part) const { return sizes_[std::size_t(part)]; }
  double weight(int part) const { return weights_[std::size_t(part)]; }

  MCT_ALWAYS_INLINE auto formulas() const {
    return std::apply([&](const Ms&... m) { return formulas_of<Work>(m.formulas()...); },
                      manifolds_);
  }
  /// The formulas with other radii, in any number type.
  template <class W>
  MCT_ALWAYS_INLINE auto formulas_at(const std::array<W, sizeof...(Ms)>& k) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return formulas_of<W>(std::get<i>(manifolds_).formulas_at(std::array<W, 1>{k[i]})...);
    }
    (std::index_sequence_for<Ms...>());
  }
  MCT_ALWAYS_INLINE std::array<Value, sizeof...(Ms)> all_radii() const {
    return std::apply(
        [](const Ms&... m) { return std::array<Value, sizeof...(Ms)>{m.radius()...}; }, manifolds_);
  }
  /// The product of the same parts with other radii.
  MCT_ALWAYS_INLINE Product with_radii(const std::array<Value, sizeof...(Ms)>& k) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Product(ProductPart<Ms>{Ms(k[i]), sizes_[i], weights_[i]}...);
    }
    (std::index_sequence_for<Ms...>());
  }

  /// split: the points of the parts of x. join: the point with these parts. Both throw ShapeError
  /// for other numbers of coordinates.
  MCT_ALWAYS_INLINE std::array<Point<Value>, sizeof...(Ms)> split(const Point<Value>& x) const {
    require(x);
    std::array<Point<Value>, sizeof...(Ms)> r;
    int at = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = detail::generate<Point<Value>>(sizes_[i], [&](int) { return x[at++]; });
    return r;
  }
  MCT_ALWAYS_INLINE Point<Value> join(const std::array<Point<Value>, sizeof...(Ms)>& points) const {
    Point<Value> x(coordinates_);
    int at = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].size() != sizes_[i])
        throw ShapeError("Product: the point of part " + std::to_string(i) + " has " +
                         std::to_string(points[i].size()) + " coordinates, expected " +
                         std::to_string(sizes_[i]));
      for (int c = 0; c < sizes_[i]; ++c) x[at++] = points[i][c];
    }
    return x;
  }

  template <int n, class... Others>
  void require(const Point<Value, n>& x, const Others&... others) const {
    (detail::require_same_size(x, others), ...);
    if (x.size() != coordinates_)
      throw ShapeError("Product: a point has " + std::to_string(x.size()) +
                       " coordinates, expected " + std::to_string(coordinates_));
  }

 private:
  template <class W, class... Fs>
  MCT_ALWAYS_INLINE auto formulas_of(const Fs&... each) const {
    detail::ProductFormulas<W, Fs...> f;
    f.parts = std::tuple<Fs...>(each...);
    f.sizes = sizes_;
    f.radius = detail::number<W>(1);  // has no effect
    for (int i = 0; i < parts; ++i) f.weights[i] = detail::number<W>(weights_[std::size_t(i)]);
    return f;
  }

  std::tuple<Ms...> manifolds_;
  std::array<int, sizeof...(Ms)> sizes_;
  std::array<double, sizeof...(Ms)> weights_;
  int coordinates_ = 0;
};
template <class... Ms>
Product(const ProductPart<Ms>&...) -> Product<Ms...>;

}  // namespace mct::geometry
