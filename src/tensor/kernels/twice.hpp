// Two batches as one value of twice as many lanes.
//
// A function of a batch is a long chain of operations that wait for one another; two chains side by
// side fill the time that one leaves, if they lie close enough in the program that a processor sees
// both at once. Here each operation stands next to its twin.
#pragma once

#include "mctensor/math/plain/lanes.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// A mask of both.
template <class M>
struct TwiceMask {
  M low, high;

  friend MCT_ALWAYS_INLINE inline TwiceMask operator&&(const TwiceMask& a, const TwiceMask& b) {
    return {a.low && b.low, a.high && b.high};
  }
  friend MCT_ALWAYS_INLINE inline TwiceMask operator||(const TwiceMask& a, const TwiceMask& b) {
    return {a.low || b.low, a.high || b.high};
  }
  friend MCT_ALWAYS_INLINE inline bool any(const TwiceMask& a) { return any(a.low || a.high); }
  friend MCT_ALWAYS_INLINE inline bool all(const TwiceMask& a) { return all(a.low && a.high); }
};
template <class M>
TwiceMask(M, M) -> TwiceMask<M>;

/// Two batches V of floats or integers.
template <class V>
struct Twice {
  using value_type = scalar_t<V>;
  V low, high;

  Twice() = default;
  MCT_ALWAYS_INLINE explicit Twice(const value_type& x) : low(x), high(x) {}
  MCT_ALWAYS_INLINE Twice(const V& a, const V& b) : low(a), high(b) {}
  // register by register: g++ 12 copies the whole through memory, in parts that the reader waits
  // for
  MCT_ALWAYS_INLINE Twice(const Twice& x) : low(x.low), high(x.high) {}
  MCT_ALWAYS_INLINE Twice& operator=(const Twice& x) {
    low = x.low;
    high = x.high;
    return *this;
  }

#define MCT_TWICE_BINARY(op)                                                          \
  friend MCT_ALWAYS_INLINE inline Twice operator op(const Twice& a, const Twice& b) { \
    return {a.low op b.low, a.high op b.high};                                        \
  }
  MCT_TWICE_BINARY(+)
  MCT_TWICE_BINARY(-)
  MCT_TWICE_BINARY(*)
  MCT_TWICE_BINARY(/)
  MCT_TWICE_BINARY(&)
  MCT_TWICE_BINARY(|)
  MCT_TWICE_BINARY(^)
#undef MCT_TWICE_BINARY
#define MCT_TWICE_COMPARE(op)                                                        \
  friend MCT_ALWAYS_INLINE inline auto operator op(const Twice& a, const Twice& b) { \
    return TwiceMask{a.low op b.low, a.high op b.high};                              \
  }
  MCT_TWICE_COMPARE(<)
  MCT_TWICE_COMPARE(<=)
  MCT_TWICE_COMPARE(>)
  MCT_TWICE_COMPARE(>=)
  MCT_TWICE_COMPARE(==)
  MCT_TWICE_COMPARE(!=)
#undef MCT_TWICE_COMPARE
  friend MCT_ALWAYS_INLINE inline Twice operator-(const Twice& a) { return {-a.low, -a.high}; }
  friend MCT_ALWAYS_INLINE inline Twice operator~(const Twice& a) { return {~a.low, ~a.high}; }
  friend MCT_ALWAYS_INLINE inline Twice operator<<(const Twice& a, int bits) {
    return {a.low << bits, a.high << bits};
  }
  friend MCT_ALWAYS_INLINE inline Twice operator>>(const Twice& a, int bits) {
    return {a.low >> bits, a.high >> bits};
  }
  friend MCT_ALWAYS_INLINE inline Twice abs(const Twice& a) {
    return {detail::magnitude(a.low), detail::magnitude(a.high)};
  }
  friend MCT_ALWAYS_INLINE inline Twice sqrt(const Twice& a) {
    return {detail::square_root(a.low), detail::square_root(a.high)};
  }
  friend MCT_ALWAYS_INLINE inline Twice min(const Twice& a, const Twice& b) {
    return {min(a.low, b.low), min(a.high, b.high)};
  }
  friend MCT_ALWAYS_INLINE inline Twice max(const Twice& a, const Twice& b) {
    return {max(a.low, b.low), max(a.high, b.high)};
  }
  template <class M>
  friend MCT_ALWAYS_INLINE inline Twice select(const TwiceMask<M>& mask, const Twice& a,
                                               const Twice& b) {
    return {detail::blend(mask.low, a.low, b.low), detail::blend(mask.high, a.high, b.high)};
  }
};

template <class V>
inline constexpr std::size_t lanes<Twice<V>> = 2 * lanes<V>;
template <class V>
inline constexpr bool is_twice = false;
template <class V>
inline constexpr bool is_twice<Twice<V>> = true;

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

template <class V>
struct FusedMultiplyAdd<kernels::Twice<V>> {
  using Both = kernels::Twice<V>;
  MCT_ALWAYS_INLINE static Both apply(const Both& a, const Both& b, const Both& c) {
    using One = FusedMultiplyAdd<V>;
    return {One::apply(a.low, b.low, c.low), One::apply(a.high, b.high, c.high)};
  }
};

template <class V>
struct Representation<kernels::Twice<V>> {
  using One = Representation<V>;
  using Both = kernels::Twice<V>;
  using Bits = kernels::Twice<typename One::Bits>;

  MCT_ALWAYS_INLINE static Bits bits(const Both& x) {
    return {One::bits(x.low), One::bits(x.high)};
  }
  MCT_ALWAYS_INLINE static Both value(const Bits& b) {
    return {One::value(b.low), One::value(b.high)};
  }
  MCT_ALWAYS_INLINE static auto less(const Bits& a, const Bits& b) {
    return kernels::TwiceMask{One::less(a.low, b.low), One::less(a.high, b.high)};
  }
  MCT_ALWAYS_INLINE static auto disjoint(const Bits& a, const Bits& b) {
    return kernels::TwiceMask{One::disjoint(a.low, b.low), One::disjoint(a.high, b.high)};
  }
};

template <class V>
struct SixteenEntries<kernels::Twice<V>> {
  using Both = kernels::Twice<V>;
  MCT_ALWAYS_INLINE static Both at(const double* table,
                                   const typename Representation<Both>::Bits& index) {
    using One = SixteenEntries<V>;
    return {One::at(table, index.low), One::at(table, index.high)};
  }
};
template <class V>
struct ShortReciprocal<kernels::Twice<V>> {
  using Both = kernels::Twice<V>;
  MCT_ALWAYS_INLINE static Both of(const Both& x) {
    return {ShortReciprocal<V>::of(x.low), ShortReciprocal<V>::of(x.high)};
  }
  MCT_ALWAYS_INLINE static Both rough(const Both& x) {
    return {ShortReciprocal<V>::rough(x.low), ShortReciprocal<V>::rough(x.high)};
  }
  MCT_ALWAYS_INLINE static Both root(const Both& x) {
    return {ShortReciprocal<V>::root(x.low), ShortReciprocal<V>::root(x.high)};
  }
};

}  // namespace mct
