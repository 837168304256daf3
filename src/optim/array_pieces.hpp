// A loop over many arrays as if they were one: thousands of small ones cost what a large one does.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/optim/prefetch.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::optim_detail {

/// Arrays end to end, cut into pieces of about the same size. Cuts depend on the sizes of the
/// arrays alone, not on threads, and lie at multiples of `grain` in an array.
class ArrayPieces {
 public:
  static constexpr std::size_t most = 64;
  static constexpr std::int64_t grain = 2048;
  static constexpr std::int64_t smallest = 32 * grain;

  /// ends[i]: the elements of arrays 0 ... i together. They must outlive this.
  explicit ArrayPieces(std::span<const std::int64_t> ends) : ends_(ends) {
    while (piece_ * std::int64_t(most) < elements()) piece_ *= 2;
  }

  std::int64_t elements() const { return ends_.empty() ? 0 : ends_.back(); }
  std::int64_t count() const { return (elements() + piece_ - 1) / piece_; }

  /// Calls work(piece, array, begin, end) for all parts of arrays, those of a piece in order and on
  /// one thread; an element is worth `cost` simple operations.
  template <class Work>
  void for_each(double cost, const Work& work) const {
    tensor_detail::parallel_ranges(count(), tensor_detail::threads_for(double(elements()) * cost),
                                   [&](std::int64_t begin, std::int64_t end) {
                                     for (std::int64_t piece = begin; piece < end; ++piece)
                                       visit(piece, work);
                                   });
  }

  /// The sum over all parts of arrays, added up by pieces: the same bits on any number of threads.
  /// bytes_of(array): where its memory lies, which is asked for before it is needed.
  template <class T, class BytesOf, class PartSum>
  T sum(double cost, const BytesOf& bytes_of, const PartSum& part_sum) const {
    constexpr std::size_t ahead = 2;
    std::array<T, most> sums{};
    for_each(cost, [&](std::size_t piece, std::size_t array, std::int64_t begin, std::int64_t end) {
      if (array + ahead < ends_.size()) {
        const std::span<const std::byte> next = bytes_of(array + ahead);
        prefetch(next.data(), next.size(), fetched);
      }
      sums[piece] += part_sum(array, begin, end);
    });
    T total{};
    for (const T& sum : sums) total += sum;
    return total;
  }

 private:
  template <class Work>
  void visit(std::int64_t piece, const Work& work) const {
    const std::int64_t start = piece * piece_;
    const std::int64_t stop = std::min(start + piece_, elements());
    auto array = std::size_t(std::upper_bound(ends_.begin(), ends_.end(), start) - ends_.begin());
    for (; array < ends_.size(); ++array) {
      const std::int64_t origin = array == 0 ? 0 : ends_[array - 1];
      if (origin >= stop) break;
      // a cut inside an array moves back to a multiple of the grain
      const std::int64_t begin = start <= origin ? 0 : (start - origin) / grain * grain;
      const std::int64_t end =
          stop >= ends_[array] ? ends_[array] - origin : (stop - origin) / grain * grain;
      if (begin < end) work(std::size_t(piece), array, begin, end);
    }
  }

  /// Bytes of an array that are asked for beforehand: all of a small one, the beginning of others.
  static constexpr std::size_t fetched = 2048;

  std::span<const std::int64_t> ends_;
  std::int64_t piece_ = smallest;
};

/// The ends of arrays of the given sizes: size_of(0), size_of(1) ...
template <class SizeOf>
std::vector<std::int64_t> ends_of(std::size_t count, const SizeOf& size_of) {
  std::vector<std::int64_t> ends(count);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) ends[i] = sum += std::int64_t(size_of(i));
  return ends;
}

}  // namespace mct::optim_detail
