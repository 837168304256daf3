// What the commands call the two models that have the coordinates of the plane.
#pragma once

#include "mctensor/base/names.hpp"
#include "mctensor/embed/model.hpp"

namespace mct::cli {

inline constexpr Names<embed::Model, 2> ball_or_half_space{
    {{embed::Model::half_space, "half-space"}, {embed::Model::poincare, "ball"}}};

}  // namespace mct::cli
