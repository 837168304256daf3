// + - * / of half and bfloat16 on pairs of values, against the definition of correct rounding: some
// millions of pairs in an ordinary run, all 2^32 of each with MCT_EXHAUSTIVE=1
// (./run test --exhaustive), where all floats are converted as well.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/eft/short_float_reference.hpp"

namespace {

using mct::test::Rounding;

template <class T>
class HalfPairs : public ::testing::Test {};
using Formats = ::testing::Types<mct::half, mct::bfloat16>;
TYPED_TEST_SUITE(HalfPairs, Formats);

bool exhaustive() { return std::getenv("MCT_EXHAUSTIVE") != nullptr; }

/// Operations with one failure: "a op b = r", empty if there is none.
template <class T>
std::string wrong_operation(const Rounding<T>& rounding, T a, T b) {
  const double x(a);
  const double y(b);
  const float fx(a);
  const float fy(b);
  const bool ordinary = std::isfinite(fx) && std::isfinite(fy);
  const auto report = [&](char op, T r) {
    return std::to_string(a.bits()) + ' ' + op + ' ' + std::to_string(b.bits()) + " = " +
           std::to_string(r.bits()) + " (bits)";
  };
  // the sign of a zero is that of the float operation, which cannot underflow to the other one
  const auto zero_is_right = [](T r, float expected) {
    return (r.bits() & 0x7fff) != 0 || std::signbit(expected) == ((r.bits() & 0x8000) != 0);
  };

  const T sum = a + b;
  const T difference = a - b;
  const T product = a * b;
  const T quotient = a / b;
  if (!ordinary) {
    if (!mct::test::is_special_result(sum, fx + fy)) return report('+', sum);
    if (!mct::test::is_special_result(difference, fx - fy)) return report('-', difference);
    if (!mct::test::is_special_result(product, fx * fy)) return report('*', product);
    if (!mct::test::is_special_result(quotient, fx / fy)) return report('/', quotient);
    return {};
  }
  const auto s = mct::test::exact_sum(x, y);
  if (!rounding.is_rounded(sum, s.hi, s.lo) || !zero_is_right(sum, fx + fy))
    return report('+', sum);
  const auto d = mct::test::exact_sum(x, -y);
  if (!rounding.is_rounded(difference, d.hi, d.lo) || !zero_is_right(difference, fx - fy))
    return report('-', difference);
  if (!rounding.is_rounded(product, x * y) || !zero_is_right(product, fx * fy))
    return report('*', product);
  if (y == 0) {
    if (!mct::test::is_special_result(quotient, fx / fy)) return report('/', quotient);
  } else if (!rounding.is_rounded_quotient(quotient, x, y) || !zero_is_right(quotient, fx / fy)) {
    return report('/', quotient);
  }
  return {};
}

/// Calls check(i) for i in [0, 65536) on all processors, with a progress line; the first text that
/// is not empty is the result.
template <class Check>
std::string for_all_bits(const char* what, Check check) {
  std::atomic<std::uint32_t> next{0};
  std::atomic<bool> failed{false};
  std::string failure;
  const auto work = [&](bool talks) {
    for (std::uint32_t i; !failed && (i = next++) < 65536;) {
      std::string text = check(i);
      if (!text.empty() && !failed.exchange(true)) failure = std::move(text);
      if (talks && i % 256 < 2) std::fprintf(stderr, "\r%s: %5.1f %%", what, i / 655.36);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t)
    threads.emplace_back(work, false);
  work(true);
  for (auto& thread : threads) thread.join();
  std::fprintf(stderr, "\r%s: done   \n", what);
  return failure;
}

TYPED_TEST(HalfPairs, SampledOperationsAreCorrectlyRounded) {
  const Rounding<TypeParam> rounding;
  // each operation on 2^23 pairs: an odd stride walks the 2^32 pairs evenly
  constexpr std::uint32_t stride = 2654435769u;
  std::uint32_t pair = 1;
  for (int i = 0; i < 1 << 23; ++i, pair += stride) {
    const auto a = TypeParam::from_bits(std::uint16_t(pair >> 16));
    const auto b = TypeParam::from_bits(std::uint16_t(pair * 40503u >> 8));
    const std::string wrong = wrong_operation(rounding, a, b);
    ASSERT_EQ(wrong, "");
  }
}

TYPED_TEST(HalfPairs, NeighboursOfSpecialValuesAreCorrectlyRounded) {
  const Rounding<TypeParam> rounding;
  const std::uint32_t infinity = Rounding<TypeParam>::infinity;
  std::vector<std::uint16_t> values;
  const std::uint32_t one = TypeParam(1).bits();
  const std::uint32_t normal = std::numeric_limits<TypeParam>::min().bits();
  for (const std::uint32_t center : {2u, normal, normal * 2, one, infinity - 2, infinity})
    for (std::uint32_t v = center - 2; v <= center + 2; ++v)
      for (const std::uint32_t sign : {0u, 0x8000u}) values.push_back(std::uint16_t(v | sign));
  for (const auto v : values) {
    for (std::uint32_t w = 0; w < 65536; ++w) {
      const auto a = TypeParam::from_bits(v);
      const auto b = TypeParam::from_bits(std::uint16_t(w));
      ASSERT_EQ(wrong_operation(rounding, a, b), "");
      ASSERT_EQ(wrong_operation(rounding, b, a), "");
    }
  }
}

TYPED_TEST(HalfPairs, ExhaustiveOperations) {
  if (!exhaustive()) GTEST_SKIP() << "all 2^32 pairs: ./run test --exhaustive";
  const Rounding<TypeParam> rounding;
  EXPECT_EQ(for_all_bits("all pairs, + - * /",
                         [&](std::uint32_t i) -> std::string {
                           const auto a = TypeParam::from_bits(std::uint16_t(i));
                           for (std::uint32_t j = 0; j < 65536; ++j) {
                             const auto b = TypeParam::from_bits(std::uint16_t(j));
                             std::string wrong = wrong_operation(rounding, a, b);
                             if (!wrong.empty()) return wrong;
                           }
                           return {};
                         }),
            "");
}

TYPED_TEST(HalfPairs, ExhaustiveConversionOfFloats) {
  if (!exhaustive()) GTEST_SKIP() << "all 2^32 floats: ./run test --exhaustive";
  const Rounding<TypeParam> rounding;
  EXPECT_EQ(for_all_bits("all floats",
                         [&](std::uint32_t i) -> std::string {
                           for (std::uint32_t j = 0; j < 65536; ++j) {
                             const auto f = std::bit_cast<float>(i << 16 | j);
                             const TypeParam r(f);
                             bool right = r.bits() == TypeParam(double(f)).bits();
                             if (std::isfinite(f)) {
                               right = right && rounding.is_rounded(r, f);
                             } else {
                               right = right && mct::test::is_special_result(r, f);
                             }
                             if (!right) return std::to_string(i << 16 | j);
                           }
                           return {};
                         }),
            "");
}

}  // namespace
