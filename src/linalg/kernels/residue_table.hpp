// The kernels of products through integers, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/linalg/line_range.hpp"
#include "src/linalg/matrix_view.hpp"
#include "src/linalg/residue_plan.hpp"

namespace mct::linalg_detail {

/// A number of the residues of `group` neighbouring depths of one line: 2 of 16 bits each or 4 of
/// 8 bits, the lowest depth in the lowest bits.
using ResidueWord = std::int32_t;

/// Where the words of a panel of lines lie: word k of a line at [k][line], or, in blocks of 16
/// words, at [k / 16][line][k % 16].
enum class WordOrder { by_depth, by_line };

/// Where a panel of lines comes from and goes to. Lines are the columns of x.
struct ResiduePanel {
  MatrixView<const double> x;
  std::int64_t depth = 0;       // rows of x
  std::int64_t words = 0;       // for each line: the depth in groups, and zeros behind it
  std::int64_t lines = 0;       // columns of x, at most `width`
  std::int64_t width = 0;       // lines of a panel
  const double* scale[2] = {};  // [width]: their product brings a line to integers
  WordOrder order = WordOrder::by_depth;
  bool without_sign = false;        // residues 0 .. p, as bytes modulo 256
  ResidueWord* out = nullptr;       // of the first modulus
  std::int64_t modulus_stride = 0;  // words from one modulus to the next
};

/// Widens the range of each of `lines` columns of x (by) its `depth` rows.
using RangeKernel = void (*)(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                             LineRange* ranges);

/// Cuts the elements of a panel to integers and writes their residues. weights: plan.left or
/// plan.right.
using ResidueKernel = void (*)(const ResiduePlan& plan, const double* weights,
                               const ResiduePanel& panel);

/// A register tile of integer products: y = (y + a b) modulo p, about centred.
///
/// a: panel of `rows` lines, b: panel of `columns` lines, each of `words` words; y: [row][column].
struct ResidueTile {
  const char* unit;  // what multiplies
  int rows;
  int columns;
  /// Words that one call may multiply: the sums stay below 2^31.
  int most_words;
  /// Words are a multiple of these, with zeros behind the last depth.
  int word_unit;
  ResidueSize size;
  WordOrder left_order;
  /// Whether residues of the left factor are 0 .. p instead of about -p / 2 .. p / 2.
  bool unsigned_left;
  void (*multiply)(std::int64_t words, const ResidueWord* a, const ResidueWord* b, int modulus,
                   std::int16_t* y);
};

/// Numbers of `count` neighbouring elements of a row from their residues.
///
/// y: [modulus][...], from one modulus to the next `stride` elements; count: of pairs of registers
/// of doubles; scale: of the row, and of each column [count]; out: [limb][count], normalized;
/// infinite leading limbs, whose sign is right, have any number behind them.
struct ResidueResult {
  const std::int16_t* y;
  std::int64_t stride;
  std::int64_t count;
  double row_scale[2];
  const double* column_scale[2];
  double* out;
};
using ReconstructKernel = void (*)(const ResiduePlan& plan, const ResidueResult& result);

/// Of operands and results of one, two and three limbs.
struct ResidueTable {
  RangeKernel range[3];
  ResidueKernel residues[3];
  ReconstructKernel reconstruct[3];
  /// Pairs of 16 bits: what every processor has.
  ResidueTile pairs;
  /// Bytes by the unit for them (AVX512-VNNI, AVX-VNNI), in plain C++ in other instruction sets.
  ResidueTile fused_bytes;
  /// Bytes by the matrix unit (AMX-INT8), and by its model in plain C++.
  ResidueTile matrix_bytes;
  ResidueTile model_bytes;
};

}  // namespace mct::linalg_detail
