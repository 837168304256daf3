#include "src/optim/many_tensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/number_text.hpp"
#include "src/optim/memory_check.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim_detail {

namespace {

using optim::AdamWMemory;

/// A piece of work for one thread.
constexpr std::int64_t block_length = std::int64_t(1) << 15;

template <class T>
struct Block {
  T* data;
  std::int64_t count;
};

/// All tensors cut into blocks, in order.
template <class T>
std::vector<Block<T>> blocks_of(std::span<const GradientArray> gradients) {
  std::vector<Block<T>> blocks;
  blocks.reserve(gradients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto [data, count] = gradients[i];
    check_count(count);
    if (count > 0 && data == nullptr)
      throw DomainError("AdamW: the gradient of tensor " + std::to_string(i) + " is null");
    for (std::int64_t begin = 0; begin < count; begin += block_length)
      blocks.push_back({static_cast<T*>(data) + begin, std::min(block_length, count - begin)});
  }
  return blocks;
}

/// Calls work(block, its number) on all threads.
template <class T, class Work>
void for_each_block(const std::vector<Block<T>>& blocks, const Work& work) {
  double numbers = 0;
  for (const auto& block : blocks) numbers += double(block.count);
  tensor_detail::parallel_ranges(std::int64_t(blocks.size()), tensor_detail::threads_for(numbers),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                                     work(blocks[i], i);
                                 });
}

/// In the order of a few interleaved sums, which are added in more lanes.
template <class T>
double sum_of_squares(const Block<T>& block) {
  constexpr std::int64_t lanes = 16;
  std::array<double, std::size_t(lanes)> sums{};
  std::int64_t i = 0;
  for (; i + lanes <= block.count; i += lanes)
    for (std::int64_t k = 0; k < lanes; ++k) {
      const auto x = double(float(block.data[i + k]));
      sums[std::size_t(k)] += x * x;
    }
  double total = 0;
  for (; i < block.count; ++i) {
    const auto x = double(float(block.data[i]));
    total += x * x;
  }
  for (const double sum : sums) total += sum;
  return total;
}

template <class T>
std::int64_t nonfinite_in(const Block<T>& block) {
  std::uint32_t sum = 0;  // narrow sums are added in more lanes, and a block is short
  for (std::int64_t i = 0; i < block.count; ++i) {
    const auto x = float(block.data[i]);
    sum += std::abs(x) <= FloatTraits<float>::max ? 0U : 1U;
  }
  return sum;
}

}  // namespace

template <class T>
double norm_of(std::span<const GradientArray> gradients) {
  const auto blocks = blocks_of<T>(gradients);
  std::vector<double> sums(blocks.size());
  for_each_block(blocks, [&](const Block<T>& b, std::size_t i) { sums[i] = sum_of_squares(b); });
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

template <class T>
std::int64_t count_nonfinite(std::span<const GradientArray> gradients) {
  const auto blocks = blocks_of<T>(gradients);
  std::vector<std::int64_t> counts(blocks.size());
  for_each_block(blocks, [&](const Block<T>& b, std::size_t i) { counts[i] = nonfinite_in(b); });
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  return total;
}

template <class T>
void scale(std::span<const GradientArray> gradients, double factor) {
  if (!std::isfinite(factor))
    throw DomainError("AdamW: the factor " + optim::number_text(factor) + " is not finite");
  for_each_block(blocks_of<T>(gradients), [&](const Block<T>& b, std::size_t /*number*/) {
    for (std::int64_t i = 0; i < b.count; ++i) b.data[i] = T(double(b.data[i]) * factor);
  });
}

#define MCT_INSTANTIATE(T)                                                  \
  template double norm_of<T>(std::span<const GradientArray>);               \
  template std::int64_t count_nonfinite<T>(std::span<const GradientArray>); \
  template void scale<T>(std::span<const GradientArray>, double);
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(bfloat16)
MCT_INSTANTIATE(half)
#undef MCT_INSTANTIATE

namespace {

void check_tensors(optim::Strategy strategy, std::span<const AdamWMemory> tensors) {
  std::vector<Extent> extents(tensors.size() * (optim::kept_arrays.size() + 1));
  std::size_t count = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    try {
      check_memory(strategy, tensors[i], true);
    } catch (const DomainError& error) {
      throw DomainError("tensor " + std::to_string(i) + ": " + error.what());
    }
    count += add_extents(strategy, tensors[i], i, extents.data() + count);
  }
  check_overlap({extents.data(), count}, true);
}

std::int64_t count_nonfinite_gradients(optim::Strategy strategy, optim::Format format,
                                       std::span<const AdamWMemory> tensors) {
  std::vector<GradientArray> gradients;
  gradients.reserve(tensors.size());
  // only read
  for (const AdamWMemory& p : tensors) gradients.push_back({const_cast<void*>(p.grad), p.count});
  if (optim::composition_of(strategy).theta == optim::Number::float32)
    return count_nonfinite<float>(gradients);
  return format == optim::Format::float16 ? count_nonfinite<half>(gradients)
                                          : count_nonfinite<bfloat16>(gradients);
}

}  // namespace

optim::StepReport adamw_step_many(optim::Strategy strategy, optim::Format format,
                                  std::span<const AdamWMemory> tensors,
                                  const optim::AdamWOptions& options, std::int64_t step) {
  validate(options, strategy, format);
  if (step < 1) throw DomainError("AdamW: step " + std::to_string(step) + " is not at least 1");
  check_tensors(strategy, tensors);
  optim::StepReport report;
  report.nonfinite = count_nonfinite_gradients(strategy, format, tensors);
  if (report.nonfinite > 0) {
    report.skipped = true;
    for (const AdamWMemory& p : tensors) report.elements += p.count;
    return report;
  }
  for (const AdamWMemory& p : tensors) report += adamw_step(strategy, format, p, options, step);
  return report;
}

}  // namespace mct::optim_detail
