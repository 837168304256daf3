// A row of points that follows its gradient in a thread.
#pragma once

#include "cuda/base/thread_number.hpp"
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
  template <class G>
  MCT_BLOCK double factors(double v, double /*beta1*/, double /*beta2*/, const G& f) const {
    const std::int64_t t =
        updates_ < states_.last_correction ? updates_ + 1 : states_.last_correction;
    const double* const of_update = states_.corrections[t];
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
  RowStates<Space::vector_components> states;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t at = thread_number<threads>(team);
    if (at >= gradients.count) return;
    const bool by_keys = gradients.keys != nullptr;
    std::int64_t i = at;
    std::int32_t moved = -1;
    if (!by_keys || first_of_row(team, at, i)) {
      const Partial partial = by_keys ? sum_of_row(team, at, i) : gradient(team, i);
      ThreadRow<Space, Team> row(team, space, partial, states, i);
      geometry::detail::follow_gradient(options, rate, row);
      moved = std::int32_t(row.finish());
    }
    team.template store<1>(gradients.moved + at, {{moved}});
  }

 private:
  using Partial = geometry::Point<double, Space::Vector::dimension>;

  /// Whether the keys of a row begin here.
  template <class Team>
  MCT_BLOCK bool first_of_row(Team& team, std::int64_t at, std::int64_t& row) const {
    row = row_of(key_at(team, at));
    return at == 0 || row_of(key_at(team, at - 1)) != row;
  }
  template <class Team>
  MCT_BLOCK Partial sum_of_row(Team& team, std::int64_t at, std::int64_t row) const {
    Partial sum = gradient(team, place_of(key_at(team, at)));
    for (++at; at < gradients.count; ++at) {
      const RowKey key = key_at(team, at);
      if (row_of(key) != row) break;
      const Partial more = gradient(team, place_of(key));
      MCT_UNROLL
      for (int c = 0; c < Partial::dimension; ++c) sum[c] = sum[c] + more[c];
    }
    return sum;
  }
  template <class Team>
  MCT_BLOCK RowKey key_at(Team& team, std::int64_t at) const {
    return team.template load<1>(gradients.keys + at)[0];
  }
  template <class Team>
  MCT_BLOCK Partial gradient(Team& team, std::int64_t place) const {
    return RowMemory<const double, 1, Partial::dimension>{gradients.data, 0}.load(team, place);
  }
};

}  // namespace mct::cuda
