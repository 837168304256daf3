// The tables of functions of plain numbers: 16 entries that registers hold, and polynomials.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "validation/constants/formulas.hpp"

namespace mct::validation {

/// A function that returns an array, read at computed indices.
inline std::string plain_array(const std::string& name, const std::vector<double>& values) {
  std::string out = fmt::format(
      "  MCT_HD static const double* {}() {{\n    static constexpr double data[{}] = {{\n", name,
      values.size());
  for (const double value : values) out += fmt::format("{:a},\n", value);
  return out + "};\n    return data;\n  }\n";
}

inline double rounded(const Number& value) { return value.convert_to<double>(); }

/// A table of values and what doubles leave of them.
class SixteenText {
 public:
  template <class Formula>
  explicit SixteenText(Formula formula) {
    for (int i = 0; i < 16; ++i) values_.push_back(formula(i));
  }

  /// In two doubles, the high one a multiple of 2^-cut if there is a cut.
  std::string high_and_low(int cut = 0) const {
    std::vector<double> high;
    std::vector<double> low;
    for (const Number& value : values_) {
      const Number unit = pow(Number(2), cut);
      high.push_back(cut == 0 ? rounded(value) : rounded(Number(round(value * unit) / unit)));
      low.push_back(rounded(Number(value - Number(high.back()))));
    }
    return plain_array("high", high) + plain_array("low", low);
  }
  std::string nearest() const {
    std::vector<double> values;
    for (const Number& value : values_) values.push_back(rounded(value));
    return plain_array("rounded", values);
  }
  /// The bits of entry i less i 2^48: of k 16 + i, shifted by 48 bits, k remains.
  std::string stepped() const {
    std::vector<double> values;
    std::uint64_t i = 0;
    for (const Number& value : values_)
      values.push_back(
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(rounded(value)) - (i++ << 48)));
    return plain_array("stepped", values);
  }

 private:
  std::vector<Number> values_;
};

inline std::string plain_struct(const std::string& name, const std::string& meaning,
                                const std::string& body) {
  return fmt::format("/// {}\nstruct {} {{\n{}}};\n\n", meaning, name, body);
}

/// The polynomial through f at the n + 1 Chebyshev nodes of [low, high]: its error is at most some
/// times that of the best one (Powell: On the maximum errors of polynomial approximations defined
/// by interpolation and by least squares criteria, Computer J. 9, 1967).
template <class F>
std::vector<Number> chebyshev_polynomial(F f, const Number& low, const Number& high, int n) {
  const int size = n + 1;
  std::vector<std::vector<Number>> rows;
  for (int i = 0; i < size; ++i) {
    const Number angle = pi() * (2 * i + 1) / (2 * size);
    const Number x = (low + high) / 2 + (high - low) / 2 * cos(angle);
    std::vector<Number> row;
    Number power = 1;
    for (int j = 0; j < size; ++j) {
      row.push_back(power);
      power *= x;
    }
    row.push_back(f(x));
    rows.push_back(std::move(row));
  }
  // Gauss, Jordan
  for (int i = 0; i < size; ++i) {
    int pivot = i;
    for (int k = i + 1; k < size; ++k)
      if (abs(rows[k][i]) > abs(rows[pivot][i])) pivot = k;
    std::swap(rows[i], rows[pivot]);
    for (int k = 0; k < size; ++k) {
      if (k == i) continue;
      const Number factor = rows[k][i] / rows[i][i];
      for (int j = i; j <= size; ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  std::vector<Number> coefficients;
  coefficients.reserve(std::size_t(size));
  for (int i = 0; i < size; ++i) coefficients.push_back(rows[i][size] / rows[i][i]);
  return coefficients;
}

/// A polynomial as a table of constants (math/value.hpp).
inline std::string plain_series(const std::string& name, const std::string& meaning,
                                const std::vector<Number>& coefficients) {
  std::string values;
  for (const Number& c : coefficients) values += fmt::format("{{{:a}}},\n", rounded(c));
  return fmt::format(
      "/// {0}\nstruct {1} {{\n  static constexpr int count = {2};\n"
      "  static constexpr int limbs = 1;\n  template <class T>\n"
      "  static constexpr T value[count][limbs] = {{}};\n}};\ntemplate <>\n"
      "inline constexpr double {1}::value<double>[{1}::count][{1}::limbs] = {{\n{3}}};\n\n",
      meaning, name, coefficients.size(), values);
}

/// f(x) but near zero, where its formula has no digits.
template <class F>
auto but_at_zero(F f, const Number& at_zero) {
  return [f, at_zero](const Number& x) -> Number {
    return abs(x) < pow(Number(2), -80) ? at_zero : Number(f(x));
  };
}

inline Number scaled_erfc(const Number& y) { return exp(y * y) * erfc(y); }

/// 16 / (16 + index) to 9 bits.
inline Number sixteenth_reciprocal(int index) {
  return round(Number(16 * 512) / (16 + index)) / 512;
}

inline std::string plain_exponentials_and_logarithms() {
  const SixteenText powers([](int i) { return exp(ln2() * i / 16); });
  const SixteenText reciprocals(sixteenth_reciprocal);
  const SixteenText logarithms([](int i) { return Number(-log(sixteenth_reciprocal(i))); });
  const SixteenText binary([](int i) { return Number(-log(sixteenth_reciprocal(i)) / ln2()); });
  const Number r = ln2() / 32 * Number(1001) / 1000;
  const Number d = Number(323) / 10000;
  return plain_struct("PlainExp2",
                      "2^(index / 16); stepped: its bits less index 2^48, to which 2^48 n adds.",
                      powers.high_and_low() + powers.stepped()) +
         plain_struct("PlainLogReciprocal", "c = 16 / (16 + index) to 9 bits.",
                      reciprocals.nearest()) +
         plain_struct("PlainLog", "-log(c); the high part is a multiple of 2^-42.",
                      logarithms.high_and_low(42) + logarithms.nearest()) +
         plain_struct("PlainLog2", "-log2(c); the high part is a multiple of 2^-42.",
                      binary.high_and_low(42) + binary.nearest()) +
         plain_series(
             "PlainExpSeries",
             "(e^r - 1 - r) / r^2 for |r| <= log(2) / 32, to 2^-40 relative to e^r - 1.",
             chebyshev_polynomial(
                 but_at_zero([](const Number& x) { return Number((exp(x) - 1 - x) / x / x); },
                             Number(1) / 2),
                 -r, r, 3)) +
         plain_series(
             "PlainLogSeries",
             "(log(1 + d) - d) / d^2 for |d| <= 0.0323, to 2^-42 relative to log(1 + d).",
             chebyshev_polynomial(
                 but_at_zero([](const Number& x) { return Number((log(1 + x) - x) / x / x); },
                             Number(-1) / 2),
                 -d, d, 5));
}

inline std::string plain_trigonometry() {
  const SixteenText sines([](int i) { return Number(sin(pi() * i / 16)); });
  const SixteenText cosines([](int i) { return i == 8 ? Number(0) : Number(cos(pi() * i / 16)); });
  const SixteenText angles([](int i) { return Number(atan(Number(i) / 16)); });
  const auto ratio = [](const Number& z) { return Number(asin(sqrt(z)) / sqrt(z)); };
  const Number quarter = Number(2501) / 10000;
  return plain_struct("PlainSine", "sin(index pi / 16).", sines.high_and_low()) +
         plain_struct("PlainCosine", "cos(index pi / 16).", cosines.high_and_low()) +
         plain_struct("PlainArcTangent", "atan(index / 16).", angles.high_and_low()) +
         plain_series("PlainShortAsinSeries",
                      "(asin(x) / x - 1) / x^2 in x^2 <= 1/4, to 2^-42 relative to asin(x).",
                      chebyshev_polynomial(
                          but_at_zero([&](const Number& z) { return Number((ratio(z) - 1) / z); },
                                      Number(1) / 6),
                          0, quarter, 8)) +
         plain_series(
             "PlainAsinSeries",
             "(asin(x) / x - 1 - x^2 / 6) / x^4 in x^2 <= 1/4, to 2^-63 relative to asin(x).",
             chebyshev_polynomial(
                 but_at_zero(
                     [&](const Number& z) { return Number((ratio(z) - 1 - z / 6) / z / z); },
                     Number(3) / 40),
                 0, quarter, 13));
}

/// Rows of coefficients of e^(y^2) erfc(y) in y - c + 1 around c - 1.
inline std::string scaled_erfc_rows() {
  constexpr int degree = 10;
  constexpr int count = 78;
  std::vector<double> entries;
  for (int j = 0; j < count; ++j) {
    const Number unit = pow(Number(2), j / 16) / 16;
    const Number center = unit * (16 + j % 16) + unit / 2;
    const auto around = [&](const Number& w) { return scaled_erfc(center - 1 + w); };
    const auto c = chebyshev_polynomial(around, -unit / 2, unit / 2, degree);
    for (int i = 0; i <= degree; ++i) {
      entries.push_back(rounded(c[i]));
      if (i < 2) entries.push_back(rounded(Number(c[i] - Number(entries.back()))));
    }
  }
  return plain_struct(
      "PlainErfcRows",
      "e^(y^2) erfc(y) around y = c - 1, c = 2^i (33 + 2 j) / 32, row 16 i + j: two limbs of each\n"
      "/// of the first two coefficients and one of the others, to 2^-61.",
      fmt::format("  static constexpr int width = {};\n", degree + 3) +
          plain_array("data", entries));
}

inline std::string plain_special() {
  const Number k = Number(15) / 4;
  const auto transformed = [&](const Number& t) {
    const Number y = k * (1 + t) / (1 - t);
    return Number((1 + y / k) * scaled_erfc(y));
  };
  const Number last = Number(103) / 10;
  return plain_series("PlainShortErfcSeries",
                      "(1 + y/k) e^(y^2) erfc(y) in (y - k) / (y + k), k = 3.75, for 0 <= y <= "
                      "10.3, to 2^-41.",
                      chebyshev_polynomial(transformed, -1, (last - k) / (last + k), 14)) +
         plain_series(
             "PlainShortErfSeries", "erf(x) / x in x^2 <= 1/4, to 2^-43.",
             chebyshev_polynomial(
                 but_at_zero([](const Number& z) { return Number(erf(sqrt(z)) / sqrt(z)); },
                             2 / sqrt(pi())),
                 0, Number(2501) / 10000, 6)) +
         scaled_erfc_rows() +
         plain_series(
             "PlainCubeRootSeries", "The cube root of a number in [1, 2), to 2^-16.",
             chebyshev_polynomial([](const Number& m) { return Number(cbrt(m)); }, 1, 2, 4));
}

}  // namespace mct::validation
