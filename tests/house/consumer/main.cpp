// Checks that the compiler did not contract a * b + c, against integer arithmetic: two_sum(a * b,
// c) must be exact for the rounded product. Then that the installed library links.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mctensor/mctensor.hpp>
#include <string>
#include <vector>

namespace {

__extension__ typedef __int128 Wide;

constexpr int trials = 1'000'000;

/// v rounded to 53 bits, ties to even.
Wide rounded(Wide v) {
  const bool negative = v < 0;
  const Wide m = negative ? -v : v;
  int bits = 0;
  for (Wide rest = m; rest != 0; rest >>= 1) ++bits;
  if (bits <= 53) return v;
  const int drop = bits - 53;
  const Wide unit = Wide(1) << drop;
  const Wide rest = m & (unit - 1);
  Wide r = m - rest;
  if (2 * rest > unit || (2 * rest == unit && (r & unit) != 0)) r += unit;
  return negative ? -r : r;
}

struct Case {
  double a, b, c;
  Wide product;  // a * b exactly
  Wide addend;   // c exactly
};

/// A pseudo-random whole number of 53 bits, odd so that products need all their bits.
std::int64_t random_significand(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  const auto m = std::int64_t((z >> 12) | (std::uint64_t(1) << 52) | 1);
  return (z & 2) != 0 ? -m : m;
}

std::vector<Case> make_cases() {
  std::vector<Case> cases(trials);
  std::uint64_t state = 1;
  for (int i = 0; i < trials; ++i) {
    const std::int64_t a = random_significand(state);
    const std::int64_t b = random_significand(state);
    const std::int64_t c = random_significand(state);
    const int shift = i % 61;  // c from far below the product to just above it
    cases[i] = {double(a), double(b), std::ldexp(double(c), shift), Wide(a) * b,
                Wide(c) * (Wide(1) << shift)};
  }
  return cases;
}

using Transform = std::vector<mct::HiLo<double>>;

// Loops with nothing else in them, because a compiler contracts within one block of code only.
Transform all_sums(const std::vector<Case>& cases) {
  Transform r(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    r[i] = mct::two_sum(cases[i].a * cases[i].b, cases[i].c);
  return r;
}

Transform all_products(const std::vector<Case>& cases) {
  Transform r(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) r[i] = mct::two_prod(cases[i].a, cases[i].b);
  return r;
}

/// Whether hi + lo = exact and hi is exact rounded.
bool is_transform_of(const mct::HiLo<double>& x, Wide exact) {
  return Wide(x.hi) == rounded(exact) && Wide(x.hi) + Wide(x.lo) == exact;
}

}  // namespace

int main() {
  const std::vector<Case> cases = make_cases();
  const Transform sum = all_sums(cases);
  const Transform product = all_products(cases);
  int sums = 0;
  int products = 0;
  for (int i = 0; i < trials; ++i) {
    if (!is_transform_of(sum[i], rounded(cases[i].product) + cases[i].addend)) ++sums;
    if (!is_transform_of(product[i], cases[i].product)) ++products;
  }
  const std::string third = mct::to_string(mct::f64x2(1) / mct::f64x2(3), 31);
  const bool library_works = third == "0." + std::string(31, '3');
  std::printf("%d of %d sums and %d products wrong, 1/3 = %s\n", sums, trials, products,
              third.c_str());
  return sums == 0 && products == 0 && library_works ? 0 : 1;
}
