// The rounding of exact sums.
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <string>
#include <type_traits>

#include "mctensor/distributed/exact_sums.hpp"
#include "mctensor/error.hpp"
#include "src/distributed/kernels/exact_sum_table.hpp"
#include "src/distributed/lost_terms.hpp"
#include "src/distributed/numbers.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::distributed {

using distributed_detail::find_exact_sum_table;
using distributed_detail::most_levels;
using distributed_detail::sum_block;

namespace {

using Block = std::array<double, sum_block>;

/// Elements whose bits are not certain.
using Marks = std::array<bool, sum_block>;

/// The sums of a block, from which limb after limb is taken away.
class BlockSums {
 public:
  /// With `copied` levels, which may be changed.
  BlockSums(const std::vector<std::vector<double>>& levels, std::size_t begin, std::size_t count,
            bool copied)
      : levels_(int(levels.size())), count_(count) {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      at_[l] = const_cast<double*>(levels[l].data()) + begin;
      if (!copied) continue;
      std::copy_n(at_[l], count, copy_[l].data());
      at_[l] = copy_[l].data();
    }
  }

  /// Writes the sums rounded to T; marks those that are not certain. Limbs after the first are not
  /// -0.
  template <class T>
  void round(T* limb, bool is_first, Marks& uncertain) {
    constexpr bool to_odd = !std::is_same_v<T, double>;
    double* const rounded = target(limb);
    if (!find_exact_sum_table().round(at_.data(), levels_, to_odd, is_first, count_, rounded))
      for (std::size_t i = 0; i < count_; ++i)
        uncertain[i] = uncertain[i] || !std::isfinite(rounded[i]);
    if constexpr (to_odd) distributed_detail::narrow(value_.data(), limb, count_);
  }
  /// Takes limbs away from the sums; marks those where something is lost.
  template <class T>
  void subtract(const T* limb, Marks& uncertain) {
    distributed_detail::widen(limb, value_.data(), count_);
    if (!find_exact_sum_table().subtract(at_.data(), levels_, value_.data(), count_, lost_.data()))
      return;
    for (std::size_t i = 0; i < count_; ++i) uncertain[i] = uncertain[i] || lost_[i] != 0;
  }

 private:
  double* target(double* limb) { return limb; }
  template <class T>
  double* target(T* /*limb*/) {
    return value_.data();
  }

  int levels_;
  std::size_t count_;
  std::array<Block, most_levels> copy_;
  std::array<double*, most_levels> at_{};
  Block value_, lost_;
};

}  // namespace

template <class T>
void ExactSums<T>::round_range(std::span<T* const> limbs, const Span& range,
                               std::vector<std::int64_t>& again) const {
  for (std::int64_t begin = range.begin; begin < range.end; begin += std::int64_t(sum_block)) {
    const auto count =
        std::size_t(std::min<std::int64_t>(std::int64_t(sum_block), range.end - begin));
    Marks uncertain{};
    BlockSums sums(levels_, std::size_t(begin), count, limbs.size() > 1);
    for (std::size_t k = 0; k < limbs.size(); ++k) {
      sums.round(limbs[k] + begin, k == 0, uncertain);
      if (k + 1 < limbs.size()) sums.subtract(limbs[k] + begin, uncertain);
    }
    for (std::size_t i = 0; i < count; ++i)
      if (uncertain[i]) again.push_back(begin + std::int64_t(i));
  }
}

template <class T>
void ExactSums<T>::round_exactly(std::span<T* const> limbs,
                                 const std::vector<std::int64_t>& elements) const {
  std::vector<LostTerm> all = lost_;
  // an element without lost terms has a term that adds nothing, so that it is visited as well
  for (const std::int64_t i : elements) all.push_back({i, 0.0});
  distributed_detail::sort_by_element(all);
  std::vector<double> terms;
  std::vector<T> result(limbs.size());
  distributed_detail::for_each_element(all, [&](std::span<const LostTerm> same) {
    const std::int64_t i = same[0].index;
    terms.clear();
    for (const auto& level : levels_) terms.push_back(level[std::size_t(i)]);
    for (const LostTerm& term : same) terms.push_back(term.value);
    distributed_detail::round_sum(std::span<const double>(terms), result.data(),
                                  int(result.size()));
    for (std::size_t k = 0; k < limbs.size(); ++k) limbs[k][i] = result[k];
  });
}

template <class T>
void ExactSums<T>::round_to(std::span<T* const> limbs) const {
  if (!has_terms_) {
    for (T* const limb : limbs) std::fill_n(limb, count_, T(0));
    return;
  }
  std::vector<std::int64_t> again;
  std::mutex mutex;
  tensor_detail::parallel_ranges(
      count_, tensor_detail::threads_for(20.0 * double(limbs.size()) * double(count_)),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int64_t> own;
        round_range(limbs, {begin, end}, own);
        const std::lock_guard lock(mutex);
        again.insert(again.end(), own.begin(), own.end());
      });
  if (!again.empty() || !lost_.empty()) round_exactly(limbs, again);
}

template <class T>
void ExactSums<T>::round_to(std::span<T> values) const {
  if (std::int64_t(values.size()) != count_)
    throw ShapeError("ExactSums: the result has " + std::to_string(values.size()) +
                     " numbers, expected " + std::to_string(count_) + ", one for each sum");
  T* const limb = values.data();
  round_to(std::span<T* const>(&limb, 1));
}

#define MCT_INSTANTIATE(T)                                                                         \
  template void ExactSums<T>::round_to(std::span<T* const>) const;                                 \
  template void ExactSums<T>::round_to(std::span<T>) const;                                        \
  template void ExactSums<T>::round_range(std::span<T* const>, const Span&,                        \
                                          std::vector<std::int64_t>&) const;                       \
  template void ExactSums<T>::round_exactly(std::span<T* const>, const std::vector<std::int64_t>&) \
      const;
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::distributed
