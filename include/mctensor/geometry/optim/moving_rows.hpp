// A block of rows that an optimizer moves. It copies rows, moves the copies by operations on
// tensors, and writes the results back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"
#include "mctensor/geometry/optim/row_states.hpp"
#include "mctensor/optim/bias_correction.hpp"

namespace mct::geometry::optim_detail {

/// The data of all rows of an optimizer. Several threads write different rows.
template <class Rows>
struct AllRows {
  const Rows& space;
  const typename Rows::Points& points;
  const RowStates<Rows>& states;
  std::vector<std::int64_t>& updates;  ///< how often each row has moved
};

/// A block of rows during a step: the `rows` of the rules in row_rules.hpp, with the functions in
/// the order of the list there. The block works on its own copy of the points; `put` and `finish`
/// write to memory.
template <class Rows>
class MovingRows {
  using Points = typename Rows::Points;
  using VectorTensor = typename Rows::VectorTensor;
  using Partial = Tensor<typename Rows::Component>;

 public:
  using Squares = std::vector<optim_detail::Squares<Rows>>;
  using Factors = RowFactors;

  /// `partial`: the derivatives of the loss.
  MovingRows(const AllRows<Rows>& all, std::vector<std::int64_t> rows, Partial partial)
      : all_(all),
        rows_(std::move(rows)),
        points_(take_points(space(), all.points, rows_)),
        partial_(std::move(partial)),
        good_(space().are_points(points_)) {}

  VectorTensor gradient() const { return space().egrad2rgrad(points_, partial_); }
  VectorTensor to_origin() const { return space().to_origin(points_); }
  static VectorTensor sum(const Factors& a, const VectorTensor& u, const Factors& b,
                          const VectorTensor& v) {
    return optim_detail::sum(a, u, b, v);
  }
  static VectorTensor scaled(const Factors& a, const VectorTensor& u) {
    return optim_detail::scaled(a, u);
  }
  /// The name of the state is not used, because a rule keeps one vector at most.
  VectorTensor vectors(RowState) const { return take_rows(all_.states.vectors(), rows_); }
  Factors later_or_first(double later, double first) const {
    std::vector<double> each;
    for (const std::int64_t row : rows_) each.push_back(updates(row) > 0 ? later : first);
    return each;
  }
  Squares squares(RowState kept, double beta, const VectorTensor& u) {
    Squares v = all_.states.take_squares(kept, rows_);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto row = std::int64_t(i);
      const auto of_u =
          space().squared_norms(space().load(points_, row), space().load_vector(u, row));
      for (std::size_t k = 0; k < of_u.size(); ++k) v[i][k] = beta * v[i][k] + (1 - beta) * of_u[k];
      if (!std::isfinite(total(v[i]))) good_[i] = false;
    }
    return v;
  }
  Squares larger(RowState kept, const Squares& v) const {
    Squares largest = all_.states.take_squares(kept, rows_);
    for (std::size_t i = 0; i < v.size(); ++i)
      if (total(largest[i]) < total(v[i])) largest[i] = v[i];
    return largest;
  }
  Factors factors(const Squares& v, const RadamOptions& options, double rate) const {
    std::vector<double> each;
    double last = 0, first = 1, second = 1;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto t = double(updates(rows_[i]) + 1);
      if (last != t) {  // nearly always the row before has the same count
        last = t;
        first = mct::optim::bias_correction(options.beta1, t);
        second = mct::optim::bias_correction(options.beta2, t);
      }
      each.push_back(detail::radam_factor(options, rate, total(v[i]), first, second));
    }
    return each;
  }
  /// A row is no longer good if its step is not finite (because the gradient or a state is not), or
  /// if it leaves the space.
  void move(const VectorTensor& u, VectorTensor* carried) {
    Points y = space().expmap(points_, u);
    keep(are_finite(u));
    keep(space().are_points(y));
    if (carried != nullptr) {
      *carried = space().ptransp(points_, y, *carried);
      keep(are_finite(*carried));
    }
    points_ = std::move(y);
  }
  void put(RowState, const VectorTensor& vectors) const {
    put_rows(all_.states.vectors(), rows_, vectors, good_);
  }
  void put(RowState kept, const Squares& squares) const {
    all_.states.put_squares(kept, rows_, squares, good_);
  }
  /// Stores the points of good rows in memory, and returns the number of these rows.
  std::int64_t finish() const {
    put_points(space(), all_.points, rows_, points_, good_);
    for (std::size_t i = 0; i < rows_.size(); ++i) updates(rows_[i]) += good_[i];
    return std::count(good_.begin(), good_.end(), 1);
  }

 private:
  const Rows& space() const { return all_.space; }
  std::int64_t& updates(std::int64_t row) const { return all_.updates[std::size_t(row)]; }
  void keep(const RowFlags& also) {
    for (std::size_t i = 0; i < good_.size(); ++i) good_[i] = good_[i] && also[i];
  }

  AllRows<Rows> all_;
  std::vector<std::int64_t> rows_;
  Points points_;
  Partial partial_;
  RowFlags good_;  // 0: the row stays as it was
};

}  // namespace mct::geometry::optim_detail
