#include "src/optim/adamw_floats.hpp"

#include <atomic>
#include <bit>
#include <cstring>

#include "mctensor/eft/half.hpp"
#include "src/optim/split_float.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim_detail {

namespace {

using optim::AdamWMemory;
using optim::Composition;
using optim::LowPart;

/// The bits of the smallest float that rounds to an infinity.
std::uint32_t overflow_bits(optim::Strategy strategy, optim::Format format) {
  if (optim::composition_of(strategy).theta == optim::Number::float32) return 0x7f800000u;
  return format == optim::Format::float16 ? 0x477ff000u : 0x7f7f8000u;
}

/// Calls work(i) for every element, on all threads.
template <class Work>
void for_each_element(std::int64_t count, const Work& work) {
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(double(count) * 4),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (std::int64_t i = begin; i < end; ++i) work(i);
                                 });
}

}  // namespace

std::int64_t count_nonfinite(optim::Strategy strategy, optim::Format format, const float* grad,
                             std::int64_t count) {
  const std::uint32_t limit = overflow_bits(strategy, format);
  std::atomic<std::int64_t> total{0};
  const auto count_range = [&](std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t block = 4096;  // 32-bit sums are added in more lanes
    std::int64_t sum = 0;
    while (begin < end) {
      const std::int64_t stop = std::min(begin + block, end);
      std::uint32_t part = 0;
      for (std::int64_t i = begin; i < stop; ++i)
        part += (std::bit_cast<std::uint32_t>(grad[i]) & 0x7fffffffu) >= limit ? 1u : 0u;
      sum += part;
      begin = stop;
    }
    total += sum;
  };
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(double(count)), count_range);
  return total;
}

template <class T>
void split_weights(const Composition& parts, const float* weights, const AdamWMemory& memory) {
  const std::int64_t count = memory.count;
  if (parts.theta == optim::Number::float32) {
    std::memmove(memory.theta, weights, std::size_t(count) * sizeof(float));
    return;
  }
  auto* const theta = static_cast<T*>(memory.theta);
  auto* const low = static_cast<T*>(memory.low);
  if (parts.low == LowPart::lower_bits) {
    for_each_element(count, [&](std::int64_t i) {
      const auto [high_bits, low_bits] = detail::split_float(weights[i]);
      theta[i] = T::from_bits(high_bits);
      low[i] = T::from_bits(low_bits);
    });
    return;
  }
  for_each_element(count, [&](std::int64_t i) { theta[i] = T(weights[i]); });
  if (parts.has_sum())
    for_each_element(count, [&](std::int64_t i) { low[i] = T(weights[i] - float(theta[i])); });
  if (parts.low == LowPart::master)
    std::memcpy(memory.low, weights, std::size_t(count) * sizeof(float));
}

template <class T>
void join_weights(const Composition& parts, const AdamWMemory& memory, float* weights) {
  const std::int64_t count = memory.count;
  const auto bytes = std::size_t(count) * sizeof(float);
  const auto* const theta = static_cast<const T*>(memory.theta);
  const auto* const low = static_cast<const T*>(memory.low);
  if (parts.theta == optim::Number::float32) {
    std::memmove(weights, memory.theta, bytes);
  } else if (parts.low == LowPart::master) {
    std::memcpy(weights, memory.low, bytes);
  } else if (parts.low == LowPart::lower_bits) {
    for_each_element(count, [&](std::int64_t i) {
      weights[i] = detail::join_float({theta[i].bits(), low[i].bits()});
    });
  } else if (parts.has_sum()) {
    for_each_element(count, [&](std::int64_t i) { weights[i] = float(theta[i]) + float(low[i]); });
  } else {
    for_each_element(count, [&](std::int64_t i) { weights[i] = float(theta[i]); });
  }
}

template void split_weights<bfloat16>(const Composition&, const float*, const AdamWMemory&);
template void split_weights<half>(const Composition&, const float*, const AdamWMemory&);
template void join_weights<bfloat16>(const Composition&, const AdamWMemory&, float*);
template void join_weights<half>(const Composition&, const AdamWMemory&, float*);

}  // namespace mct::optim_detail
