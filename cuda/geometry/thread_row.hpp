// A row of points that follows its gradient in a thread.
#pragma once

#include "cuda/geometry/row_optimizer_launch.hpp"
#include "cuda/geometry/row_spaces.hpp"

namespace mct::cuda {

/// What the rules of optimizers ask of a row (geometry/optim/row_rules.hpp), of a space
/// (row_spaces.hpp).
template <class Space, class Team>
class ThreadRow {
 public:
  using Point = typename Space::Point;
  using Vector = typename Space::Vector;
  using Value = typename Space::Value;
  using States = RowStates<Space::vector_components>;
  using RowState = geometry::optim_detail::RowState;

  MCT_BLOCK ThreadRow(Team& team, const Space& space, const double* gradients, const States& states,
                      std::int64_t row)
      : team_(team),
        space_(space),
        gradients_(gradients),
        states_(states),
        row_(row),
        updates_(team.template load<1>(states.updates + row)[0]),
        x_(space.points.load(team, row)),
        good_(space.is_point(x_)) {}

  MCT_BLOCK Vector gradient() const {
    Vector partial;
    MCT_UNROLL
    for (int c = 0; c < n; ++c)
      partial[c] = Value(team_.template load<1>(gradients_ + row_ * n + c)[0]);
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
  template <class G>
  MCT_BLOCK double factors(double v, double /*beta1*/, double /*beta2*/, const G& f) const {
    const double* const of_update = states_.corrections[updates_ + 1];
    return f(v, team_.template load<1>(of_update)[0], team_.template load<1>(of_update + 1)[0]);
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

  /// Stores what has become of the row, or that it stays as it was.
  MCT_BLOCK void finish() const {
    team_.template store<1>(states_.moved + row_, {{std::int32_t(good_)}});
    if (!good_) return;
    space_.points.store(team_, row_, x_);
    if (states_.vectors.data != nullptr) vector_memory().store(team_, row_, vector_);
    if (states_.squares != nullptr) team_.template store<1>(states_.squares + row_, {{square_}});
    if (states_.largest != nullptr) team_.template store<1>(states_.largest + row_, {{largest_}});
    team_.template store<1>(states_.updates + row_, {{updates_ + 1}});
  }

 private:
  static constexpr int n = Vector::dimension;
  using Memory = RowMemory<double, Space::vector_components, n>;

  MCT_BLOCK Memory vector_memory() const { return {states_.vectors.data, states_.vectors.plane}; }

  Team& team_;
  const Space& space_;
  const double* gradients_;
  const States& states_;
  std::int64_t row_, updates_;
  Point x_;
  bool good_;
  Vector vector_;
  double square_ = 0, largest_ = 0;
};

/// Every row follows its gradient, one a thread: Rsgd or Radam, with the host's bits.
///
/// Grid: (rows / threads, rounded up).
template <class Options, class Space>
struct FollowGradients {
  static constexpr int threads = 128, blocks_per_sm = 1;

  Space space;
  Options options;
  double rate;
  const double* gradients;
  RowStates<Space::vector_components> states;
  std::int64_t rows;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t i = std::int64_t(team.block_x()) * threads + team.rank();
    if (i >= rows) return;
    ThreadRow<Space, Team> row(team, space, gradients, states, i);
    geometry::detail::follow_gradient(options, rate, row);
    row.finish();
  }
};

}  // namespace mct::cuda
