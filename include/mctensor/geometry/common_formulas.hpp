// Formulas that follow from a model's dist, expmap, logmap, ptransp, proju and origin_like, and
// from the sign of its curvature. The metric is the Euclidean metric of the coordinates, unless the
// model's formulas say otherwise.
#pragma once

#include "mctensor/geometry/random_points.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The logarithm of the density of wrapped normal points of a standard deviation at the distance d
/// from their mean. There the exponential map makes lengths e^spread times as large in all
/// dimensions but one.
template <class W>
MCT_HD inline W normal_log_density(int dimension, const W& d, const W& deviation, const W& spread) {
  const W z = d / deviation;
  const W scale = log_of(deviation) + half_log_two_pi<W>();
  return -(halved(W(z * z)) + number<W>(dimension) * scale + number<W>(dimension - 1) * spread);
}

template <class Model, class W>
struct CommonFormulas {
  /// The number of coordinates of points of dimension 1.
  static constexpr int least_coordinates = 1;

  W radius;

  MCT_HD static constexpr int dimension(int coordinates) {
    return coordinates - Model::least_coordinates + 1;
  }

  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return u;
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    return only_where(has_no_nan(x), dot(u, v));
  }
  template <int n>
  MCT_HD W norm(const Point<W, n>& x, const Point<W, n>& u) const {
    return only_where(has_no_nan(x), norm_of(u));
  }
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    return model().proju(x, g);
  }
  template <int n>
  MCT_HD W dist2(const Point<W, n>& x, const Point<W, n>& y) const {
    const W d = model().dist(x, y);
    return d * d;
  }
  template <int n>
  MCT_HD W dist0(const Point<W, n>& x) const {
    return model().dist(model().origin_like(x), x);
  }
  /// The inner product of each coordinate's part. A model is one part, so every coordinate holds
  /// the whole inner product.
  template <int n>
  MCT_HD Point<W, n> component_inner(const Point<W, n>& x, const Point<W, n>& u,
                                     const Point<W, n>& v) const {
    const W all = model().inner(x, u, v);
    return generate<Point<W, n>>(x.size(), [&](int) { return all; });
  }
  template <int n>
  MCT_HD Point<W, n> expmap0(const Point<W, n>& u) const {
    return model().expmap(model().origin_like(u), u);
  }
  template <int n>
  MCT_HD Point<W, n> logmap0(const Point<W, n>& y) const {
    return model().logmap(model().origin_like(y), y);
  }
  template <int n>
  MCT_HD Point<W, n> ptransp0(const Point<W, n>& y, const Point<W, n>& u) const {
    return model().ptransp(model().origin_like(y), y, u);
  }
  template <int n>
  MCT_HD Point<W, n> ptransp0back(const Point<W, n>& y, const Point<W, n>& u) const {
    return model().ptransp(y, model().origin_like(y), u);
  }
  /// For u = 0, which has no direction, the result is x.
  template <int n>
  MCT_HD Point<W, n> geodesic_unit(const W& t, const Point<W, n>& x, const Point<W, n>& u) const {
    const W length = model().norm(x, u);
    // if the length overflows or has no inverse, a multiple of u takes the place of u
    const auto ordinary = ordinary_lanes(length);
    if (!somewhere(!ordinary)) return unit_step(t, x, u, length);
    using L = limb_t<W>;
    using S = scalar_t<L>;
    const auto normal = lead(length) > L(pow2<S>(FloatTraits<S>::emin)) &&
                        lead(length) < L(FloatTraits<L>::infinity);
    const L size = blend(normal, lead(length), unit_size(u));
    const Point<W, n> v = times(u, scale_to_unit(L(blend(ordinary, L(S(1)), size))));
    return unit_step(t, x, v, model().norm(x, v));
  }
  template <int n>
  MCT_HD Point<W, n> unit_step(const W& t, const Point<W, n>& x, const Point<W, n>& u,
                               const W& length) const {
    using L = limb_t<W>;
    const auto still = lead(length) == L(scalar_t<L>(0));
    return model().expmap(x, u * W(off_zero(t, radius) / blend(still, number<W>(1), length)));
  }
  /// A vector at the origin in the direction of u. Its exponential map is the point number `index`
  /// of random_uniform.
  template <int n>
  Point<W, n> uniform_vector(const Point<W, n>& u, std::uint64_t seed, std::uint64_t index,
                             double distance, std::uint32_t part = 0) const {
    const double k(lead(radius));
    const double length =
        uniform_length(Model::curvature_sign, dimension(u.size()), distance / k, seed, index, part);
    // by rounding, u may have a small part that is not tangent, and scaling would make this part
    // larger
    const auto origin = model().origin_like(u);
    const Point<W, n> v = model().proju(origin, u);
    return v * W(number<W>(length) * radius / model().norm(origin, v));
  }

 private:
  MCT_HD constexpr const Model& model() const { return static_cast<const Model&>(*this); }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
