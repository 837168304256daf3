// Products of manifolds, with weights.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "mctensor/geometry/manifold.hpp"

namespace mct::geometry {

/// The product of manifolds of one value type: a point is a std::tuple with a point of each. The
/// metric is sum w_i^2 g_i, so that dist = sqrt(sum w_i^2 dist_i^2); the weights stretch lengths
/// and leave geodesics as they are.
///
///   Product space(PoincareBall<double>(1), Euclidean<double>());
///   space.dist(std::tuple(x1, x2), std::tuple(y1, y2));
///
/// Bounds: each part as on its manifold, sums of squares without over- or underflow.
template <class... Ms>
struct Product {
  static_assert(sizeof...(Ms) >= 1);
  using First = std::tuple_element_t<0, std::tuple<Ms...>>;
  using Value = typename First::Value;
  static_assert((std::is_same_v<typename Ms::Value, Value> && ...), "parts of one value type");
  static constexpr int parts = int(sizeof...(Ms));

  std::tuple<Ms...> manifolds;
  Point<Value, parts> weights;

  MCT_ALWAYS_INLINE explicit Product(const Ms&... each) : manifolds(each...) {
    for (int i = 0; i < parts; ++i) weights[i] = Value(scalar_t<Value>(1));
  }

  template <class P>
  MCT_ALWAYS_INLINE Value dist(const P& x, const P& y) const {
    return length([&](const auto& m, const auto& a, const auto& b) { return m.dist(a, b); }, x, y);
  }
  template <class P>
  MCT_ALWAYS_INLINE Value dist0(const P& x) const {
    return length([](const auto& m, const auto& a) { return m.dist0(a); }, x);
  }
  template <class P>
  MCT_ALWAYS_INLINE Value norm(const P& x, const P& u) const {
    return length([](const auto& m, const auto& a, const auto& b) { return m.norm(a, b); }, x, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE Value inner(const P& x, const P& u, const P& v) const {
    const auto each = values(
        [](const auto& m, const auto& a, const auto& b, const auto& c) { return m.inner(a, b, c); },
        x, u, v);
    Value sum = Value(scalar_t<Value>(0));
    for (int i = 0; i < parts; ++i) sum = sum + each[i] * weights[i] * weights[i];
    return sum;
  }
  template <class P>
  MCT_ALWAYS_INLINE P expmap(const P& x, const P& u) const {
    return map([](const auto& m, const auto& a, const auto& b) { return m.expmap(a, b); }, x, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE P expmap0(const P& u) const {
    return map([](const auto& m, const auto& a) { return m.expmap0(a); }, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE P logmap(const P& x, const P& y) const {
    return map([](const auto& m, const auto& a, const auto& b) { return m.logmap(a, b); }, x, y);
  }
  template <class P>
  MCT_ALWAYS_INLINE P logmap0(const P& y) const {
    return map([](const auto& m, const auto& a) { return m.logmap0(a); }, y);
  }
  template <class P>
  MCT_ALWAYS_INLINE P retr(const P& x, const P& u) const {
    return map([](const auto& m, const auto& a, const auto& b) { return m.retr(a, b); }, x, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE P ptransp(const P& x, const P& y, const P& u) const {
    return map([](const auto& m, const auto& a, const auto& b,
                  const auto& c) { return m.ptransp(a, b, c); },
               x, y, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE P ptransp0(const P& y, const P& u) const {
    return map([](const auto& m, const auto& a, const auto& b) { return m.ptransp0(a, b); }, y, u);
  }
  template <class P>
  MCT_ALWAYS_INLINE P geodesic(const Value& t, const P& x, const P& y) const {
    return map([&](const auto& m, const auto& a, const auto& b) { return m.geodesic(t, a, b); }, x,
               y);
  }
  template <class P>
  MCT_ALWAYS_INLINE P projx(const P& x) const {
    return map([](const auto& m, const auto& a) { return m.projx(a); }, x);
  }
  template <class P>
  MCT_ALWAYS_INLINE P proju(const P& x, const P& u) const {
    return map([](const auto& m, const auto& a, const auto& b) { return m.proju(a, b); }, x, u);
  }
  /// The gradient of a part is divided by the square of its weight.
  template <class P>
  MCT_ALWAYS_INLINE P egrad2rgrad(const P& x, const P& g) const {
    int i = 0;
    return map(
        [&](const auto& m, const auto& a, const auto& b) {
          const Value w = weights[i++];
          return m.egrad2rgrad(a, b) / Value(w * w);
        },
        x, g);
  }
  /// The tuple of the parts' origins, of n coordinates each: origin<3, 2>().
  template <int... n>
  MCT_ALWAYS_INLINE auto origin() const {
    static_assert(sizeof...(n) == sizeof...(Ms), "a number of coordinates for every part");
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return std::tuple(std::get<i>(manifolds).template origin<n>()...);
    }
    (Parts());
  }
  /// The same with numbers of coordinates chosen at run time.
  MCT_ALWAYS_INLINE auto origin(const std::array<int, sizeof...(Ms)>& n) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return std::tuple(std::get<i>(manifolds).origin(n[i])...);
    }
    (Parts());
  }
  /// A point of each part, as its random_normal: all from one seed, with the given deviation in the
  /// metric of the product.
  template <int... n>
  auto random_normal(std::uint64_t seed, std::uint64_t index = 0, double deviation = 1) const {
    static_assert(sizeof...(n) == sizeof...(Ms), "a number of coordinates for every part");
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return std::tuple(std::get<i>(manifolds).template random_normal<n>(
          seed, index * parts + i, deviation / double(weights[int(i)]))...);
    }
    (Parts());
  }
  auto random_normal(const std::array<int, sizeof...(Ms)>& n, std::uint64_t seed,
                     std::uint64_t index = 0, double deviation = 1) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return std::tuple(std::get<i>(manifolds).random_normal(
          n[i], seed, index * parts + i, deviation / double(weights[int(i)]))...);
    }
    (Parts());
  }
  template <class P>
  bool check_point(const P& x, double units = 16) const {
    return all([&](const auto& m, const auto& a) { return m.check_point(a, units); }, x);
  }
  template <class P>
  bool check_vector(const P& x, const P& u, double units = 16) const {
    return all(
        [&](const auto& m, const auto& a, const auto& b) { return m.check_vector(a, b, units); }, x,
        u);
  }

 private:
  using Parts = std::make_index_sequence<sizeof...(Ms)>;

  /// f on part i of everything.
  template <std::size_t i, class F, class... Ps>
  MCT_ALWAYS_INLINE decltype(auto) part(const F& f, const Ps&... x) const {
    return f(std::get<i>(manifolds), std::get<i>(x)...);
  }
  /// A tuple of f(part, coordinates of the part ...), in the order of the parts.
  template <class F, class P, class... Ps, std::size_t... i>
  MCT_ALWAYS_INLINE P each(std::index_sequence<i...>, const F& f, const P& x,
                           const Ps&... more) const {
    return P{part<i>(f, x, more...)...};
  }
  template <class F, class P, class... Ps>
  MCT_ALWAYS_INLINE P map(const F& f, const P& x, const Ps&... more) const {
    return each(Parts(), f, x, more...);
  }
  template <class F, class... Ps, std::size_t... i>
  MCT_ALWAYS_INLINE Point<Value, parts> numbers(std::index_sequence<i...>, const F& f,
                                                const Ps&... x) const {
    return Point<Value, parts>(part<i>(f, x...)...);
  }
  template <class F, class... Ps>
  MCT_ALWAYS_INLINE Point<Value, parts> values(const F& f, const Ps&... x) const {
    return numbers(Parts(), f, x...);
  }
  template <class F, class... Ps>
  MCT_ALWAYS_INLINE Value length(const F& f, const Ps&... x) const {
    Point<Value, parts> r = values(f, x...);
    for (int i = 0; i < parts; ++i) r[i] = r[i] * weights[i];
    return ::mct::geometry::norm(r);
  }
  template <class F, class... Ps>
  bool all(const F& f, const Ps&... x) const {
    return all_of(Parts(), f, x...);
  }
  template <class F, class... Ps, std::size_t... i>
  bool all_of(std::index_sequence<i...>, const F& f, const Ps&... x) const {
    return (part<i>(f, x...) && ...);
  }
};
template <class... Ms>
Product(const Ms&...) -> Product<Ms...>;

}  // namespace mct::geometry
