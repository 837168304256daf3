// MC-AdamW on several ranks: who holds and steps what.
#include "mctensor/optim/sharded_adamw.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/distributed/agreement.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/tensor/convert.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/sharded_blocks.hpp"

namespace mct::optim {

using distributed::Span;
using optim_detail::sharded_block;

namespace {

/// Where parameters begin, and the end of all.
template <class P>
std::vector<std::int64_t> positions_of(const std::vector<Variable<P>>& variables) {
  std::vector<std::int64_t> first{0};
  for (const auto& variable : variables)
    first.push_back(first.back() +
                    (variable.numel() + scale_group - 1) / scale_group * scale_group);
  return first;
}

/// FNV-1a, of the bits of numbers.
template <class P>
std::uint64_t hash_of(const std::vector<Variable<P>>& variables) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto& variable : variables) {
    const auto value = variable.value().contiguous();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(value.data());
    for (std::size_t i = 0; i < std::size_t(value.numel()) * sizeof(P); ++i)
      hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

distributed::Settings settings_of(const AdamWOptions& options) {
  return {{"lr", number_text(options.lr)},
          {"beta1", number_text(options.beta1)},
          {"beta2", number_text(options.beta2)},
          {"eps", number_text(options.eps)},
          {"weight_decay", number_text(options.weight_decay)},
          {"decay_mode", std::to_string(int(options.decay_mode))},
          {"schedule", number_text(options.schedule)},
          {"grad_scale", number_text(options.grad_scale)},
          {"seed", std::to_string(options.seed)},
          {"arithmetic", std::to_string(int(options.arithmetic))},
          {"metrics", std::to_string(int(options.metrics))},
          {"metric_sample", std::to_string(options.metric_sample)}};
}

}  // namespace

template <class T, class P>
ShardedMcAdamW<T, P>::ShardedMcAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                                     const AdamWOptions& options, Ranks ranks,
                                     GradientExchange exchange)
    : variables_(std::move(parameters)),
      strategy_(strategy),
      options_(options),
      ranks_(std::move(ranks)),
      exchange_(exchange),
      first_(positions_of(variables_)),
      sums_(first_.back()),
      has_gradient_(variables_.size(), 0),
      updates_(variables_.size(), 0) {
  validate(options_, strategy_, format_of<T>);
  optim_detail::require_distinct("ShardedMcAdamW", variables_);
  const Layout layout = layout_of(strategy_);
  if (layout.theta != sizeof(P) && sizeof(P) != sizeof(float))
    throw DomainError("ShardedMcAdamW: " + to_string(strategy_) +
                      " needs variables of float, not of " + to_string(format_of<T>));
  if (exchange_ == GradientExchange::bf16x2 && sizeof(P) != sizeof(float))
    throw DomainError("ShardedMcAdamW: bf16x2 needs variables of float, not of " +
                      to_string(format_of<T>));
  if (ranks_) require_alike();
  span_ = distributed::shard_of(first_.back(), rank(), ranks_ ? ranks_->size() : 1, sharded_block);
  for (std::size_t k = 0; k < kept_arrays.size(); ++k)
    if (kept_arrays[k].is_kept(layout) && k != theta_place)
      arrays_[k].assign(
          std::size_t(kept_arrays[k].elements(span_.size(), layout)) * layout.*kept_arrays[k].size,
          0);
  theta_.assign(std::size_t(first_.back()) * layout.theta, 0);
  gradient_.resize(std::size_t(span_.size()));
  if (exchange_ == GradientExchange::bf16x2) residual_.assign(std::size_t(first_.back()), 0.0F);
  set_values();
}

template <class T, class P>
void ShardedMcAdamW<T, P>::require_alike() const {
  distributed::Settings settings = settings_of(options_);
  settings.merge(distributed::library_settings());
  settings["strategy"] = to_string(strategy_);
  settings["16-bit format"] = to_string(format_of<T>);
  settings["bytes of a variable's number"] = std::to_string(sizeof(P));
  settings["gradient exchange"] = std::to_string(int(exchange_));
  settings["parameter tensors"] = std::to_string(variables_.size());
  settings["positions of parameters"] = std::to_string(first_.back());
  settings["hash of the parameters' values"] = std::to_string(hash_of(variables_));
  distributed::require_agreement(*ranks_, settings);
}

/// Of the parts outside the span theta alone is kept.
template <class T, class P>
void ShardedMcAdamW<T, P>::set_values() {
  std::array<float, sharded_block> unused_low;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto value = convert<float, 1>(variables_[i].value()).contiguous();
    for (std::int64_t begin = 0; begin < value.numel();) {
      const std::int64_t position = first_[i] + begin;
      const std::int64_t next =
          std::min((position / sharded_block + 1) * sharded_block, first_[i] + value.numel());
      AdamWMemory memory = memory_at({position, next});
      if (position < span_.begin || position >= span_.end) memory.low = unused_low.data();
      optim_detail::split_weights<T>(composition_of(strategy_), value.data() + begin, memory);
      begin = next - first_[i];
    }
    show(i);
  }
}

template <class T, class P>
AdamWMemory ShardedMcAdamW<T, P>::memory_at(const Span& at) const {
  const Layout layout = layout_of(strategy_);
  AdamWMemory memory;
  memory.theta = theta_.data() + std::size_t(at.begin) * layout.theta;
  memory.first = at.begin;
  memory.count = at.size();
  if (at.begin < span_.begin || at.end > span_.end) return memory;
  for (std::size_t k = 0; k < kept_arrays.size(); ++k)
    if (!arrays_[k].empty())
      memory.*kept_arrays[k].data =
          arrays_[k].data() + std::size_t(kept_arrays[k].elements(at.begin - span_.begin, layout)) *
                                  layout.*kept_arrays[k].size;
  return memory;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::show(std::size_t i) const {
  const Tensor<P>& value = variables_[i].value();
  const AdamWMemory memory = memory_at({first_[i], first_[i] + value.numel()});
  const auto shown = value.is_contiguous() ? value : Tensor<P>::uninitialized(value.shape());
  if constexpr (std::is_same_v<P, T>) {
    std::copy_n(static_cast<const T*>(memory.theta), value.numel(), shown.data());
  } else {
    Composition theta_alone;
    theta_alone.theta = composition_of(strategy_).theta;
    optim_detail::join_weights<T>(theta_alone, memory, shown.data());
  }
  if (!value.is_contiguous()) value.copy_(shown);
}

template <class T, class P>
auto ShardedMcAdamW<T, P>::pieces_of(const Span& span, bool with_gradient) const
    -> std::vector<Piece> {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (with_gradient && has_gradient_[i] == 0) continue;
    std::int64_t begin = std::max(first_[i], span.begin);
    const std::int64_t end = std::min(first_[i] + variables_[i].numel(), span.end);
    while (begin < end) {
      const std::int64_t next = std::min((begin / sharded_block + 1) * sharded_block, end);
      pieces.push_back({i, {begin, next}});
      begin = next;
    }
  }
  return pieces;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::gather_theta() {
  if (!ranks_) return;
  const std::size_t size = layout_of(strategy_).theta;
  const auto gather = [&]<class Number>(Number* all) {
    std::vector<std::size_t> counts;
    for (const Span& part : distributed::shards_of(first_.back(), ranks_->size(), sharded_block))
      counts.push_back(std::size_t(part.size()));
    ranks_->all_gather<Number>({all + span_.begin, std::size_t(span_.size())},
                               {all, std::size_t(first_.back())}, counts);
  };
  if (size == 2)
    gather(reinterpret_cast<std::array<unsigned char, 2>*>(theta_.data()));
  else
    gather(reinterpret_cast<std::array<unsigned char, 4>*>(theta_.data()));
}

template <class T, class P>
std::int64_t ShardedMcAdamW<T, P>::parameters() const {
  std::int64_t sum = 0;
  for (const auto& variable : variables_) sum += variable.numel();
  return sum;
}

template <class T, class P>
ParameterBytes ShardedMcAdamW<T, P>::bytes() const {
  ParameterBytes bytes;
  bytes.weights = parameters() * std::int64_t(sizeof(P));
  bytes.states = std::int64_t(theta_.size());
  for (const auto& array : arrays_) bytes.states += std::int64_t(array.size());
  bytes.gradients = bytes.weights + std::int64_t(gradient_.size() * sizeof(P)) +
                    std::int64_t(residual_.size() * sizeof(float)) +
                    sums_.size() * sums_.levels() * std::int64_t(sizeof(double));
  return bytes;
}

template class ShardedMcAdamW<bfloat16, float>;
template class ShardedMcAdamW<half, float>;
template class ShardedMcAdamW<bfloat16, bfloat16>;
template class ShardedMcAdamW<half, half>;

}  // namespace mct::optim
