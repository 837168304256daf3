// The L- and H-tilings.
#pragma once

#include "mctensor/geometry/tiling/codec.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/htiling_point.hpp"
#include "mctensor/geometry/tiling/integer.hpp"
#include "mctensor/geometry/tiling/ltile.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"
#include "mctensor/geometry/tiling/ltiling_product.hpp"
#include "mctensor/geometry/tiling/scalar.hpp"
#include "mctensor/geometry/tiling/word.hpp"
