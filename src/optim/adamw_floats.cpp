#include "src/optim/adamw_floats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "mctensor/eft/half.hpp"
#include "src/optim/array_pieces.hpp"
#include "src/optim/group_mark.hpp"
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
          const bool is_rounded = floats.empty() || floats[array].rounds_grad;
          const auto limit = std::is_same_v<T, float> && is_rounded
                                 ? bits_of<T>(overflow_bits(layout, format))
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

namespace {

/// A weight of a composition, which is written to theta and low.
template <class T>
class WeightPlace {
 public:
  WeightPlace(const Composition& parts, const AdamWMemory& memory)
      : parts_(parts), memory_(memory), theta_(static_cast<T*>(memory.theta)) {}

  void set(std::int64_t i, float weight) const {
    if (parts_.low == LowPart::lower_byte) {
      const auto parts = detail::split_short_float(weight);
      std::uint8_t& byte = static_cast<std::uint8_t*>(memory_.low)[i];
      const unsigned scale_bit = byte & ~unsigned(detail::lower_byte_mask);
      theta_[i] = T::from_bits(parts.high);
      byte = std::uint8_t(detail::lower_byte_of(parts) | scale_bit);
    } else if (parts_.low == LowPart::lower_bits) {
      const auto [high, low] = detail::split_float(weight);
      theta_[i] = T::from_bits(high);
      static_cast<std::uint16_t*>(memory_.low)[i] = low;
    } else {
      theta_[i] = T(weight);
      if (parts_.has_sum()) static_cast<T*>(memory_.low)[i] = T(weight - float(theta_[i]));
      if (parts_.low == LowPart::master) static_cast<float*>(memory_.low)[i] = weight;
    }
  }

 private:
  Composition parts_;
  AdamWMemory memory_;
  T* theta_;
};

/// Calls work(group, its first element) for every group of 128 with a mark.
template <class Work>
void for_each_mark(const AdamWMemory& memory, const Work& work) {
  if (memory.marks == nullptr) return;
  for (std::int64_t begin = 0; begin < memory.count; begin += optim::scale_group)
    work(static_cast<std::uint32_t*>(memory.marks)[begin / optim::scale_group], begin);
}

/// The mark that theta of a group has, the first of whose elements has this number.
std::uint32_t mark_at(const AdamWMemory& memory, std::int64_t begin) {
  return detail::mark_of_group(static_cast<const std::uint16_t*>(memory.theta) + begin,
                               memory.count - begin);
}

}  // namespace

void set_marks(const Composition& parts, const AdamWMemory& memory) {
  if (layout_of(parts).marks == 0) return;
  for_each_mark(memory,
                [&](std::uint32_t& mark, std::int64_t begin) { mark = mark_at(memory, begin); });
}

template <class T>
void split_weights(const Composition& parts, const float* weights, const AdamWMemory& memory) {
  if (parts.theta == optim::Number::float32) {
    std::memmove(memory.theta, weights, std::size_t(memory.count) * sizeof(float));
    return;
  }
  const WeightPlace<T> place(parts, memory);
  for_each_element(memory.count, [&](std::int64_t i) { place.set(i, weights[i]); });
  set_marks(parts, memory);
}

template <class T>
void take_edits(const Composition& parts, const float* shown, const AdamWMemory& memory) {
  if (parts.theta == optim::Number::float32) return split_weights<T>(parts, shown, memory);
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
void join_weights(const Composition& parts, const AdamWMemory& memory, float* weights) {
  const std::int64_t count = memory.count;
  const auto bytes = std::size_t(count) * sizeof(float);
  const auto* const theta = static_cast<const T*>(memory.theta);
  const auto* const low = static_cast<const T*>(memory.low);
  if (parts.theta == optim::Number::float32) {
    std::memmove(weights, memory.theta, bytes);
  } else if (parts.low == LowPart::master) {
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
  if (layout_of(parts).marks == 0) return;
  for_each_mark(memory, [&](std::uint32_t mark, std::int64_t begin) {
    if (!detail::is_edited(mark, mark_at(memory, begin))) return;
    for (std::int64_t i = begin; i < std::min(begin + optim::scale_group, count); ++i)
      weights[i] = float(theta[i]);
  });
}

template void split_weights<bfloat16>(const Composition&, const float*, const AdamWMemory&);
template void split_weights<half>(const Composition&, const float*, const AdamWMemory&);
template void take_edits<bfloat16>(const Composition&, const float*, const AdamWMemory&);
template void take_edits<half>(const Composition&, const float*, const AdamWMemory&);
template void join_weights<bfloat16>(const Composition&, const AdamWMemory&, float*);
template void join_weights<half>(const Composition&, const AdamWMemory&, float*);

}  // namespace mct::optim_detail
