#include "src/linalg/residue_lines.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mctensor/linalg/products.hpp"

namespace mct::linalg_detail {

namespace {

/// So that the digits of every M suffice, whatever its last modulus adds.
constexpr int most_result_bits = digit_bits * most_result_digits - 14;

/// Bits of the integers of a line whose elements are below 2^exponent. For the componentwise bound
/// K u^N every element x is rounded by at most K / 4 u^N |x|; by far less if it is not among the
/// smallest of its line, which are what decides. A line of plain numbers is exact before that.
int bits_of(const LineRange& range, int exponent, const LinePrecision& p) {
  if (p.accuracy == MatmulAccuracy::normwise) return p.precision == 53 ? 62 : p.precision + 1;
  const int spread = exponent - std::ilogb(std::bit_cast<double>(range.smallest));
  const int bits = std::max(p.precision + 4, p.precision + spread - p.allowance);
  return p.limbs == 1 ? std::min(bits, spread + 52) : bits;
}

double bound_of(int limbs, double k) {
  return limbs == 2 ? product_bound<double, 2>(k) : product_bound<double, 3>(k);
}

}  // namespace

LinePrecision LinePrecision::of(MatmulAccuracy accuracy, int result_limbs, double k) {
  LinePrecision p{accuracy, 0, 53 * result_limbs, 0};
  if (accuracy == MatmulAccuracy::componentwise)
    p.allowance = std::ilogb(bound_of(result_limbs, k) / 4);
  return p;
}

std::optional<IntegerLines> integer_lines(const std::vector<LineRange>& ranges,
                                          const LinePrecision& precision) {
  IntegerLines lines;
  for (const LineRange& range : ranges) {
    const auto largest = std::bit_cast<double>(range.largest);
    if (!std::isfinite(largest)) return std::nullopt;
    if (largest == 0) {
      lines.shift.push_back(0);
      continue;
    }
    if (precision.accuracy == MatmulAccuracy::componentwise && !range.normalized)
      return std::nullopt;
    // limbs that overlap add up to less than four times the largest; the unit stays what it is
    const int overlap = range.normalized ? 0 : 2;
    const int exponent = std::ilogb(largest) + 1 + overlap;
    const int bits = bits_of(range, exponent, precision) + overlap;
    lines.bits = std::max(lines.bits, bits);
    lines.shift.push_back(bits - exponent);
  }
  return lines;
}

std::vector<double> IntegerLines::factors(std::int64_t padded, int half, bool inverse) const {
  std::vector<double> result(static_cast<std::size_t>(padded), 0.0);
  for (std::size_t i = 0; i < shift.size(); ++i) {
    const int exponent = inverse ? -shift[i] : shift[i];
    result[i] = std::ldexp(1.0, half == 0 ? exponent / 2 : exponent - exponent / 2);
  }
  return result;
}

std::optional<IntegerSize> integer_size(const IntegerLines& left, const IntegerLines& right,
                                        std::int64_t k) {
  const int most = std::max({left.bits, right.bits, 1});
  const int digits = std::max((most + digit_bits - 1) / digit_bits, least_operand_digits);
  // integers are at most 2^bits
  const double bits =
      std::max(left.bits + right.bits + std::log2(double(k)) + 1, double(least_result_bits));
  if (digits > most_operand_digits || bits > most_result_bits) return std::nullopt;
  if (moduli_for(ResidueSize::pair, bits) == 0) return std::nullopt;
  return IntegerSize{digits, bits};
}

}  // namespace mct::linalg_detail
