// The suite's stream of random numbers: the same seed gives the same cases whatever the number of
// threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

  static constexpr std::size_t lanes = 8;  // positions at once

  void refill();

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint64_t, 2 * lanes> buffer_;
  std::size_t left_ = 0;
};

}  // namespace mct::validation
