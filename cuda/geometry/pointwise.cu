// Distances, exponential and logarithmic maps of points in the hyperbolic plane and space.
#include "cuda/geometry/pointwise.hpp"

#include "cuda/base/run_block.hpp"
#include "mctensor/geometry/models.hpp"

namespace mct::cuda {

namespace formulas = geometry::detail;
namespace operation = geometry::operation;

#define MCT_POINTWISE(Op, Formulas, N, n)                                                        \
  template cudaError_t launch(                                                                   \
      const Pointwise<operation::Op, formulas::Formulas<PointNumber<double, N>>, double, N, n>&, \
      dim3, cudaStream_t);
#define MCT_MODEL(Formulas, n)          \
  MCT_POINTWISE(dist, Formulas, 1, n)   \
  MCT_POINTWISE(expmap, Formulas, 1, n) \
  MCT_POINTWISE(logmap, Formulas, 1, n) \
  MCT_POINTWISE(dist, Formulas, 2, n)   \
  MCT_POINTWISE(expmap, Formulas, 2, n) \
  MCT_POINTWISE(logmap, Formulas, 2, n)

MCT_MODEL(BallFormulas, 2)
MCT_MODEL(HalfSpaceFormulas, 2)
MCT_MODEL(LorentzFormulas, 3)

#undef MCT_MODEL
#undef MCT_POINTWISE

}  // namespace mct::cuda
