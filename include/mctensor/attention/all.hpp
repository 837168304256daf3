// Layer 9: attention, its scores and positions, and features of hyperbolic points.
#pragma once

#include "mctensor/attention/aggregate.hpp"
#include "mctensor/attention/bias.hpp"
#include "mctensor/attention/component_columns.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/attention/hyla_kernel.hpp"
#include "mctensor/attention/hype.hpp"
#include "mctensor/attention/layers/all.hpp"
#include "mctensor/attention/linear_attention.hpp"
#include "mctensor/attention/maps.hpp"
#include "mctensor/attention/scores.hpp"
#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/attention/summed_scores.hpp"
