// Files of a sharded optimizer: those of McAdamW.
#include <algorithm>
#include <cstring>
#include <span>

#include "mctensor/optim/sharded_adamw.hpp"
#include "src/optim/sharded_blocks.hpp"

namespace mct::optim {

using distributed::Span;

namespace {

/// An optimizer of one process with parameters of the same shapes.
template <class T, class P>
McAdamW<T, P> whole_optimizer(const std::vector<Variable<P>>& variables, Strategy strategy,
                              const AdamWOptions& options) {
  std::vector<Variable<P>> copies;
  copies.reserve(variables.size());
  for (const auto& variable : variables) copies.emplace_back(variable.value().clone());
  return McAdamW<T, P>(std::move(copies), strategy, options);
}

/// Bytes begin ... of the elements from a position on.
std::size_t bytes_before(const KeptArray& array, const Layout& layout, std::int64_t position) {
  return std::size_t(array.elements(position, layout)) * layout.*array.size;
}

}  // namespace

template <class T, class P>
std::vector<unsigned char> ShardedMcAdamW<T, P>::gather_array(std::size_t k) const {
  if (k == theta_place) return theta_;
  if (!ranks_) return arrays_[k];
  return ranks_->all_gather(std::span<const unsigned char>(arrays_[k])).values;
}

template <class T, class P>
void ShardedMcAdamW<T, P>::save(const std::filesystem::path& path) {
  std::fill(residual_.begin(), residual_.end(), 0.0F);
  take_edits(pieces_of(span_, false));
  gather_theta();
  const Layout layout = layout_of(strategy_);
  std::vector<std::vector<unsigned char>> all(kept_arrays.size());
  for (std::size_t k = 0; k < kept_arrays.size(); ++k)
    if (kept_arrays[k].is_kept(layout)) all[k] = gather_array(k);
  if (rank() != 0) return;
  McAdamW<T, P> full = whole_optimizer<T, P>(variables_, strategy_, options_);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
      const KeptArray& array = kept_arrays[k];
      if (!array.is_kept(layout)) continue;
      std::memcpy(full.memory(i).*array.data,
                  all[k].data() + bytes_before(array, layout, first_[i]),
                  bytes_before(array, layout, variables_[i].numel()));
    }
  full.set_counts({steps_, skipped_, updates_});
  full.save(path);
}

template <class T, class P>
void ShardedMcAdamW<T, P>::load(const std::filesystem::path& path) {
  McAdamW<T, P> full = whole_optimizer<T, P>(variables_, strategy_, options_);
  full.load(path);
  const Layout layout = layout_of(strategy_);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Span own{std::max(first_[i], span_.begin),
                   std::min(first_[i] + variables_[i].numel(), span_.end)};
    for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
      const KeptArray& array = kept_arrays[k];
      if (!array.is_kept(layout)) continue;
      const auto* const from = static_cast<const unsigned char*>(full.memory(i).*array.data);
      if (k == theta_place) {
        std::memcpy(theta_.data() + bytes_before(array, layout, first_[i]), from,
                    bytes_before(array, layout, variables_[i].numel()));
      } else if (own.size() > 0) {
        std::memcpy(arrays_[k].data() + bytes_before(array, layout, own.begin - span_.begin),
                    from + bytes_before(array, layout, own.begin - first_[i]),
                    bytes_before(array, layout, own.size()));
      }
    }
    show(i);
  }
  const StateCounts counts = full.counts();
  steps_ = counts.steps;
  skipped_ = counts.skipped;
  updates_ = counts.updates;
  options_.seed = full.options().seed;
  std::fill(residual_.begin(), residual_.end(), 0.0F);
}

#define MCT_INSTANTIATE(T, P)                                                                \
  template std::vector<unsigned char> ShardedMcAdamW<T, P>::gather_array(std::size_t) const; \
  template void ShardedMcAdamW<T, P>::save(const std::filesystem::path&);                    \
  template void ShardedMcAdamW<T, P>::load(const std::filesystem::path&);
MCT_INSTANTIATE(bfloat16, float)
MCT_INSTANTIATE(half, float)
MCT_INSTANTIATE(bfloat16, bfloat16)
MCT_INSTANTIATE(half, half)
#undef MCT_INSTANTIATE

}  // namespace mct::optim
