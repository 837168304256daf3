// The loops of exact sums, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>

#include "src/tensor/kernels/registry.hpp"

namespace mct::distributed_detail {

/// Elements that a loop handles at once, in the nearest cache.
inline constexpr std::size_t sum_block = 256;
/// Doubles of an element at most.
inline constexpr int most_levels = 3;

struct ExactSumTable {
  /// Adds x[i] to the sum level[0][i] + level[1][i] + ..., `levels` doubles, for count <= sum_block
  /// elements. lost[i] is the part that does not fit into them: 0 if they hold the sum of the
  /// element exactly, or a finite number that belongs to the sum. If lost[i] is not finite, the
  /// element is as it was, and all of x[i] belongs to the sum. Returns false if all of lost is 0.
  bool (*add)(double* const* level, int levels, const double* x, std::size_t count, double* lost);
  /// The same of -x.
  bool (*subtract)(double* const* level, int levels, const double* x, std::size_t count,
                   double* lost);
  /// rounded[i] = the sum of the levels rounded to double: to nearest, or to odd (then rounding it
  /// to at most 51 bits rounds the sum once). -0 only if signed_zeros, where level[0] is and the
  /// others are 0. Returns false if one is not finite, which may be right or an overflow on the
  /// way.
  bool (*round)(const double* const* level, int levels, bool to_odd, bool signed_zeros,
                std::size_t count, double* rounded);
  /// x[i] = -0 where it is 0: nothing for a sum, not even for its sign.
  void (*negate_zeros)(double* x, std::size_t count);
  /// Finite x[i] rounded to odd in 24 bits, as floats: rounding them to half or bfloat16 rounds
  /// x[i] once, if x[i] is a multiple of that format's smallest number.
  void (*round_to_odd_floats)(const double* x, std::size_t count, float* rounded);
  /// a[i] + b[i]; all NaN results have the same bits.
  void (*add_two_floats)(const float* a, const float* b, float* sum, std::size_t count);
  void (*add_two_doubles)(const double* a, const double* b, double* sum, std::size_t count);
};

MCT_DECLARE_KERNELS(const ExactSumTable& exact_sum_table();)

inline const ExactSumTable& find_exact_sum_table() { return MCT_SELECT_KERNELS(exact_sum_table()); }

}  // namespace mct::distributed_detail
