// The suite's stream of random numbers: the same seed gives the same cases whatever the number of
// threads.
#pragma once

#include <array>
#include <cstdint>

#include "mctensor/tensor/philox.hpp"

namespace mct::validation {

/// A stream of random numbers: stream (seed, stream id), position block by block.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  std::uint64_t bits() {
    if (left_ == 0) refill();
    return buffer_[--left_];
  }

  /// Uniform in [0, n), n >= 1; the bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n) {
    return std::uint64_t((static_cast<Wide>(bits()) * n) >> 64);
  }

  /// Uniform in [low, high].
  int between(int low, int high) { return low + int(below(std::uint64_t(high - low) + 1)); }

  /// True once in n draws.
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  __extension__ using Wide = unsigned __int128;

  void refill() {
    const auto r = philox4x32({std::uint32_t(position_), std::uint32_t(position_ >> 32),
                               std::uint32_t(stream_), std::uint32_t(stream_ >> 32)},
                              {std::uint32_t(seed_), std::uint32_t(seed_ >> 32)});
    buffer_ = {r[0] | std::uint64_t(r[1]) << 32, r[2] | std::uint64_t(r[3]) << 32};
    left_ = 2;
    ++position_;
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint64_t, 2> buffer_{};
  int left_ = 0;
};

}  // namespace mct::validation
