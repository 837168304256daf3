// The sums that are the gradient of a bias of pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "src/attention/bias_layout.hpp"
#include "src/attention/element.hpp"
#include "src/attention/kernels/tile_table.hpp"
#include "src/attention/sizes.hpp"

namespace mct::attention_detail {

/// The gradient of a bias: the scores' gradient, added over the pairs, groups and offsets that
/// share an element. Tasks of the backward pass add tiles at the same time; each task is a part of
/// the keys of a family of groups. No two tasks write to the same number, and the order of every
/// sum is the order of tiles, parts and groups.
///
/// An element of every pair belongs to one part, and the groups that share it are a family, whose
/// tiles one task adds in order. Any other element is a sum over queries or over keys. Every group
/// and part has its own sum in double (f64x2: in f64x2), and these sums are added in the end, so
/// memory is in proportion to L + S.
template <class E>
class BiasGradient {
 public:
  BiasGradient() = default;
  /// The gradient of this bias (without elements nothing is added).
  BiasGradient(const TensorOf<E>& bias, bool by_offset, const Shape& lead, const Sizes& sizes);

  /// Groups that one task must take, in order; each group is in one family.
  const std::vector<std::vector<std::int64_t>>& families() const { return families_; }
  /// Call it once before add, with the number of parts of the keys.
  void start(std::int64_t parts);
  /// The gradient of the scores of queries from `query` on and of `keys` keys from `key` on.
  void add(std::int64_t group, std::int64_t part, std::int64_t query, std::int64_t key,
           std::int64_t keys, Tile<const E> slopes);
  /// The sums, in the shape of the bias; empty if it is not wanted.
  TensorOf<E> take();

 private:
  /// An element of every pair.
  bool is_whole() const { return layout_.query != 0 && layout_.key != 0 && !by_offset_; }

  bool wanted_ = false, by_offset_ = false;
  Sizes sizes_{};
  BiasLayout layout_;                                // of gradient_
  std::vector<std::vector<std::int64_t>> families_;  // of those that share elements if is_whole()
  TensorOf<E> gradient_;
  Buffer<E> elements_;  // of gradient_
  std::int64_t parts_ = 0, extent_ = 0;
  std::vector<Wide<E>> sums_;  // (groups, parts, extent) unless is_whole()
};

}  // namespace mct::attention_detail
