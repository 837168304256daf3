// How rows follow their gradients: gradient descent and Radam, of rows in lanes.
//
// Rows are given by an object with
//   vector(i)       number i of their gradients
//   points(offset)  their points, from number `offset` on
//   moments()       what Radam knows of them
//   used            the lanes that have one
#pragma once

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_operands.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::Moments;
using embed_detail::PointTable;
using embed_detail::Steps;

/// Radam's moments of rows. The share that gradients have in them, 1 - beta^t after t updates, is
/// kept as the moment of the number 1, which follows the same rule.
template <class V, class Rows>
class RowMoments {
 public:
  MCT_HD MCT_ALWAYS_INLINE RowMoments(const Moments& moments, int tangents, const Rows& rows)
      : moments_(moments), rows_(rows), tangents_(tangents) {}

  /// The gradients' squared lengths come in.
  MCT_HD MCT_ALWAYS_INLINE void add_squares(const V& squares) {
    second_ = mixed(moments_.beta2, rows_.load(tangents_), squares);
    first_share_ = mixed(moments_.beta1, rows_.load(tangents_ + 1), V(1.0));
    second_share_ = mixed(moments_.beta2, rows_.load(tangents_ + 2), V(1.0));
    const V root = geometry::detail::root(V(second_ / second_share_)) + V(moments_.eps);
    const V factor =
        geometry::detail::blend(root > V(0.0), V(V(1.0) / first_share_ / root), V(0.0));
    // a row whose square is no number would never move again: NaN, and it stays as it was
    factor_ =
        geometry::detail::blend(second_ - second_ == V(0.0), factor, V(FloatTraits<double>::nan));
  }
  /// Number i of the first moment, with the gradient's.
  MCT_HD MCT_ALWAYS_INLINE V first(int i, const V& gradient) const {
    return mixed(moments_.beta1, rows_.load(i), gradient);
  }
  /// What the first moment is multiplied by in a step of rate 1.
  MCT_HD MCT_ALWAYS_INLINE const V& factor() const { return factor_; }
  MCT_HD MCT_ALWAYS_INLINE void store_first(int i, const V& x, const bool* good) const {
    rows_.store(i, x, good);
  }
  MCT_HD MCT_ALWAYS_INLINE void store_squares(const bool* good) const {
    rows_.store(tangents_, second_, good);
    rows_.store(tangents_ + 1, first_share_, good);
    rows_.store(tangents_ + 2, second_share_, good);
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE static V mixed(double beta, const V& old, const V& fresh) {
    return V(beta) * old + V(1 - beta) * fresh;
  }

  const Moments& moments_;
  Rows rows_;
  int tangents_;
  V second_, first_share_, second_share_, factor_;
};

/// Moves the points of rows, those that stay numbers, and `momentum`, if there is one, parallel
/// along with them.
template <class Place, class Rows, class F>
MCT_HD MCT_ALWAYS_INLINE inline void advance(const Rows& rows, int n, const F& vector,
                                             double longest, typename Place::Vector* momentum,
                                             bool* good) {
  using V = typename Place::Lanes;
  const auto x = Place::load(rows, n);
  V shorter(1.0);
  if (longest < FloatTraits<double>::infinity)
    shorter = shortening_to(longest, Place::squared_length(x, vector));
  const auto step = [&](int i) { return V(vector(i) * shorter); };
  const auto z = Place::moved(x, step);
  V finite(0.0);
  for (int i = 0; i < n; ++i) {
    const V c = component_of(z[i], 0);
    finite = finite + (c - c);
  }
  if (momentum != nullptr) {
    Place::carry(x, z, step, *momentum);
    for (int i = 0; i < n; ++i) finite = finite + ((*momentum)[i] - (*momentum)[i]);
  }
  store_mask(finite == V(0.0), good);
  Place::store(rows, z, good);
}

/// Steps of the rows in a register's lanes.
template <class Place>
class RowStep {
  using V = typename Place::Lanes;
  using Vector = typename Place::Vector;
  static constexpr int width = int(lanes<V>);

 public:
  MCT_HD MCT_ALWAYS_INLINE RowStep(const PointTable<double>& points, const Steps& steps)
      : points_(points),
        steps_(steps),
        coordinates_(points.dimensions + Place::more),
        vector_(zeros(coordinates_)),
        momentum_(zeros(coordinates_)) {}

  /// Gradient descent. How many of the rows move in all factors.
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE int descend(const Rows& rows) {
    const int n = coordinates();
    bool whole[width];
    for (bool& moved : whole) moved = true;
    for (int f = 0; f < points_.factors; ++f) {
      load_vector(rows, f);
      for (int i = 0; i < n; ++i) vector_[i] = vector_[i] * V(steps_.rate);
      move(rows, f, nullptr, whole);
    }
    return moved_of(whole, rows.used);
  }
  /// Radam.
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE int adapt(const Rows& rows) {
    const int n = coordinates();
    bool whole[width];
    for (bool& moved : whole) moved = true;
    RowMoments<V, decltype(rows.moments())> moments(steps_.moments, points_.factors * n,
                                                    rows.moments());
    moments.add_squares(squares(rows));
    for (int f = 0; f < points_.factors; ++f) {
      load_vector(rows, f);
      for (int i = 0; i < n; ++i) {
        V& m = momentum_[i];
        m = moments.first(f * n + i, vector_[i]);
        vector_[i] = m * (V(steps_.rate) * moments.factor());
      }
      const bool* good = move(rows, f, &momentum_, whole);
      for (int i = 0; i < n; ++i) moments.store_first(f * n + i, momentum_[i], good);
    }
    moments.store_squares(whole);
    return moved_of(whole, rows.used);
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE int coordinates() const { return coordinates_of<Place>(coordinates_); }
  MCT_HD MCT_ALWAYS_INLINE static Vector zeros(int n) {
    return geometry::detail::generate<Vector>(n, [](int) { return V(0.0); });
  }
  MCT_HD MCT_ALWAYS_INLINE static int moved_of(const bool* whole, int used) {
    int moved = 0;
    for (int j = 0; j < used; ++j) moved += whole[j];
    return moved;
  }
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE void load_vector(const Rows& rows, int f) {
    const int n = coordinates();
    for (int i = 0; i < n; ++i) vector_[i] = rows.vector(f * n + i);
  }
  MCT_HD MCT_ALWAYS_INLINE auto frame() const {
    return [this](int i) -> const V& { return vector_[i]; };
  }
  /// The points of a factor.
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE auto points_of(const Rows& rows, int f) const {
    return rows.points(f * (points_.numbers / points_.factors));
  }
  /// The squared lengths of the gradients in all factors.
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE V squares(const Rows& rows) {
    V sum(0.0);
    for (int f = 0; f < points_.factors; ++f) {
      load_vector(rows, f);
      const auto x = Place::load(points_of(rows, f), coordinates());
      sum = sum + Place::squared_length(x, frame());
    }
    return sum;
  }
  /// Which rows have moved in this factor.
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE const bool* move(const Rows& rows, int f, Vector* momentum,
                                            bool* whole) {
    const auto points = points_of(rows, f);
    const double longest = steps_.longest;
    if constexpr (requires { Place::advance(points, frame(), longest, momentum, good_); }) {
      Place::advance(points, frame(), longest, momentum, good_);
    } else {
      advance<Place>(points, coordinates(), frame(), longest, momentum, good_);
    }
    for (int j = 0; j < rows.used; ++j) whole[j] = whole[j] && good_[j];
    return good_;
  }

  const PointTable<double>& points_;
  const Steps& steps_;
  int coordinates_;
  Vector vector_, momentum_;
  bool good_[width];
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
