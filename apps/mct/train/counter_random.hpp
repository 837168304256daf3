// Random numbers that depend on a seed, a stream and a position alone: a run that is stopped and
// resumed draws the same numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace mct::cli::train {

/// 64 random bits for position `index` of stream `stream` of a seed.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// Uniform in [0, 1), 53 bits.
double uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// A whole number below `count` (which is far below 2^32: the bias of the product is < 2^-32).
std::int64_t below(std::int64_t count, std::uint64_t seed, std::uint64_t stream,
                   std::uint64_t index);

/// 0 ... count - 1 in random order.
std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed, std::uint64_t stream);

}  // namespace mct::cli::train
