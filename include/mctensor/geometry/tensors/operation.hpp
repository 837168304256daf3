// Names of the models and operations that are compiled for tensors of points. No code.
#pragma once

namespace mct::geometry {

/// The models that a tensor of points may be in.
enum class TensorModel { ball, half_space, lorentz, count };

/// What is computed of up to three operands x, y (or u, g) and u.
enum class TensorOperation {
  dist,
  dist_gradient,
  expmap,
  logmap,
  ptransp,
  egrad2rgrad,
  mobius_add,
  count
};

}  // namespace mct::geometry
