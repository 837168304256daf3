// What translated floating-point instructions compute, against MPFR.
#include "tests/cuda/ptx/run_instructions.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mct::cuda {
namespace {

using Wide = long long;

/// a op b in a rounding, by MPFR.
template <class T>
T rounded(int (*op)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t), T a, T b, mpfr_rnd_t how) {
  mpfr_t x, y, r;
  mpfr_inits2(std::numeric_limits<T>::digits, x, y, r, nullptr);
  mpfr_set_d(x, double(a), MPFR_RNDN);
  mpfr_set_d(y, double(b), MPFR_RNDN);
  op(r, x, y, how);
  const T result = std::is_same_v<T, float> ? T(mpfr_get_flt(r, how)) : T(mpfr_get_d(r, how));
  mpfr_clears(x, y, r, nullptr);
  return result;
}
/// a b + c, in fewer bits than those of T if that is asked for.
template <class T>
T rounded_fma(T a, T b, T c, mpfr_rnd_t how, int bits = std::numeric_limits<T>::digits) {
  mpfr_t x, y, z, r;
  mpfr_inits2(std::numeric_limits<T>::digits, x, y, z, nullptr);
  mpfr_init2(r, bits);
  mpfr_set_d(x, double(a), MPFR_RNDN);
  mpfr_set_d(y, double(b), MPFR_RNDN);
  mpfr_set_d(z, double(c), MPFR_RNDN);
  mpfr_fma(r, x, y, z, how);
  const T result = std::is_same_v<T, float> ? T(mpfr_get_flt(r, how)) : T(mpfr_get_d(r, how));
  mpfr_clears(x, y, z, r, nullptr);
  return result;
}
/// x in `bits` bits.
double rounded_to(double x, int bits, mpfr_rnd_t how) {
  mpfr_t r;
  mpfr_init2(r, bits);
  mpfr_set_d(r, x, how);
  const double result = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clear(r);
  return result;
}
template <class T>
T rounded_root(T x, mpfr_rnd_t how) {
  mpfr_t r;
  mpfr_init2(r, std::numeric_limits<T>::digits);
  mpfr_set_d(r, double(x), MPFR_RNDN);
  mpfr_sqrt(r, r, how);
  const T result = T(mpfr_get_d(r, MPFR_RNDN));
  mpfr_clear(r);
  return result;
}
double from_integer(Wide x, int bits, mpfr_rnd_t how) {
  mpfr_t r;
  mpfr_init2(r, bits);
  mpfr_set_sj(r, x, how);
  const double result = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clear(r);
  return result;
}

constexpr double inf = std::numeric_limits<double>::infinity();

/// Values beyond an integer type become its outermost; C++ leaves that open.
template <class I>
double clamped(double x, double if_nan) {
  if (std::isnan(x)) return if_nan;
  const double lowest = double(std::numeric_limits<I>::min());
  if (x <= lowest) return lowest;
  if (x >= std::ldexp(1.0, std::numeric_limits<I>::digits))
    return double(std::numeric_limits<I>::max());
  return x + 0;  // no -0
}
template <class T>
T smaller(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
T larger(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// What the kernels of doubles and floats begin with.
template <class T>
std::vector<T> arithmetic(T a, T b, T c) {
  const auto down = MPFR_RNDD, up = MPFR_RNDU, zero = MPFR_RNDZ;
  return {a + b,
          a - b,
          a * b,
          a / b,
          std::fma(a, b, c),
          std::sqrt(a),
          1 / a,
          rounded(mpfr_add, a, b, down),
          rounded(mpfr_add, a, b, up),
          rounded(mpfr_add, a, b, zero),
          rounded(mpfr_mul, a, b, down),
          rounded(mpfr_mul, a, b, up),
          rounded(mpfr_mul, a, b, zero),
          rounded_fma(a, b, c, down),
          rounded_fma(a, b, c, up),
          rounded_fma(a, b, c, zero),
          rounded(mpfr_div, a, b, down),
          rounded(mpfr_div, a, b, up),
          rounded_root(a, down)};
}
template <class T>
std::vector<T> joined(std::vector<T> first, std::initializer_list<T> rest) {
  first.insert(first.end(), rest);
  return first;
}

std::vector<double> doubles(double a, double b, double c, int thread) {
  const auto down = MPFR_RNDD, up = MPFR_RNDU, zero = MPFR_RNDZ;
  const auto bits = ptx::to_bits(a);
  const double top = double(std::int32_t(bits >> 32));
  const double both =
      std::bit_cast<double>((bits & 0xffffffff00000000U) | (ptx::to_bits(b) & 0xffffffffU));
  const double constants[] = {1.0, -2.5, 1e-300};
  // a NaN becomes the upper bit of the integer
  const double no_int = -0x1p31, no_long = -0x1p63, no_unsigned = 0x1p31, no_unsigned_long = 0x1p63;
  return joined<double>(arithmetic(a, b, c),
                        {rounded_root(a, up),
                         smaller(a, b),
                         larger(a, b),
                         std::fabs(a),
                         -a,
                         std::copysign(a, b),
                         std::floor(a),
                         std::ceil(a),
                         std::trunc(a),
                         std::nearbyint(a),
                         8 * a,
                         double(a < b),
                         double(a <= b),
                         double(a == b),
                         double(a != b),
                         double(!(a < b)),
                         double(std::isnan(a)),
                         double(std::isinf(a)),
                         double(std::isfinite(a)),
                         double(std::signbit(a)),
                         double(float(a)),
                         rounded_to(a, 24, down),
                         rounded_to(a, 24, up),
                         rounded_to(a, 24, zero),
                         clamped<int>(std::trunc(a), no_int),
                         clamped<Wide>(std::trunc(a), no_long),
                         clamped<unsigned>(std::trunc(a), no_unsigned),
                         clamped<int>(std::nearbyint(a), no_int),
                         clamped<int>(std::floor(a), no_int),
                         clamped<int>(std::ceil(a), no_int),
                         clamped<unsigned long long>(std::trunc(a), no_unsigned_long),
                         top,
                         both,
                         a > 0 ? b : c,
                         from_integer(Wide(bits), 53, down),
                         from_integer(Wide(bits), 53, up),
                         constants[thread % 3],
                         thread % 2 == 0 ? 1.0 : 3.0,
                         double(thread % 5 + 1)});
}

template <class T>
std::vector<T> operands_of_floats(std::vector<T> in) {
  std::mt19937 random(2);
  std::uniform_real_distribution<T> number(-2, 2);
  while (in.size() < 96) in.push_back(std::ldexp(number(random), int(random() % 24) - 12));
  return in;
}

TEST(CudaPtx, Doubles) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_results<OfDoubles>(operands_of_floats(triples<double>({{0.0, -0.0, 1},
                                                                {-0.0, 0.0, 1},
                                                                {inf, 1, -inf},
                                                                {nan, 1, 2},
                                                                {1, nan, 2},
                                                                {-inf, inf, 1},
                                                                {2.5, 1e10, 1},
                                                                {-3.5, 3, 3},
                                                                {3e9, -7, 1},
                                                                {-3e9, 2, 2}})),
                            double(), doubles);
}

std::vector<float> floats(float a, float b, float c, int) {
  const auto down = MPFR_RNDD, up = MPFR_RNDU, zero = MPFR_RNDZ, near = MPFR_RNDN;
  const auto half = [](double x) { return float(rounded_to(x, 11, MPFR_RNDN)); };
  const auto bfloat = [](double x) { return float(rounded_to(x, 8, MPFR_RNDN)); };
  const auto fused = [](double x, double y, double z, int bits) {
    return float(rounded_fma(x, y, z, MPFR_RNDN, bits));
  };
  const double ha = half(a), hb = half(b), hc = half(c);
  const double ba = bfloat(a), bb = bfloat(b), bc = bfloat(c);
  const auto bits = std::int32_t(ptx::to_bits(a));
  const bool nan = std::isnan(a) || std::isnan(b);
  int truths = 0;
  for (const bool truth :
       {a == b, !nan && a != b, a<b, a <= b, a> b, a >= b, nan || a == b, nan || a != b,
        nan || a < b, nan || a <= b, nan || a > b, nan || a >= b, !nan, nan})
    truths = truths * 2 + int(truth);
  return joined<float>(arithmetic(a, b, c),
                       {smaller(a, b),
                        larger(a, b),
                        std::fabs(a),
                        std::copysign(a, b),
                        a > 0 ? std::min(a, 1.0F) : 0.0F,
                        std::floor(a),
                        std::ceil(a),
                        std::trunc(a),
                        std::nearbyint(a),
                        float(int(clamped<int>(std::trunc(a), 0))),
                        float(clamped<Wide>(std::trunc(a), -0x1p63)),
                        float(int(clamped<int>(std::nearbyint(a), 0))),
                        float(clamped<unsigned>(std::trunc(a), 0)),
                        float(from_integer(bits, 24, down)),
                        float(from_integer(bits, 24, up)),
                        float(from_integer(Wide(std::uint64_t(Wide(bits)) << 20 | 1), 24, zero)),
                        float(rounded_to(a, 8, near)),
                        half(a),
                        float(rounded_to(a, 11, down)),
                        float(rounded_to(a, 11, up)),
                        float(rounded_to(a, 11, zero)),
                        float(rounded_to(-double(a), 11, zero)),
                        half(ha + hb),
                        half(ha * hb),
                        fused(ha, hb, hc, 11),
                        float(larger(ha, hb)),
                        fused(ba, bb, bc, 8),
                        float(smaller(ba, bb)),
                        float(ba),
                        float(bb),
                        fused(ha, hb, hc, 11),
                        fused(hb, hc, ha, 11),
                        float(truths)});
}

TEST(CudaPtx, Floats) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto in = operands_of_floats(triples<float>({{0.0F, -0.0F, 1},
                                               {-0.0F, 0.0F, 1},
                                               {infinity, 1, -infinity},
                                               {nan, 1, 2},
                                               {1, nan, 2},
                                               {-infinity, infinity, 1},
                                               {2.5F, 100, 1},
                                               {-3.5F, 3, 3}}));
  for (float& x : in)  // products of half stay normal
    if (std::isfinite(x) && x != 0) x = std::copysign(std::clamp(std::fabs(x), 0.05F, 100.0F), x);
  expect_results<OfFloats>(in, float(), floats);
}

}  // namespace
}  // namespace mct::cuda
