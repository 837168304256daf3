// Points of the plane as decimal text: written exactly, at any distance.
#include <algorithm>
#include <array>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <string>

#include "apps/mct/compress.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "output/progress.hpp"

namespace mct::cli::compress {
namespace {

// GMP divides and prints n digits in little more time than a product takes. Boost's own integers
// take n^2, which would be minutes for some hundred points far out.
using Big = boost::multiprecision::mpz_int;
using geometry::Integer;

/// Decimals in addition to those that the distance needs.
constexpr int spare_decimals = 17;

Big to_big(const Integer& x) {
  const std::vector<std::uint32_t> digits = x.digits();
  Big r;
  mpz_import(r.backend().data(), digits.size(), -1, sizeof(std::uint32_t), 0, 0, digits.data());
  return x.sign() < 0 ? Big(-r) : r;
}

/// L Z L^-1 h(u) times 2^fixed.
std::array<Big, 3> fixed_lorentz(const LTilingPoint<double>& x, std::int64_t fixed) {
  const auto one = Big(1) << unsigned(fixed);
  const Big u = whole_times_power<Big>(x.u[0], fixed);
  const Big v = whole_times_power<Big>(x.u[1], fixed);
  const Big height = sqrt(Big(one * one + u * u + v * v));
  const Big root3 = sqrt(Big(3 * one * one));
  const std::array<Big, 3> in = {Big(height * one / root3), u, v};
  std::array<Big, 3> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r[std::size_t(i)] += to_big(x.tile.entry(i, j)) * in[std::size_t(j)];
  r[0] = r[0] * root3 / one;
  return r;
}

/// numerator / denominator with `decimals` decimals, rounded to nearest.
std::string decimal_text(const Big& numerator, const Big& denominator, int decimals) {
  const Big scale = pow(Big(10), unsigned(decimals));
  const Big scaled = (abs(numerator) * scale * 2 + denominator) / (2 * denominator);
  std::string digits = scaled.str();
  if (digits.size() <= std::size_t(decimals))
    digits.insert(0, std::size_t(decimals) + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - std::size_t(decimals), ".");
  return (numerator < 0 && !scaled.is_zero() ? "-" : "") + digits;
}

/// The distance to the origin in bits.
std::int64_t far_bits(const LTilingPoint<double>& x) { return x.tile.entry(0, 0).bit_length() + 2; }

/// How many decimals cancel in numbers at this distance.
int far_decimals(std::int64_t far) { return int(std::ceil(double(far) * std::log10(2.0))); }

std::string line_of(const LTilingPoint<double>& x, PointStorage model, int decimals) {
  const std::int64_t far = far_bits(x);
  if (decimals == 0) decimals = far_decimals(far) + spare_decimals;
  const std::int64_t fixed = 2 * far + spare_bits + std::int64_t(decimals) * 4;
  const auto p = fixed_lorentz(x, fixed);
  const Big one = Big(1) << unsigned(fixed);
  if (model == PointStorage::ball) {
    const Big below = p[0] + one;
    return decimal_text(p[1], below, decimals) + ',' + decimal_text(p[2], below, decimals);
  }
  const Big below = p[0] - p[2];
  return decimal_text(p[1], below, decimals) + ',' + decimal_text(one, below, decimals);
}

}  // namespace

std::uint64_t digits_of_text(const std::vector<LTilingPoint<double>>& points, int decimals) {
  std::uint64_t digits = 0;
  for (const auto& x : points) {
    const int cancelled = far_decimals(far_bits(x));
    digits += 2 * std::uint64_t(std::max(decimals, cancelled + spare_decimals));
  }
  return digits;
}

void write_points(const std::filesystem::path& path,
                  const std::vector<LTilingPoint<double>>& points, PointStorage model,
                  int decimals) {
  output::ProgressBar bar("write", points.size(), "points");
  AtomicFile file(path);
  std::string text;
  const auto flush = [&] {
    file.write(text.data(), text.size());
    text.clear();
  };
  constexpr std::size_t block = std::size_t(1) << 20;
  for (std::size_t i = 0; i < points.size(); ++i) {
    text += line_of(points[i], model, decimals) + '\n';
    if (text.size() >= block) flush();
    bar.update(i + 1, points.size());
  }
  flush();
  bar.finish();
  file.commit();
}

}  // namespace mct::cli::compress
