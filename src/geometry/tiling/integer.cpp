// Integers beyond 64 bits.
#include "mctensor/geometry/tiling/integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/expansion/exact.hpp"
#include "src/geometry/tiling/big_integer.hpp"
#include "src/geometry/tiling/instantiate.hpp"

namespace mct::geometry {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::int64_t most_bits = std::int64_t(1) << 31;

/// A value as a cpp_int without a copy where it is one already.
class View {
 public:
  explicit View(const Integer& x) {
    if (x.is_small()) {
      own_ = x.small();
    } else {
      other_ = &x.big().value;
    }
  }
  const cpp_int& operator*() const { return other_ != nullptr ? *other_ : own_; }

 private:
  cpp_int own_;
  const cpp_int* other_ = nullptr;
};

template <class V>
struct LimbsOf {
  using Limb = V;
  static constexpr int count = 1;
  static V join(const Limb* limbs) { return limbs[0]; }
};
template <class T, int N>
struct LimbsOf<Expansion<T, N>> {
  using Limb = T;
  static constexpr int count = N;
  static Expansion<T, N> join(const Limb* limbs) {
    Expansion<T, N> r;
    for (int i = 0; i < N; ++i) r.limb[i] = limbs[i];
    return r;
  }
};

}  // namespace

Integer Integer::from_bits(int sign, std::uint64_t magnitude) {
  cpp_int value = magnitude;
  if (sign < 0) value = -value;
  return from_cpp_int(std::move(value));
}

Integer Integer::from_big(BigInteger&& value) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const cpp_int& v = value.value;
  if (v <= most && v >= -most) return {static_cast<std::int64_t>(v)};
  Integer r(v.sign());
  r.big_ = std::make_shared<const BigInteger>(std::move(value));
  return r;
}

Integer Integer::from_string(std::string_view decimal) {
  const std::string_view digits =
      decimal.empty() || decimal[0] != '-' ? decimal : decimal.substr(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    throw DomainError("'" + std::string(decimal) + "' is not a whole number");
  // a leading zero would mean octal
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return 0;
  cpp_int value{std::string(digits.substr(first))};
  if (digits.size() != decimal.size()) value = -value;
  return from_cpp_int(std::move(value));
}

Integer Integer::from_double(double value) {
  if (!std::isfinite(value) || value != std::trunc(value))
    throw DomainError(number_text(value) + " is not a whole number");
  if (std::fabs(value) < 9e18) return {std::int64_t(value)};
  int exponent;
  const double mantissa = std::frexp(value, &exponent);
  return Integer(std::int64_t(std::ldexp(mantissa, 53))).shifted(exponent - 53);
}

Integer Integer::from_digits(int sign, const std::vector<std::uint32_t>& digits) {
  if (digits.size() > std::size_t(most_bits / 32))
    throw DomainError("an integer of " + std::to_string(digits.size()) +
                      " digits of 32 bits is too large");
  if (digits.empty()) return 0;
  cpp_int value;
  import_bits(value, digits.data(), digits.data() + digits.size(), 32, false);
  if (sign < 0) value = -value;
  return from_cpp_int(std::move(value));
}

std::vector<std::uint32_t> Integer::digits() const {
  std::vector<std::uint32_t> r;
  if (sign() == 0) return r;
  r.reserve(std::size_t(bit_length() / 32 + 1));
  const View value(*this);
  export_bits(*value, std::back_inserter(r), 32, false);
  return r;
}

bool Integer::is_odd() const {
  return is_small() ? (small_ & 1) != 0 : bit_test(abs(big_->value), 0);
}

std::int64_t Integer::bit_length() const {
  if (is_small()) return std::bit_width(std::uint64_t(small_ < 0 ? -small_ : small_));
  return std::int64_t(msb(abs(big_->value))) + 1;
}

std::string Integer::to_string() const {
  return is_small() ? std::to_string(small_) : big_->value.str();
}

Integer Integer::operator-() const {
  if (is_small()) return -small_;
  return from_cpp_int(-big_->value);
}

Integer Integer::add_big(const Integer& a, const Integer& b) {
  return from_cpp_int(cpp_int(*View(a) + *View(b)));
}

Integer Integer::subtract_big(const Integer& a, const Integer& b) {
  return from_cpp_int(cpp_int(*View(a) - *View(b)));
}

Integer Integer::multiply_big(const Integer& a, const Integer& b) {
  return from_cpp_int(cpp_int(*View(a) * *View(b)));
}

Integer Integer::dot_big(const Integer& a0, const Integer& b0, const Integer& a1, const Integer& b1,
                         const Integer& a2, const Integer& b2) {
  cpp_int sum = *View(a0) * *View(b0);
  if (a1.sign() != 0 && b1.sign() != 0) sum += *View(a1) * *View(b1);
  if (a2.sign() != 0 && b2.sign() != 0) sum += *View(a2) * *View(b2);
  return from_cpp_int(std::move(sum));
}

bool Integer::equal_big(const Integer& a, const Integer& b) {
  return a.is_small() == b.is_small() && a.big_->value == b.big_->value;
}

Integer Integer::divided_by(std::int64_t divisor) const {
  if (is_small()) {
    const std::int64_t quotient = small_ / divisor;
    const bool below = small_ % divisor != 0 && (small_ < 0) != (divisor < 0);
    return below ? quotient - 1 : quotient;
  }
  cpp_int quotient = big_->value / divisor;
  if ((big_->value < 0) != (divisor < 0) && quotient * divisor != big_->value) --quotient;
  return from_cpp_int(std::move(quotient));
}

std::int64_t Integer::remainder(std::int64_t divisor) const {
  const std::int64_t rest =
      is_small() ? small_ % divisor : static_cast<std::int64_t>(cpp_int(big_->value % divisor));
  return rest < 0 ? rest + divisor : rest;
}

Integer Integer::shifted(std::int64_t bits) const {
  if (sign() == 0 || bits == 0) return *this;
  const std::int64_t length = bit_length();
  if (bits > most_bits || length + bits > most_bits)
    throw DomainError("an integer of " + std::to_string(length) + " bits times 2^" +
                      std::to_string(bits) + " is too large");
  if (bits <= -length) return sign() < 0 ? -1 : 0;
  if (bits < 0 && is_small()) return small_ >> -bits;
  cpp_int value = to_cpp_int(*this);
  if (bits > 0) return from_cpp_int(cpp_int(value << unsigned(bits)));
  // Boost shifts the magnitude: one more where a bit of a negative number is lost
  if (value >= 0) return from_cpp_int(cpp_int(value >> unsigned(-bits)));
  return from_cpp_int(cpp_int(-((-value - 1) >> unsigned(-bits)) - 1));
}

namespace {

/// The whole part of a root: that of the upper half of the bits, then a division for the digits
/// that follow and a correction by 1 or 2. Boost's root of many bits takes a hundred times as long.
/// Source: Zimmermann: Karatsuba square root, INRIA RR-3805, 1999.
cpp_int root_of(const cpp_int& x) {
  constexpr unsigned few = 2048;
  const unsigned bits = x.is_zero() ? 0 : msb(x) + 1;
  if (bits <= few) return sqrt(x);
  const unsigned k = bits / 4;
  const cpp_int upper = x >> (2 * k);
  const cpp_int first = root_of(upper);
  const cpp_int next = x >> k;
  const cpp_int rest = ((upper - first * first) << k) + (next - (upper << k));
  cpp_int digits, left;
  divide_qr(rest, cpp_int(first << 1), digits, left);
  cpp_int root = (first << k) + digits;
  left = (left << k) + (x - (next << k)) - digits * digits;
  for (; left < 0; --root) left += 2 * root - 1;
  return root;
}

}  // namespace

Integer Integer::square_root() const {
  if (sign() < 0)
    throw DomainError("the negative number " + shortened(*this) + " has no square root");
  return from_cpp_int(root_of(to_cpp_int(*this)));
}

template <class V>
V Integer::scaled(std::int64_t shift) const {
  using Limbs = LimbsOf<V>;
  if (is_small() && shift == 0) return V(small_);
  if (sign() == 0) return V(0);
  const std::int64_t top = bit_length() - shift;
  if (top < -100000) return V(0);
  if (top > 100000) return V(sign()) * V(std::numeric_limits<typename Limbs::Limb>::infinity());
  // only the leading bits count
  constexpr std::int64_t kept = Limbs::count * FloatTraits<typename Limbs::Limb>::p + 64;
  const std::int64_t dropped = std::max<std::int64_t>(0, bit_length() - kept);
  io_detail::Exact exact;
  exact.exponent = int(dropped - shift);
  exact.mantissa = abs(to_cpp_int(*this));
  exact.mantissa >>= unsigned(dropped);
  typename Limbs::Limb limbs[Limbs::count];
  io_detail::nearest_limbs(exact, limbs, Limbs::count);
  const V magnitude = Limbs::join(limbs);
  return sign() < 0 ? -magnitude : magnitude;
}

std::string shortened(const Integer& x) {
  constexpr std::int64_t shown_bits = 128;
  if (x.bit_length() <= shown_bits) return x.to_string();
  return "(a number of " + std::to_string(x.bit_length()) + " bits)";
}

namespace {

/// Below it powers of two and what they multiply stay normal numbers in every limb.
constexpr std::int64_t far_exponent = 700;

}  // namespace

template <int N>
Expansion<double, N> leading_value(const Integer& x, std::int64_t shift) {
  if (x.is_small()) return ldexp(Expansion<double, N>(x.small()), -int(shift));
  const auto& backend = x.big().value.backend();
  const auto* limbs = backend.limbs();
  const std::size_t count = backend.size();
  static_assert(sizeof(limbs[0]) == 8 && (N == 2 || N == 3));
  constexpr int word_bits = 64;
  constexpr int digits = 53;
  const int empty = std::countl_zero(std::uint64_t(limbs[count - 1]));
  // words of the digits from the highest on
  const auto word = [&](std::size_t i) {
    const std::uint64_t high = i < count ? limbs[count - 1 - i] : 0;
    const std::uint64_t low = i + 1 < count ? limbs[count - 2 - i] : 0;
    return high << empty | low >> 1 >> (word_bits - 1 - empty);
  };
  const std::uint64_t first = word(0);
  const std::uint64_t second = word(1);
  const auto as_number = [](std::uint64_t part) { return double(std::int64_t(part)); };
  constexpr double unit = 0x1p-53;
  const double head = as_number(first >> 11);
  const double next = unit * as_number((first & 0x7ff) << 42 | second >> 22);
  Expansion<double, N> r;
  // every limb is below a unit of the one before: one carry may run through
  if constexpr (N == 3) {
    const double last = unit * unit * as_number((second & 0x3fffff) << 31 | word(2) >> 33);
    const auto [high, low] = fast_two_sum(next, last);
    const auto [top, rest] = fast_two_sum(head, high);
    const auto [middle, bottom] = fast_two_sum(rest, low);
    r = Expansion<double, N>::from_limbs(top, middle, bottom);
  } else {
    const auto [top, rest] = fast_two_sum(head, next);
    r = Expansion<double, N>::from_limbs(top, rest);
  }
  const std::int64_t exponent = std::int64_t(word_bits * count) - empty - digits - shift;
  const double sign = x.sign() < 0 ? -1 : 1;
  if (std::abs(exponent) < far_exponent)
    return mct::detail::scale_limbs(r, sign * tiling_detail::power_of_two(exponent));
  return mct::detail::scale_limbs(ldexp(r, int(exponent)), sign);
}
template f64x2 leading_value<2>(const Integer&, std::int64_t);
template f64x3 leading_value<3>(const Integer&, std::int64_t);

template <class V>
bool leading_difference(const Integer& a, const Integer& b, std::int64_t apart, V& value,
                        std::int64_t& exponent) {
  using Leading = typename LeadingOf<V>::type;
  if constexpr (std::is_void_v<Leading>) {
    return false;
  } else {
    constexpr int N = Leading::components;
    const std::int64_t top = std::max(a.bit_length(), b.bit_length() + apart);
    const Leading d = leading_value<N>(a, top) - leading_value<N>(b, top - apart);
    const double size = std::fabs(d.limb[0]);
    if (!(size > most_cancelled)) return false;
    const int cancelled = -std::ilogb(size) - 1;
    exponent = top - cancelled;
    value = rounded_leading<V>(mct::detail::scale_limbs(d, tiling_detail::power_of_two(cancelled)));
    return true;
  }
}

#define MCT_INSTANTIATE(V)                           \
  template V Integer::scaled<V>(std::int64_t) const; \
  template bool leading_difference(const Integer&, const Integer&, std::int64_t, V&, std::int64_t&);
MCT_FOR_EACH_TILING_SCALAR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

cpp_int to_cpp_int(const Integer& x) { return x.is_small() ? cpp_int(x.small()) : x.big().value; }

Integer from_cpp_int(cpp_int&& x) { return Integer::from_big(BigInteger{std::move(x)}); }

}  // namespace mct::geometry
