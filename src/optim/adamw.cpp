#include "mctensor/optim/adamw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "src/optim/kernels/registry.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim_detail {
namespace {

AdamWKernel find_kernel(optim::Strategy strategy, bool is_half, bool strict, bool metrics) {
  return is_half ? MCT_SELECT_KERNELS(adamw_kernel<half>(strategy, strict, metrics))
                 : MCT_SELECT_KERNELS(adamw_kernel<bfloat16>(strategy, strict, metrics));
}

}  // namespace
}  // namespace mct::optim_detail

namespace mct::optim {

namespace {

using optim_detail::AdamWConstants;
using optim_detail::AdamWKernel;
using optim_detail::group_length;

constexpr auto length = std::int64_t(group_length);

/// A step is cut into at most this many pieces, whose metrics are added in order.
constexpr std::size_t most_pieces = 64;
constexpr std::int64_t smallest_piece = 512 * length;

/// Elements that are measured or not as a whole: few enough for a fair sample, enough to make up
/// for the change of kernels.
constexpr std::int64_t metric_block = 16 * length;
static_assert(smallest_piece % metric_block == 0);

void require(bool good, const std::string& what) {
  if (!good) throw DomainError("adamw_step: " + what);
}

void check(Strategy strategy, Format format, const AdamWMemory& memory, const AdamWOptions& options,
           std::int64_t step) {
  const auto is_beta = [](double beta) { return beta >= 0 && beta < 1; };
  const auto is_size = [](double x) { return x >= 0 && std::isfinite(x); };
  require(step >= 1, "step " + std::to_string(step) + " is not at least 1");
  require(is_beta(options.beta1), "beta1 " + std::to_string(options.beta1) + " is not in [0, 1)");
  require(is_beta(options.beta2), "beta2 " + std::to_string(options.beta2) + " is not in [0, 1)");
  require(is_size(options.lr), "lr " + std::to_string(options.lr) + " is not a size");
  require(is_size(options.eps), "eps " + std::to_string(options.eps) + " is not a size");
  require(is_size(options.weight_decay),
          "weight_decay " + std::to_string(options.weight_decay) + " is not a size");
  require(is_size(options.schedule),
          "schedule " + std::to_string(options.schedule) + " is not a size");
  require(std::isfinite(options.grad_scale), "grad_scale is not finite");
  require(!options.metrics || options.metric_sample >= 1,
          "metric_sample " + std::to_string(options.metric_sample) + " is not at least 1");
  require(strategy != Strategy::split16 || format == Format::bfloat16,
          "split16 exists for bfloat16 only");
  require(memory.count >= 0 && memory.first >= 0, "negative count or position");
  require(strategy != Strategy::fp8_states || memory.first % length == 0,
          "fp8-states: a shard that begins at " + std::to_string(memory.first) +
              ", not a multiple of 128");
  if (memory.count == 0) return;
  const Layout layout = layout_of(strategy);
  const auto present = [&](const void* array, std::size_t size, const char* name) {
    require(size == 0 || array != nullptr, to_string(strategy) + " needs the array " + name);
  };
  present(memory.theta, layout.theta, "theta");
  present(memory.low, layout.low, "low");
  present(memory.m, layout.m, "m");
  present(memory.v, layout.v, "v");
  present(memory.v_low, layout.v_low, "v_low");
  present(memory.grad, layout.grad, "grad");
  present(memory.scales, layout.scales, "scales");
}

template <class T>
AdamWConstants constants_of(Strategy strategy, const AdamWOptions& o, std::int64_t step) {
  const bool strict = o.arithmetic == Arithmetic::strict;
  const auto constant = [&](double x) { return strict ? float(T(x)) : float(x); };
  AdamWConstants c{};
  c.grad_scale = constant(o.grad_scale);
  c.beta1 = constant(o.beta1);
  c.one_minus_beta1 = constant(1 - o.beta1);
  c.beta2 = constant(o.beta2);
  if (strict && strategy == Strategy::plus) c.beta2_low = constant(o.beta2 - double(c.beta2));
  c.one_minus_beta2 = constant(1 - o.beta2);
  const double correction1 = bias_correction(o.beta1, double(step));
  const double correction2 = bias_correction(o.beta2, double(step));
  c.correction1 = constant(correction1);
  c.step_size = float(-o.lr / correction1);
  c.correction2 = strict ? constant(correction2) : float(1 / correction2);
  c.lr = constant(o.lr);
  c.eps = constant(o.eps);
  c.decoupled = o.decay_mode == WeightDecay::decoupled;
  if (o.decay_mode == WeightDecay::l2) {
    c.l2_decay = constant(o.weight_decay);
  } else if (c.decoupled) {
    c.decay = constant(o.schedule * o.weight_decay);
  } else {
    c.decay = constant(strict ? o.weight_decay : o.lr * o.weight_decay);
  }
  const bool squares_are_normal = o.lr > 1e-12 && o.lr < 1e12;
  c.metric_scale = squares_are_normal || o.lr < 1e-37 ? 1.0F : float(1 / o.lr);
  c.key[0] = std::uint32_t(o.seed);
  c.key[1] = std::uint32_t(o.seed >> 32);
  c.step = std::uint32_t(step);
  require(!strict || c.eps > 0 || o.eps == 0,
          "eps " + std::to_string(o.eps) + " is 0 in the format of strict arithmetic");
  return c;
}

template <class P>
P* advance(P* array, std::int64_t elements, std::size_t size) {
  using Byte = std::conditional_t<std::is_const_v<P>, const unsigned char, unsigned char>;
  return array == nullptr ? nullptr : static_cast<Byte*>(array) + elements * std::int64_t(size);
}

std::size_t v_max_size(const Layout& layout) {
  return layout.scales != 0 ? sizeof(float) : layout.v;
}

/// The elements from `begin` on; whole groups if there are scales.
AdamWMemory part_of(const AdamWMemory& memory, const Layout& layout, std::int64_t begin) {
  AdamWMemory part = memory;
  part.theta = advance(memory.theta, begin, layout.theta);
  part.low = advance(memory.low, begin, layout.low);
  part.m = advance(memory.m, begin, layout.m);
  part.v = advance(memory.v, begin, layout.v);
  part.v_low = advance(memory.v_low, begin, layout.v_low);
  part.v_max = advance(memory.v_max, begin, v_max_size(layout));
  part.grad = advance(memory.grad, begin, layout.grad);
  if (memory.scales != nullptr) part.scales = memory.scales + begin / length * 2;
  part.first = memory.first + begin;
  return part;
}

/// A group of which only some elements are there, in a buffer. The others are zeros with a gradient
/// of NaN: a kernel leaves them alone and counts them.
class PartialGroup {
 public:
  PartialGroup(const AdamWMemory& memory, const Layout& layout, std::int64_t offset,
               std::int64_t count)
      : memory_(memory), layout_(layout), offset_(std::size_t(offset)), count_(std::size_t(count)) {
    padded_.theta = open(0, memory.theta, layout.theta);
    padded_.low = open(1, memory.low, layout.low);
    padded_.m = open(2, memory.m, layout.m);
    padded_.v = open(3, memory.v, layout.v);
    padded_.v_low = open(4, memory.v_low, layout.v_low);
    if (memory.v_max != nullptr) padded_.v_max = open(5, memory.v_max, v_max_size(layout));
    padded_.grad = open(6, memory.grad, layout.grad, 0xff);
    padded_.scales = memory.scales;
  }

  const AdamWMemory& memory() const { return padded_; }

  void close() const {
    put_back(0, memory_.theta, layout_.theta);
    put_back(1, memory_.low, layout_.low);
    put_back(2, memory_.m, layout_.m);
    put_back(3, memory_.v, layout_.v);
    put_back(4, memory_.v_low, layout_.v_low);
    if (memory_.v_max != nullptr) put_back(5, memory_.v_max, v_max_size(layout_));
  }

 private:
  void* open(std::size_t array, const void* data, std::size_t size, unsigned char padding = 0) {
    std::fill(buffer_[array].begin(), buffer_[array].end(), padding);
    if (size > 0) std::memcpy(buffer_[array].data() + offset_ * size, data, count_ * size);
    return buffer_[array].data();
  }
  void put_back(std::size_t array, void* data, std::size_t size) const {
    if (size > 0) std::memcpy(data, buffer_[array].data() + offset_ * size, count_ * size);
  }

  AdamWMemory memory_;
  Layout layout_;
  std::size_t offset_;
  std::size_t count_;
  AdamWMemory padded_;
  alignas(64) std::array<std::array<unsigned char, group_length * sizeof(float)>, 7> buffer_;
};

/// The kernels of a step: one that measures nothing, one that measures, and for which elements.
class Kernels {
 public:
  Kernels(Strategy strategy, bool is_half, const AdamWOptions& options, std::int64_t step)
      : sample_(options.metrics ? options.metric_sample : 0), step_(step) {
    const bool strict = options.arithmetic == Arithmetic::strict;
    plain_ = optim_detail::find_kernel(strategy, is_half, strict, false);
    measuring_ = optim_detail::find_kernel(strategy, is_half, strict, true);
    require(plain_ != nullptr, "strict arithmetic exists for plain, light, plus and kahan only");
  }

  bool measures(std::int64_t position) const {
    return sample_ > 0 && (position / metric_block + step_) % sample_ == 0;
  }
  AdamWKernel at(std::int64_t position) const { return measures(position) ? measuring_ : plain_; }
  /// The position behind `position` from which on another kernel may be wanted.
  std::int64_t next_choice(std::int64_t position) const {
    return sample_ > 1 ? (position / metric_block + 1) * metric_block
                       : std::numeric_limits<std::int64_t>::max();
  }

 private:
  int sample_;
  std::int64_t step_;
  AdamWKernel plain_;
  AdamWKernel measuring_;
};

/// Elements begin ... end - 1 of the memory, which belong to group number (first + begin) / 128 and
/// following.
void update_range(const Kernels& kernels, const AdamWConstants& constants, const Layout& layout,
                  const AdamWMemory& memory, std::int64_t begin, std::int64_t end,
                  StepReport& report) {
  while (begin < end) {
    const std::int64_t position = memory.first + begin;
    const std::int64_t offset = position % length;
    const AdamWMemory part = part_of(memory, layout, begin);
    const auto group = std::uint64_t(position / length);
    const AdamWKernel kernel = kernels.at(position);
    const std::int64_t most = std::min(end - begin, kernels.next_choice(position) - position);
    std::int64_t count = 0;
    StepReport of_part;
    if (offset == 0 && most >= length) {
      const std::int64_t groups = most / length;
      kernel(part, constants, group, std::size_t(groups), of_part);
      count = groups * length;
    } else {
      count = std::min(length - offset, most);
      PartialGroup padded(part, layout, offset, count);
      kernel(padded.memory(), constants, group, 1, of_part);
      padded.close();
      of_part.nonfinite -= length - count;
    }
    if (kernels.measures(position)) {
      of_part.measured = count;
      report += of_part;
    } else {
      report.nonfinite += of_part.nonfinite;
    }
    begin += count;
  }
}

}  // namespace

StepReport& StepReport::operator+=(const StepReport& other) {
  elements += other.elements;
  nonfinite += other.nonfinite;
  measured += other.measured;
  updates += other.updates;
  lost_updates += other.lost_updates;
  v_updates += other.v_updates;
  lost_v_updates += other.lost_v_updates;
  update_squared += other.update_squared;
  effective_squared += other.effective_squared;
  update_times_effective += other.update_times_effective;
  return *this;
}

double StepReport::descent_quality() const {
  if (!(update_squared > 0)) return 0;
  // both sums grow with the number of elements
  const double part = measured > 0 ? double(measured) / double(elements) : 1;
  return update_times_effective / std::sqrt(update_squared * part);
}
double StepReport::relative_descent_quality() const {
  return update_squared > 0 ? update_times_effective / update_squared : 0;
}
double StepReport::lost_percentage() const {
  return updates > 0 ? 100 * double(lost_updates) / double(updates) : 0;
}
double StepReport::lost_v_percentage() const {
  return v_updates > 0 ? 100 * double(lost_v_updates) / double(v_updates) : 0;
}

StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const AdamWOptions& options, std::int64_t step) {
  check(strategy, format, memory, options, step);
  const bool is_half = format == Format::float16;
  auto constants = is_half ? constants_of<half>(strategy, options, step)
                           : constants_of<bfloat16>(strategy, options, step);
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
          update_range(kernels, constants, layout, memory, std::max<std::int64_t>(start, 0),
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

}  // namespace mct::optim
