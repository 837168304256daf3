// The two models that some commands choose from.
#pragma once

#include "mctensor/embed/embedding.hpp"

namespace mct::cli {

using geometry::PointStorage;

inline constexpr Names<PointStorage, 2> ball_or_half_space{
    {{PointStorage::half_space, embed::name_of(PointStorage::half_space)},
     {PointStorage::ball, embed::name_of(PointStorage::ball)}}};

}  // namespace mct::cli
