#include "mctensor/optim/adamw.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/memory_check.hpp"
#include "src/optim/precision_warning.hpp"
#include "src/tensor/parallel.hpp"

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
using optim_detail::FloatSide;
using optim_detail::group_length;

constexpr auto length = std::int64_t(group_length);

/// A step is cut into at most this many pieces, whose metrics are added in order.
constexpr std::size_t most_pieces = 64;
constexpr std::int64_t smallest_piece = 512 * length;

/// Elements whose floats are converted at once: few enough for the nearest cache.
constexpr std::int64_t float_block = 16 * length;

/// Elements that are measured or not as a whole: few enough for a fair sample, enough to make up
/// for the change of kernels.
constexpr std::int64_t metric_block = 16 * length;
static_assert(smallest_piece % metric_block == 0);

void check(Strategy strategy, Format format, const AdamWMemory& memory, const AdamWOptions& options,
           const FloatSide& floats, std::int64_t step) {
  validate(options, strategy, format);
  if (step < 1) throw DomainError("AdamW: step " + std::to_string(step) + " is not at least 1");
  optim_detail::check_memory(strategy, memory, floats.grad == nullptr);
  std::array<optim_detail::Extent, kept_arrays.size() + 1> extents;
  const std::size_t count = optim_detail::add_extents(strategy, memory, 0, extents.data());
  optim_detail::check_overlap({extents.data(), count}, false);
}

template <class P>
P* advance(P* array, std::int64_t elements, std::size_t size) {
  using Byte = std::conditional_t<std::is_const_v<P>, const unsigned char, unsigned char>;
  return array == nullptr ? nullptr : static_cast<Byte*>(array) + elements * std::int64_t(size);
}

/// The elements from `begin` on; whole groups if there are scales.
AdamWMemory part_of(const AdamWMemory& memory, const Layout& layout, std::int64_t begin) {
  AdamWMemory part = memory;
  for (const KeptArray& array : kept_arrays)
    part.*array.data = advance(memory.*array.data, array.elements(begin), layout.*array.size);
  part.grad = advance(memory.grad, begin, layout.grad);
  part.first = memory.first + begin;
  return part;
}

/// A group of which only some elements are there, in a buffer. The others are zeros with a gradient
/// of NaN: a kernel leaves them alone and counts them. Scales stay where they are.
class PartialGroup {
 public:
  PartialGroup(const AdamWMemory& memory, const Layout& layout, std::int64_t offset,
               std::int64_t count)
      : memory_(memory),
        layout_(layout),
        offset_(std::size_t(offset)),
        count_(std::size_t(count)),
        padded_(memory) {
    for (std::size_t i = 0; i < kept_arrays.size(); ++i)
      if (is_copied(i)) padded_.*kept_arrays[i].data = open(i, memory.*kept_arrays[i].data);
    auto& grad = buffer_.back();
    std::fill(grad.begin(), grad.end(), static_cast<unsigned char>(0xff));
    std::memcpy(grad.data() + offset_ * layout.grad, memory.grad, count_ * layout.grad);
    padded_.grad = grad.data();
  }

  const AdamWMemory& memory() const { return padded_; }

  void close() const {
    for (std::size_t i = 0; i < kept_arrays.size(); ++i)
      if (is_copied(i))
        std::memcpy(memory_.*kept_arrays[i].data, buffer_[i].data() + offset_ * size(i),
                    count_ * size(i));
  }

 private:
  std::size_t size(std::size_t array) const { return layout_.*kept_arrays[array].size; }
  bool is_copied(std::size_t array) const {
    const KeptArray& row = kept_arrays[array];
    return size(array) > 0 && memory_.*row.data != nullptr && row.elements(length) == length;
  }
  void* open(std::size_t array, const void* data) {
    auto& buffer = buffer_[array];
    std::fill(buffer.begin(), buffer.end(), static_cast<unsigned char>(0));
    std::memcpy(buffer.data() + offset_ * size(array), data, count_ * size(array));
    return buffer.data();
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
        sample_(options.metrics ? options.metric_sample : 0),
        step_(step) {}

  const optim_detail::AdamWKernels& code() const { return code_; }
  bool measures(std::int64_t position) const {
    return sample_ > 0 && (position / metric_block + step_ % sample_) % sample_ == 0;
  }
  /// The position behind `position` from which on another choice may be made.
  std::int64_t next_choice(std::int64_t position) const {
    return sample_ > 1 ? (position / metric_block + 1) * metric_block
                       : std::numeric_limits<std::int64_t>::max();
  }

 private:
  optim_detail::AdamWKernels code_;
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
    PartialGroup padded(part, layout, part.first % length, count);
    kernels.code().update(padded.memory(), constants, group, 1, measure, of_part);
    padded.close();
    of_part.nonfinite -= length - count;
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
    AdamWMemory part = part_of(memory, layout, begin);
    std::int64_t count = std::min(end - begin, kernels.next_choice(position) - position);
    if (has_floats) count = std::min(count, float_block);
    count =
        offset == 0 && count >= length ? count / length * length : std::min(length - offset, count);
    if (floats.grad != nullptr) {
      kernels.code().narrow(floats.grad + begin, narrow_grad.data(), std::size_t(count));
      part.grad = narrow_grad.data();
    }
    update_part(kernels, constants, layout, part, count, report);
    if (floats.theta != nullptr)
      kernels.code().widen(part.theta, floats.theta + begin, std::size_t(count));
    begin += count;
  }
}

}  // namespace

StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const AdamWOptions& options, std::int64_t step) {
  return optim_detail::adamw_step(strategy, format, memory, {}, options, step);
}

}  // namespace mct::optim

namespace mct::optim_detail {

using namespace optim;

StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const FloatSide& floats, const AdamWOptions& options, std::int64_t step) {
  check(strategy, format, memory, options, floats, step);
  warn_of_second_moment(strategy, format, options);
  if (composition_of(strategy).low == LowPart::none)
    warn_of_weight_decay(strategy, format, options);
  const bool is_half = format == Format::float16;
  auto constants = constants_of(strategy, format, options, step);
  constants.amsgrad = memory.v_max != nullptr;
  const Kernels kernels(strategy, is_half, options, step);
  const Layout layout = layout_of(strategy);

  // pieces depend on the number of elements, not of threads
  std::int64_t piece = smallest_piece;
  while (piece * std::int64_t(most_pieces - 1) < memory.count) piece *= 2;
  const std::int64_t first_piece = memory.first / piece;
  const std::int64_t pieces =
      memory.count == 0 ? 0 : (memory.first + memory.count - 1) / piece - first_piece + 1;
  std::array<StepReport, most_pieces> reports;
  tensor_detail::parallel_ranges(
      pieces, tensor_detail::threads_for(double(memory.count) * 30),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t start = (first_piece + i) * piece - memory.first;
          update_range(kernels, constants, layout, memory, floats, std::max<std::int64_t>(start, 0),
                       std::min(start + piece, memory.count), reports[std::size_t(i)]);
        }
      });
  StepReport report;
  for (std::int64_t i = 0; i < pieces; ++i) report += reports[std::size_t(i)];
  const double unit = 1 / double(constants.metric_scale);
  report.update_squared *= unit * unit;
  report.effective_squared *= unit * unit;
  report.update_times_effective *= unit * unit;
  report.elements = memory.count;
  return report;
}

}  // namespace mct::optim_detail
