// The kernels of products through integers, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstdint>

#include "src/linalg/line_range.hpp"
#include "src/linalg/matrix_view.hpp"
#include "src/linalg/residue_plan.hpp"

namespace mct::linalg_detail {

/// A number of the residues of `group` depths of one line: 2 of 16 bits each or 4 of 8 bits, the
/// lowest depth in the lowest bits.
using ResidueWord = std::int32_t;
constexpr std::int64_t group_of(ResidueSize size) { return size == ResidueSize::pair ? 2 : 4; }

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
  std::int64_t words = 0;       // for each line: the depth in groups, and zeros after it
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

/// Neighbouring tiles of one column of tiles: y_i = a_i b modulo p, about centred.
///
/// a: panels of `rows` lines, b: a panel of `columns` lines, of `words` words each. y: of every
/// tile [rows / group][columns] words of results, two of 16 bits or four of 8 bits: that in place
/// g, the first in the lowest bits, is of row g * rows / group + i, i the row of the word.
struct TileRun {
  std::int64_t words;
  std::int64_t tiles;
  const ResidueWord* a;
  std::int64_t a_stride;  // words from one panel to the next
  const ResidueWord* b;
  int modulus;
  ResidueWord* y;
  /// Words that will be multiplied later and are still far away: the memory from `next` to
  /// `next_end` is fetched.
  const ResidueWord* next = nullptr;
  const ResidueWord* next_end = nullptr;
};

/// Numbers of the first `lines` rows of a tile of `rows` and `columns`, from their residues.
///
/// y: [modulus][words of a tile's results], from one modulus to the next `stride` words; scales of
/// rows and of columns, two factors each; out: [row][limb][column], normalized; where the exact sum
/// overflows, infinity and zeros.
struct ResidueResult {
  const ResidueWord* y;
  std::int64_t stride;
  std::int64_t rows;
  std::int64_t lines;
  std::int64_t columns;
  const double* row_scale[2];
  const double* column_scale[2];
  double* out;
};
using ReconstructKernel = void (*)(const ResiduePlan& plan, const ResidueResult& result);

/// A register tile of integer products, and the kernels that turn its results into numbers.
struct ResidueTile {
  const char* unit;  // what multiplies
  int rows;
  int columns;
  /// Words that one call may multiply: the sums stay below 2^31.
  int most_words;
  /// Words of one modulus that stay in the second-level cache: of the columns of a block, and of
  /// some rows.
  int column_words;
  int row_words;
  /// Words are a multiple of these, with zeros after the last depth.
  int word_unit;
  ResidueSize size;
  WordOrder left_order;
  /// Whether residues of the left factor are 0 .. p - 1 instead of about -p / 2 .. p / 2.
  bool unsigned_left;
  /// [0]: y = a b, [1]: y = y + a b.
  void (*multiply[2])(const TileRun& run);
  ReconstructKernel reconstruct[3];  // of one, two and three limbs

  /// Numbers of a word.
  std::int64_t group() const { return group_of(size); }
  std::int64_t result_words() const { return rows / group() * columns; }
};

struct ResidueTable {
  RangeKernel range[3];  // of one, two and three limbs, as the next
  ResidueKernel residues[3];
  WordSums add_words;  // of factors and of results
  /// Pairs of 16 bits, which every processor has.
  ResidueTile pairs;
  /// Bytes by their unit (AVX512-VNNI, AVX-VNNI); in plain C++ in other instruction sets.
  ResidueTile fused_bytes;
  /// Bytes by the matrix unit (AMX-INT8), and by its model in plain C++.
  ResidueTile matrix_bytes;
  ResidueTile model_bytes;
};

}  // namespace mct::linalg_detail
