// The names that commands use for the two models with coordinates of the plane.
#pragma once

#include "mctensor/base/names.hpp"
#include "mctensor/geometry/model_names.hpp"

namespace mct::cli {

inline constexpr Names<geometry::PointStorage, 2> ball_or_half_space{
    {{geometry::PointStorage::half_space, "half-space"}, {geometry::PointStorage::ball, "ball"}}};

}  // namespace mct::cli
