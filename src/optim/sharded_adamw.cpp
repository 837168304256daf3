// MC-AdamW on several ranks: the arrays that each rank holds and steps, and the files.
#include "mctensor/optim/sharded_adamw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/distributed/agreement.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/checkpoint.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/tensor/convert.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/kernels/gradient_table.hpp"
#include "src/optim/rank_sums.hpp"
#include "src/optim/variables.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim {

using distributed::Span;
using optim_detail::FloatSide;

namespace {

/// Elements of which sums are found in double before they are added up exactly. Blocks begin at the
/// same positions for any number of ranks. Those of AdamWOptions::metric_sample are as long.
constexpr std::int64_t sharded_block = 2048;

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

distributed::Settings settings_of(AdamWOptions options) {
  distributed::Settings settings{{"lr", number_text(options.lr)},
                                 {"weight_decay", number_text(options.weight_decay)},
                                 {"seed", std::to_string(options.seed)},
                                 {"metrics", std::to_string(int(options.metrics))},
                                 {"metric_sample", std::to_string(options.metric_sample)}};
  optim_detail::visit_adamw_options(
      options, [&](const char* name, double& value) { settings[name] = number_text(value); });
  return settings;
}

}  // namespace

template <class T, class P>
ShardedMcAdamW<T, P>::ShardedMcAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                                     const AdamWOptions& options, Ranks ranks,
                                     GradientExchange exchange)
    : AdamWState("ShardedMcAdamW", strategy, format_of<T>, options,
                 optim_detail::shapes_of(parameters)),
      variables_(std::move(parameters)),
      ranks_(std::move(ranks)),
      exchange_(exchange),
      sums_(first_.back()),
      has_gradient_(variables_.size(), 0) {
  optim_detail::require_distinct(owner_, variables_);
  require_variables(sizeof(P));
  if (exchange_ == GradientExchange::bf16x2 && sizeof(P) != sizeof(float))
    throw DomainError("ShardedMcAdamW: bf16x2 needs variables of float, not of " +
                      to_string(format_));
  if (ranks_) require_alike();
  span_ = distributed::shard_of(first_.back(), rank(), ranks_ ? ranks_->size() : 1, sharded_block);
  theta_.assign(std::size_t(first_.back()) * layout_.theta, 0);
  gradient_.resize(std::size_t(span_.size()));
  if (exchange_ == GradientExchange::bf16x2) residual_.assign(std::size_t(first_.back()), 0.0F);
  for (AdamWMemory& memory : memory_) {  // the part in the span
    const std::int64_t end = std::min(memory.first + memory.count, span_.end);
    memory.first = std::max(memory.first, span_.begin);
    memory.count = std::max<std::int64_t>(end - memory.first, 0);
    if (memory.count > 0) memory.theta = theta_.data() + std::size_t(memory.first) * layout_.theta;
  }
  allocate([](const KeptArray& array, std::size_t) { return !array.is_theta(); });
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    AdamWState one(owner_, strategy_, format_, options_, {shapes_[i]});
    one.allocate([](const KeptArray& array, std::size_t) { return array.is_of_weights(); });
    one.set_weights(0, convert<float, 1>(variables_[i].value()));
    take(i, one.memory(0));
  }
}

template <class T, class P>
void ShardedMcAdamW<T, P>::require_alike() const {
  distributed::Settings settings = settings_of(options_);
  settings.merge(distributed::library_settings());
  settings["strategy"] = to_string(strategy_);
  settings["16-bit format"] = to_string(format_);
  settings["bytes of a variable's number"] = std::to_string(sizeof(P));
  settings["gradient exchange"] = std::to_string(int(exchange_));
  settings["parameter tensors"] = std::to_string(variables_.size());
  settings["positions of parameters"] = std::to_string(first_.back());
  settings["hash of the parameters' values"] = std::to_string(hash_of(variables_));
  distributed::require_agreement(*ranks_, settings);
}

template <class T, class P>
const unsigned char* ShardedMcAdamW<T, P>::theta_of(std::size_t i) const {
  return theta_.data() + std::size_t(first_[i]) * layout_.theta;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::show(std::size_t i) const {
  optim_detail::show_theta(strategy_, format_, theta_of(i), variables_[i].value());
}

template <class T, class P>
void ShardedMcAdamW<T, P>::take(std::size_t i, const AdamWMemory& whole) {
  const AdamWMemory& own = memory_[i];
  for (const KeptArray& array : kept_arrays) {
    const auto* const from = static_cast<const unsigned char*>(whole.*array.data);
    if (from == nullptr) continue;
    if (array.is_theta()) {
      std::memcpy(theta_.data() + std::size_t(first_[i]) * layout_.theta, from,
                  array.bytes(whole.count, layout_));
    } else if (own.count > 0) {
      std::memcpy(own.*array.data, from + array.bytes(own.first - first_[i], layout_),
                  array.bytes(own.count, layout_));
    }
  }
  show(i);
}

template <class T, class P>
ParameterBytes ShardedMcAdamW<T, P>::bytes() const {
  ParameterBytes bytes;
  bytes.weights = parameters() * std::int64_t(sizeof(P));
  bytes.states = std::int64_t(theta_.size()) + allocated_;
  bytes.gradients = bytes.weights + std::int64_t(gradient_.size() * sizeof(P)) +
                    std::int64_t(residual_.size() * sizeof(float)) +
                    sums_.size() * sums_.levels() * std::int64_t(sizeof(double));
  return bytes;
}

// Files, which are those of McAdamW

template <class T, class P>
std::vector<unsigned char> ShardedMcAdamW<T, P>::gather(const KeptArray& array) const {
  std::vector<unsigned char> own;
  for (const AdamWMemory& memory : memory_) {
    if (memory.count == 0) continue;
    const auto* const from = static_cast<const unsigned char*>(memory.*array.data);
    own.insert(own.end(), from, from + array.bytes(memory.count, layout_));
  }
  return ranks_ ? ranks_->all_gather(std::span<const unsigned char>(own)).values : own;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::save(const std::filesystem::path& path) {
  std::fill(residual_.begin(), residual_.end(), 0.0F);
  take_edits(pieces(false));
  // steps of all ranks come first: after a failure here the other ranks would wait for ever
  std::vector<std::vector<unsigned char>> all;
  for (const KeptArray& array : kept_arrays)
    all.push_back(array.is_kept(layout_) ? gather(array) : std::vector<unsigned char>());
  if (rank() != 0) return;
  AdamWState whole(owner_, strategy_, format_, options_, shapes_);
  whole.allocate([](const KeptArray&, std::size_t) { return true; });
  for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
    const KeptArray& array = kept_arrays[k];
    if (!array.is_kept(layout_)) continue;
    const unsigned char* next = all[k].data();
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const std::size_t bytes = array.bytes(whole.memory(i).count, layout_);
      if (bytes > 0) std::memcpy(whole.memory(i).*array.data, next, bytes);
      next += bytes;
    }
  }
  whole.set_counts(counts());
  StateWriter writer;
  whole.save_to(writer);
  writer.save(path);
}

template <class T, class P>
void ShardedMcAdamW<T, P>::load(const std::filesystem::path& path) {
  AdamWState whole(owner_, strategy_, format_, options_, shapes_);
  whole.allocate([](const KeptArray&, std::size_t) { return true; });
  StateReader reader(path, description());
  whole.load_from(reader);
  for (std::size_t i = 0; i < variables_.size(); ++i) take(i, whole.memory(i));
  set_counts(whole.counts());
  options_.seed = whole.options().seed;
  std::fill(residual_.begin(), residual_.end(), 0.0F);
}

// A step: gradients, norm, update, report

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

template <class T, class P>
void ShardedMcAdamW<T, P>::share_gradients() {
  if (ranks_) {  // a parameter with a gradient on one rank has one on all
    const auto all = ranks_->all_gather(std::span<const char>(has_gradient_)).values;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != 0) has_gradient_[i % has_gradient_.size()] = 1;
  }
  if (exchange_ == GradientExchange::bf16x2)
    compress_and_share();
  else if (ranks_)
    distributed::reduce_scatter(*ranks_, sums_, std::span<P>(gradient_), sharded_block);
  else
    sums_.round_to(std::span<P>(gradient_));
  lost_terms_ = sums_.lost_terms();
  sums_.clear();
}

/// The sent part, hi + lo, plus the new rest equals the sum rounded to float plus the old rest, up
/// to one rounding to float.
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
void ShardedMcAdamW<T, P>::gather_theta() {
  if (!ranks_) return;
  const auto gather = [&]<class Number>(Number* all) {
    std::vector<std::size_t> counts;
    for (const Span& part : distributed::shards_of(first_.back(), ranks_->size(), sharded_block))
      counts.push_back(std::size_t(part.size()));
    ranks_->all_gather<Number>({all + span_.begin, std::size_t(span_.size())},
                               {all, std::size_t(first_.back())}, counts);
  };
  if (layout_.theta == 2)
    gather(reinterpret_cast<std::array<unsigned char, 2>*>(theta_.data()));
  else
    gather(reinterpret_cast<std::array<unsigned char, 4>*>(theta_.data()));
}

template <class T, class P>
struct ShardedMcAdamW<T, P>::Pieces {
  std::vector<std::size_t> variables;
  std::vector<AdamWMemory> memory;
  std::vector<const P*> gradients;
  std::vector<FloatSide> floats;
};

template <class T, class P>
auto ShardedMcAdamW<T, P>::pieces(bool with_gradient) const -> Pieces {
  Pieces pieces;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (with_gradient && has_gradient_[i] == 0) continue;
    const auto [first, count] = std::pair(memory_[i].first, memory_[i].count);
    for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
      end = std::min(((first + begin) / sharded_block + 1) * sharded_block - first, count);
      AdamWMemory memory = optim_detail::part_of(memory_[i], layout_, begin, end - begin);
      FloatSide floats;
      const P* const gradient = gradient_.data() + (memory.first - span_.begin);
      if (sizeof(P) == layout_.grad) {
        memory.grad = gradient;
      } else if constexpr (std::is_same_v<P, float>) {
        floats.grad = gradient;
      }
      pieces.variables.push_back(i);
      pieces.memory.push_back(memory);
      pieces.gradients.push_back(gradient);
      pieces.floats.push_back(floats);
    }
  }
  return pieces;
}

template <class T, class P>
double ShardedMcAdamW<T, P>::norm_of(const Pieces& pieces) const {
  std::vector<double> squares;
  for (std::size_t i = 0; i < pieces.memory.size(); ++i)
    squares.push_back(optim_detail::find_gradient_kernels<P>().squares(
        pieces.gradients[i], std::size_t(pieces.memory[i].count), 1));
  return std::sqrt(optim_detail::total_of(ranks_.get(), squares));
}

template <class T, class P>
void ShardedMcAdamW<T, P>::take_edits(const Pieces& pieces) const {
  std::vector<Tensor<P>> values;
  for (const auto& variable : variables_) values.push_back(variable.value().contiguous());
  std::array<float, sharded_block> shown;
  for (std::size_t k = 0; k < pieces.memory.size(); ++k) {
    const AdamWMemory& memory = pieces.memory[k];
    const std::size_t i = pieces.variables[k];
    const P* const from = values[i].data() + (memory.first - first_[i]);
    std::transform(from, from + memory.count, shown.begin(), [](P x) { return float(x); });
    optim_detail::take_edits(strategy_, format_, shown.data(), memory);
  }
}

/// Each piece by itself, so that measurements are summed up by pieces.
template <class T, class P>
StepReport ShardedMcAdamW<T, P>::update(const Pieces& pieces, const AdamWOptions& options) {
  const std::size_t count = pieces.memory.size();
  std::vector<StepReport> reports(count);
  take_edits(pieces);
  const double cost = 30.0 * double(count) * double(sharded_block);
  tensor_detail::parallel_ranges(std::int64_t(count), tensor_detail::threads_for(cost),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                                     reports[i] = optim_detail::adamw_steps(
                                         strategy_, format_, {&pieces.memory[i], 1},
                                         {&pieces.floats[i], 1}, options,
                                         updates_[pieces.variables[i]] + 1);
                                 });
  gather_theta();
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (has_gradient_[i] != 0) {
      ++updates_[i];
      show(i);
    }
  return optim_detail::total_of(ranks_.get(), reports);
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step_all(const double* max_grad_norm) {
  validate(options_, strategy_, format_);
  share_gradients();
  const Pieces all = pieces(true);
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (has_gradient_[i] != 0) elements += variables_[i].numel();
  const StepReport report = take_step(
      max_grad_norm, {elements, [&] { return norm_of(all); },
                      [&] {
                        return optim_detail::total_of(
                            ranks_.get(), optim_detail::count_nonfinite(strategy_, format_,
                                                                        all.memory, all.floats));
                      },
                      [&](const AdamWOptions& options) { return update(all, options); }});
  std::fill(has_gradient_.begin(), has_gradient_.end(), char(0));
  return report;
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step() {
  return step_all(nullptr);
}

template <class T, class P>
StepReport ShardedMcAdamW<T, P>::step(double max_grad_norm) {
  require_norm(max_grad_norm);
  return step_all(&max_grad_norm);
}

template class ShardedMcAdamW<bfloat16, float>;
template class ShardedMcAdamW<half, float>;
template class ShardedMcAdamW<bfloat16, bfloat16>;
template class ShardedMcAdamW<half, half>;

}  // namespace mct::optim
