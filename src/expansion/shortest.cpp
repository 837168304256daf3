// The shortest decimal that is read back as the same value.
#include <algorithm>
#include <cmath>

#include "decimal.hpp"

namespace mct::io_detail {
namespace {

/// How far a value may move up before its limbs sum to something else.
struct Slack {
  Exact size;
  bool closed;  ///< it may move so far, not only almost
};

/// 2^r is half the distance from a float to the next one above.
template <class T>
int half_gap_above(T limb) {
  using Traits = FloatTraits<T>;
  if (limb == 0) return Traits::emin - 1;
  int exponent;
  const T fraction = frexp(limb, &exponent);  // 1/2 <= |fraction| < 1
  const int unit = exponent - Traits::p;
  // the floats just below a power of two in magnitude are closer together
  const bool narrow = fraction == T(-0.5) && unit > Traits::emin;
  return std::max(unit, Traits::emin) - 1 - int(narrow);
}

template <class T>
bool is_even(T limb) {
  int exponent;
  frexp(limb, &exponent);
  const int unit = std::max(exponent - FloatTraits<T>::p, FloatTraits<T>::emin);
  return fmod(ldexp(limb, -unit), T(2)) == 0;
}

void align(Exact& a, Exact& b) {
  const int exponent = std::min(a.exponent, b.exponent);
  for (Exact* x : {&a, &b}) {
    x->mantissa <<= x->exponent - exponent;
    x->exponent = exponent;
  }
}

/// Only the last limb sets a limit: where an earlier limb changes, halfway between two floats, is
/// itself a sum of limbs, so the values that become x end before it. If x is such a halfway value,
/// two limb sequences have the sum x; ties are rounded up to get the one that holds above x.
template <class T>
Slack slack_above(const Exact& x, int count) {
  T limbs[4];
  nearest_limbs(x, limbs, count, Ties::up);
  const T last = limbs[count - 1];
  // around 0 the limit lies one bit below the smallest subnormal: no text as short as x ends there
  return {{Integer(1), half_gap_above(last)}, last != 0 && is_even(last)};
}

/// x as a decimal with all its digits.
Decimal all_digits(const Exact& x) {
  const int power = -std::max(0, -x.exponent);
  Decimal r = to_decimal(divide_by_power_of_ten(x, power).quotient, power);
  r.digits.erase(r.digits.find_last_not_of('0') + 1);
  return r;
}

/// The decimal of fewest digits between two bounds, closest to x.
Decimal shortest_between(const Exact& low, bool low_closed, const Exact& x, const Exact& high,
                         bool high_closed) {
  // 10^power is below the width, so that there are multiples of it inside
  const Integer width = high.mantissa - low.mantissa;
  int power = int(std::floor((int(msb(width)) + high.exponent) * 0.30102999566398119)) - 1;
  const Scaled scaled_low = divide_by_power_of_ten(low, power);
  const Scaled scaled_high = divide_by_power_of_ten(high, power);
  Integer first = scaled_low.quotient;
  if (!scaled_low.exact || !low_closed) ++first;
  Integer last = scaled_high.quotient;
  if (scaled_high.exact && !high_closed) --last;
  for (;;) {
    const Integer next_first = (first + 9) / 10;
    const Integer next_last = last / 10;
    if (next_first > next_last) break;
    first = next_first;
    last = next_last;
    ++power;
  }
  const Integer closest = round_half_even(divide_by_power_of_ten(x, power));
  return to_decimal(std::clamp(closest, first, last), power);
}

}  // namespace

template <class T>
Decimal shortest_decimal(const Exact& x, int count) {
  T limbs[4];
  nearest_limbs(x, limbs, count);
  Exact middle = exact_sum(limbs, count);
  // An x that ends at 10^-k is at least 10^-k away from every decimal that ends before it. If that
  // is more than the last limb can move, all digits are needed. 3.3220 > log2(10).
  const long bits_of_decimals = std::max(0L, -long(middle.exponent)) * 33220;
  if (bits_of_decimals < -10000L * half_gap_above(limbs[count - 1])) return all_digits(middle);

  Slack above = slack_above<T>(middle, count);
  Slack below = slack_above<T>({-middle.mantissa, middle.exponent}, count);
  align(above.size, below.size);
  align(above.size, middle);
  align(below.size, middle);
  const Exact high{middle.mantissa + above.size.mantissa, middle.exponent};
  const Exact low{middle.mantissa - below.size.mantissa, middle.exponent};
  return shortest_between(low, below.closed, middle, high, above.closed);
}

template Decimal shortest_decimal<double>(const Exact&, int);
template Decimal shortest_decimal<float>(const Exact&, int);
template Decimal shortest_decimal<half>(const Exact&, int);
template Decimal shortest_decimal<bfloat16>(const Exact&, int);

}  // namespace mct::io_detail
