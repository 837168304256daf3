// The kernels that compare points by their distance from one, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstdint>

#include "src/tensor/kernels/registry.hpp"

namespace mct::embed_detail {

/// Points of one half-space: planes of numbers, `stride` apart. Component k of horizontal
/// coordinate i is in plane i components + k; then come the heights, then their inverses.
struct RankPlanes {
  const double* data;
  std::int64_t stride;
};

/// Numbers of points that are worked on are multiples of this: of the lanes of every register.
constexpr std::int64_t rank_lanes = 8;

/// The query is one point, its numbers side by side in the order of the planes.
struct RankTable {
  /// out[i] = |x - y|^2 / k for the query x and point i, (y, k); NaN for a NaN height.
  void (*value)(int n, std::int64_t count, RankPlanes points, const double* query, double* out);
  /// out[i] += (d / K)^2.
  void (*add_square)(int n, std::int64_t count, RankPlanes points, const double* query,
                     double* out);
};

struct CountTable {
  /// Adds to less[j] how many of the values are below thresholds[j], and to equal[j] how many are
  /// equal to it; NaN is neither. The thresholds ascend.
  void (*count)(std::int64_t count, const double* values, std::int64_t thresholds,
                const double* threshold, std::int64_t* less, std::int64_t* equal);
};

/// Components that there are kernels for: from 1 on.
constexpr std::int64_t most_rank_components = 4;

MCT_DECLARE_KERNELS(const RankTable& rank_table(std::int64_t components);
                    const CountTable& count_table();)

inline const RankTable& find_rank_table(std::int64_t components) {
  return MCT_SELECT_KERNELS(rank_table(components));
}
inline const CountTable& find_count_table() { return MCT_SELECT_KERNELS(count_table()); }

}  // namespace mct::embed_detail
