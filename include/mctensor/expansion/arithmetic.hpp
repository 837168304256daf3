// Everything that an expansion can do without text: the header-only part of layer 2.
#pragma once

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/error_bounds.hpp"
#include "mctensor/expansion/fmod.hpp"
#include "mctensor/expansion/lerp.hpp"
#include "mctensor/expansion/limits.hpp"
#include "mctensor/expansion/nextafter.hpp"
#include "mctensor/expansion/operators.hpp"
#include "mctensor/expansion/rounding.hpp"
#include "mctensor/expansion/scale.hpp"
#include "mctensor/expansion/sqrt.hpp"
