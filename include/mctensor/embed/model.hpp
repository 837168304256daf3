// How points of embeddings lie in memory. It has no code, so it may be included under any
// instruction set.
#pragma once

namespace mct::embed {

/// Models of hyperbolic space and ways to store their points. Every number of a point has as many
/// components as the space says, the last ones may be zero.
enum class Model {
  poincare,        ///< the ball of radius K: n coordinates
  lorentz,         ///< the hyperboloid: n + 1 coordinates, the time first
  half_space,      ///< n coordinates of one component, the last one is the height
  xmc_half_space,  ///< the same; components of the horizontal ones alone, the height has one
  mc_half_space,   ///< the same, components of all coordinates
  l_tiling,        ///< the plane: nine entries of the tile's matrix, and two within the tile
  h_tiling,        ///< n levels and places of the cube, whole numbers, and n within the cube
};

}  // namespace mct::embed
