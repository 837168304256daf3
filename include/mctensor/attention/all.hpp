// Layer 9: what attention is made of: positions, kernels.
#pragma once

#include "mctensor/attention/component_columns.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/attention/hyla_kernel.hpp"
#include "mctensor/attention/hype.hpp"
#include "mctensor/attention/hype_parts.hpp"
