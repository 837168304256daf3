// Random numbers that depend on a seed, a stream and a position alone, so that threads and a run
// that goes on draw the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/tensor/philox.hpp"

namespace mct::embed {

/// Streams of one seed.
enum DrawStream : std::uint32_t {
  draws_of_samples = 0,
  draws_of_validation_links,
  draws_of_held_out_links,
  draws_of_splits = 0x5911,
  draws_of_points,
  draws_of_orders,
  draws_of_negatives,
  draws_of_pairs,
};

class Draws {
 public:
  /// `part`: of the stream, an epoch for example.
  Draws(std::uint64_t seed, std::uint32_t stream, std::uint32_t part = 0)
      : seed_(seed), stream_(stream), part_(part) {}

  /// 64 random bits.
  std::uint64_t bits(std::uint64_t i) const {
    const auto words = philox4x32({std::uint32_t(i), std::uint32_t(i >> 32), part_, stream_},
                                  {std::uint32_t(seed_), std::uint32_t(seed_ >> 32)});
    return std::uint64_t(words[0]) << 32 | words[1];
  }
  /// In [0, 1).
  double uniform(std::uint64_t i) const { return double(bits(i) >> 11) * 0x1p-53; }
  /// Below `count`, which is at most 2^32: by the high part of a product, uneven by 2^-32.
  std::size_t below(std::size_t count, std::uint64_t i) const {
    return std::size_t((bits(i) >> 32) * std::uint64_t(count) >> 32);
  }

 private:
  std::uint64_t seed_;
  std::uint32_t stream_, part_;
};

/// Puts the elements in random order (Fisher and Yates).
template <class T>
void shuffle(std::vector<T>& x, const Draws& draws) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[draws.below(i, i)]);
}

}  // namespace mct::embed
