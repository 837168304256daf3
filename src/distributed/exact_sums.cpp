#include "mctensor/distributed/exact_sums.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>

#include "mctensor/error.hpp"
#include "src/distributed/kernels/exact_sum_table.hpp"
#include "src/distributed/lost_terms.hpp"
#include "src/distributed/numbers.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::distributed {

using distributed_detail::find_exact_sum_table;
using distributed_detail::sum_block;

namespace {

using Block = std::array<double, sum_block>;

/// The number of doubles of an element. Sums of 16-bit numbers fit into one double unless their
/// exponents are 40 or more apart, sums of floats unless they are 25 or more apart. A second double
/// holds the rest of sums of doubles or of expansions.
template <class T>
int levels_for(int components) {
  if (is_short_float_v<T>) return 1;
  if (std::is_same_v<T, float>) return components == 1 ? 1 : 2;
  return components == 1 ? 2 : 3;
}

/// The levels of a block of elements.
struct LevelPointers {
  std::array<double*, distributed_detail::most_levels> level{};

  LevelPointers(const std::vector<std::vector<double>>& levels, std::int64_t begin) {
    for (std::size_t l = 0; l < levels.size(); ++l)
      level[l] = const_cast<double*>(levels[l].data()) + begin;
  }
};

/// Calls work(begin, count, lost) for blocks of `count` elements, on threads; all lost terms are
/// appended to `lost` at the end.
template <class Work>
void for_blocks(std::int64_t count, double cost, std::vector<LostTerm>& lost, const Work& work) {
  std::mutex mutex;
  tensor_detail::parallel_ranges(
      count, tensor_detail::threads_for(cost * double(count)),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<LostTerm> own;
        for (std::int64_t i = begin; i < end; i += std::int64_t(sum_block))
          work(i, std::size_t(std::min<std::int64_t>(std::int64_t(sum_block), end - i)), own);
        const std::lock_guard lock(mutex);
        lost.insert(lost.end(), own.begin(), own.end());
      });
}

/// The first terms of sums that have none yet are their levels. False if one is not finite: then
/// nothing has changed.
template <class T>
bool store_first(std::span<const T* const> limbs, std::vector<std::vector<double>>& levels,
                 std::int64_t count) {
  const auto& table = find_exact_sum_table();
  std::atomic<bool> all_finite = true;
  tensor_detail::parallel_ranges(
      count, tensor_detail::threads_for(4.0 * double(limbs.size()) * double(count)),
      [&](std::int64_t begin, std::int64_t end) {
        Block unused;
        for (std::int64_t i = begin; i < end; i += std::int64_t(sum_block)) {
          const auto size = std::size_t(std::min<std::int64_t>(std::int64_t(sum_block), end - i));
          for (std::size_t k = 0; k < limbs.size(); ++k) {
            double* const level = levels[k].data() + i;
            distributed_detail::widen(limbs[k] + i, level, size);
            if (k > 0) table.negate_zeros(level, size);
            if (!table.round(&level, 1, false, true, size, unused.data())) all_finite = false;
          }
        }
      });
  if (!all_finite)
    for (std::size_t k = 0; k < limbs.size(); ++k)
      std::fill(levels[k].begin(), levels[k].end(), -0.0);
  return all_finite;
}

}  // namespace

template <class T>
ExactSums<T>::ExactSums(std::int64_t count, int components)
    : count_(count), components_(components) {
  if (count < 0 || components < 1 || components > 4)
    throw DomainError("ExactSums: " + std::to_string(count) + " sums of " +
                      std::to_string(components) +
                      " components, expected at least 0 sums of 1 to 4 components");
  levels_.resize(std::size_t(levels_for<T>(components)));
  for (auto& level : levels_) level.assign(std::size_t(count), -0.0);
  shorten_from_ = std::size_t(count) + 4096;
}

template <class T>
void ExactSums<T>::clear() {
  for (auto& level : levels_) std::fill(level.begin(), level.end(), -0.0);
  lost_.clear();
  has_terms_ = false;
}

template <class T>
int ExactSums<T>::wire_planes() const {
  return is_short_float_v<T> && components_ > 1 ? 2 : levels();
}

template <class T>
void ExactSums<T>::check_elements(std::int64_t first, std::int64_t count) const {
  if (first < 0 || count < 0 || count > count_ - first)
    throw ShapeError("ExactSums: elements " + std::to_string(first) + " to " +
                     std::to_string(first + count - 1) + " of " + std::to_string(count_));
}

template <class T>
void ExactSums<T>::add(std::span<const T> x, std::int64_t first) {
  const T* const limb = x.data();
  add({&limb, 1}, std::int64_t(x.size()), first);
}

template <class T>
void ExactSums<T>::add(std::span<const T* const> limbs, std::int64_t count, std::int64_t first) {
  check_elements(first, count);
  if (!has_terms_ && count == count_ && limbs.size() <= levels_.size() &&
      store_first(limbs, levels_, count)) {
    has_terms_ = count > 0;
    return;
  }
  has_terms_ = has_terms_ || count > 0;
  for (std::size_t k = 0; k < limbs.size(); ++k) add_plane(limbs[k], k > 0, count, first);
  shorten_lost();
}

template <class T>
template <class X>
void ExactSums<T>::add_plane(const X* x, bool unsigned_zeros, std::int64_t count,
                             std::int64_t first) {
  const auto& table = find_exact_sum_table();
  for_blocks(
      count, 12, lost_, [&](std::int64_t begin, std::size_t size, std::vector<LostTerm>& lost) {
        Block wide, rest;
        const LevelPointers at(levels_, first + begin);
        const double* terms = wide.data();
        if constexpr (std::is_same_v<X, double>)
          if (!unsigned_zeros) terms = x + begin;
        if (terms == wide.data()) distributed_detail::widen(x + begin, wide.data(), size);
        if (unsigned_zeros) table.negate_zeros(wide.data(), size);
        if (!table.add(at.level.data(), levels(), terms, size, rest.data())) return;
        for (std::size_t i = 0; i < size; ++i)
          if (rest[i] != 0)
            lost.push_back(
                {first + begin + std::int64_t(i), std::isfinite(rest[i]) ? rest[i] : terms[i]});
      });
}

template <class T>
void ExactSums<T>::add(const ExactSums& other) {
  if (other.count_ != count_ || other.components_ != components_)
    throw ShapeError("ExactSums: " + std::to_string(other.count_) + " sums of " +
                     std::to_string(other.components_) + " components added to " +
                     std::to_string(count_) + " of " + std::to_string(components_));
  const auto from = other.message({0, count_});
  add_message(from.levels, from.terms, {0, count_});
}

template <class T>
void ExactSums<T>::shorten_lost() {
  if (lost_.size() < shorten_from_) return;
  distributed_detail::sort_by_element(lost_);
  std::vector<LostTerm> shorter;
  std::vector<double> terms;
  distributed_detail::for_each_element(lost_, [&](std::span<const LostTerm> same) {
    terms.clear();
    for (const LostTerm& term : same) terms.push_back(term.value);
    for (const double part : distributed_detail::shortened(terms))
      shorter.push_back({same[0].index, part});
  });
  lost_ = std::move(shorter);
  shorten_from_ = 2 * lost_.size() + std::size_t(count_) + 4096;
}

template <class T>
ExactSums<T> ExactSums<T>::part(const Span& span) const {
  check_elements(span.begin, span.size());
  ExactSums part(0, components_);
  part.count_ = span.size();
  part.has_terms_ = has_terms_ && span.size() > 0;
  for (std::size_t l = 0; l < levels_.size(); ++l)
    part.levels_[l].assign(levels_[l].begin() + span.begin, levels_[l].begin() + span.end);
  for (const LostTerm& term : lost_)
    if (term.index >= span.begin && term.index < span.end)
      part.lost_.push_back({term.index - span.begin, term.value});
  return part;
}

template <class T>
std::size_t ExactSums<T>::message_size(const Span& span) const {
  check_elements(span.begin, span.size());
  return has_terms_ ? std::size_t(span.size()) * std::size_t(wire_planes()) : 0;
}

template <class T>
void ExactSums<T>::write_message(const Span& span, Wire* levels,
                                 std::vector<LostTerm>& terms) const {
  if (message_size(span) == 0) return;
  for (const LostTerm& term : lost_)
    if (term.index >= span.begin && term.index < span.end)
      terms.push_back({term.index - span.begin, term.value});
  if constexpr (std::is_same_v<Wire, double>) {
    const auto size = std::size_t(span.size());
    for (std::size_t l = 0; l < levels_.size(); ++l)
      std::copy_n(levels_[l].data() + span.begin, size, levels + l * size);
  } else {
    split_into_floats(span, levels, terms);
  }
}

template <class T>
SumMessage<typename ExactSums<T>::Wire> ExactSums<T>::message(const Span& span) const {
  SumMessage<Wire> message;
  message.levels.resize(message_size(span));
  write_message(span, message.levels.data(), message.terms);
  return message;
}

template <class T>
void ExactSums<T>::split_into_floats(const Span& span, float* levels,
                                     std::vector<LostTerm>& terms) const {
  const auto size = std::size_t(span.size());
  const double* const from = levels_[0].data() + span.begin;
  const bool has_second = wire_planes() > 1;
  for (std::size_t i = 0; i < size; ++i) {
    // a sum may be beyond float, where no 16-bit number is
    levels[i] = std::abs(from[i]) <= FloatTraits<float>::max ? float(from[i]) : 0.0F;
    double rest = from[i] - double(levels[i]);
    if (has_second) {
      levels[size + i] = std::abs(rest) <= FloatTraits<float>::max ? float(rest) : 0.0F;
      rest -= double(levels[size + i]);
    }
    if (rest != 0) terms.push_back({std::int64_t(i), rest});
  }
}

template <class T>
void ExactSums<T>::add_message(std::span<const Wire> levels, std::span<const LostTerm> terms,
                               const Span& span) {
  check_elements(span.begin, span.size());
  const auto size = std::size_t(span.size());
  if (!levels.empty() && levels.size() != size * std::size_t(wire_planes()))
    throw ShapeError("ExactSums: a message of " + std::to_string(levels.size()) +
                     " numbers for a span of " + std::to_string(size));
  if (levels.empty()) return;
  has_terms_ = has_terms_ || size > 0;
  for (std::size_t plane = 0; plane * size < levels.size(); ++plane)
    add_plane(levels.data() + plane * size, plane > 0, span.size(), span.begin);
  for (const LostTerm& term : terms) {
    check_elements(span.begin + term.index, 1);
    lost_.push_back({span.begin + term.index, term.value});
  }
  shorten_lost();
}

#define MCT_INSTANTIATE(T) template class ExactSums<T>;
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::distributed
