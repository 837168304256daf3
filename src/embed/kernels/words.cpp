// Random words of one example: counters in lanes.
#include "src/embed/kernels/words_table.hpp"
#include "src/tensor/kernels/philox_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

inline void fill_words(std::array<std::uint32_t, 3> counter, std::uint32_t first,
                       std::array<std::uint32_t, 2> key, std::int64_t count, std::uint32_t* words) {
  constexpr std::size_t width = words64_lanes;
  alignas(64) std::uint64_t steps[width];
  for (std::size_t j = 0; j < width; ++j) steps[j] = first + j;
  Words64 last = load_words64(steps);
  for (std::int64_t i = 0; i < count; i += std::int64_t(width)) {
    Words64 x[4] = {Words64(std::uint64_t(counter[0])), Words64(std::uint64_t(counter[1])),
                    Words64(std::uint64_t(counter[2])), last};
    detail::philox4x32_rounds(x, key[0], key[1]);
    alignas(64) std::uint64_t low[width], high[width];
    store_words64(side_by_side(x[0], x[1]), low);
    store_words64(side_by_side(x[2], x[3]), high);
    for (std::size_t j = 0; j < width; ++j, words += 4) {
      for (std::size_t k = 0; k < 2; ++k) {
        words[k] = std::uint32_t(low[j] >> 32 * k);
        words[2 + k] = std::uint32_t(high[j] >> 32 * k);
      }
    }
    last = last + Words64(std::uint64_t(width));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

namespace embed_detail::MCT_KERNELS {

const WordsTable& words_table() {
  static constexpr WordsTable table = {&kernels::fill_words};
  return table;
}

}  // namespace embed_detail::MCT_KERNELS
}  // namespace mct
