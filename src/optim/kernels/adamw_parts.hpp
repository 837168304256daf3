// What an AdamW composition consists of: the types of its arrays, floats in two parts.
#pragma once

#include <type_traits>

#include "src/optim/kernels/adamw_update.hpp"
#include "src/optim/split_float.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// A type as wide as what the table of arrays says; narrow numbers are T.
template <class T, optim::Content content>
struct ElementOfContent {
  using type = float;
};
template <class T>
struct ElementOfContent<T, optim::Content::narrow> {
  using type = T;
};
template <class T>
struct ElementOfContent<T, optim::Content::lower_bits> {
  using type = std::uint16_t;
};
template <class T>
struct ElementOfContent<T, optim::Content::lower_byte> {
  using type = std::uint8_t;
};
template <class T>
struct ElementOfContent<T, optim::Content::roots> {
  using type = std::uint8_t;
};

/// The elements of the arrays of a composition.
template <class T, Composition C>
struct AdamWTypes {
  template <std::size_t array>
  using Element = typename ElementOfContent<T, optim::kept_arrays[array].content(C)>::type;
  using Weight = Element<optim::place_of("theta")>;
  using Low = Element<optim::place_of("low")>;
  using State = Element<optim::place_of("v")>;
  using Largest = Element<optim::place_of("v_max")>;
};

/// detail::join_float and split_float of lanes: the float's bits are those of theta, a bfloat16,
/// times 2^16 plus the lower bits, signed, here as a word of 32 bits.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V join_words(const V& high, const words_of<V>& rest) {
  return from_words<V>(to_words(high) + rest);
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline void split_words(const V& x, V& high, words_of<V>& rest) {
  high = from_words<V>((to_words(x) + words_of<V>(0x8000u)) & words_of<V>(0xffff0000u));
  rest = to_words(x) & words_of<V>(0xffffu);
}

/// The weight of which theta is a copy; theta itself where it is another's, written from outside.
template <class T, class V>
MCT_HD MCT_ALWAYS_INLINE inline V master_weight(const V& master, const V& theta) {
  const words_of<V> copy = to_words(RoundLanes<T, V>::nearest(master));
  return from_words<V>(detail::blend(copy == to_words(theta), to_words(master), to_words(theta)));
}

/// True if the kernels of T include the composition.
template <class T>
constexpr bool belongs_to(const Composition& parts) {
  if (parts.theta == Number::float32) return std::is_same_v<T, float>;
  const auto format = std::is_same_v<T, half> ? optim::Format::float16 : optim::Format::bfloat16;
  return !std::is_same_v<T, float> && parts.has_format(format);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
