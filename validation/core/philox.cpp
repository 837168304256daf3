// Random numbers by the block, in a unit that is optimized.
#include "validation/core/philox.hpp"

#include "mctensor/tensor/philox.hpp"

namespace mct::validation {

void Random::refill() {
  // one position after the other: arrays of all of them, meant for the compiler to make registers
  // of, went through memory and took twice as long
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::uint64_t position = position_ + i;
    const auto words = philox4x32({std::uint32_t(position), std::uint32_t(position >> 32),
                                   std::uint32_t(stream_), std::uint32_t(stream_ >> 32)},
                                  {std::uint32_t(seed_), std::uint32_t(seed_ >> 32)});
    // bits() reads from the end: of each position the higher words first
    const std::size_t at = 2 * (lanes - 1 - i);
    buffer_[at] = words[0] | std::uint64_t(words[1]) << 32;
    buffer_[at + 1] = words[2] | std::uint64_t(words[3]) << 32;
  }
  left_ = 2 * lanes;
  position_ += lanes;
}

}  // namespace mct::validation
