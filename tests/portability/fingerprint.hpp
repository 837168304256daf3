// Fingerprints of results, to be compared between compilers and processors: a line for each
// operation and type.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/arithmetic.hpp"

namespace mct::portability {

/// A hash of bits in the order of their arrival (FNV-1a); every NaN counts as the same one.
class Fingerprint {
 public:
  template <class T>
  requires(std::is_trivially_copyable_v<T>) void add(const T& x) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &x, sizeof(T));
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3u;
  }
  void add(double x) { add(std::isnan(x) ? ~std::uint64_t(0) : std::bit_cast<std::uint64_t>(x)); }
  void add(float x) { add(std::isnan(x) ? ~std::uint32_t(0) : std::bit_cast<std::uint32_t>(x)); }
  void add(half x) { add(float(x)); }
  void add(bfloat16 x) { add(float(x)); }
  template <class T, int N>
  void add(const Expansion<T, N>& x) {
    for (int i = 0; i < N; ++i) add(x.limb[i]);
  }
  void print(const char* operation, const char* type) const {
    std::printf("%s %s %016llx\n", type, operation, static_cast<unsigned long long>(hash_));
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// The same numbers everywhere: splitmix64, and nothing of the standard library's distributions.
class Numbers {
 public:
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [-1, 1), with a random exponent down to 2^-range.
  double number(int range) {
    const double significand = double(std::int64_t(bits())) * 0x1p-63;
    return std::ldexp(significand, -int(bits() % std::uint64_t(range + 1)));
  }
  /// All limbs random, about `scale` in size.
  template <class X>
  X expansion(double scale, int range = 8) {
    using T = typename X::Scalar;
    X x(T(float(scale * number(range))));
    for (int i = 1; i < X::components; ++i)
      x = x + X(T(float(number(0)) * float(std::ldexp(1.0, -24 * i)) * float(double(x.limb[0]))));
    return x;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace mct::portability
