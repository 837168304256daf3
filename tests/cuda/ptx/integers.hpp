// Integer instructions of PTX that are more than an operator of C++.
#pragma once

#include <algorithm>
#include <limits>

#include "tests/cuda/ptx/registers.hpp"

namespace mct::cuda::ptx {

template <class T>
inline constexpr int bits_of = int(8 * sizeof(T));

template <class T>
constexpr auto absolute(T x) {
  return to_bits(x < 0 ? T(0u - to_bits(x)) : x);
}
template <class T>
constexpr auto difference(T a, T b) {
  return a < b ? to_bits(b) - to_bits(a) : to_bits(a) - to_bits(b);
}

template <class T>
constexpr auto mul_wide(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  using Half = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
  using Result = std::conditional_t<sizeof(T) == 2, Half, Wide>;
  return Result(Wide(a) * Wide(b));
}
template <class T, class W>
constexpr W mad_wide(T a, T b, W c) {
  return as<W>(to_bits(W(mul_wide(a, b))) + to_bits(c));
}
template <class T>
constexpr T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T((Wide(a) * Wide(b)) >> 64);
  } else {
    return T(mul_wide(a, b) >> bits_of<T>);
  }
}
/// The low 32 bits of the product of the low 24 bits.
template <class T>
constexpr std::uint32_t mul24(T a, T b) {
  return std::uint32_t(mul_wide(T(T(to_bits(a) << 8) >> 8), T(T(to_bits(b) << 8) >> 8)));
}
/// Of a division by zero PTX says nothing; of the one that overflows neither.
template <class T>
constexpr T divide(T a, T b) {
  if (b == 0) return T(-1);
  if (std::is_signed_v<T> && b == T(-1)) return T(0u - to_bits(a));
  return T(a / b);
}
template <class T>
constexpr T remainder(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == T(-1)) return 0;
  return T(a % b);
}

template <class T>
constexpr T add_carry(T a, T b, bool carry, bool& out) {
  const T sum = T(a + b);
  const T r = T(sum + T(carry));
  out = sum < a || r < sum;
  return r;
}
template <class T>
constexpr T subtract_borrow(T a, T b, bool borrow, bool& out) {
  const T r = T(a - b - T(borrow));
  out = a < b || (a == b && borrow);
  return r;
}

/// Counts beyond the register's bits shift everything out.
template <class T>
constexpr T shift_left(T x, std::uint32_t by) {
  return by >= std::uint32_t(bits_of<T>) ? T(0) : T(x << by);
}
template <class T>
constexpr T shift_right(T x, std::uint32_t by) {
  return T(x >> std::min(by, std::uint32_t(bits_of<T> - 1)) >>
           std::uint32_t(by >= std::uint32_t(bits_of<T>)));
}
constexpr std::uint32_t funnel_wrap(std::uint32_t by) { return by % 32; }
constexpr std::uint32_t funnel_clamp(std::uint32_t by) { return std::min(by, 32u); }
/// The upper word of the shifted pair, b above a.
constexpr std::uint32_t funnel_l(std::uint32_t a, std::uint32_t b, std::uint32_t by) {
  return std::uint32_t((std::uint64_t(b) << 32 | a) << by >> 32);
}
/// The lower word of it.
constexpr std::uint32_t funnel_r(std::uint32_t a, std::uint32_t b, std::uint32_t by) {
  return std::uint32_t((std::uint64_t(b) << 32 | a) >> by);
}

/// `count` bits from `first` on; signed ones with the field's upper bit, or the value's where the
/// field ends beyond it.
template <class T>
constexpr T extract(T x, std::uint32_t first, std::uint32_t count) {
  using Bits = decltype(to_bits(x));
  first &= 255, count &= 255;
  if (count == 0) return 0;
  constexpr auto width = std::uint32_t(bits_of<T>);
  const Bits field = shift_left(Bits(1), count) - 1;
  const Bits shifted = shift_right(to_bits(x), first) & (count >= width ? Bits(-1) : field);
  const std::uint32_t top = std::min(first + count - 1, width - 1);
  const bool negative = std::is_signed_v<T> && (to_bits(x) >> top & 1) != 0;
  const std::uint32_t kept = first > top ? 0 : top - first + 1;
  return as<T>(negative && kept < width ? Bits(shifted | Bits(Bits(-1) << kept)) : shifted);
}
template <class T>
constexpr T insert(T field, T into, std::uint32_t first, std::uint32_t count) {
  first &= 255, count &= 255;
  const T ones = count >= std::uint32_t(bits_of<T>) ? T(-1) : T(shift_left(T(1), count) - 1);
  const T mask = shift_left(ones, first);
  return T((into & ~mask) | (shift_left(field, first) & mask));
}
/// Place of the highest bit that is not the sign; all ones if there is none.
template <class T>
constexpr std::uint32_t leading_bit(T x) {
  const auto magnitude = x < 0 ? ~to_bits(x) : to_bits(x);
  return std::uint32_t(bits_of<T> - 1 - std::countl_zero(magnitude));
}
template <class T>
constexpr T reverse(T x) {
  T r = 0;
  for (int i = 0; i < bits_of<T>; ++i) r |= T((x >> i & 1) << (bits_of<T> - 1 - i));
  return r;
}

/// Byte i of the result is that of the pair, b above a, which nibble i names; with its bit 3 set,
/// the sign of it.
constexpr std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t which) {
  std::uint32_t r = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t nibble = which >> (4 * i) & 15;
    auto byte = std::uint8_t((std::uint64_t(b) << 32 | a) >> (8 * (nibble & 7)));
    if ((nibble & 8) != 0) byte = byte >= 128 ? 255 : 0;
    r |= std::uint32_t(byte) << (8 * i);
  }
  return r;
}
/// The modes: the selectors of four bytes, by the low bits of c.
constexpr std::uint32_t permute_f4e(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return permute(a, b, 0x3210 + 0x1111 * (c & 3));
}
constexpr std::uint32_t permute_b4e(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t selectors[] = {0x5670, 0x6701, 0x7012, 0x0123};
  return permute(a, b, selectors[c & 3]);
}
constexpr std::uint32_t permute_rc8(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return permute(a, b, 0x1111 * (c & 3));
}
constexpr std::uint32_t permute_ecl(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t selectors[] = {0x3210, 0x3211, 0x3222, 0x3333};
  return permute(a, b, selectors[c & 3]);
}
constexpr std::uint32_t permute_ecr(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t selectors[] = {0x0000, 0x1110, 0x2210, 0x3210};
  return permute(a, b, selectors[c & 3]);
}
constexpr std::uint32_t permute_rc16(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return permute(a, b, (c & 1) != 0 ? 0x3232 : 0x1010);
}

/// Any function of three bits: bit 4 a + 2 b + c of `table`.
constexpr std::uint32_t logic(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                              std::uint32_t table) {
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    if ((table >> i & 1) != 0)
      r |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  return r;
}
/// c plus the products of four bytes; the types say whether those have a sign.
template <class A, class B>
constexpr std::uint32_t dot_bytes(A a, B b, std::uint32_t c) {
  for (int i = 0; i < 4; ++i) {
    const auto of_a = std::uint8_t(to_bits(a) >> (8 * i));
    const auto of_b = std::uint8_t(to_bits(b) >> (8 * i));
    c += std::uint32_t((std::is_signed_v<A> ? int(std::int8_t(of_a)) : int(of_a)) *
                       (std::is_signed_v<B> ? int(std::int8_t(of_b)) : int(of_b)));
  }
  return c;
}

}  // namespace mct::cuda::ptx
