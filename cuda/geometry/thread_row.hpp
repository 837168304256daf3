// Moves rows of points along their gradients, one row in a thread.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "cuda/geometry/row_optimizer_launch.hpp"
#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"

namespace mct::cuda {

/// The points and vectors of n coordinates that a thread uses for Rows, geometry::ManifoldRows or
/// HalfSpaceRows. The compiler knows n. Below: the memory of points and of vectors.
template <class Rows, int n>
struct InThread {
  using Point = typename Rows::RowPoint;
  using Vector = typename Rows::Vector;
};
template <class M, int n>
struct InThread<geometry::ManifoldRows<M>, n> {
  using Point = geometry::Point<typename M::Value, n>;
  using Vector = Point;
};
template <class Rows, int n>
using PointMemory = RowMemory<double, Rows::components, n, typename InThread<Rows, n>::Point>;
template <class Rows, int n>
using VectorMemory =
    RowMemory<double, Rows::VectorTensor::components, n, typename InThread<Rows, n>::Vector>;

/// A row with the functions that the rules of optimizers call (geometry/optim/row_rules.hpp). It
/// uses the functions of Rows and gives their bits.
template <class Rows, int n, class Team>
class ThreadRow {
 public:
  using Point = typename InThread<Rows, n>::Point;
  using Vector = typename InThread<Rows, n>::Vector;
  using States = DeviceRowStates<Rows::VectorTensor::components>;
  using RowState = geometry::optim_detail::RowState;
  using Partial = geometry::Point<double, n>;

  MCT_BLOCK ThreadRow(Team& team, const Rows& space, const PointMemory<Rows, n>& points,
                      const Partial& partial, const States& states, std::int64_t row)
      : team_(team),
        space_(space),
        points_(points),
        partial_(partial),
        states_(states),
        row_(row),
        updates_(team.template load<1>(states.updates + row)[0]),
        x_(points.load(team, row)),
        good_(may_go_on(x_)) {}

  MCT_BLOCK Vector gradient() const { return space_.egrad2rgrad(x_, &partial_[0]); }
  MCT_BLOCK Vector to_origin() const { return space_.to_origin(x_); }
  MCT_BLOCK Vector sum(double a, const Vector& u, double b, const Vector& v) const {
    return space_.sum(a, u, b, v);
  }
  MCT_BLOCK Vector scaled(double a, const Vector& u) const { return space_.scaled(a, u); }
  MCT_BLOCK Vector vectors(RowState) const { return vector_memory().load(team_, row_); }
  MCT_BLOCK double later_or_first(double later, double first) const {
    return updates_ > 0 ? later : first;
  }
  MCT_BLOCK double squares(RowState, double beta, const Vector& u) {
    const double old = team_.template load<1>(states_.squares + row_)[0];
    const double v = beta * old + (1 - beta) * space_.squared_norm(x_, u);
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
    good_ = good_ && space_.is_finite(u) && may_go_on(y);
    if (carried != nullptr) {
      *carried = space_.ptransp(x_, y, *carried);
      good_ = good_ && space_.is_finite(*carried);
    }
    x_ = y;
  }
  MCT_BLOCK void put(RowState, const Vector& u) { vector_ = u; }
  MCT_BLOCK void put(RowState kept, double square) {
    (kept == RowState::v ? square_ : largest_) = square;
  }

  /// Stores the row's new state, or counts that it stays as it was. Returns whether it moves.
  MCT_BLOCK bool finish() const {
    if (!good_) {
      const std::int64_t before = team_.template load<1>(states_.stayed + row_)[0];
      team_.template store<1>(states_.stayed + row_, {{before + 1}});
      return false;
    }
    points_.store(team_, row_, x_);
    if (states_.vectors.data != nullptr) vector_memory().store(team_, row_, vector_);
    if (states_.squares != nullptr) team_.template store<1>(states_.squares + row_, {{square_}});
    if (states_.largest != nullptr) team_.template store<1>(states_.largest + row_, {{largest_}});
    team_.template store<1>(states_.updates + row_, {{updates_ + 1}});
    return true;
  }

 private:
  /// The condition for rows of the CPU (are_points in row_blocks.hpp).
  MCT_BLOCK bool may_go_on(const Point& x) const {
    if constexpr (requires { requires Rows::outside_is_nan; }) return space_.is_finite(x);
    if constexpr (requires { space_.may_go_on(x); }) return space_.may_go_on(x);
    return space_.is_point(x);
  }
  MCT_BLOCK VectorMemory<Rows, n> vector_memory() const {
    return {states_.vectors.data, states_.vectors.plane};
  }

  Team& team_;
  const Rows& space_;
  const PointMemory<Rows, n>& points_;
  const Partial& partial_;
  const States& states_;
  std::int64_t row_, updates_;
  Point x_;
  bool good_;
  Vector vector_;
  double square_ = 0, largest_ = 0;
};

/// Moves every row along its gradient by Rsgd or Radam, with the host's bits. If a row has several
/// gradients, the thread of its first key adds them in their order. So no two threads have the same
/// row.
///
/// Grid: (count / threads, rounded up).
template <class Options, class Rows, int n>
struct FollowGradients {
  static constexpr int threads = 128, blocks_per_sm = 1;

  Rows space;
  PointMemory<Rows, n> points;
  Options options;
  double rate;
  RowGradients gradients;
  DeviceRowStates<Rows::VectorTensor::components> states;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t at = thread_number<threads>(team);
    if (at >= gradients.count) return;
    const auto gradient = [&](std::int64_t place) {
      return RowMemory<const double, 1, n>{gradients.data, 0}.load(team, place);
    };
    typename ThreadRow<Rows, n, Team>::Partial partial;
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
      ThreadRow<Rows, n, Team> row(team, space, points, partial, states, row_of(key));
      geometry::detail::follow_gradient(options, rate, row);
      moved = std::int32_t(row.finish());
    }
    team.template store<1>(gradients.moved + at, {{moved}});
  }
};

}  // namespace mct::cuda
