// The kernels of products through integers, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/linalg/line_range.hpp"
#include "src/linalg/matrix_view.hpp"
#include "src/linalg/residue_plan.hpp"

namespace mct::linalg_detail {

/// A number of the residues of `group` depths of one line: 2 of 16 bits each or 4 of 8 bits, the
/// lowest depth in the lowest bits.
using ResidueWord = std::int32_t;

/// Which depth has place g in word w: of every group * unit depths the words have a unit of
/// neighbours in each place, so that registers of neighbours become words without being shuffled.
constexpr std::int64_t depth_of(std::int64_t w, int g, int group, int unit) {
  return w / unit * unit * group + std::int64_t(unit) * g + w % unit;
}

/// Where the words of a panel of lines lie: word k of a line at [k][line], or, in blocks of 16
/// words, at [k / 16][line][k % 16].
enum class WordOrder { by_depth, by_line };
inline constexpr int words_by_line = 16;

/// Where a panel of lines comes from and goes to. Lines are the columns of x.
struct ResiduePanel {
  MatrixView<const double> x;
  std::int64_t depth = 0;       // rows of x
  std::int64_t words = 0;       // for each line: the depth in groups, and zeros behind it
  std::int64_t lines = 0;       // columns of x, at most `width`
  std::int64_t width = 0;       // lines of a panel, a multiple of the lanes of a register
  int unit = 1;                 // of depth_of
  const double* scale[2] = {};  // [width]: their product brings a line to integers
  WordOrder order = WordOrder::by_depth;
  bool without_sign = false;        // residues 0 .. p - 1, as bytes
  ResidueWord* out = nullptr;       // of the first modulus
  std::int64_t modulus_stride = 0;  // words from one modulus to the next
};

/// Widens the range of each of `lines` columns of x (by) its `depth` rows.
using RangeKernel = void (*)(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                             LineRange* ranges);

/// Cuts the elements of a panel to integers and writes their residues. weights: plan.left_pieces or
/// plan.right_pieces.
using ResidueKernel = void (*)(const ResiduePlan& plan, const PieceWeights* weights,
                               const ResiduePanel& panel);

/// out = x + y, or x - y, modulo p: blocks of words of one modulus. Of pairs, of bytes with and
/// without sign; of sums and differences.
using WordSumKernel = void (*)(std::int64_t words, const ResidueWord* x, const ResidueWord* y,
                               int modulus, ResidueWord* out);
struct WordSums {
  WordSumKernel of[3][2];
  WordSumKernel select(ResidueSize size, bool without_sign, bool minus) const {
    return of[size == ResidueSize::pair ? 0 : without_sign ? 2 : 1][minus ? 1 : 0];
  }
};

/// y = y + x modulo p, of words of results: whole registers, as every tile is.
using ResultSumKernel = void (*)(std::int64_t words, const ResidueWord* x, int modulus,
                                 ResidueWord* y);

/// Neighbouring tiles of one column of tiles: y_i = a_i b modulo p, about centred.
///
/// a: panels of `rows` lines, b: a panel of `columns` lines, of `words` words each. y: of every
/// tile [rows / 2][columns] words of two numbers of 16 bits, the lower one of a row of the first
/// half, the upper one of the row half a tile below.
struct TileRun {
  std::int64_t words;
  std::int64_t tiles;
  const ResidueWord* a;
  std::int64_t a_stride;  // words from one panel to the next
  const ResidueWord* b;
  int modulus;
  ResidueWord* y;
};

/// A register tile of integer products.
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
  /// Whether residues of the left factor are 0 .. p - 1 instead of about -p / 2 .. p / 2.
  bool unsigned_left;
  /// [0]: y = a b, [1]: y = y + a b.
  void (*multiply[2])(const TileRun& run);

  /// Words of results.
  std::int64_t result_words() const { return std::int64_t(rows) / 2 * columns; }
};

/// Numbers of `count` neighbouring columns of two rows, half a tile apart, from their residues.
///
/// y: [modulus][...], from one modulus to the next `stride` words; count: a multiple of the lanes
/// of a register of doubles; row_scale: of both rows; scale of each column [count]; out:
/// [row][limb] [count], normalized; infinite leading limbs, whose sign is right, have any number
/// behind them.
struct ResidueResult {
  const ResidueWord* y;
  std::int64_t stride;
  std::int64_t count;
  double row_scale[2][2];  // [row]: two factors
  const double* column_scale[2];
  double* out;
};
using ReconstructKernel = void (*)(const ResiduePlan& plan, const ResidueResult& result);

/// Of operands and results of one, two and three limbs.
struct ResidueTable {
  RangeKernel range[3];
  ResidueKernel residues[3];
  ReconstructKernel reconstruct[3];
  WordSums add_words;
  ResultSumKernel add_results;
  /// Pairs of 16 bits: what every processor has.
  ResidueTile pairs;
  /// Bytes by the unit for them (AVX512-VNNI, AVX-VNNI), in plain C++ in other instruction sets.
  ResidueTile fused_bytes;
  /// Bytes by the matrix unit (AMX-INT8), and by its model in plain C++.
  ResidueTile matrix_bytes;
  ResidueTile model_bytes;
};

}  // namespace mct::linalg_detail
