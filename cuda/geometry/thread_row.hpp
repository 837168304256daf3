// A row of points that follows its gradient in a thread.
#pragma once

#include "cuda/geometry/row_memory.hpp"
#include "cuda/geometry/row_optimizer_launch.hpp"
#include "mctensor/geometry/domain.hpp"
#include "mctensor/geometry/operations.hpp"

namespace mct::cuda {

/// What the rules of optimizers ask of a row (geometry/optim/row_rules.hpp), of a model with the
/// formulas F as geometry::ManifoldRows answers it.
template <class F, int N, int n, class Team>
class ThreadRow {
 public:
  using Memory = RowMemory<double, N, n>;
  using Value = typename Memory::Value;
  using Vector = typename Memory::Point;
  using RowState = geometry::optim_detail::RowState;

  MCT_BLOCK ThreadRow(Team& team, const F& formulas, const Memory& points, const double* gradients,
                      const RowStates<N>& states, std::int64_t row)
      : team_(team),
        formulas_(formulas),
        points_(points),
        gradients_(gradients),
        states_(states),
        row_(row),
        updates_(team.template load<1>(states.updates + row)[0]),
        x_(points.load(team, row)),
        good_(is_point(x_)) {}

  MCT_BLOCK Vector gradient() const {
    Vector partial;
    MCT_UNROLL
    for (int c = 0; c < n; ++c)
      partial[c] = Value(team_.template load<1>(gradients_ + row_ * n + c)[0]);
    return on<geometry::operation::egrad2rgrad>(x_, partial);
  }
  MCT_BLOCK Vector to_origin() const {
    return on<geometry::operation::logmap>(x_, formulas_.origin_like(x_));
  }
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
    const double length(on<geometry::operation::norm>(x_, u));
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
    Vector y = on<geometry::operation::expmap>(x_, u);
    if constexpr (is_surface) y = on<geometry::operation::projx>(y);
    good_ = good_ && is_finite(u) && is_point(y);
    if (carried != nullptr) {
      *carried = on<geometry::operation::ptransp>(x_, y, *carried);
      if constexpr (is_surface) *carried = on<geometry::operation::proju>(y, *carried);
      good_ = good_ && is_finite(*carried);
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
    points_.store(team_, row_, x_);
    if (states_.vectors.data != nullptr) vector_memory().store(team_, row_, vector_);
    if (states_.squares != nullptr) team_.template store<1>(states_.squares + row_, {{square_}});
    if (states_.largest != nullptr) team_.template store<1>(states_.largest + row_, {{largest_}});
    team_.template store<1>(states_.updates + row_, {{updates_ + 1}});
  }

 private:
  /// Where rounding moves points off the manifold.
  static constexpr bool is_surface = F::least_coordinates > 1;

  template <class Op, class... X>
  MCT_BLOCK auto on(const X&... x) const {
    return Op::template on<Value>(formulas_, x...);
  }
  MCT_BLOCK Memory vector_memory() const { return {states_.vectors.data, states_.vectors.plane}; }
  MCT_BLOCK static double leading(double x) { return x; }
  template <class E>
  MCT_BLOCK static double leading(const E& x) {
    return x.limb[0];
  }
  MCT_BLOCK static bool is_finite(const Vector& u) {
    bool all = true;
    MCT_UNROLL
    for (int c = 0; c < n; ++c) all = all && leading(u[c]) - leading(u[c]) == 0;
    return all;
  }
  /// Of free coordinates whatever lies outside gives NaN in the next operation.
  MCT_BLOCK bool is_point(const Vector& x) const {
    if constexpr (is_surface)
      return is_finite(x) &&
             formulas_.check_point(x, 64 * geometry::detail::unit_roundoff<Value>());
    return is_finite(x);
  }

  Team& team_;
  const F& formulas_;
  const Memory& points_;
  const double* gradients_;
  const RowStates<N>& states_;
  std::int64_t row_, updates_;
  Vector x_;
  bool good_;
  Vector vector_;
  double square_ = 0, largest_ = 0;
};

/// Every row follows its gradient, one a thread: Rsgd or Radam of geometry::ManifoldRows, with the
/// host's bits.
///
/// Grid: (rows / threads, rounded up).
template <class Options, class F, int N, int n>
struct FollowGradients {
  static constexpr int threads = 128, blocks_per_sm = 1;

  F formulas;
  Options options;
  double rate;
  RowMemory<double, N, n> points;
  const double* gradients;
  RowStates<N> states;
  std::int64_t rows;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t i = std::int64_t(team.block_x()) * threads + team.rank();
    if (i >= rows) return;
    ThreadRow<F, N, n, Team> row(team, formulas, points, gradients, states, i);
    geometry::detail::follow_gradient(options, rate, row);
    row.finish();
  }
};

}  // namespace mct::cuda
