// Numbers that carry their error, their functions, and products of tensors.
#pragma once

#include "mctensor/certified/certified.hpp"
#include "mctensor/certified/functions.hpp"
#include "mctensor/certified/products.hpp"
