// A step on several ranks: gradients, norm, update, report.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/sharded_adamw.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/kernels/gradient_table.hpp"
#include "src/optim/sharded_blocks.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim {

using distributed::ExactSums;
using distributed::Span;
using optim_detail::FloatSide;
using optim_detail::sharded_block;

namespace {

/// Exact sums over the ranks of sums of which each rank has some, rounded.
template <std::size_t N>
std::array<double, N> total(distributed::Communicator* ranks, const ExactSums<double>& sums) {
  std::array<double, N> result;
  double* const to = result.data();
  if (ranks != nullptr)
    distributed::all_reduce(*ranks, sums, std::span<double* const>(&to, 1));
  else
    sums.round_to(std::span<double>(result));
  return result;
}

/// Gradients of elements as a step reads them.
template <class T, class P>
void set_gradient(Strategy strategy, const P* gradient, AdamWMemory& memory, FloatSide& floats) {
  if (sizeof(P) == layout_of(strategy).grad) {
    memory.grad = gradient;
  } else if constexpr (std::is_same_v<P, float>) {
    floats.grad = gradient;
  }
}

}  // namespace

template <class T, class P>
void ShardedMcAdamW<T, P>::accumulate() {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!variables_[i].has_grad()) continue;
    const auto gradient = variables_[i].grad().contiguous();
    sums_.add(std::span<const P>(gradient.data(), std::size_t(gradient.numel())), first_[i]);
    has_gradient_[i] = 1;
    variables_[i].zero_grad();
  }
}

/// What has a gradient on one rank has one on all.
template <class T, class P>
void ShardedMcAdamW<T, P>::share_flags() {
  if (!ranks_) return;
  const auto all = ranks_->all_gather(std::span<const char>(has_gradient_)).values;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != 0) has_gradient_[i % has_gradient_.size()] = 1;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::share_gradients() {
  share_flags();
  if (exchange_ == GradientExchange::bf16x2)
    compress_and_share();
  else if (ranks_)
    distributed::reduce_scatter(*ranks_, sums_, std::span<P>(gradient_), sharded_block);
  else
    sums_.round_to(std::span<P>(gradient_));
  lost_terms_ = sums_.lost_terms();
  sums_.clear();
}

/// What is sent, hi + lo, and what is left are together the sum rounded to float and what was left
/// before, but for one rounding to float.
template <class T, class P>
void ShardedMcAdamW<T, P>::compress_and_share() {
  if constexpr (std::is_same_v<P, float>) {
    const std::int64_t count = first_.back();
    std::vector<float> own(static_cast<std::size_t>(count));
    sums_.round_to(std::span<float>(own));
    std::vector<bfloat16> hi(own.size()), lo(own.size());
    tensor_detail::parallel_ranges(
        count, tensor_detail::threads_for(20 * double(count)),
        [&](std::int64_t begin, std::int64_t end) {
          for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
            const double x = double(own[i]) + double(residual_[i]);
            hi[i] = bfloat16(x);
            const bool is_finite = std::isfinite(double(hi[i]));
            lo[i] = is_finite ? bfloat16(x - double(hi[i])) : bfloat16(0.0F);
            residual_[i] = is_finite ? float(x - double(hi[i]) - double(lo[i])) : 0.0F;
          }
        });
    const std::array<const bfloat16*, 2> from = {hi.data(), lo.data()};
    std::vector<bfloat16> sum_hi(gradient_.size()), sum_lo(gradient_.size());
    const std::array<bfloat16*, 2> to = {sum_hi.data(), sum_lo.data()};
    if (ranks_) {
      distributed::reduce_scatter(*ranks_, std::span<const bfloat16* const>(from), count,
                                  std::span<bfloat16* const>(to), sharded_block);
    } else {
      sum_hi = std::move(hi);
      sum_lo = std::move(lo);
    }
    for (std::size_t i = 0; i < gradient_.size(); ++i)
      gradient_[i] = float(sum_hi[i]) + float(sum_lo[i]);
  }
}

template <class T, class P>
double ShardedMcAdamW<T, P>::norm_of(const std::vector<Piece>& pieces) const {
  ExactSums<double> squares(1);
  for (const Piece& piece : pieces) {
    const double square = optim_detail::find_gradient_kernels<P>().squares(
        gradient_.data() + (piece.at.begin - span_.begin), std::size_t(piece.at.size()), 1);
    squares.add(std::span<const double>(&square, 1));
  }
  return std::sqrt(total<1>(ranks_.get(), squares)[0]);
}

template <class T, class P>
std::int64_t ShardedMcAdamW<T, P>::total_of(std::int64_t count) const {
  if (!ranks_) return count;
  std::int64_t sum = 0;
  for (const std::int64_t n : ranks_->all_gather(std::span<const std::int64_t>(&count, 1)).values)
    sum += n;
  return sum;
}

template <class T, class P>
std::int64_t ShardedMcAdamW<T, P>::count_nonfinite(const std::vector<Piece>& pieces) const {
  std::vector<AdamWMemory> memory(pieces.size());
  std::vector<FloatSide> floats(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    memory[i] = memory_at(pieces[i].at);
    set_gradient<T>(strategy_, gradient_.data() + (pieces[i].at.begin - span_.begin), memory[i],
                    floats[i]);
  }
  return total_of(optim_detail::count_nonfinite(strategy_, format_of<T>, memory, floats));
}

template <class T, class P>
void ShardedMcAdamW<T, P>::take_edits(const std::vector<Piece>& pieces) const {
  std::vector<Tensor<P>> values;
  for (const auto& variable : variables_) values.push_back(variable.value().contiguous());
  std::array<float, sharded_block> shown;
  for (const Piece& piece : pieces) {
    const P* const from = values[piece.variable].data() + (piece.at.begin - first_[piece.variable]);
    for (std::int64_t i = 0; i < piece.at.size(); ++i) shown[std::size_t(i)] = float(from[i]);
    optim_detail::take_edits<T>(composition_of(strategy_), shown.data(), memory_at(piece.at));
  }
}

/// Each piece by itself, so that what is measured is summed up by pieces.
template <class T, class P>
std::vector<StepReport> ShardedMcAdamW<T, P>::update(const std::vector<Piece>& pieces,
                                                     const AdamWOptions& options) {
  std::vector<StepReport> reports(pieces.size());
  take_edits(pieces);
  const double cost = 30.0 * double(pieces.size()) * double(sharded_block);
  tensor_detail::parallel_ranges(
      std::int64_t(pieces.size()), tensor_detail::threads_for(cost),
      [&](std::int64_t begin, std::int64_t end) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
          AdamWMemory memory = memory_at(pieces[i].at);
          FloatSide floats;
          set_gradient<T>(strategy_, gradient_.data() + (pieces[i].at.begin - span_.begin), memory,
                          floats);
          reports[i] =
              optim_detail::adamw_steps(strategy_, format_of<T>, {&memory, 1}, {&floats, 1},
                                        options, updates_[pieces[i].variable] + 1);
        }
      });
  return reports;
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::total_of(const std::vector<StepReport>& reports) const {
  constexpr double StepReport::*measures[] = {&StepReport::update_squared,
                                              &StepReport::effective_squared,
                                              &StepReport::update_times_effective};
  constexpr std::int64_t StepReport::*counts[] = {
      &StepReport::elements,     &StepReport::measured,  &StepReport::updates,
      &StepReport::lost_updates, &StepReport::v_updates, &StepReport::lost_v_updates};
  constexpr std::size_t length = std::size(measures) + std::size(counts);
  StepReport all;
  ExactSums<double> sums(length);
  for (const StepReport& report : reports) {
    all += report;
    std::array<double, length> terms;
    auto term = terms.begin();
    for (const auto measure : measures) *term++ = report.*measure;
    for (const auto count : counts) *term++ = double(report.*count);  // far below 2^53
    sums.add(std::span<const double>(terms));
  }
  const auto totals = total<length>(ranks_.get(), sums);
  auto sum = totals.begin();
  for (const auto measure : measures) all.*measure = *sum++;
  for (const auto count : counts) all.*count = std::int64_t(*sum++);
  return all;
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step_all(const double* max_grad_norm) {
  validate(options_, strategy_, format_of<T>);
  share_gradients();
  const auto pieces = pieces_of(span_, true);
  StepReport report;
  AdamWOptions options = options_;
  double norm = 0;
  if (max_grad_norm != nullptr) {
    norm = std::abs(options.grad_scale) * norm_of(pieces);
    options.grad_scale *= clip_factor(norm, *max_grad_norm);
  }
  report.nonfinite = count_nonfinite(pieces);
  if (report.nonfinite > 0) {
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (has_gradient_[i] != 0) report.elements += variables_[i].numel();
    report.skipped = true;
    ++skipped_;
  } else {
    report = total_of(update(pieces, options));
    gather_theta();
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (has_gradient_[i] != 0) {
        ++updates_[i];
        show(i);
      }
    ++steps_;
  }
  std::fill(has_gradient_.begin(), has_gradient_.end(), char(0));
  report.grad_norm = norm;
  return report;
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step() {
  return step_all(nullptr);
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step(double max_grad_norm) {
  static_cast<void>(clip_factor(0, max_grad_norm));  // refuses what is not positive
  return step_all(&max_grad_norm);
}

#define MCT_INSTANTIATE(T, P)                                                                   \
  template void ShardedMcAdamW<T, P>::accumulate();                                             \
  template void ShardedMcAdamW<T, P>::share_flags();                                            \
  template void ShardedMcAdamW<T, P>::share_gradients();                                        \
  template void ShardedMcAdamW<T, P>::compress_and_share();                                     \
  template void ShardedMcAdamW<T, P>::take_edits(const std::vector<Piece>&) const;              \
  template double ShardedMcAdamW<T, P>::norm_of(const std::vector<Piece>&) const;               \
  template std::int64_t ShardedMcAdamW<T, P>::total_of(std::int64_t) const;                     \
  template std::int64_t ShardedMcAdamW<T, P>::count_nonfinite(const std::vector<Piece>&) const; \
  template std::vector<StepReport> ShardedMcAdamW<T, P>::update(const std::vector<Piece>&,      \
                                                                const AdamWOptions&);           \
  template StepReport ShardedMcAdamW<T, P>::total_of(const std::vector<StepReport>&) const;     \
  template StepReport ShardedMcAdamW<T, P>::step_all(const double*);                            \
  template StepReport ShardedMcAdamW<T, P>::step();                                             \
  template StepReport ShardedMcAdamW<T, P>::step(double);
MCT_INSTANTIATE(bfloat16, float)
MCT_INSTANTIATE(half, float)
MCT_INSTANTIATE(bfloat16, bfloat16)
MCT_INSTANTIATE(half, half)
#undef MCT_INSTANTIATE

}  // namespace mct::optim
