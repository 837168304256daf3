// Random and adversarial operands. Every generator returns normalized expansions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mctensor/expansion/arithmetic.hpp"
#include "validation/core/component_math.hpp"
#include "validation/core/philox.hpp"

namespace mct::validation {

/// The generators of operands; each case belongs to one.
enum class Category {
  random,         // exponents uniform over the whole range of the component type
  near,           // exponents within a few binades of each other
  cancellation,   // the second operand is the first, negated or not, perturbed in one limb
  limb_edges,     // limbs at exactly half an ulp, next to it, powers of two, gaps, zeros
  powers_of_two,  // 2^k and its neighbours in every limb
  subnormal,      // leading or lower limbs subnormal
  overflow,       // leading limbs near the largest float
  integers,       // integers, half-integers and their neighbours
  exact_results,  // made by the operation's entry: the result is a number of the type
};
inline constexpr int category_count = 9;
/// Those that `CaseMaker` makes for every operation.
inline constexpr int common_category_count = 8;
inline constexpr std::array<const char*, category_count> category_names = {
    "random",    "near",     "cancellation", "limb edges",   "powers of two",
    "subnormal", "overflow", "integers",     "exact results"};

/// Makes operands of one type from a random stream.
template <class T, int N>
class CaseMaker {
  using Traits = FloatTraits<T>;
  using X = Expansion<T, N>;

 public:
  explicit CaseMaker(Random& random) : random_(random) {}

  /// Operands of one case. They are related as the category says.
  void make(Category category, std::array<X, 3>& operands) {
    switch (category) {
      case Category::random:
        for (auto& x : operands) x = dense_or_gapped(random_.between(min_exponent, max_exponent));
        break;
      case Category::near: {
        const int e = random_.between(min_exponent + 8, max_exponent - 8);
        for (auto& x : operands) x = dense_or_gapped(e + random_.between(-3, 3));
        break;
      }
      case Category::cancellation:
        make_cancelling(operands);
        break;
      case Category::limb_edges: {
        const int e = random_.between(min_exponent / 2, max_exponent / 2);
        for (auto& x : operands) x = edge(e + random_.between(-2 * Traits::p, 2 * Traits::p));
        break;
      }
      case Category::powers_of_two: {
        const int e = random_.between(min_exponent / 2, max_exponent / 2);
        for (auto& x : operands) x = near_power(e + random_.between(-Traits::p, Traits::p));
        break;
      }
      case Category::subnormal:
        for (auto& x : operands)
          x = dense_or_gapped(random_.between(Traits::emin, Traits::emin + (N + 1) * Traits::p));
        // one large partner, so that quotients and products leave the subnormal range
        if (random_.one_in(3))
          operands[random_.below(3)] = dense_or_gapped(random_.between(-Traits::p, Traits::p));
        break;
      case Category::overflow:
        for (auto& x : operands) x = dense_or_gapped(max_exponent - random_.between(0, 4));
        if (random_.one_in(3))
          operands[random_.below(3)] = dense_or_gapped(random_.between(-Traits::p, Traits::p));
        break;
      case Category::integers:
        for (auto& x : operands) x = near_integer();
        break;
      case Category::exact_results:
        break;  // see exact_cases.hpp
    }
  }

  /// A random expansion whose leading limb has binary exponent e.
  X dense_or_gapped(int e) {
    X x;
    e = std::min(e, max_exponent);  // half has fewer exponents than some cases ask for
    const bool gaps = random_.one_in(3);
    for (int i = 0; i < N; ++i) {
      x.limb[i] = limb_at(e, random_.below(8));
      if (gaps && random_.one_in(2)) e -= int(random_.below(random_.one_in(4) ? 400 : 40));
      e -= Traits::p + 1;
      if (x.limb[i] == 0) break;
      if (gaps && random_.one_in(16)) break;
    }
    return x;
  }

  /// Contiguous limbs without gaps: what a peer of N p bits holds too.
  X dense(int e) {
    X x;
    for (int i = 0; i < N; ++i, e -= Traits::p + 1) x.limb[i] = limb_at(e, 7);
    return x;
  }

 private:
  static constexpr int min_exponent = Traits::emin + Traits::p;
  static constexpr int max_exponent = Traits::emax - 1;

  T sign() { return random_.one_in(2) ? T(-1) : T(1); }

  /// +-m 2^e with 1 <= m < 2: m random (pattern > 2), sparse, full of ones, or a power of two.
  /// Rounds to 0 or subnormal below the range.
  T limb_at(int e, std::uint64_t pattern) {
    constexpr int p = Traits::p;
    const std::uint64_t lead = std::uint64_t(1) << (p - 1);
    std::uint64_t m = random_.bits() & (lead - 1);
    if (pattern == 0) m = (std::uint64_t(1) << random_.below(p)) & (lead - 1);  // two bits
    if (pattern == 1) m = (lead - 1) & ~((std::uint64_t(1) << random_.below(p)) - 1);
    if (pattern == 2) m = 0;
    return sign() * ldexp(T(lead | m), e - p + 1);
  }

  void make_cancelling(std::array<X, 3>& operands) {
    constexpr int lowest = std::min(min_exponent + N * (Traits::p + 1), max_exponent - 8);
    const int e = random_.between(lowest, max_exponent - 2);
    X& x = operands[0];
    x = random_.one_in(4) ? edge(e) : dense_or_gapped(e);
    X y = x;
    const int k = int(random_.below(N + 1));  // k = N: exact opposite
    if (k < N) {
      const T step = random_.one_in(2) ? ulp(y.limb[k]) * sign() : limb_at_random_below(y.limb[k]);
      y.limb[k] += step;
      for (int i = k + 1; i < N; ++i)
        if (random_.one_in(2)) y.limb[i] = random_.one_in(2) ? T(0) : -y.limb[i];
      y = renormalize(y);
    }
    operands[1] = random_.one_in(4) ? y : -y;
    // products cancel too: z near -x y, for mul_add
    operands[2] = -mul(x, operands[1]);
    if (!isfinite(operands[2])) operands[2] = X(T(1));
    if (random_.one_in(2)) operands[2] = renormalize(perturbed(operands[2]));
  }

  T limb_at_random_below(T value) {
    if (value == 0) return 0;
    const int e = ilogb(value) - int(random_.below(Traits::p + 4));
    return e < Traits::emin ? T(0) : limb_at(e, random_.below(8));
  }

  X perturbed(X x) {
    const auto k = random_.below(N);
    x.limb[k] += limb_at_random_below(x.limb[k]);
    return x;
  }

  /// Limbs at the edge of the invariant: |limb[i+1]| = ulp(limb[i])/2 and just below.
  X edge(int e) {
    X x;
    x.limb[0] = limb_at(std::min(e, max_exponent), random_.below(4));
    for (int i = 1; i < N; ++i) {
      if (x.limb[i - 1] == 0) break;
      const T half = ulp(x.limb[i - 1]) / 2;
      T limb = half;
      switch (random_.below(6)) {
        case 0:
          break;
        case 1:
          limb = nextafter(half, T(0));
          break;
        case 2:
          limb = half / 2;
          break;
        case 3:
          limb = 0;
          break;
        case 4:
          limb = ldexp(half, -int(random_.below(2 * Traits::p)));
          break;
        default:
          limb = magnitude_at_most(half);
      }
      x.limb[i] = sign() * limb;
    }
    return with_even_ties(x);
  }

  T magnitude_at_most(T half) {
    return half == 0 ? T(0) : fabs(limb_at(ilogb(half) - 1, random_.below(8)));
  }

  /// The operations leave limb[i] = RN(limb[i] + limb[i+1]); renormalize does the same.
  static X with_even_ties(const X& x) { return renormalize(x); }

  /// 2^e, one ulp above or below it, in every limb that is not left zero.
  X near_power(int e) {
    e = std::min(e, max_exponent);
    X x;
    for (int i = 0; i < N; ++i) {
      T limb = ldexp(T(1), e);
      const auto choice = random_.below(4);
      if (choice == 1) limb = nextafter(limb, T(0));
      if (choice == 2) limb = nextafter(limb, Traits::infinity);
      if (choice == 3 && i > 0) limb = 0;
      x.limb[i] = sign() * limb;
      if (limb == 0) break;
      e -= Traits::p + 1 + int(random_.below(3));
    }
    return with_even_ties(x);
  }

  /// k, k + 1/2, k + 1/4 with a tiny tail or none; k of up to N p bits.
  X near_integer() {
    const int bits = random_.between(0, N * Traits::p + 4);
    X x = dense_or_gapped(bits > Traits::emax - 2 ? Traits::emax - 2 : bits);
    x = trunc(x);
    const auto choice = random_.below(4);
    T terms[N + 2] = {};
    for (int i = 0; i < N; ++i) terms[i] = x.limb[i];
    if (choice == 1) terms[N] = sign() * T(0.5);
    if (choice == 2) terms[N] = sign() * T(0.25);
    if (random_.one_in(3)) terms[N + 1] = sign() * ldexp(T(1), -int(random_.below(2 * Traits::p)));
    return renormalize<N>(terms);
  }

  Random& random_;
};

}  // namespace mct::validation
