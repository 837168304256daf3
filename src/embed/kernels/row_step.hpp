// Moves rows of training by their gradients: the rules of optimizers (geometry/optim/row_rules.hpp)
// for rows in lanes.
//
// Rows are given by an object with
//   vector(i)       number i of their gradients
//   points(offset)  their points, from number `offset` on
//   moments()       the rows' states of Radam
//   used            the number of lanes that have a row
#pragma once

#include "mctensor/geometry/optim/row_rules.hpp"
#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_operands.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::Moments;
using embed_detail::PointTable;
using embed_detail::Steps;

/// Steps of points in a place.
template <class Place>
using StepsOf = Steps<scalar_t<typename Place::Lanes>>;

/// Moves the points of rows whose results are finite and not too far, and transports `momentum`, if
/// there is one, parallel with them.
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
  V finite = Place::zero_if_near(z);
  for (int i = 0; i < n; ++i) finite = finite + zero_if_finite(limb_of(z[i], 0));
  if (momentum != nullptr) {
    Place::carry(x, z, step, *momentum);
    for (int i = 0; i < n; ++i) finite = finite + zero_if_finite((*momentum)[i]);
  }
  store_mask(finite == V(0.0), good);
  Place::store(rows, z, good);
}

/// Memory of steps: a step and a momentum.
template <class Place>
struct StepBuffers {
  using Vector = typename Place::Vector;
  MCT_HD MCT_ALWAYS_INLINE explicit StepBuffers(int n) : step(zeros(n)), momentum(zeros(n)) {}
  MCT_HD MCT_ALWAYS_INLINE static Vector zeros(int n) {
    return geometry::detail::generate<Vector>(n, [](int) { return typename Place::Lanes(0.0); });
  }

  Vector step, momentum;
};

/// The state of rows in gradient descent: nothing.
struct NoMoments {};

/// The rows in a register's lanes, one factor of their points after the other, as the rules ask for
/// them. Vectors are functions of a coordinate's number; computed vectors lie in the buffers. For
/// Radam the share of gradients in the moments, 1 - beta^t after t updates, is kept as the moment
/// of the number 1, which follows the same rule.
template <class Place, class Rows, class KeptRows>
class StepRows {
  using V = typename Place::Lanes;
  using RowState = geometry::optim_detail::RowState;
  static constexpr int width = int(lanes<V>);
  /// A vector in a buffer.
  struct Stored {
    typename Place::Vector* vector;
    MCT_HD MCT_ALWAYS_INLINE const V& operator()(int i) const { return (*vector)[i]; }
  };

 public:
  static constexpr bool plain = true;

  MCT_HD MCT_ALWAYS_INLINE StepRows(const PointTable<double>& points, const StepsOf<Place>& steps,
                                    StepBuffers<Place>& buffers, const Rows& rows,
                                    const KeptRows& kept)
      : points_(points),
        steps_(steps),
        buffers_(buffers),
        rows_(rows),
        kept_(kept),
        coordinates_(points.dimensions + Place::more) {
    for (bool& moved : whole_) moved = true;
  }

  /// Moves them. How many of the rows have moved in all factors.
  MCT_HD MCT_ALWAYS_INLINE int descend() { return follow(geometry::RsgdOptions()); }
  MCT_HD MCT_ALWAYS_INLINE int adapt() {
    const int tangents = points_.factors * coordinates();
    const Moments& moments = steps_.moments;
    second_ = mixed(moments.beta2, kept_.load(tangents), squared_length());
    first_share_ = mixed(moments.beta1, kept_.load(tangents + 1), V(1.0));
    second_share_ = mixed(moments.beta2, kept_.load(tangents + 2), V(1.0));
    geometry::RadamOptions options;
    options.beta1 = moments.beta1;
    options.beta2 = moments.beta2;
    options.eps = moments.eps;
    const int moved = follow(options);
    kept_.store(tangents, second_, whole_);
    kept_.store(tangents + 1, first_share_, whole_);
    kept_.store(tangents + 2, second_share_, whole_);
    return moved;
  }

  MCT_HD MCT_ALWAYS_INLINE auto gradient() const { return gradient_in(factor_); }
  MCT_HD MCT_ALWAYS_INLINE auto vectors(RowState) const {
    return [&kept = kept_, at = factor_ * coordinates()](int i) { return kept.load(at + i); };
  }
  template <class U, class W>
  MCT_HD MCT_ALWAYS_INLINE Stored sum(double a, const U& u, double b, const W& v) const {
    auto& sum = buffers_.momentum;
    for (int i = 0, n = coordinates(); i < n; ++i) sum[i] = V(a) * u(i) + V(b) * v(i);
    return {&sum};
  }
  template <class A, class U>
  MCT_HD MCT_ALWAYS_INLINE Stored scaled(const A& a, const U& u) const {
    auto& step = buffers_.step;
    for (int i = 0, n = coordinates(); i < n; ++i) step[i] = u(i) * V(a);
    return {&step};
  }
  template <class U>
  MCT_HD MCT_ALWAYS_INLINE const V& squares(RowState, double, const U&) const {
    return second_;
  }
  MCT_HD MCT_ALWAYS_INLINE V factors(const V& square, const geometry::RadamOptions& options,
                                     double rate) const {
    return geometry::detail::radam_factor(options, rate, square, first_share_, second_share_);
  }
  MCT_HD MCT_ALWAYS_INLINE void move(const Stored& step, const Stored* carried) {
    const auto points = points_of(factor_);
    const double longest = longest_step_in<V>(steps_.longest);
    auto* const momentum = carried == nullptr ? nullptr : carried->vector;
    if constexpr (requires { Place::advance(points, step, 0.0, momentum, good_); }) {
      Place::advance(points, step, longest, momentum, good_);
    } else {
      advance<Place>(points, coordinates(), step, longest, momentum, good_);
    }
    for (int j = 0; j < rows_.used; ++j) whole_[j] = whole_[j] && good_[j];
  }
  MCT_HD MCT_ALWAYS_INLINE void put(RowState, const Stored& momentum) const {
    const int n = coordinates();
    for (int i = 0; i < n; ++i) kept_.store(factor_ * n + i, momentum(i), good_);
  }
  /// The square is that of all factors.
  MCT_HD MCT_ALWAYS_INLINE static void put(RowState, const V&) {}

 private:
  MCT_HD MCT_ALWAYS_INLINE static V mixed(double beta, const V& old, const V& fresh) {
    return V(beta) * old + V(1 - beta) * fresh;
  }
  MCT_HD MCT_ALWAYS_INLINE int coordinates() const { return coordinates_of<Place>(coordinates_); }
  MCT_HD MCT_ALWAYS_INLINE auto gradient_in(int factor) const {
    return [&rows = rows_, at = factor * coordinates()](int i) { return rows.vector(at + i); };
  }
  MCT_HD MCT_ALWAYS_INLINE auto points_of(int factor) const {
    return rows_.points(factor * (points_.numbers / points_.factors));
  }
  /// That of the gradients in all factors.
  MCT_HD MCT_ALWAYS_INLINE V squared_length() const {
    V sum(0.0);
    for (int f = 0; f < points_.factors; ++f)
      sum = sum + Place::squared_length(Place::load(points_of(f), coordinates()), gradient_in(f));
    return sum;
  }
  /// Of every factor.
  template <class Options>
  MCT_HD MCT_ALWAYS_INLINE int follow(const Options& options) {
    for (factor_ = 0; factor_ < points_.factors; ++factor_)
      geometry::detail::follow_gradient(options, -steps_.rate, *this);
    int moved = 0;
    for (int j = 0; j < rows_.used; ++j) moved += whole_[j];
    return moved;
  }

  const PointTable<double>& points_;
  const StepsOf<Place>& steps_;
  StepBuffers<Place>& buffers_;
  const Rows& rows_;
  const KeptRows& kept_;
  int coordinates_;
  int factor_ = 0;
  V second_, first_share_, second_share_;
  bool good_[width], whole_[width];  // rows that have moved: in this factor, in all so far
};

/// Moves rows by Radam or by descent. How many have moved.
template <class Place, bool adaptive, class Rows>
MCT_HD MCT_ALWAYS_INLINE inline int follow_in_lanes(const PointTable<double>& points,
                                                    const StepsOf<Place>& steps,
                                                    StepBuffers<Place>& buffers, const Rows& rows) {
  if constexpr (adaptive) {
    const auto kept = rows.moments();
    return StepRows<Place, Rows, decltype(rows.moments())>(points, steps, buffers, rows, kept)
        .adapt();
  } else {
    return StepRows<Place, Rows, NoMoments>(points, steps, buffers, rows, {}).descend();
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
