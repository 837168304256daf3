// Riemannian optimizers on other types, a product and the half-space representations.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
#ifdef MCT_EXHAUSTIVE
using AllRows =
    ::testing::Types<ManifoldRows<PoincareBall<float>>, ManifoldRows<Lorentz<Expansion<double, 2>>>,
                     HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 3>,
                     HalfSpaceRows<McHalfSpace<double, 3>, double, 3, 3>,
                     HalfSpaceRows<LogHalfSpace<double, 2>, double, 2, 3>,
                     HalfSpaceRows<McHalfSpace<float, 2>, float, 2, 3>,
                     HalfSpaceRows<XmcHalfSpace<double, 20>, double, 20, 3>,
                     HalfSpaceRows<LogHalfSpace<float, 6>, float, 6, 3>, PlaneAndSphere>;
#else
using AllRows =
    ::testing::Types<ManifoldRows<PoincareBall<float>>, ManifoldRows<Lorentz<Expansion<double, 2>>>,
                     HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 3>,
                     HalfSpaceRows<McHalfSpace<float, 2>, float, 2, 3>,
                     HalfSpaceRows<LogHalfSpace<float, 6>, float, 6, 3>, PlaneAndSphere>;
#endif
}  // namespace mct::geometry_test

#include "tests/geometry/riemannian_checks.hpp"
