// Random numbers at any position of a stream: Philox.
#include "apps/mct/train/counter_random.hpp"

#include <numeric>
#include <utility>

#include "mctensor/tensor/philox.hpp"

namespace mct::cli::train {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const auto words = philox4x32({std::uint32_t(index), std::uint32_t(index >> 32),
                                 std::uint32_t(stream), std::uint32_t(stream >> 32)},
                                {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  return std::uint64_t(words[0]) << 32 | words[1];
}

double uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return double(random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

std::int64_t below(std::int64_t count, std::uint64_t seed, std::uint64_t stream,
                   std::uint64_t index) {
  return std::int64_t(uniform(seed, stream, index) * double(count));
}

std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed,
                                      std::uint64_t stream) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t i = count - 1; i > 0; --i)
    std::swap(order[std::size_t(i)],
              order[std::size_t(below(i + 1, seed, stream, std::uint64_t(i)))]);
  return order;
}

}  // namespace mct::cli::train
