// A number with a record of its computation, so that a formula also gives its derivatives.
//
// The formulas of the models are templates on the number type W. With Traced<W> in place of W,
// every operation records its operands and the partial derivatives by them, in closed form. One
// pass backward through the record (Trace::backward) gives the derivatives of the whole formula by
// all inputs, the radius included. The rules differentiate the stable steps of the formulas (a gap,
// a wedge, the hyperbolic functions of a length), not their roundings. For example, the derivative
// of gap_of is -2 x, however the gap is computed.
//
// A zero vector has no direction, although the formula is smooth there (expmap at u = 0, logmap at
// equal points). Such a vector is replaced by a vector along the last axis. Its length is
// `nearly_zero`, relative to the coordinates or the radius. The derivative there has all digits of
// the derivative at zero. Where the value itself has a corner (the distance of equal points), the
// caller decides.
//
// Error: derivatives of single steps are exact up to the rounding of their formulas. Source:
// reverse accumulation, step by step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/geometry/domain.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// True if a derivative is zero. A derivative that is a traced number must also depend on no other
/// number.
template <class W>
inline bool is_nothing(const W& derivative) {
  return lead(derivative) == 0;
}

/// The record of one thread. For every number it has the operands and the partial derivatives by
/// them. Number 0 stands for all constants.
template <class W>
class Trace {
 public:
  struct Edge {
    std::int32_t operand;
    W partial;
  };

  static Trace& current() {
    thread_local Trace trace;
    return trace;
  }
  /// Clears the record.
  void clear() {
    edges_.clear();
    ends_.assign(1, 0);
  }
  /// Makes a new number.
  std::int32_t leaf(const W&) {
    ends_.push_back(std::int32_t(edges_.size()));
    return std::int32_t(ends_.size()) - 1;
  }
  /// Notes an operand of the number that leaf() makes next.
  void note(std::int32_t operand, const W& partial) {
    if (operand != 0) edges_.push_back({operand, partial});
  }
  bool has_notes() const { return std::int32_t(edges_.size()) != ends_.back(); }

  /// Sets the derivatives to zero. Call add() afterwards for the derivatives of the results.
  void begin_backward() { adjoints_.assign(ends_.size(), number<W>(0)); }
  void add(std::int32_t result, const W& derivative) {
    W& adjoint = adjoints_[std::size_t(result)];
    adjoint = adjoint + derivative;
  }
  /// Passes derivatives on to all operands. A number with derivative 0 passes nothing on, because a
  /// choice may have a branch with infinite partial derivatives that was not taken.
  void backward() {
    for (std::size_t k = ends_.size(); k-- > 1;) {
      const W adjoint = adjoints_[k];
      if (is_nothing(adjoint)) continue;
      for (std::int32_t e = ends_[k - 1]; e < ends_[k]; ++e) {
        const Edge& edge = edges_[std::size_t(e)];
        add(edge.operand, adjoint * edge.partial);
      }
    }
  }
  const W& derivative(std::int32_t leaf) const { return adjoints_[std::size_t(leaf)]; }

 private:
  std::vector<Edge> edges_;
  std::vector<std::int32_t> ends_{0};  // number k has the edges from ends_[k - 1] to ends_[k]
  std::vector<W> adjoints_;
};

template <class W>
struct Traced {
  W value;
  std::int32_t index;  // of the current trace; 0 for a constant

  Traced() = default;
  explicit Traced(const limb_t<W>& constant) : value(constant), index(0) {}
  Traced(const W& x, std::int32_t k) : value(x), index(k) {}

  static Traced constant(const W& x) { return {x, 0}; }
  static Traced input(const W& x) { return {x, Trace<W>::current().leaf(x)}; }
};

template <class W>
inline constexpr bool is_traced_v<Traced<W>> = true;

template <class W>
inline bool is_nothing(const Traced<W>& derivative) {
  return derivative.index == 0 && lead(derivative.value) == 0;
}

/// Does nothing: if numbers are traced twice, the first trace has checked directions.
template <class V, class W, int n>
inline void require_unit(const Point<Traced<Traced<W>>, n>&) {}

/// An operand and the partial derivative by it.
template <class W>
using By = std::pair<const Traced<W>&, W>;

/// Records a result and its operands.
template <class W, class... Operands>
inline Traced<W> noted(const W& value, const Operands&... operands) {
  auto& trace = Trace<W>::current();
  (trace.note(operands.first.index, operands.second), ...);
  return {value, trace.has_notes() ? trace.leaf(value) : 0};
}

template <class W>
inline Traced<W> operator+(const Traced<W>& x, const Traced<W>& y) {
  const W one = number<W>(1);
  return noted(W(x.value + y.value), By<W>(x, one), By<W>(y, one));
}
template <class W>
inline Traced<W> operator-(const Traced<W>& x, const Traced<W>& y) {
  const W one = number<W>(1);
  return noted(W(x.value - y.value), By<W>(x, one), By<W>(y, W(-one)));
}
template <class W>
inline Traced<W> operator-(const Traced<W>& x) {
  return noted(W(-x.value), By<W>(x, W(-number<W>(1))));
}
template <class W>
inline Traced<W> negated(const Traced<W>& x) {
  return -x;
}
template <class W>
inline Traced<W> operator*(const Traced<W>& x, const Traced<W>& y) {
  return noted(W(x.value * y.value), By<W>(x, y.value), By<W>(y, x.value));
}
template <class W>
inline Traced<W> operator/(const Traced<W>& x, const Traced<W>& y) {
  const W inverse = number<W>(1) / y.value;
  const W quotient = x.value / y.value;
  return noted(quotient, By<W>(x, inverse), By<W>(y, W(-(quotient * inverse))));
}

template <class W>
inline const limb_t<W>& lead(const Traced<W>& x) {
  return lead(x.value);
}
template <class W>
inline Traced<W> with_lead(Traced<W> x, const limb_t<W>& head) {
  x.value = with_lead(x.value, head);
  return x;
}
/// If the value becomes NaN, so does the derivative.
template <class W>
inline Traced<W> only_where(bool mask, const Traced<W>& x) {
  if (mask) return x;
  const W nan = only_where(false, x.value);
  return noted(nan, By<W>(x, nan));
}
template <class W>
inline Traced<W> blend(bool mask, const Traced<W>& a, const Traced<W>& b) {
  return mask ? a : b;
}
template <class W>
inline Traced<W> scaled(const Traced<W>& x, const limb_t<W>& power) {
  return noted(W(scaled(x.value, power)), By<W>(x, W(power)));
}

/// The derivative at zero is taken as zero; nearly_zero handles the direction of a zero vector.
template <class W>
inline Traced<W> root(const Traced<W>& x) {
  const W r = root(x.value);
  const auto zero = lead(r) == limb_t<W>(scalar_t<limb_t<W>>(0));
  return noted(r, By<W>(x, blend(zero, r, W(number<W>(0.5) / blend(zero, number<W>(1), r)))));
}
template <class W>
inline Traced<W> expm1_of(const Traced<W>& x) {
  const W m = expm1_of(x.value);
  return noted(m, By<W>(x, W(m + number<W>(1))));
}
template <class W>
inline Traced<W> log1p_of(const Traced<W>& x) {
  const W one = number<W>(1);
  return noted(log1p_of(x.value), By<W>(x, W(one / (one + x.value))));
}
template <class W>
inline Traced<W> log_of(const Traced<W>& x) {
  return noted(log_of(x.value), By<W>(x, W(number<W>(1) / x.value)));
}
template <class W>
inline Traced<W> log_sinhc_of(const Traced<W>& s) {
  return noted(log_sinhc_of(s.value), By<W>(s, langevin_of(s.value)));
}
template <class W>
inline Traced<W> asinh_of(const Traced<W>& x) {
  const W one = number<W>(1);
  return noted(asinh_of(x.value), By<W>(x, W(one / hypotenuse(one, x.value))));
}
/// The derivative 1 - tanh^2 is computed as q (2 - q) with q = 2 / (e^(2 s) + 1), which does not
/// cancel.
template <class W>
inline Traced<W> tanh_of(const Traced<W>& s) {
  const W two = number<W>(2);
  const W q = two / (expm1_of(doubled(s.value)) + two);
  return noted(tanh_of(s.value), By<W>(s, W(q * (two - q))));
}
template <class W>
inline Reach<Traced<W>> reach_of(const Traced<W>& s) {
  const Reach<W> r = reach_of(s.value);
  return {noted(r.sinh, By<W>(s, r.cosh)), noted(r.cosh, By<W>(s, r.sinh)),
          noted(r.exp_minus, By<W>(s, W(-r.exp_minus))),
          noted(r.tanh_half, By<W>(s, halved(r.sech2_half))),
          noted(r.sech2_half, By<W>(s, W(-(r.tanh_half * r.sech2_half))))};
}
template <class W>
inline Traced<W> sin(const Traced<W>& x) {
  using std::cos, std::sin;
  return noted(W(sin(x.value)), By<W>(x, W(cos(x.value))));
}
template <class W>
inline Traced<W> cos(const Traced<W>& x) {
  using std::cos, std::sin;
  return noted(W(cos(x.value)), By<W>(x, W(-W(sin(x.value)))));
}
/// atan2 for two lengths that are not both zero.
template <class W>
inline Traced<W> atan2(const Traced<W>& y, const Traced<W>& x) {
  using std::atan2;
  const W size = hypotenuse(x.value, y.value);
  return noted(W(atan2(y.value, x.value)), By<W>(y, W(x.value / size / size)),
               By<W>(x, W(-(y.value / size / size))));
}

template <class W, int n>
inline Point<W, n> values_of(const Point<Traced<W>, n>& x) {
  return generate<Point<W, n>>(x.size(), [&](int i) { return x[i].value; });
}
template <class W, int n>
inline bool is_zero(const Point<W, n>& x) {
  for (int i = 0; i < x.size(); ++i)
    if (!(lead(x[i]) == 0)) return false;
  return true;
}
/// The length, relative to 1, that replaces zero. Its square is a normal number and negligible
/// beside u^N.
template <class W>
inline W nearly_zero() {
  W r = number<W>(0x1p-24);
  for (int k = 0; k < limbs_of<W>; ++k) r = r * number<W>(0x1p-53);
  return r;
}
template <class W, int n>
inline limb_t<W> largest_of(const Point<W, n>& x) {
  limb_t<W> largest(0);
  for (int i = 0; i < x.size(); ++i)
    if (magnitude(lead(x[i])) > largest) largest = magnitude(lead(x[i]));
  return largest;
}
/// Replaces a zero vector by a vector along the last axis of length nearly_zero times `unit`.
template <class W, int n>
inline Point<Traced<W>, n> off_zero(Point<Traced<W>, n> x, const limb_t<W>& unit = limb_t<W>(1)) {
  if (is_zero(x)) x[x.size() - 1].value = nearly_zero<W>() * W(unit);
  return x;
}
template <class W>
inline Traced<W> off_zero(Traced<W> factor, const Traced<W>& unit) {
  if (lead(factor) == 0) factor.value = nearly_zero<W>() * unit.value;
  return factor;
}

/// K^2 - |x|^2, with the derivatives 2 K and -2 x.
template <class W, int n>
inline Traced<W> gap_of(const Traced<W>& radius, const Point<Traced<W>, n>& x) {
  auto& trace = Trace<W>::current();
  trace.note(radius.index, doubled(radius.value));
  for (int i = 0; i < x.size(); ++i) trace.note(x[i].index, W(-doubled(x[i].value)));
  return noted(gap_of(radius.value, values_of(x)));
}
/// Records a sum of products as one number with the given value.
template <class W, int n>
inline Traced<W> noted_dot(const W& value, const Point<Traced<W>, n>& x,
                           const Point<Traced<W>, n>& y) {
  auto& trace = Trace<W>::current();
  for (int i = 0; i < x.size(); ++i) {
    trace.note(x[i].index, y[i].value);
    trace.note(y[i].index, x[i].value);
  }
  return noted(value);
}
template <class W, int n>
inline Traced<W> dot(const Point<Traced<W>, n>& x, const Point<Traced<W>, n>& y) {
  return noted_dot(W(dot(values_of(x), values_of(y))), x, y);
}
template <int M, class W, int n>
inline Traced<W> dot_in(const Point<Traced<W>, n>& x, const Point<Traced<W>, n>& y) {
  return noted_dot(W(dot_in<M>(values_of(x), values_of(y))), x, y);
}
/// b - a; for equal points a vector that is nearly zero relative to their coordinates.
template <class W, int n>
inline Point<W, n> difference_of(const Point<W, n>& a, const Point<W, n>& b) {
  Point<W, n> d = b - a;
  if (is_zero(d)) d[d.size() - 1] = nearly_zero<W>() * W(largest_of(a));
  return d;
}
template <class W, int n>
inline Traced<W> dot_with_difference(const Point<Traced<W>, n>& x, const Point<Traced<W>, n>& a,
                                     const Point<Traced<W>, n>& b) {
  auto& trace = Trace<W>::current();
  const Point<W, n> d = difference_of(values_of(a), values_of(b));
  for (int i = 0; i < x.size(); ++i) {
    trace.note(x[i].index, d[i]);
    trace.note(b[i].index, x[i].value);
    trace.note(a[i].index, W(-x[i].value));
  }
  const W sum = is_zero(values_of(b) - values_of(a))
                    ? W(x[x.size() - 1].value * d[x.size() - 1])
                    : dot_with_difference(values_of(x), values_of(a), values_of(b));
  return noted(sum);
}
/// The parts x_p y_j - x_j y_p for the largest coordinate p of x, with these values.
template <class W, int n>
inline Pivoted<Traced<W>, n> traced_wedge(const Point<Traced<W>, n>& x,
                                          const Point<Traced<W>, n>& y,
                                          const Pivoted<W, n>& values) {
  int p = 0;
  for (int i = 1; i < x.size(); ++i)
    if (magnitude(lead(x[i])) > magnitude(lead(x[p]))) p = i;
  return {x[p], generate<Point<Traced<W>, n>>(x.size(), [&](int j) {
            if (j == p) return Traced<W>::constant(number<W>(0));
            return noted(values.w[j], By<W>(x[p], y[j].value), By<W>(y[j], x[p].value),
                         By<W>(x[j], W(-y[p].value)), By<W>(y[p], W(-x[j].value)));
          })};
}
template <class W, int n>
inline Pivoted<Traced<W>, n> pivoted_wedge(const Point<Traced<W>, n>& x,
                                           const Point<Traced<W>, n>& y) {
  return traced_wedge(x, y, pivoted_wedge(values_of(x), values_of(y)));
}
template <class W, int n>
inline Pivoted<Traced<W>, n> pivoted_difference(const Point<Traced<W>, n>& x,
                                                const Point<Traced<W>, n>& y) {
  Pivoted<W, n> values = pivoted_difference(values_of(x), values_of(y));
  const auto d = values_of(y) - values_of(x);
  if (is_zero(d)) values = pivoted_wedge(values_of(x), difference_of(values_of(x), values_of(y)));
  return traced_wedge(x, y, values);
}
template <class W, int m>
struct MinkowskiProduct;  // of lorentz.hpp
template <class W, int m>
MCT_HD MinkowskiProduct<W, m> minkowski_product(const W& radius, const Point<W, m>& X,
                                                const Point<W, m>& V, const W& v0);
/// The derivatives are (V - v_0 X / t) / K by X, X / K by V, and -t / K by v_0.
template <class W, int n>
inline MinkowskiProduct<Traced<W>, n> minkowski_product(const Traced<W>& radius,
                                                        const Point<Traced<W>, n>& X,
                                                        const Point<Traced<W>, n>& V,
                                                        const Traced<W>& v0) {
  auto& trace = Trace<W>::current();
  const W k = radius.value;
  const auto x = values_of(X);
  const auto v = values_of(V);
  const auto product = minkowski_product(k, x, v, v0.value);
  const W time = hypotenuse(k, norm_of(x));
  for (int i = 0; i < X.size(); ++i) {
    trace.note(X[i].index, W((v[i] - product.slope[i] * v0.value) / k));
    trace.note(V[i].index, W(x[i] / k));
  }
  trace.note(v0.index, W(-(time / k)));
  trace.note(radius.index, W(-(v0.value / time + product.value / k)));
  return {noted(product.value), X / hypotenuse(radius, norm_of(X))};
}
template <class W, class F>
inline Traced<W> weighted_sum(const std::vector<Traced<W>>& weights, const F& terms) {
  auto& trace = Trace<W>::current();
  std::vector<W> plain;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    plain.push_back(weights[k].value);
    const Traced<W> term = terms(k);
    trace.note(weights[k].index, term.value);
    trace.note(term.index, weights[k].value);
  }
  return noted(weighted_sum(plain, [&](std::size_t k) { return terms(k).value; }));
}
template <class W, int n>
inline Polar<Traced<W>, n> polar(const Point<Traced<W>, n>& vector) {
  const auto x = off_zero(vector);
  const auto scale = unit_scale(x);
  const auto unit = times(x, scale);
  const Traced<W> length = root(squared_norm(unit));
  return {over(length, scale), unit / length};
}

}  // namespace detail

/// x - y. Equal points are taken as nearly_zero apart, relative to their coordinates.
template <class W, int n>
inline Point<detail::Traced<W>, n> operator-(const Point<detail::Traced<W>, n>& x,
                                             const Point<detail::Traced<W>, n>& y) {
  const auto d =
      detail::generate<Point<detail::Traced<W>, n>>(x.size(), [&](int i) { return x[i] - y[i]; });
  return detail::off_zero(d, detail::largest_of(detail::values_of(x)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE

namespace mct {

template <class W>
struct ScalarOf<geometry::detail::Traced<W>> {
  using type = scalar_t<typename ValueTraits<W>::Limb>;
};
template <class W>
struct ValueTraits<geometry::detail::Traced<W>> {
  using Limb = typename ValueTraits<W>::Limb;
  static constexpr int limbs = ValueTraits<W>::limbs;
};

}  // namespace mct
