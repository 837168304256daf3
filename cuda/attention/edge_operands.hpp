// Attention along edges on a GPU, as the host sees it: the operands of the programs.
#pragma once

#include <cstdint>

#include "mctensor/attention/scores.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// Operands in global memory, (groups, queries or keys, ..), and the key of each edge: query i has
/// the edges starts[i] to starts[i + 1] - 1, in every group.
struct EdgeOperands {
  const float *x, *a, *y, *b, *v;
  const std::int64_t *starts, *columns;
  std::int64_t queries, keys, edges;
  int depth, width;  // coordinates of vectors, of values
};

/// The edges of each key, in the order of the queries.
struct EdgesOfKeys {
  const std::int64_t *starts, *queries, *edges;
};

/// For every edge, (groups, edges): its weight, and the derivatives by t and by its key's numbers.
struct EdgeSlopes {
  float *weights, *slopes, *by_numbers;
};

struct EdgeLaunch {
  attention::Score score;
  int groups;
  EdgeOperands of;
  float *weights, *out, *log_sum;
};
struct EdgeBackwardLaunch {
  attention::Score score;
  int groups;
  EdgeOperands of;
  EdgesOfKeys by_keys;
  EdgeSlopes edge;
  const float *values, *log_sum, *gradient;
  float *to_x, *to_a, *to_y, *to_b, *to_v;
};

/// Start the programs of a score. Compiled in edges.cu, or by a test for the simulator.
void start_edges(const EdgeLaunch& of, const Stream& stream);
void start_edges_backward(const EdgeBackwardLaunch& of, const Stream& stream);

}  // namespace mct::cuda
