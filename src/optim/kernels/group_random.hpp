// Random words of the elements of a group, in lanes.
#pragma once

#include "src/optim/kernels/element_random.hpp"
#include "src/optim/kernels/lane_pairs.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The random words of the elements of a group, for registers of V.
template <PairLayout P, class V>
class GroupRandom {
 public:
  explicit GroupRandom(const GroupKey& key = {}) : key_(key) {
    for (std::size_t r = 0; r < 2; ++r) {
      std::uint32_t places[lanes<V>];
      for (std::size_t l = 0; l < lanes<V>; ++l) places[l] = element_place(element_of<P, V>(r, l));
      places_[r] = load_words<V>(places);
    }
  }
  MCT_ALWAYS_INLINE void open(const GroupKey& key) { key_ = key; }
  /// W: V for the words of register r of the pair that begins with element j, or the result of
  /// of_registers from such registers.
  template <class W>
  MCT_ALWAYS_INLINE ElementWords<words_of<W>> words(std::size_t j, std::size_t r) const {
    using Words = words_of<W>;
    const auto places = of_registers<Words>(j, r, [&](std::size_t at, std::size_t k) {
      return places_[k] + words_of<V>(key_.offset + element_place(at));
    });
    return element_words(places, Words(key_.key));
  }

 private:
  GroupKey key_;
  words_of<V> places_[2];
};

/// Takes its place if nothing is rounded at random.
struct NoRandom {
  MCT_ALWAYS_INLINE void open(const GroupKey& /*key*/) {}
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
