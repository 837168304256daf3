// The loss of an example and its gradients, with the other nodes of the example ("others") in
// lanes.
//
// Lanes are given by an object of class Lanes that has one example at a time:
//   V, width               a number in every lane, and how many lanes there are: a power of 2
//   registers()            how many times the lanes all others take
//   load_source(f), load_others(r, f)
//                          points of factor f, the source in every lane; a lane without another has
//                          any point
//   source(f), own(f)      the point of the source, and its weight
//   cell(i, r), keep(i, r, x)
//                          numbers that are kept of the r-th others between the passes
//   where_there(r, x, nobody)
//                          x, and another number in the lanes where there is no other
//   first_of(x), with_first(x, a), smallest(x), total(sums)
//   share()                of the example in the loss
//   put(i, r, x), put_source(i, x), set_loss(x), set_slope(x)
//                          results: number i of gradients
//   wants_slope()          whether set_slope will be called
#pragma once

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_operands.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::Examples;
using embed_detail::PointTable;

/// Numbers of the widest register of all instruction sets.
template <class V>
inline constexpr int partial_sums = 64 / sizeof(scalar_t<V>);

/// Partial sums; element i of a row goes to sum i % partial_sums<V>, whatever the width of a
/// register, so that all instruction sets (with fma) and GPUs have the same bits.
template <class V, int width>
class PartialSums {
 public:
  MCT_HD MCT_ALWAYS_INLINE PartialSums() {
    for (V& s : sums_) s = V(0.0);
  }
  MCT_HD MCT_ALWAYS_INLINE void add(int reg, const V& x) {
    V& s = sums_[reg % registers];
    s = s + x;
  }
  MCT_HD MCT_ALWAYS_INLINE const V& sum(int i) const { return sums_[i]; }

  static constexpr int registers = partial_sums<V> / width;

 private:
  V sums_[registers];
};

/// e^x for x <= 0, to less than an ulp of float and 2^-40. Through doubles in float, as in C
/// libraries.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V falling_exp(const V& x) {
  using ::mct::detail::plain::exp;
  if constexpr (in_float<V>) {
    return Halves<V>::joined(exp<1>(Halves<V>::low(x)), exp<1>(Halves<V>::high(x)));
  } else {
    return exp<1>(x);
  }
}

/// As arc_of_square, in float for every q.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline geometry::detail::Arc<V> arc_of(const V& q) {
  if constexpr (!in_float<V>) {
    return geometry::detail::arc_of_square(q);
  } else {
    // beyond 2^30, where the square might overflow, q + 1 / 2 rounds to q
    const V r = geometry::detail::blend(q > V(0x1p30), q, geometry::detail::root(V(q + q * q)));
    const V sum = q + r;
    return {::mct::detail::plain_log1p_within(V(sum + sum)), r};
  }
}

/// The loss -log softmax(-sharpness d)_0 of one example, and its gradients.
template <class Place, class Lanes>
class ExampleLoop {
  using V = typename Lanes::V;
  using T = scalar_t<V>;
  using Coordinates = typename Place::Coordinates;
  using Sums = PartialSums<V, Lanes::width>;

 public:
  MCT_HD MCT_ALWAYS_INLINE ExampleLoop(const PointTable<const double>& points,
                                       const Examples& examples, Lanes& lanes)
      : points_(points), examples_(examples), lanes_(lanes) {}

  /// Numbers that are kept of others: of a pair, and of each factor.
  MCT_HD MCT_ALWAYS_INLINE static constexpr int cells(int n, int factors) {
    return of_pair + factors * (n + (Lanes::one_factor ? 3 : 4));
  }

  MCT_HD MCT_ALWAYS_INLINE void run() const {
    for (int f = 0; f < points_.factors; ++f) {
      lanes_.source(f) = lanes_.load_source(f);
      lanes_.own(f) = Place::weight(lanes_.source(f));
    }
    V least(FloatTraits<double>::infinity);
    for (int r = 0; r < lanes_.registers(); ++r) measure(r, least);
    const T nearest = lanes_.smallest(least);
    Sums rest;
    for (int r = 0; r < lanes_.registers(); ++r) {
      const V chance = chances(r, nearest);
      lanes_.keep(power, r, chance);
      rest.add(r, r == 0 ? lanes_.with_first(chance, 0) : chance);
    }
    const T of_negatives = lanes_.total(rest);
    const T of_target = lanes_.first_of(lanes_.cell(power, 0));
    const T all = of_negatives + of_target;
    lanes_.set_loss(examples_.sharpness * (lanes_.first_of(lanes_.cell(length, 0)) - nearest) +
                    ::mct::detail::plain::log<1>(double(all)));
    differentiate(of_negatives / all, 1 / all);
    for (int f = 0; f < points_.factors; ++f) spread(f);
  }

 private:
  // which cell has what
  enum : int { length, power, of_pair };
  MCT_HD MCT_ALWAYS_INLINE int of_factor(int f) const { return cells(coordinates(), f); }
  enum : int { weight, square, slope, difference };
  /// The length in a factor, after the difference.
  MCT_HD MCT_ALWAYS_INLINE int length_in(int f) const {
    return Lanes::one_factor ? int(length) : of_factor(f) + difference + coordinates();
  }

  MCT_HD MCT_ALWAYS_INLINE int coordinates() const {
    return coordinates_of<Place>(points_.dimensions + Place::more);
  }
  /// The distances of others, the root of the sum of the factors' squares.
  MCT_HD MCT_ALWAYS_INLINE void measure(int r, V& least) const {
    V sum(0.0);
    V last(0.0);
    for (int f = 0; f < points_.factors; ++f) {
      last = measure_in(r, f);
      sum = sum + last * last;
    }
    const V distance = points_.factors == 1 ? last : V(geometry::detail::root(sum));
    lanes_.keep(length, r, distance);
    least = geometry::halfspace_detail::smaller(
        least, lanes_.where_there(r, distance, FloatTraits<double>::infinity));
  }
  MCT_HD MCT_ALWAYS_INLINE V measure_in(int r, int f) const {
    const Coordinates y = lanes_.load_others(r, f);
    const int cell = of_factor(f);
    V sum(0.0);
    for (int i = 0; i < coordinates(); ++i) {
      const V d = Place::difference(lanes_.source(f), y, i);
      lanes_.keep(cell + difference + i, r, d);
      sum = sum + d * d;
    }
    const V other = Place::weight(y);
    const V q = Place::square(lanes_.source(f), y, sum, lanes_.own(f), other);
    const auto arc = arc_of(q);
    lanes_.keep(cell + weight, r, other);
    lanes_.keep(cell + square, r, q);
    if constexpr (!Lanes::one_factor) lanes_.keep(length_in(f), r, arc.length);
    // equal points have no gradient
    const V zero(0.0);
    lanes_.keep(cell + slope, r,
                geometry::detail::blend(arc.half_sinh == zero, zero, V(V(1.0) / arc.half_sinh)));
    return arc.length;
  }
  /// e^(-sharpness (d - nearest)), 0 where there is no other.
  MCT_HD MCT_ALWAYS_INLINE V chances(int r, const T& nearest) const {
    const V x = (V(nearest) - lanes_.cell(length, r)) * V(examples_.sharpness);
    return lanes_.where_there(r, falling_exp(x), 0);
  }
  /// The derivatives by the distances, where the powers were, and by the sharpness.
  MCT_HD MCT_ALWAYS_INLINE void differentiate(const T& miss, const T& inverse) const {
    const T scale(examples_.sharpness * lanes_.share());
    Sums by_length;
    for (int r = 0; r < lanes_.registers(); ++r) {
      V c = lanes_.cell(power, r) * V(-inverse * scale);
      if (r == 0) c = lanes_.with_first(c, miss * scale);
      lanes_.keep(power, r, c);
      if (lanes_.wants_slope()) by_length.add(r, c * lanes_.cell(length, r));
    }
    if (lanes_.wants_slope()) lanes_.set_slope(lanes_.total(by_length) / examples_.sharpness);
  }
  /// The derivatives by a factor's distances.
  MCT_HD MCT_ALWAYS_INLINE V derivative(int r, int f) const {
    const V c = lanes_.cell(power, r);
    if (Lanes::one_factor || points_.factors == 1) return c;
    const V whole = geometry::halfspace_detail::nonzero(V(lanes_.cell(length, r)));
    return c * (lanes_.cell(length_in(f), r) / whole);
  }
  /// The gradients by all points of a factor.
  MCT_HD MCT_ALWAYS_INLINE void spread(int f) const {
    const Coordinates& u = lanes_.source(f);
    const int n = coordinates();
    const int cell = of_factor(f);
    Sums by_square;
    // of the source: a(y) (u - y) now, q w(u) at the end
    Sums at_hand[Lanes::sums_at_hand];
    const auto sums = [&](int i) -> Sums& {
      if constexpr (Lanes::sums_at_hand == Coordinates::dimension) {
        return at_hand[i];
      } else {
        return i < Lanes::sums_at_hand ? at_hand[i] : lanes_.more_sums(i - Lanes::sums_at_hand);
      }
    };
    for (int i = Lanes::sums_at_hand; i < n; ++i) sums(i) = Sums();
    for (int r = 0; r < lanes_.registers(); ++r) {
      const V g = derivative(r, f) * lanes_.cell(cell + slope, r);
      const V gq = g * lanes_.cell(cell + square, r);
      by_square.add(r, gq);
      const V toward = g * lanes_.own(f);
      const V away = g * lanes_.cell(cell + weight, r);
      for (int i = 0; i < n; ++i) {
        const V d = lanes_.cell(cell + difference + i, r);
        sums(i).add(r, away * d);
        const V y = limb_of(u[i], 0) - d;
        lanes_.put(f * n + i, r, gq * Place::along(y, i, n) - toward * d);
      }
    }
    const T bent = lanes_.total(by_square);
    for (int i = 0; i < n; ++i)
      lanes_.put_source(f * n + i, lanes_.total(sums(i)) + bent * lanes_.first_of(Place::along(
                                                                      limb_of(u[i], 0), i, n)));
  }

  const PointTable<const double>& points_;
  const Examples& examples_;
  Lanes& lanes_;
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
