// The loop of training over rows: gradient descent and Radam.
#pragma once

#include <cmath>

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_table.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::Moments;
using embed_detail::PointTable;
using embed_detail::Steps;

/// Asks memory for a row; of long ones the first lines, behind which processors fetch by
/// themselves.
template <class P>
MCT_ALWAYS_INLINE inline void fetch_row(const PointTable<P>& points, std::int64_t row) {
  const double* at = points.data + (row < 0 ? 0 : row) * points.numbers;
  __builtin_prefetch(at);
  if (points.numbers > 4) __builtin_prefetch(at + points.numbers - 1);
  if (points.numbers > 16) __builtin_prefetch(at + 8);
}

/// The first numbers of a register, zeros behind them.
MCT_ALWAYS_INLINE inline PlaceLanes load_first(const double* from, int used) {
  if (used == place_lanes) return load_lanes<PlaceLanes>(from);
  double buffer[place_lanes] = {};
  for (int j = 0; j < used; ++j) buffer[j] = from[j];
  return load_lanes<PlaceLanes>(buffer);
}

/// The first `used` rows of these, of a table with so many numbers each; the first one again in
/// lanes behind them.
MCT_ALWAYS_INLINE inline LaneRows<double> rows_in_lanes(double* data, std::int64_t numbers,
                                                        const std::int32_t* rows, int used) {
  LaneRows<double> r;
  for (int j = 0; j < place_lanes; ++j)
    r.row[j] = data + std::int64_t(rows[j < used ? j : 0]) * numbers;
  return r;
}

/// Radam's moments of a register of rows. The share that gradients have in them, 1 - beta^t after t
/// updates, is kept as the moment of the number 1, which follows the same rule.
class RowMoments {
  using V = PlaceLanes;

 public:
  RowMoments(const Moments& moments, int tangents, const std::int32_t* rows, int used)
      : moments_(moments),
        rows_(rows_in_lanes(moments.data, tangents + Moments::more, rows, used)),
        tangents_(tangents),
        used_(used) {}

  /// The gradients' squared lengths come in.
  MCT_ALWAYS_INLINE void add_squares(const V& squares) {
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
  MCT_ALWAYS_INLINE V first(int i, const V& gradient) const {
    return mixed(moments_.beta1, rows_.load(i), gradient);
  }
  /// What the first moment is multiplied by in a step of rate 1.
  MCT_ALWAYS_INLINE const V& factor() const { return factor_; }
  MCT_ALWAYS_INLINE void store_first(int i, const V& x, const bool* good) const {
    rows_.store(i, x, good, used_);
  }
  MCT_ALWAYS_INLINE void store_squares(const bool* good) const {
    rows_.store(tangents_, second_, good, used_);
    rows_.store(tangents_ + 1, first_share_, good, used_);
    rows_.store(tangents_ + 2, second_share_, good, used_);
  }

 private:
  MCT_ALWAYS_INLINE static V mixed(double beta, const V& old, const V& fresh) {
    return V(beta) * old + V(1 - beta) * fresh;
  }

  const Moments& moments_;
  LaneRows<double> rows_;
  int tangents_, used_;
  V second_, first_share_, second_share_, factor_;
};

/// Moves the points of a register of rows, those that stay numbers, and `momentum`, if there is
/// one, parallel along with them.
template <class Place, class F>
MCT_ALWAYS_INLINE inline void advance(const LaneRows<double>& rows, int n, const F& vector,
                                      double longest, typename Place::Vector* momentum, bool* good,
                                      int used) {
  using V = PlaceLanes;
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
  Place::store(rows, z, good, used);
}

/// Steps of up to a register of rows.
template <class Place>
class RowStep {
  using V = PlaceLanes;
  using Vector = typename Place::Vector;

 public:
  RowStep(const PointTable<double>& points, const Steps& steps)
      : points_(points),
        steps_(steps),
        coordinates_(points.dimensions + Place::more),
        vector_(zeros(coordinates_)),
        momentum_(zeros(coordinates_)) {}

  /// How many of the rows move in all factors.
  MCT_ALWAYS_INLINE int run(std::int64_t first, int used) {
    const std::int32_t* rows = steps_.rows + first;
    const int n = coordinates();
    bool whole[place_lanes];
    for (bool& moved : whole) moved = true;
    if (steps_.moments.data == nullptr) {
      for (int f = 0; f < points_.factors; ++f) {
        load_vector(f, first, used);
        for (int i = 0; i < n; ++i) vector_[i] = vector_[i] * V(steps_.rate);
        move(f, rows, used, nullptr, whole);
      }
    } else {
      RowMoments moments(steps_.moments, points_.factors * n, rows, used);
      moments.add_squares(squares(first, used));
      for (int f = 0; f < points_.factors; ++f) {
        load_vector(f, first, used);
        for (int i = 0; i < n; ++i) {
          V& m = momentum_[i];
          m = moments.first(f * n + i, vector_[i]);
          vector_[i] = m * (V(steps_.rate) * moments.factor());
        }
        const bool* good = move(f, rows, used, &momentum_, whole);
        for (int i = 0; i < n; ++i) moments.store_first(f * n + i, momentum_[i], good);
      }
      moments.store_squares(whole);
    }
    int moved = 0;
    for (int j = 0; j < used; ++j) moved += whole[j];
    return moved;
  }

 private:
  MCT_ALWAYS_INLINE int coordinates() const { return coordinates_of<Place>(coordinates_); }
  MCT_ALWAYS_INLINE static Vector zeros(int n) {
    return geometry::detail::generate<Vector>(n, [](int) { return V(0.0); });
  }
  MCT_ALWAYS_INLINE void load_vector(int f, std::int64_t first, int used) {
    const int n = coordinates();
    for (int i = 0; i < n; ++i)
      vector_[i] = load_first(steps_.vectors + (f * n + i) * steps_.plane + first, used);
  }
  MCT_ALWAYS_INLINE auto frame() const {
    return [this](int i) -> const V& { return vector_[i]; };
  }
  /// The rows of a factor's points.
  MCT_ALWAYS_INLINE LaneRows<double> rows_of(int f, const std::int32_t* rows, int used) const {
    return rows_in_lanes(points_.data + std::int64_t(f) * (points_.numbers / points_.factors),
                         points_.numbers, rows, used);
  }
  /// The squared lengths of the gradients in all factors.
  MCT_ALWAYS_INLINE V squares(std::int64_t first, int used) {
    V sum(0.0);
    for (int f = 0; f < points_.factors; ++f) {
      load_vector(f, first, used);
      const auto x = Place::load(rows_of(f, steps_.rows + first, used), coordinates());
      sum = sum + Place::squared_length(x, frame());
    }
    return sum;
  }
  /// Which rows have moved in this factor.
  MCT_ALWAYS_INLINE const bool* move(int f, const std::int32_t* numbers, int used, Vector* momentum,
                                     bool* whole) {
    const auto rows = rows_of(f, numbers, used);
    const double longest = steps_.longest;
    if constexpr (requires { Place::advance(rows, frame(), longest, momentum, good_, used); }) {
      Place::advance(rows, frame(), longest, momentum, good_, used);
    } else {
      advance<Place>(rows, coordinates(), frame(), longest, momentum, good_, used);
    }
    for (int j = 0; j < used; ++j) whole[j] = whole[j] && good_[j];
    return good_;
  }

  const PointTable<double>& points_;
  const Steps& steps_;
  int coordinates_;
  Vector vector_, momentum_;
  bool good_[place_lanes];
};

/// Moves rows by the exponential map.
template <class Place>
[[gnu::flatten]] std::int64_t example_step(const PointTable<double>& points, const Steps& steps) {
  RowStep<Place> step(points, steps);
  constexpr std::int64_t ahead = std::int64_t(2) * place_lanes;  // rows that are asked for
  std::int64_t moved = 0;
  for (std::int64_t first = 0; first < steps.count; first += place_lanes) {
    for (std::int64_t i = first + ahead; i < steps.count && i < first + ahead + place_lanes; ++i)
      fetch_row(points, steps.rows[i]);
    const int used = int(steps.count - first < place_lanes ? steps.count - first : place_lanes);
    moved += step.run(first, used);
  }
  return moved;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
