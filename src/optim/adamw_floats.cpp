#include "src/optim/adamw_floats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "mctensor/eft/half.hpp"
#include "src/optim/array_pieces.hpp"
#include "src/optim/group_mark.hpp"
#include "src/optim/kernels/gradient_table.hpp"
#include "src/optim/split_weight.hpp"
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

/// The sum of part(array, pointer to T, count) over the gradients of all arrays, each in its type.
template <class Sum, class Part>
Sum sum_over(const optim::Layout& layout, optim::Format format, std::span<const AdamWMemory> memory,
             std::span<const FloatSide> floats, const Part& part) {
  const auto all = ends_of(memory);
  const auto gradients = [&](std::size_t i) { return gradients_of(layout, memory, floats, i); };
  return ArrayPieces(all).sum<Sum>(
      1, [&](std::size_t i) { return gradients(i).bytes(); },
      [&](std::size_t array, std::int64_t begin, std::int64_t end) -> Sum {
        const Gradients x = gradients(array);
        const auto count = std::size_t(end - begin);
        if (x.size == sizeof(float))
          return part(array, static_cast<const float*>(x.data) + begin, count);
        return format == optim::Format::float16
                   ? part(array, static_cast<const half*>(x.data) + begin, count)
                   : part(array, static_cast<const bfloat16*>(x.data) + begin, count);
      });
}

}  // namespace

std::vector<std::int64_t> ends_of(std::span<const AdamWMemory> memory) {
  return ends_of(memory.size(), [&](std::size_t i) { return memory[i].count; });
}

std::int64_t count_nonfinite(optim::Strategy strategy, optim::Format format,
                             std::span<const AdamWMemory> memory,
                             std::span<const FloatSide> floats) {
  const optim::Layout layout = layout_of(strategy);
  return sum_over<std::int64_t>(layout, format, memory, floats,
                                [&]<class T>(std::size_t array, const T* x, std::size_t count) {
                                  const bool is_rounded =
                                      floats.empty() || floats[array].rounds_grad;
                                  const auto limit = std::is_same_v<T, float> && is_rounded
                                                         ? bits_of<T>(overflow_bits(layout, format))
                                                         : infinity_bits<T>;
                                  return find_gradient_kernels<T>().count_from(x, count, limit);
                                });
}

double overflow_limit(optim::Strategy strategy, optim::Format format) {
  return double(std::bit_cast<float>(overflow_bits(layout_of(strategy), format)));
}

double gradient_norm(optim::Strategy strategy, optim::Format format,
                     std::span<const AdamWMemory> memory, std::span<const FloatSide> floats) {
  return std::sqrt(sum_over<double>(layout_of(strategy), format, memory, floats,
                                    []<class T>(std::size_t, const T* x, std::size_t count) {
                                      return find_gradient_kernels<T>().squares(x, count, 1);
                                    }));
}

namespace {

/// Calls work(a number of the 16-bit format).
template <class Work>
void with_format(optim::Format format, const Work& work) {
  if (format == optim::Format::float16) {
    work(half());
  } else {
    work(bfloat16());
  }
}

/// A weight of a composition, which is written to theta and low.
template <class T>
class WeightPlace {
 public:
  WeightPlace(const Composition& parts, const AdamWMemory& memory)
      : parts_(parts), memory_(memory), theta_(static_cast<T*>(memory.theta)) {}

  void set(std::int64_t i, float weight) const {
    const auto [theta, low] = detail::split_weight<T>(parts_.low, weight);
    theta_[i] = T::from_bits(theta);
    if (parts_.low == LowPart::lower_byte) {
      std::uint8_t& byte = static_cast<std::uint8_t*>(memory_.low)[i];
      byte = std::uint8_t(low | (byte & ~unsigned(detail::lower_byte_mask)));
    } else if (parts_.low == LowPart::master) {
      static_cast<float*>(memory_.low)[i] = weight;
    } else if (parts_.low != LowPart::none) {
      static_cast<std::uint16_t*>(memory_.low)[i] = std::uint16_t(low);
    }
  }

 private:
  Composition parts_;
  AdamWMemory memory_;
  T* theta_;
};

/// Calls work(group, its first element) for every group of 128 with a mark.
template <class Work>
void for_each_mark(const Composition& parts, const AdamWMemory& memory, const Work& work) {
  if (layout_of(parts).marks == 0 || memory.marks == nullptr) return;
  for (std::int64_t begin = 0; begin < memory.count; begin += optim::scale_group)
    work(static_cast<std::uint32_t*>(memory.marks)[begin / optim::scale_group], begin);
}

/// The mark that theta of a group has, the first of whose elements has this number.
std::uint32_t mark_at(const AdamWMemory& memory, std::int64_t begin) {
  return detail::mark_of_group(static_cast<const std::uint16_t*>(memory.theta) + begin,
                               memory.count - begin, (memory.first + begin) % optim::scale_group);
}

template <class T>
void take_edits_of(const Composition& parts, const float* shown, const AdamWMemory& memory) {
  const WeightPlace<T> place(parts, memory);
  const auto* const theta = static_cast<const T*>(memory.theta);
  const auto is_edited = [&](std::int64_t i) {
    return std::bit_cast<std::uint32_t>(shown[i]) != std::bit_cast<std::uint32_t>(float(theta[i]));
  };
  const std::int64_t group = optim::scale_group;
  for (std::int64_t begin = 0; begin < memory.count; begin += group) {
    bool any = false;
    for (std::int64_t i = begin; i < std::min(begin + group, memory.count); ++i)
      if (is_edited(i)) {
        place.set(i, shown[i]);
        any = true;
      }
    if (any && memory.marks != nullptr)
      static_cast<std::uint32_t*>(memory.marks)[begin / group] = mark_at(memory, begin);
  }
}

template <class T>
void join_weights_of(const Composition& parts, const AdamWMemory& memory, float* weights) {
  const std::int64_t count = memory.count;
  const auto* const theta = static_cast<const T*>(memory.theta);
  const auto* const low = static_cast<const T*>(memory.low);
  if (parts.low == LowPart::master) {
    const auto* const master = static_cast<const float*>(memory.low);
    for_each_element(count, [&](std::int64_t i) {
      const bool is_copy = T(master[i]).bits() == theta[i].bits();
      weights[i] = is_copy ? master[i] : float(theta[i]);
    });
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
  for_each_mark(parts, memory, [&](std::uint32_t mark, std::int64_t begin) {
    if (!detail::is_edited(mark, mark_at(memory, begin))) return;
    for (std::int64_t i = begin; i < std::min(begin + optim::scale_group, count); ++i)
      weights[i] = float(theta[i]);
  });
}

}  // namespace

void set_marks(optim::Strategy strategy, const AdamWMemory& memory) {
  for_each_mark(composition_of(strategy), memory,
                [&](std::uint32_t& mark, std::int64_t begin) { mark = mark_at(memory, begin); });
}

void split_weights(optim::Strategy strategy, optim::Format format, const float* weights,
                   const AdamWMemory& memory) {
  const Composition parts = composition_of(strategy);
  if (parts.theta == optim::Number::float32) {
    std::memmove(memory.theta, weights, std::size_t(memory.count) * sizeof(float));
    return;
  }
  with_format(format, [&]<class T>(T) {
    const WeightPlace<T> place(parts, memory);
    for_each_element(memory.count, [&](std::int64_t i) { place.set(i, weights[i]); });
  });
  set_marks(strategy, memory);
}

void take_edits(optim::Strategy strategy, optim::Format format, const float* shown,
                const AdamWMemory& memory) {
  const Composition parts = composition_of(strategy);
  if (parts.theta == optim::Number::float32) return split_weights(strategy, format, shown, memory);
  with_format(format, [&]<class T>(T) { take_edits_of<T>(parts, shown, memory); });
}

void join_weights(optim::Strategy strategy, optim::Format format, const AdamWMemory& memory,
                  float* weights) {
  const Composition parts = composition_of(strategy);
  if (parts.theta == optim::Number::float32) {
    std::memmove(weights, memory.theta, std::size_t(memory.count) * sizeof(float));
    return;
  }
  with_format(format, [&]<class T>(T) { join_weights_of<T>(parts, memory, weights); });
}

}  // namespace mct::optim_detail
