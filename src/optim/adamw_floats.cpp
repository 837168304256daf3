#include "src/optim/adamw_floats.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "mctensor/eft/half.hpp"
#include "src/optim/array_pieces.hpp"
#include "src/optim/kernels/gradient_table.hpp"
#include "src/optim/split_float.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim_detail {

namespace {

using optim::AdamWMemory;
using optim::Composition;
using optim::LowPart;

/// Calls work(i) for every element, on all threads.
template <class Work>
void for_each_element(std::int64_t count, const Work& work) {
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(double(count) * 4),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (std::int64_t i = begin; i < end; ++i) work(i);
                                 });
}

/// The gradients of an array, and how many bytes each has.
struct Gradients {
  const void* data;
  std::size_t size;
  std::int64_t count;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data), std::size_t(count) * size};
  }
};

Gradients gradients_of(const optim::Layout& layout, std::span<const AdamWMemory> memory,
                       std::span<const FloatSide> floats, std::size_t i) {
  if (!floats.empty() && floats[i].grad != nullptr)
    return {floats[i].grad, sizeof(float), memory[i].count};
  return {memory[i].grad, layout.grad, memory[i].count};
}

/// The bits of the smallest float that rounds to an infinity of theta's format.
std::uint32_t overflow_bits(const optim::Layout& layout, optim::Format format) {
  if (layout.theta == sizeof(float)) return infinity_bits<float>;
  return format == optim::Format::float16 ? 0x477ff000u : 0x7f7f8000u;
}

/// Calls work(pointer to T, count) for gradients of their type.
template <class Work>
auto with_type(const Gradients& gradients, optim::Format format, std::int64_t begin,
               const Work& work) {
  if (gradients.size == sizeof(float))
    return work(static_cast<const float*>(gradients.data) + begin);
  return format == optim::Format::float16
             ? work(static_cast<const half*>(gradients.data) + begin)
             : work(static_cast<const bfloat16*>(gradients.data) + begin);
}

}  // namespace

std::vector<std::int64_t> ends_of(std::span<const AdamWMemory> memory) {
  return ends_of(memory.size(), [&](std::size_t i) { return memory[i].count; });
}

std::int64_t count_nonfinite(optim::Strategy strategy, optim::Format format,
                             std::span<const AdamWMemory> memory,
                             std::span<const FloatSide> floats) {
  const optim::Layout layout = layout_of(strategy);
  const auto all = ends_of(memory);
  const auto gradients = [&](std::size_t i) { return gradients_of(layout, memory, floats, i); };
  return ArrayPieces(all).sum<std::int64_t>(
      1, [&](std::size_t i) { return gradients(i).bytes(); },
      [&](std::size_t array, std::int64_t begin, std::int64_t end) {
        return with_type(gradients(array), format, begin, [&]<class T>(const T* x) {
          const auto limit = std::is_same_v<T, float> ? bits_of<T>(overflow_bits(layout, format))
                                                      : infinity_bits<T>;
          return find_gradient_kernels<T>().count_from(x, std::size_t(end - begin), limit);
        });
      });
}

double overflow_limit(optim::Strategy strategy, optim::Format format) {
  return double(std::bit_cast<float>(overflow_bits(layout_of(strategy), format)));
}

double gradient_norm(optim::Strategy strategy, optim::Format format,
                     std::span<const AdamWMemory> memory, std::span<const FloatSide> floats) {
  const optim::Layout layout = layout_of(strategy);
  const auto all = ends_of(memory);
  const auto gradients = [&](std::size_t i) { return gradients_of(layout, memory, floats, i); };
  return std::sqrt(ArrayPieces(all).sum<double>(
      1, [&](std::size_t i) { return gradients(i).bytes(); },
      [&](std::size_t array, std::int64_t begin, std::int64_t end) {
        return with_type(gradients(array), format, begin, [&]<class T>(const T* x) {
          return find_gradient_kernels<T>().squares(x, std::size_t(end - begin), 1);
        });
      }));
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
  if (parts.low == LowPart::lower_byte) {
    auto* const bytes = static_cast<std::uint8_t*>(memory.low);
    for_each_element(count, [&](std::int64_t i) {
      const auto weight = detail::split_short_float(weights[i]);
      theta[i] = T::from_bits(weight.high);
      const unsigned scale_bit = bytes[i] & ~unsigned(detail::lower_byte_mask);
      bytes[i] = std::uint8_t(detail::lower_byte_of(weight) | scale_bit);
    });
    return;
  }
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
  } else if (parts.low == LowPart::lower_byte) {
    const auto* const rest = static_cast<const std::uint8_t*>(memory.low);
    for_each_element(count, [&](std::int64_t i) {
      weights[i] = detail::join_short_float(theta[i].bits(), rest[i]);
    });
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
