// Random numbers by the block, their positions in lanes: a seventh of the suite's time if the lanes
// are left to the compiler.
#include "validation/core/philox.hpp"

#include "src/tensor/kernels/philox_lanes.hpp"

namespace mct::validation {

void Random::refill() {
  using kernels::Words64;
  constexpr std::size_t width = kernels::words64_lanes;
  static_assert(lanes % width == 0);
  alignas(64) std::uint64_t positions[lanes], first[lanes], second[lanes];
  for (std::size_t i = 0; i < lanes; ++i) positions[i] = position_ + i;
  for (std::size_t i = 0; i < lanes; i += width) {
    const Words64 position = kernels::load_words64(positions + i);
    Words64 x[4] = {position, position >> 32, Words64(stream_), Words64(stream_ >> 32)};
    mct::detail::philox4x32_rounds(x, std::uint32_t(seed_), std::uint32_t(seed_ >> 32));
    kernels::store_words64(kernels::side_by_side(x[0], x[1]), first + i);
    kernels::store_words64(kernels::side_by_side(x[2], x[3]), second + i);
  }
  for (std::size_t i = 0; i < lanes; ++i) {
    // bits() reads from the end: of each position the higher words first
    const std::size_t at = 2 * (lanes - 1 - i);
    buffer_[at] = first[i];
    buffer_[at + 1] = second[i];
  }
  left_ = 2 * lanes;
  position_ += lanes;
}

}  // namespace mct::validation
