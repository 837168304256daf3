// What follows from a model's dist, norm, inner, expmap, logmap, ptransp and origin_like.
#pragma once

#include "mctensor/geometry/domain.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

template <class Model, class W>
struct CommonFormulas {
  static constexpr int least_coordinates = 1;

  W radius;

  template <int n>
  MCT_HD W dist2(const Point<W, n>& x, const Point<W, n>& y) const {
    const W d = model().dist(x, y);
    return d * d;
  }
  template <int n>
  MCT_HD W dist0(const Point<W, n>& x) const {
    return model().dist(model().origin_like(x), x);
  }
  /// A model is one component: its inner product in every coordinate.
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
  /// 0 for u has no direction: x.
  template <int n>
  MCT_HD Point<W, n> geodesic_unit(const W& t, const Point<W, n>& x, const Point<W, n>& u) const {
    const W length = model().norm(x, u);
    using L = limb_t<W>;
    const auto still = lead(length) == L(scalar_t<L>(0));
    return model().expmap(x, u * W(off_zero(t, radius) / blend(still, number<W>(1), length)));
  }

 private:
  MCT_HD constexpr const Model& model() const { return static_cast<const Model&>(*this); }
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
