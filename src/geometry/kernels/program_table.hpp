// The steps of programs (src/geometry/programs) on rows of lanes, compiled once per instruction
// set.
#pragma once

#include <cstddef>

#include "src/geometry/kernels/manifold_table.hpp"
#include "src/geometry/programs/recording.hpp"

namespace mct::geometry_detail {

/// A step on rows of `block` numbers: those of operand k begin at in[k] and are step[k] numbers
/// apart, 0 where all coordinates have the same.
///
/// Or on points (Layout::by_points): of vectors point p begins p step[k] numbers after the first
/// and has `width` numbers, of which not all need to be coordinates. Numbers are rows as above.
/// Operands and results of a caller may be floats, which are read and written where they lie.
struct Rows {
  const double* in[2 * most_terms];
  const float* in_floats[2 * most_terms];  ///< on points: null where the operand is doubles
  std::ptrdiff_t step[2 * most_terms];
  double* out;
  float* out_floats;  ///< on points: null where the result is doubles
  double* low;        ///< the second result of a step that has two
  int rows;           ///< of the result; of the operands where that is a sum
  double* mask;       ///< 1 for points that the program is for
  // on points
  std::size_t width;
  bool is_vector[2 * most_terms];
  std::ptrdiff_t out_step;
  bool streams;           ///< a result that is written past the caches
  const double* columns;  ///< 1 for a coordinate of a vector, else 0; null: all are
};
using StepKernel = void (*)(const Rows&);

/// Points between memory, where point i begins at i * step, and rows of `width` doubles each.
template <class T>
struct PointMoves {
  /// After the coordinates there are zeros; after the points, up to a block, copies of the last.
  void (*to_rows)(std::size_t points, std::size_t coordinates, const T* from, std::ptrdiff_t step,
                  double* rows, std::size_t width);
  /// `streams`: past the caches (stream_line), where points are whole lines of memory.
  void (*from_rows)(std::size_t points, std::size_t coordinates, const double* rows,
                    std::size_t width, T* to, bool streams);
};

struct StepTable {
  static constexpr int steps = int(Step::give_four) + 1;
  StepKernel kernel[steps];
  StepKernel on_points[steps];  ///< for steps whose operands or results are vectors
  /// As PointsWithin, of such rows, zero after the coordinates.
  bool (*are_within)(std::size_t points, std::size_t coordinates, const double* rows,
                     std::size_t width, double largest, double least);
  PointMoves<double> doubles;
  PointMoves<float> floats;
};

}  // namespace mct::geometry_detail
