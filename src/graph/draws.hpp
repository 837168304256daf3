// Random numbers that depend on a seed, a stream and a position alone, so that threads and a run
// that goes on draw the same ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
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

/// `count` of 0 ... all - 1, each set of them equally likely (Fisher and Yates; a remainder of 64
/// bits by at most 2^31 is uneven by 2^-33).
inline std::vector<std::int32_t> sampled(std::size_t all, std::size_t count, std::uint64_t seed) {
  std::vector<std::int32_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 0);
  count = std::min(count, all);
  const Draws draws(seed, draws_of_samples);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + std::size_t(draws.bits(i) % (all - i))]);
  numbers.resize(count);
  return numbers;
}

/// The order of edges in an epoch of training (Fisher and Yates).
inline std::vector<std::uint32_t> edge_order(std::size_t edges, std::uint64_t seed,
                                             std::int64_t epoch) {
  std::vector<std::uint32_t> order(edges);
  std::iota(order.begin(), order.end(), 0u);
  constexpr std::uint32_t stream = 0x0DE80000;  // no other of a seed
  std::array<std::uint32_t, 4> words{};
  for (std::size_t at = 0; at + 1 < edges; ++at) {
    if (at % 4 == 0)
      words = philox4x32({std::uint32_t(at), std::uint32_t(at >> 32), std::uint32_t(epoch), stream},
                         {std::uint32_t(seed), std::uint32_t(seed >> 32)});
    const std::size_t left = edges - at;
    std::swap(order[left - 1], order[std::size_t(std::uint64_t(words[at % 4]) * left >> 32)]);
  }
  return order;
}

}  // namespace mct::embed
