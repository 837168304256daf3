// Riemannian optimizers on the models in double.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
using AllRows = ::testing::Types<ManifoldRows<PoincareBall<double>>,
                                 ManifoldRows<HalfSpace<double>>, ManifoldRows<Lorentz<double>>,
                                 ManifoldRows<Klein<double>>, ManifoldRows<Hemisphere<double>>,
                                 ManifoldRows<Euclidean<double>>, ManifoldRows<Sphere<double>>>;
}  // namespace mct::geometry_test

#include "tests/geometry/riemannian_checks.hpp"
