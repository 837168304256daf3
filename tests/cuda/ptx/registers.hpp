// Values of PTX registers: bits that instructions take as one type or another.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/half.hpp"

namespace mct::cuda::ptx {

/// Two 16-bit values in one register.
template <class T>
struct Pair {
  T low, high;
};

/// The unsigned integer of as many bits.
template <int Bytes>
using Unsigned = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class To, class From>
constexpr To as(From x) {
  return std::bit_cast<To>(x);
}
template <class T>
constexpr auto to_bits(T x) {
  return as<Unsigned<int(sizeof(T))>>(x);
}
/// The low bits of a register, as a value of T.
template <class T, class From>
constexpr T low(From x) {
  return as<T>(Unsigned<int(sizeof(T))>(to_bits(x)));
}

/// A register of several values, the first one lowest.
template <class T, class Part, std::size_t Count>
constexpr T pack(const Part (&parts)[Count]) {
  using Bits = Unsigned<int(sizeof(T))>;
  Bits r = 0;
  for (std::size_t i = 0; i < Count; ++i) r |= Bits(Bits(parts[i]) << (8 * sizeof(Part) * i));
  return as<T>(r);
}
template <class Part, int Count, class T>
constexpr std::array<Part, Count> unpack(T x) {
  std::array<Part, Count> r{};
  for (int i = 0; i < Count; ++i)
    r[std::size_t(i)] = Part(to_bits(x) >> (8 * sizeof(Part) * std::size_t(i)));
  return r;
}

}  // namespace mct::cuda::ptx
