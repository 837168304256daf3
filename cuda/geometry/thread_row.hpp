// A row of points that follows its gradient in a thread.
#pragma once

#include <array>

#include "cuda/base/thread_number.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "cuda/geometry/row_optimizer_launch.hpp"
#include "mctensor/geometry/domain.hpp"
#include "mctensor/geometry/operations.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"

namespace mct::cuda {

// What a row in a thread asks of its space: the words of geometry::ManifoldRows and HalfSpaceRows,
// with their bits. Vectors have N = vector_components.

using mct::detail::lead;

template <class Vector>
MCT_BLOCK bool all_finite(const Vector& u) {
  bool all = true;
  MCT_UNROLL
  for (int c = 0; c < Vector::dimension; ++c) {
    const double leading = lead(u[c]);
    all = all && leading - leading == 0;
  }
  return all;
}

/// Points of a model with the formulas F.
template <class F, int N, int n>
struct ManifoldSpace {
  static constexpr int vector_components = N;
  using Points = RowMemory<double, N, n>;
  using Point = typename Points::Point;
  using Vector = Point;
  using Value = typename Points::Value;

  F formulas;
  Points points;

  MCT_BLOCK Vector egrad2rgrad(const Point& x, const Vector& partial) const {
    return on<geometry::operation::egrad2rgrad>(x, partial);
  }
  MCT_BLOCK Vector to_origin(const Point& x) const {
    return on<geometry::operation::logmap>(x, formulas.origin_like(x));
  }
  MCT_BLOCK double norm(const Point& x, const Vector& u) const {
    return double(on<geometry::operation::norm>(x, u));
  }
  MCT_BLOCK Point expmap(const Point& x, const Vector& u) const {
    const Point y = on<geometry::operation::expmap>(x, u);
    if constexpr (is_surface) return on<geometry::operation::projx>(y);
    return y;
  }
  MCT_BLOCK Vector ptransp(const Point& x, const Point& y, const Vector& u) const {
    const Vector v = on<geometry::operation::ptransp>(x, y, u);
    if constexpr (is_surface) return on<geometry::operation::proju>(y, v);
    return v;
  }
  /// Of free coordinates whatever lies outside gives NaN in the next operation.
  MCT_BLOCK bool is_point(const Point& x) const {
    if constexpr (is_surface)
      return all_finite(x) &&
             formulas.check_point(x, 64 * geometry::detail::unit_roundoff<Value>());
    return all_finite(x);
  }

 private:
  /// Where rounding moves points off the manifold.
  static constexpr bool is_surface = F::least_coordinates > 1;

  template <class Op, class... X>
  MCT_BLOCK auto on(const X&... x) const {
    return Op::template on<Value>(formulas, x...);
  }
};

/// Points of XmcHalfSpace<double, M> or McHalfSpace<double, M>, with frame vectors of one
/// component.
template <class Representation, int M, int n>
struct HalfSpaceSpace {
  static constexpr int vector_components = 1;
  using Points = RowMemory<double, M, n>;
  using Point = typename Points::Point;
  using Vector = geometry::Point<double, n>;
  using Value = double;
  using Space = Representation;

  Space space;
  Points points;

  MCT_BLOCK Vector egrad2rgrad(const Point& x, const Vector& partial) const {
    return point_of(space.egrad2rgrad(stored(x), array_of(partial)));
  }
  MCT_BLOCK Vector to_origin(const Point& x) const {
    return point_of(space.template logmap<n>(stored(x), Space::template origin<n>()));
  }
  MCT_BLOCK double norm(const Point& x, const Vector& u) const {
    return space.norm(stored(x), array_of(u));
  }
  MCT_BLOCK Point expmap(const Point& x, const Vector& u) const {
    const Stored y = space.template expmap<n>(stored(x), array_of(u));
    Point z;
    MCT_UNROLL
    for (int c = 0; c + 1 < n; ++c) z[c] = y.x[c];
    z[n - 1] = typename Points::Value(y.height);
    return z;
  }
  MCT_BLOCK Vector ptransp(const Point& x, const Point& y, const Vector& u) const {
    return point_of(space.template ptransp<n>(stored(x), stored(y), array_of(u)));
  }
  MCT_BLOCK bool is_point(const Point& x) const { return all_finite(x) && lead(x[n - 1]) > 0; }

 private:
  using Stored = typename Space::template Point<n>;
  using Array = typename Space::template Vector<n>;

  MCT_BLOCK static Stored stored(const Point& x) {
    Stored p{};
    MCT_UNROLL
    for (int c = 0; c + 1 < n; ++c) p.x[c] = x[c];
    if constexpr (std::is_same_v<decltype(p.height), double>) {
      p.height = lead(x[n - 1]);
    } else {
      p.height = x[n - 1];
    }
    return p;
  }
  MCT_BLOCK static Array array_of(const Vector& u) {
    Array a{};
    MCT_UNROLL
    for (int c = 0; c < n; ++c) a[std::size_t(c)] = u[c];
    return a;
  }
  MCT_BLOCK static Vector point_of(const Array& a) {
    Vector u;
    MCT_UNROLL
    for (int c = 0; c < n; ++c) u[c] = a[std::size_t(c)];
    return u;
  }
};
template <int M, int n>
using XmcHalfSpaceSpace = HalfSpaceSpace<geometry::XmcHalfSpace<double, M>, M, n>;
template <int M, int n>
using McHalfSpaceSpace = HalfSpaceSpace<geometry::McHalfSpace<double, M>, M, n>;

/// What the rules of optimizers ask of a row (geometry/optim/row_rules.hpp), of a space.
template <class Space, class Team>
class ThreadRow {
 public:
  using Point = typename Space::Point;
  using Vector = typename Space::Vector;
  using Value = typename Space::Value;
  using States = DeviceRowStates<Space::vector_components>;
  using RowState = geometry::optim_detail::RowState;
  using Partial = geometry::Point<double, Vector::dimension>;

  MCT_BLOCK ThreadRow(Team& team, const Space& space, const Partial& partial, const States& states,
                      std::int64_t row)
      : team_(team),
        space_(space),
        partial_(partial),
        states_(states),
        row_(row),
        updates_(team.template load<1>(states.updates + row)[0]),
        x_(space.points.load(team, row)),
        good_(space.is_point(x_)) {}

  MCT_BLOCK Vector gradient() const {
    Vector partial;
    MCT_UNROLL
    for (int c = 0; c < n; ++c) partial[c] = Value(partial_[c]);
    return space_.egrad2rgrad(x_, partial);
  }
  MCT_BLOCK Vector to_origin() const { return space_.to_origin(x_); }
  MCT_BLOCK static Vector sum(double a, Vector u, double b, const Vector& v) {
    MCT_UNROLL
    for (int c = 0; c < n; ++c) u[c] = Value(a) * u[c] + Value(b) * v[c];
    return u;
  }
  MCT_BLOCK static Vector scaled(double a, Vector u) {
    MCT_UNROLL
    for (int c = 0; c < n; ++c) u[c] = Value(a) * u[c];
    return u;
  }
  MCT_BLOCK Vector vectors(RowState) const { return vector_memory().load(team_, row_); }
  MCT_BLOCK double later_or_first(double later, double first) const {
    return updates_ > 0 ? later : first;
  }
  MCT_BLOCK double squares(RowState, double beta, const Vector& u) {
    const double length = space_.norm(x_, u);
    const double old = team_.template load<1>(states_.squares + row_)[0];
    const double v = beta * old + (1 - beta) * (length * length);
    good_ = good_ && v - v == 0;
    return v;
  }
  MCT_BLOCK double larger(RowState, double v) const {
    const double largest = team_.template load<1>(states_.largest + row_)[0];
    return largest < v ? v : largest;
  }
  MCT_BLOCK double factors(double v, const geometry::RadamOptions& options, double rate) const {
    const std::int64_t t =
        updates_ < states_.last_correction ? updates_ + 1 : states_.last_correction;
    const double* const of_update = states_.corrections[t];
    return geometry::detail::radam_factor(options, rate, v, team_.template load<1>(of_update)[0],
                                          team_.template load<1>(of_update + 1)[0]);
  }
  MCT_BLOCK void move(const Vector& u, Vector* carried) {
    const Point y = space_.expmap(x_, u);
    good_ = good_ && all_finite(u) && space_.is_point(y);
    if (carried != nullptr) {
      *carried = space_.ptransp(x_, y, *carried);
      good_ = good_ && all_finite(*carried);
    }
    x_ = y;
  }
  MCT_BLOCK void put(RowState, const Vector& u) { vector_ = u; }
  MCT_BLOCK void put(RowState kept, double square) {
    (kept == RowState::v ? square_ : largest_) = square;
  }

  /// Stores what has become of the row, or that it stays as it was. Whether it moves.
  MCT_BLOCK bool finish() const {
    if (!good_) {
      const std::int64_t before = team_.template load<1>(states_.stayed + row_)[0];
      team_.template store<1>(states_.stayed + row_, {{before + 1}});
      return false;
    }
    space_.points.store(team_, row_, x_);
    if (states_.vectors.data != nullptr) vector_memory().store(team_, row_, vector_);
    if (states_.squares != nullptr) team_.template store<1>(states_.squares + row_, {{square_}});
    if (states_.largest != nullptr) team_.template store<1>(states_.largest + row_, {{largest_}});
    team_.template store<1>(states_.updates + row_, {{updates_ + 1}});
    return true;
  }

 private:
  static constexpr int n = Vector::dimension;
  using Memory = RowMemory<double, Space::vector_components, n>;

  MCT_BLOCK Memory vector_memory() const { return {states_.vectors.data, states_.vectors.plane}; }

  Team& team_;
  const Space& space_;
  const Partial& partial_;
  const States& states_;
  std::int64_t row_, updates_;
  Point x_;
  bool good_;
  Vector vector_;
  double square_ = 0, largest_ = 0;
};

/// Every row follows its gradient, one a thread: Rsgd or Radam, with the host's bits. The gradients
/// of a row that has several are added in their order, by the thread of its first key: no two
/// threads have the same row.
///
/// Grid: (count / threads, rounded up).
template <class Options, class Space>
struct FollowGradients {
  static constexpr int threads = 128, blocks_per_sm = 1;

  Space space;
  Options options;
  double rate;
  RowGradients gradients;
  DeviceRowStates<Space::vector_components> states;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t at = thread_number<threads>(team);
    if (at >= gradients.count) return;
    const auto gradient = [&](std::int64_t place) {
      return RowMemory<const double, 1, Space::Vector::dimension>{gradients.data, 0}.load(team,
                                                                                          place);
    };
    typename ThreadRow<Space, Team>::Partial partial;
    RowKey key = row_key(std::int32_t(at), at);
    bool is_first = true;
    if (gradients.keys == nullptr) {
      partial = gradient(at);
    } else {
      is_first = begins_row(team, gradients.keys, at, key);
      if (is_first) partial = sum_of_row(team, gradients.keys, gradients.count, at, key, gradient);
    }
    std::int32_t moved = -1;
    if (is_first) {
      ThreadRow<Space, Team> row(team, space, partial, states, row_of(key));
      geometry::detail::follow_gradient(options, rate, row);
      moved = std::int32_t(row.finish());
    }
    team.template store<1>(gradients.moved + at, {{moved}});
  }
};

}  // namespace mct::cuda
