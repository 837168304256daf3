// Manifolds: their points, maps and isometries.
#pragma once

#include "mctensor/geometry/ball_point.hpp"
#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/euclidean.hpp"
#include "mctensor/geometry/frechet_mean.hpp"
#include "mctensor/geometry/half_space.hpp"
#include "mctensor/geometry/hemisphere.hpp"
#include "mctensor/geometry/isometry.hpp"
#include "mctensor/geometry/klein.hpp"
#include "mctensor/geometry/lorentz.hpp"
#include "mctensor/geometry/lorentz_group.hpp"
#include "mctensor/geometry/mobius.hpp"
#include "mctensor/geometry/poincare_ball.hpp"
#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/product.hpp"
#include "mctensor/geometry/sphere.hpp"
#include "mctensor/geometry/weighted_midpoint.hpp"
