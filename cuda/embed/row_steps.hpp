// Gradient descent and Radam of rows of points.
#pragma once

#include "cuda/embed/team_row.hpp"
#include "src/embed/kernels/row_step.hpp"

namespace mct::cuda {

/// A row that follows its gradient, as kernels::RowStep asks for it.
template <class Place, class Team>
class MovingRow {
 public:
  using Gradient = typename Place::Vector;
  static constexpr int used = 1;

  MCT_BLOCK MovingRow(Team& team, double* points, double* moments, std::int64_t row,
                      const Gradient& gradient)
      : team_(team), points_(points), moments_(moments), row_(row), gradient_(gradient) {}

  MCT_BLOCK double vector(int i) const { return gradient_[i]; }
  MCT_BLOCK TeamRow<Team, double> points(int offset) const {
    return {team_, points_ + row_ * numbers_in<Place> + offset};
  }
  MCT_BLOCK TeamRow<Team, double> moments() const {
    return {team_, moments_ + row_ * (coordinates_in<Place> + embed_detail::Moments::more)};
  }

 private:
  Team& team_;
  double *points_, *moments_;
  std::int64_t row_;
  const Gradient& gradient_;
};

/// Moves a row. True if it moves: else it would have left the numbers, and stays.
template <class Place, bool adaptive, class Team>
MCT_BLOCK bool move_row(Team& team, double* points, const embed_detail::Steps& steps,
                        std::int64_t row, const typename Place::Vector& gradient) {
  const embed_detail::PointTable<double> table{points, dimensions_in<Place>, numbers_in<Place>, 1};
  kernels::RowStep<Place> step(table, steps);
  const MovingRow<Place, Team> moving(team, points, steps.moments.data, row, gradient);
  if constexpr (adaptive) {
    return step.adapt(moving) > 0;
  } else {
    return step.descend(moving) > 0;
  }
}

}  // namespace mct::cuda
