// Some operations of manifolds on points.
#include "cuda/base/run_block.hpp"
#include "cuda/geometry/half_space_rows.hpp"
#include "cuda/geometry/point_program.hpp"
#include "cuda/geometry/pointwise.hpp"
#include "cuda/geometry/thread_row.hpp"
#include "mctensor/geometry/models.hpp"

namespace mct::cuda {

namespace formulas = geometry::detail;
namespace operation = geometry::operation;

MCT_COMPILE_PROGRAM(Pointwise<operation::dist, formulas::BallFormulas<double>, double, 1, 2>)
MCT_COMPILE_PROGRAM(Pointwise<operation::expmap, formulas::HalfSpaceFormulas<f64x2>, double, 2, 2>)
MCT_COMPILE_PROGRAM(Pointwise<operation::logmap, formulas::LorentzFormulas<double>, double, 1, 3>)
MCT_COMPILE_PROGRAM(PointProgram)
MCT_COMPILE_PROGRAM(HalfSpaceRowDist<2>)
using BallRows = geometry::ManifoldRows<geometry::PoincareBall<double>>;
using LorentzRows = geometry::ManifoldRows<geometry::Lorentz<double>>;
using XmcRows = geometry::HalfSpaceRows<geometry::XmcHalfSpace<double, 2>, double, 2, 2>;
MCT_COMPILE_PROGRAM(FollowGradients<geometry::RsgdOptions, BallRows, 2>)
MCT_COMPILE_PROGRAM(FollowGradients<geometry::RadamOptions, LorentzRows, 3>)
MCT_COMPILE_PROGRAM(FollowGradients<geometry::RadamOptions, XmcRows, 2>)
MCT_COMPILE_PROGRAM(HalfSpaceRowExpmap<2>)

}  // namespace mct::cuda
