// Manifolds: their points, maps and isometries.
#pragma once

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/gyro/mobius.hpp"
#include "mctensor/geometry/isometry.hpp"
#include "mctensor/geometry/means/frechet_mean.hpp"
#include "mctensor/geometry/means/weighted_midpoint.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/hemisphere.hpp"
#include "mctensor/geometry/models/klein.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/lorentz_group.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/models/product.hpp"
#include "mctensor/geometry/models/sphere.hpp"
#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/storage/ball_point.hpp"
