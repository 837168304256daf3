// Names of the models of geometry, and of the ways in which a hyperbolic point is stored. This
// header has no code, so it may be included under any instruction set.
#pragma once

namespace mct::geometry {

/// The models for which operations are compiled. Calls list(value of Model, class, name in a
/// conversion) for each model. A model and its radius determine a manifold. For Stereographic the
/// curvature takes the place of the radius.
// clang-format off
#define MCT_FOR_EACH_MODEL(list) \
  list(ball, PoincareBall, poincare_ball) list(half_space, HalfSpace, half_space) \
  list(lorentz, Lorentz, lorentz) list(klein, Klein, klein) \
  list(hemisphere, Hemisphere, hemisphere) list(sphere, Sphere, sphere) \
  list(euclidean, Euclidean, euclidean) list(stereographic, Stereographic, stereographic)
// clang-format on

/// The models, numbered as in the list.
#define MCT_NAME_MODEL(model, Class, name) model,
enum class Model { MCT_FOR_EACH_MODEL(MCT_NAME_MODEL) count };
#undef MCT_NAME_MODEL
/// The names of the models' classes; files and messages use them, too.
#define MCT_NAME_CLASS(model, Class, name) #Class,
inline constexpr const char* model_names[] = {MCT_FOR_EACH_MODEL(MCT_NAME_CLASS)};
#undef MCT_NAME_CLASS

/// The ways to store a point of hyperbolic space. Some of them are the coordinates of a model; the
/// others keep more digits of points that lie far out.
enum class PointStorage {
  ball,            ///< the ball of radius K: n coordinates
  lorentz,         ///< the hyperboloid: n + 1 coordinates, the time first
  half_space,      ///< n coordinates of one component, the last one is the height
  xmc_half_space,  ///< the same; several components for horizontal coordinates, one for the height
  mc_half_space,   ///< the same; several components for all coordinates
  log_half_space,  ///< the same, with the logarithm of the height instead of the height
  l_tiling,        ///< the plane: nine entries of the tile's matrix, and two within the tile
  h_tiling,        ///< n levels and places of the cube, whole numbers, and n within the cube
};

}  // namespace mct::geometry
