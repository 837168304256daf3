// Random words for stochastic rounding, the same as those of the host's GroupRandom.
#pragma once

#include "src/optim/kernels/element_random.hpp"

namespace mct::cuda {

/// The words of eight neighbours in a group.
struct OctetRandom {
  kernels::GroupKey key;
  std::uint32_t place;  // of the first

  /// The random words of the elements from `position` on, a multiple of 8.
  MCT_HD static OctetRandom of(const optim_detail::AdamWConstants& c, std::int64_t position) {
    const auto at = std::uint64_t(position);
    const auto key = kernels::GroupKey::of(c, at / optim_detail::group_length);
    return {key, key.offset + kernels::element_place(at % optim_detail::group_length)};
  }
  MCT_HD kernels::ElementWords<std::uint32_t> words(int e) const {
    return kernels::element_words(place + kernels::element_place(std::size_t(e)), key.key);
  }
};

}  // namespace mct::cuda
