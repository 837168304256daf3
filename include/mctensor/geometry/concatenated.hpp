// A product of manifolds whose points are single Points, the coordinates of the parts side by side:
// what tensors of points of a product hold.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/frechet_mean.hpp"
#include "mctensor/geometry/product.hpp"
#include "mctensor/tensor/shape.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {

/// The methods of Product on points of sizes[0] + sizes[1] + ... coordinates.
///
///   const Product product(PoincareBall<double>(1), Sphere<double>(2));
///   const Concatenated space(product, {2, 3});
///   const Tensor<double> d = dist(space, x, y);  // of shapes (..., 5)
///
/// Points of another number of coordinates throw ShapeError; bounds are those of Product.
template <class... Ms>
class Concatenated {
 public:
  using Value = typename Product<Ms...>::Value;
  static constexpr int parts = int(sizeof...(Ms));
  using Sizes = std::array<int, sizeof...(Ms)>;
  using P = Point<Value>;
  using Parts = std::tuple<Point<typename Ms::Value>...>;

  /// Throws ShapeError unless every part has the coordinates that it needs.
  explicit Concatenated(const Product<Ms...>& product, const Sizes& sizes)
      : product_(product), sizes_(sizes) {
    try {
      static_cast<void>(product_.origin(sizes_));
    } catch (const ShapeError& error) {
      throw ShapeError("Concatenated: parts of sizes " +
                       to_string(Shape(sizes_.begin(), sizes_.end())) + ": " + error.what());
    }
    for (const int size : sizes_) coordinates_ += size;
  }

  const Product<Ms...>& product() const { return product_; }
  int coordinates() const { return coordinates_; }

  /// The tuple of a point's parts, and back.
  Parts split(const P& x) const {
    if (x.size() != coordinates_)
      throw ShapeError("Concatenated: a point of " + std::to_string(x.size()) +
                       " coordinates in a product of " + std::to_string(coordinates_));
    Parts parts_of_x;
    int begin = 0;
    std::size_t part = 0;
    const auto take = [&](auto& p) {
      const int size = sizes_[part++];
      p = detail::generate<P>(size, [&](int i) { return x[begin + i]; });
      begin += size;
    };
    std::apply([&](auto&... p) { (take(p), ...); }, parts_of_x);
    return parts_of_x;
  }
  P join(const Parts& parts_of_x) const {
    P x = P::of_size(coordinates_);
    int at = 0;
    const auto put = [&](const auto& p) {
      for (int i = 0; i < p.size(); ++i) x[at++] = p[i];
    };
    std::apply([&](const auto&... p) { (put(p), ...); }, parts_of_x);
    return x;
  }

  Value dist(const P& x, const P& y) const { return product_.dist(split(x), split(y)); }
  Value dist0(const P& x) const { return product_.dist0(split(x)); }
  Value norm(const P& x, const P& u) const { return product_.norm(split(x), split(u)); }
  Value inner(const P& x, const P& u, const P& v) const {
    return product_.inner(split(x), split(u), split(v));
  }
  P expmap(const P& x, const P& u) const { return join(product_.expmap(split(x), split(u))); }
  P expmap0(const P& u) const { return join(product_.expmap0(split(u))); }
  P logmap(const P& x, const P& y) const { return join(product_.logmap(split(x), split(y))); }
  P logmap0(const P& y) const { return join(product_.logmap0(split(y))); }
  P retr(const P& x, const P& u) const { return join(product_.retr(split(x), split(u))); }
  P ptransp(const P& x, const P& y, const P& u) const {
    return join(product_.ptransp(split(x), split(y), split(u)));
  }
  P ptransp0(const P& y, const P& u) const { return join(product_.ptransp0(split(y), split(u))); }
  P geodesic(const Value& t, const P& x, const P& y) const {
    return join(product_.geodesic(t, split(x), split(y)));
  }
  P projx(const P& x) const { return join(product_.projx(split(x))); }
  P proju(const P& x, const P& u) const { return join(product_.proju(split(x), split(u))); }
  P egrad2rgrad(const P& x, const P& g) const {
    return join(product_.egrad2rgrad(split(x), split(g)));
  }
  bool check_point(const P& x, double units = 16) const {
    return product_.check_point(split(x), units);
  }
  bool check_vector(const P& x, const P& u, double units = 16) const {
    return product_.check_vector(split(x), split(u), units);
  }
  /// n must be coordinates().
  P origin(int n) const {
    require(n);
    return join(product_.origin(sizes_));
  }
  P random_normal(int n, std::uint64_t seed, std::uint64_t index = 0, double deviation = 1) const {
    require(n);
    return join(product_.random_normal(sizes_, seed, index, deviation));
  }
  /// The Fréchet mean has the means of the parts, whatever the weights of the product.
  P frechet_mean(const std::vector<P>& points, const std::vector<Value>& weights) const {
    return frechet_mean_of(points, weights, std::make_index_sequence<sizeof...(Ms)>());
  }

 private:
  void require(int n) const {
    if (n != coordinates_)
      throw ShapeError("Concatenated: " + std::to_string(n) + " coordinates, the product has " +
                       std::to_string(coordinates_));
  }
  template <std::size_t... i>
  P frechet_mean_of(const std::vector<P>& points, const std::vector<Value>& weights,
                    std::index_sequence<i...>) const {
    std::array<std::vector<P>, sizeof...(Ms)> split_points;
    for (const P& x : points) {
      const Parts each = split(x);
      (split_points[i].push_back(std::get<i>(each)), ...);
    }
    return join(Parts{
        geometry::frechet_mean(std::get<i>(product_.manifolds), split_points[i], weights)...});
  }

  Product<Ms...> product_;
  Sizes sizes_;
  int coordinates_ = 0;
};
template <class... Ms>
Concatenated(const Product<Ms...>&, const std::array<int, sizeof...(Ms)>&) -> Concatenated<Ms...>;

template <class... Ms>
auto frechet_mean(const Concatenated<Ms...>& space,
                  const std::vector<typename Concatenated<Ms...>::P>& points,
                  const std::vector<typename Concatenated<Ms...>::Value>& weights) {
  return space.frechet_mean(points, weights);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
