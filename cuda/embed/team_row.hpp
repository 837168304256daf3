// A row of a table in global memory, as the places of training load and store it.
#pragma once

#include "cuda/base/pack.hpp"
#include "src/embed/kernels/places.hpp"

namespace mct::cuda {

/// P: double or const double.
template <class Team, class P>
class TeamRow {
 public:
  MCT_BLOCK TeamRow(Team& team, P* row) : team_(team), row_(row) {}

  MCT_BLOCK double load(int at) const { return team_.template load<1>(row_ + at)[0]; }
  MCT_BLOCK void store(int at, double x, const bool* good) const {
    if (good[0]) team_.template store<1>(row_ + at, {{x}});
  }

 private:
  Team& team_;
  P* row_;
};

/// Of a place with n coordinates, as training has them.
template <class Place>
inline constexpr int coordinates_in = Place::Coordinates::dimension;
template <class Place>
inline constexpr int dimensions_in = coordinates_in<Place> - Place::more;
/// Numbers of a point.
template <class Place>
inline constexpr int numbers_in = Place::stored_components* coordinates_in<Place>;

}  // namespace mct::cuda
