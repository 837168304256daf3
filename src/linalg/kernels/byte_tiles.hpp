// Tiles of products of 8-bit integers by the matrix unit of the processor (AMX-INT8), and the same
// loop on a model of that unit in plain C++ (tile_registers.hpp).
#pragma once

#include <algorithm>

#include "src/linalg/kernels/byte_numbers.hpp"
#include "src/linalg/kernels/residue_tiles.hpp"
#include "src/linalg/kernels/tile_registers.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Tiles of 32 lines by 32 columns: four tile registers of sums, two of each factor. The matrix
/// unit works by itself: meanwhile the sums of the tile before become residues, a share in every
/// step of the depth.
template <class Tiles, bool add>
class ByteTiles {
 public:
  static constexpr std::int64_t results = std::int64_t(tile_lines) * tile_lines / 4;  // words

  explicit ByteTiles(const TileRun& run)
      : run_(run), writer_(run.modulus), steps_(run.words / tile_rows), next_(run.next) {}

  void multiply() {
    tiles_.configure();
    for (std::int64_t i = 0; i < run_.tiles; ++i) multiply_tile(i);
    tiles_.release();
    const std::int64_t last = run_.tiles - 1;
    for (std::int64_t w = 0; w < results; w += word_lanes)
      writer_.write(results, w, sums_[last % 2], run_.y + last * results);
  }

 private:
  static constexpr std::int64_t step_bytes = tile_rows * line_bytes;

  MCT_ALWAYS_INLINE void multiply_tile(std::int64_t i) {
    tiles_.template zero<0>();
    tiles_.template zero<1>();
    tiles_.template zero<2>();
    tiles_.template zero<3>();
    const auto* left = reinterpret_cast<const char*>(run_.a + i * run_.a_stride);
    const auto* right = reinterpret_cast<const char*>(run_.b);
    const std::int32_t* const before = sums_[(i + 1) % 2];
    ResidueWord* const y = run_.y + (i - 1) * results;
    const std::int64_t share = (results / word_lanes + steps_ - 1) / steps_ * word_lanes;
    const std::int64_t all = i > 0 ? results : 0;
    std::int64_t written = 0;
    for (std::int64_t s = 0; s < steps_; ++s, left += step_bytes, right += step_bytes) {
      add_step<ByteProducts>(tiles_, left, right);
      if (next_ < run_.next_end) {  // every other line of the cache: the one beside it comes along
        __builtin_prefetch(next_, 0, 2);
        next_ += 2 * std::int64_t(tile_bytes / sizeof(ResidueWord));
      }
      for (const std::int64_t to = std::min(written + share, all); written < to;
           written += word_lanes)
        writer_.write(results, written, before, y);
    }
    store_sums(tiles_, reinterpret_cast<char*>(sums_[i % 2]));
  }

  const TileRun& run_;
  ResidueWriter<ResidueSize::byte, add> writer_;
  std::int64_t steps_;
  const ResidueWord* next_;
  Tiles tiles_;
  alignas(64) std::int32_t sums_[2][std::size_t(4 * results)];
};

template <class Tiles, bool add>
void multiply_byte_words(const TileRun& run) {
  ByteTiles<Tiles, add>(run).multiply();
}

template <class Tiles>
constexpr linalg_detail::ResidueTile byte_tile(const char* unit) {
  return {
      unit,
      tile_lines,
      tile_lines,
      256,
      1024 * 256,  // processors with this unit have 2 MiB
      512 * 256,
      tile_rows,
      linalg_detail::ResidueSize::byte,
      linalg_detail::WordOrder::by_line,
      false,
      {&multiply_byte_words<Tiles, false>, &multiply_byte_words<Tiles, true>},
      {&reconstruct_bytes<Tiles, 1>, &reconstruct_bytes<Tiles, 2>, &reconstruct_bytes<Tiles, 3>}};
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
