#include "mctensor/optim/adamw.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "mctensor/eft/half.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/array_pieces.hpp"
#include "src/optim/kernels/registry.hpp"
#include "src/optim/memory_check.hpp"
#include "src/optim/precision_warning.hpp"
#include "src/optim/prefetch.hpp"

namespace mct::optim_detail {
namespace {

AdamWKernels find_kernels(optim::Strategy strategy, bool is_half, bool strict) {
  if (optim::composition_of(strategy).theta == optim::Number::float32)
    return MCT_SELECT_KERNELS(adamw_kernels<float>(strategy, strict));
  return is_half ? MCT_SELECT_KERNELS(adamw_kernels<half>(strategy, strict))
                 : MCT_SELECT_KERNELS(adamw_kernels<bfloat16>(strategy, strict));
}

}  // namespace
}  // namespace mct::optim_detail

namespace mct::optim {

namespace {

using optim_detail::AdamWConstants;
using optim_detail::ArrayPieces;
using optim_detail::FloatSide;
using optim_detail::group_length;

constexpr auto length = std::int64_t(group_length);
constexpr std::size_t low_place = place_of("low");

/// Elements whose floats are converted at once: few enough for the nearest cache.
constexpr std::int64_t float_block = 16 * length;

/// Elements that are measured or not as a whole: few enough for a fair sample, enough to make up
/// for the change of kernels.
constexpr std::int64_t metric_block = 16 * length;
static_assert(ArrayPieces::grain % metric_block == 0);

template <class P>
P* advance(P* array, std::int64_t elements, std::size_t size) {
  using Byte = std::conditional_t<std::is_const_v<P>, const unsigned char, unsigned char>;
  return array == nullptr ? nullptr : static_cast<Byte*>(array) + elements * std::int64_t(size);
}

/// A group of which only some elements are there, in a buffer. The others are zeros, with gradients
/// that are 0, which change nothing, or NaN: then a kernel leaves them alone and counts them.
/// Scales stay where they are.
class PartialGroup {
 public:
  PartialGroup(const AdamWMemory& memory, const Layout& layout, std::int64_t offset,
               std::int64_t count, bool with_nan)
      : memory_(memory),
        layout_(layout),
        offset_(std::size_t(offset)),
        count_(std::size_t(count)),
        padded_(memory) {
    for (std::size_t i = 0; i < kept_arrays.size(); ++i)
      if (is_copied(i))
        padded_.*kept_arrays[i].data = open(i, memory.*kept_arrays[i].data, bytes(i), size(i), 0);
    // after the last element of a block of split8 only the bits of scales mean something
    for (std::size_t i = count_ * layout.low; i < bytes(low_place); ++i)
      buffer_[low_place][offset_ * layout.low + i] &= 1;
    padded_.grad = open(buffer_.size() - 1, memory.grad, count_ * layout.grad, layout.grad,
                        with_nan ? 0xff : 0);
  }

  const AdamWMemory& memory() const { return padded_; }

  void close() const {
    for (std::size_t i = 0; i < kept_arrays.size(); ++i)
      if (is_copied(i))
        std::memcpy(memory_.*kept_arrays[i].data, buffer_[i].data() + offset_ * size(i), bytes(i));
  }

 private:
  std::size_t size(std::size_t array) const { return layout_.*kept_arrays[array].size; }
  std::size_t bytes(std::size_t array) const {
    return kept_arrays[array].bytes(std::int64_t(count_), layout_);
  }
  bool is_copied(std::size_t array) const {
    const KeptArray& row = kept_arrays[array];
    return size(array) > 0 && memory_.*row.data != nullptr &&
           row.elements(length, layout_) == length;
  }
  void* open(std::size_t array, const void* data, std::size_t bytes, std::size_t size,
             int padding) {
    unsigned char* const buffer = buffer_[array].data();
    const std::size_t begin = offset_ * size;
    const std::size_t end = begin + bytes;
    std::memset(buffer, padding, begin);
    std::memcpy(buffer + begin, data, end - begin);
    std::memset(buffer + end, padding, group_length * size - end);
    return buffer;
  }

  AdamWMemory memory_;
  Layout layout_;
  std::size_t offset_;
  std::size_t count_;
  AdamWMemory padded_;
  alignas(64) std::array<std::array<unsigned char, group_length * sizeof(float)>,
                         kept_arrays.size() + 1> buffer_;
};

/// The kernels of a step, and which elements are measured.
class Kernels {
 public:
  Kernels(Strategy strategy, bool is_half, const AdamWOptions& options, std::int64_t step)
      : code_(optim_detail::find_kernels(strategy, is_half,
                                         options.arithmetic == Arithmetic::strict)),
        strategy_(strategy),
        format_(is_half ? Format::float16 : Format::bfloat16),
        sample_(options.metrics ? options.metric_sample : 0),
        step_(step) {}

  const optim_detail::AdamWKernels& code() const { return code_; }
  /// Takes over what was written to floats that showed theta, a block of which the nearest cache
  /// holds.
  void take_edits(const float* shown, const AdamWMemory& part) const {
    alignas(64) std::array<float, float_block> widened;
    const auto count = std::size_t(part.count);
    code_.widen(part.theta, widened.data(), count);
    if (std::memcmp(widened.data(), shown, count * sizeof(float)) != 0)
      optim_detail::take_edits(strategy_, format_, shown, part);
  }
  bool measures(std::int64_t position) const {
    return sample_ > 0 && (position / metric_block + step_ % sample_) % sample_ == 0;
  }
  /// The position after `position` from which on another choice may be made.
  std::int64_t next_choice(std::int64_t position) const {
    return sample_ > 1 ? (position / metric_block + 1) * metric_block
                       : std::numeric_limits<std::int64_t>::max();
  }

 private:
  optim_detail::AdamWKernels code_;
  Strategy strategy_;
  Format format_;
  int sample_;
  std::int64_t step_;
};

/// Updates elements that begin at a group and end with one, or lie in one group.
void update_part(const Kernels& kernels, const AdamWConstants& constants, const Layout& layout,
                 const AdamWMemory& part, std::int64_t count, StepReport& report) {
  const auto group = std::uint64_t(part.first / length);
  const bool measure = kernels.measures(part.first);
  StepReport of_part;
  if (count % length == 0) {
    kernels.code().update(part, constants, group, std::size_t(count / length), measure, of_part);
  } else {
    const bool with_nan = constants.eps == 0;  // 0 / 0
    PartialGroup padded(part, layout, part.first % length, count, with_nan);
    AdamWConstants of_padded = constants;
    if (with_nan) of_padded.has_finite_gradients = false;
    kernels.code().update(padded.memory(), of_padded, group, 1, measure, of_part);
    padded.close();
    if (with_nan) of_part.nonfinite -= length - count;
  }
  if (measure) of_part.measured = count;
  report += of_part;
}

/// Elements begin ... end - 1 of the memory, which belong to group number (first + begin) / 128 and
/// following. Floats beside it pass through the cache, a block at a time.
void update_range(const Kernels& kernels, const AdamWConstants& constants, const Layout& layout,
                  const AdamWMemory& memory, const FloatSide& floats, std::int64_t begin,
                  std::int64_t end, StepReport& report) {
  alignas(64) std::array<std::uint16_t, float_block> narrow_grad;
  const bool has_floats = floats.grad != nullptr || floats.theta != nullptr;
  while (begin < end) {
    const std::int64_t position = memory.first + begin;
    const std::int64_t offset = position % length;
    std::int64_t count = std::min(end - begin, kernels.next_choice(position) - position);
    if (has_floats) count = std::min(count, float_block);
    count =
        offset == 0 && count >= length ? count / length * length : std::min(length - offset, count);
    AdamWMemory part = optim_detail::part_of(memory, layout, begin, count);
    if (floats.grad != nullptr) {
      kernels.code().narrow(floats.grad + begin, narrow_grad.data(), std::size_t(count));
      part.grad = narrow_grad.data();
    }
    if (floats.theta != nullptr) kernels.take_edits(floats.theta + begin, part);
    update_part(kernels, constants, layout, part, count, report);
    if (floats.theta != nullptr)
      kernels.code().widen(part.theta, floats.theta + begin, std::size_t(count));
    begin += count;
  }
}

/// Asks for the beginning of `next`, as far as kernels do not ask for it themselves, unless it goes
/// on where `before`, of `count` elements, ends.
MCT_ALWAYS_INLINE inline void prefetch_next(const void* before, std::int64_t count,
                                            const void* next, std::int64_t next_count,
                                            std::size_t size) {
  using optim_detail::cache_line;
  if (next == nullptr || size == 0) return;
  const std::uintptr_t gap =
      std::uintptr_t(next) - (std::uintptr_t(before) + std::uintptr_t(count) * size);
  if (gap < 4 * cache_line) return;
  optim_detail::prefetch(next, std::size_t(next_count) * size, 4 * std::size_t(length) * size);
}

}  // namespace

StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const AdamWOptions& options, std::int64_t step) {
  optim_detail::check_step(strategy, format, options, step);
  optim_detail::check_memory(strategy, memory, true);
  std::array<optim_detail::Extent, kept_arrays.size() + 1> extents;
  const std::size_t count = optim_detail::add_extents(strategy, memory, 0, extents.data());
  optim_detail::check_overlap({extents.data(), count}, false);
  return optim_detail::adamw_steps(strategy, format, {&memory, 1}, {}, options, step, false);
}

StepReport adamw_step(Strategy strategy, Format format, std::span<const AdamWMemory> memory,
                      const AdamWOptions& options, std::int64_t step) {
  const AdamWGroup group{strategy, format, memory, {}, options, step};
  return adamw_step(std::span(&group, 1));
}

}  // namespace mct::optim

namespace mct::optim_detail {

using namespace optim;

AdamWMemory part_of(const AdamWMemory& memory, const Layout& layout, std::int64_t begin,
                    std::int64_t count) {
  AdamWMemory part = memory;
  for (const KeptArray& array : kept_arrays)
    part.*array.data =
        advance(memory.*array.data, array.elements(begin, layout), layout.*array.size);
  part.grad = advance(memory.grad, begin, layout.grad);
  part.first = memory.first + begin;
  part.count = count;
  return part;
}

StepReport adamw_steps(Strategy strategy, Format format, std::span<const AdamWMemory> memory,
                       std::span<const FloatSide> floats, const AdamWOptions& options,
                       std::int64_t step, bool has_finite_gradients) {
  AdamWConstants constants = constants_of(strategy, format, options, step);
  constants.has_finite_gradients = has_finite_gradients;
  warn_of_lost_precision(strategy, format, options);
  const Kernels kernels(strategy, format == Format::float16, options, step);
  const Layout layout = layout_of(strategy);

  // one array alone needs no memory
  const std::int64_t one = memory.size() == 1 ? memory[0].count : 0;
  std::vector<std::int64_t> several;
  if (memory.size() > 1) several = ends_of(memory);
  const ArrayPieces pieces(memory.size() == 1 ? std::span(&one, 1) : std::span(several));
  std::array<StepReport, ArrayPieces::most> reports;
  pieces.for_each(30, [&](std::size_t piece, std::size_t array, std::int64_t begin,
                          std::int64_t end) {
    AdamWConstants own = constants;
    own.amsgrad = memory[array].v_max != nullptr;
    FloatSide beside = floats.empty() ? FloatSide{} : floats[array];
    if (array + 1 < memory.size()) {
      const AdamWMemory& here = memory[array];
      const AdamWMemory& next = memory[array + 1];
      for (const KeptArray& row : kept_arrays)
        prefetch_next(here.*row.data, here.count, next.*row.data, next.count, layout.*row.size);
      prefetch_next(here.grad, here.count, next.grad, next.count, layout.grad);
      if (!floats.empty())
        prefetch_next(beside.grad, here.count, floats[array + 1].grad, next.count, sizeof(float));
    }
    AdamWMemory own_memory = memory[array];
    Layout own_layout = layout;
    if (beside.grad != nullptr && !beside.rounds_grad) {
      own.float_grad = layout.grad != sizeof(float);
      own_layout.grad = sizeof(float);
      own_memory.grad = std::exchange(beside.grad, nullptr);
    }
    update_range(kernels, own, own_layout, own_memory, beside, begin, end, reports[piece]);
  });
  StepReport report;
  for (const StepReport& part : reports) report += part;
  const double unit = 1 / double(constants.metric_scale);
  report.update_squared *= unit * unit;
  report.effective_squared *= unit * unit;
  report.update_times_effective *= unit * unit;
  report.elements = pieces.elements();
  return report;
}

}  // namespace mct::optim_detail
