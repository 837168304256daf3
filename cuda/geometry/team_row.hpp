// A row in global memory with the interface of kernels::LaneRows, for one lane.
#pragma once

#include <cstddef>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// P: double or const double.
template <class Team, class P>
class TeamRow {
 public:
  MCT_BLOCK TeamRow(Team& team, P* row) : team_(team), row_(row) {}

  MCT_BLOCK double load(std::ptrdiff_t at) const { return team_.template load<1>(row_ + at)[0]; }
  MCT_BLOCK void store(std::ptrdiff_t at, double x) const {
    team_.template store<1>(row_ + at, {{x}});
  }
  MCT_BLOCK void store(std::ptrdiff_t at, double x, const bool* good) const {
    if (good[0]) store(at, x);
  }

 private:
  Team& team_;
  P* row_;
};

/// The number of coordinates of a place of training.
template <class Place>
inline constexpr int coordinates_in = Place::Coordinates::dimension;
template <class Place>
inline constexpr int dimensions_in = coordinates_in<Place> - Place::more;
/// How many numbers represent a point.
template <class Place>
inline constexpr int numbers_in = Place::stored_components* coordinates_in<Place>;

}  // namespace mct::cuda
