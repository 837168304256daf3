// Expansions of half and bfloat16: the suite's operations with their bounds against MPFR, here
// without fma (the suite itself has it); construction, conversions, text.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>
#include <unordered_set>

#include "mctensor/expansion/literals.hpp"
#include "validation/core/typed_task.hpp"

namespace {

template <class X>
class HalfExpansion : public ::testing::Test {};
using Types =
    ::testing::Types<mct::f16x1, mct::f16x2, mct::f16x3, mct::bf16x1, mct::bf16x2, mct::bf16x3>;
TYPED_TEST_SUITE(HalfExpansion, Types);

template <class X>
using LimbOf = typename X::value_component;

void expect_no_violation(const mct::validation::TaskList& tasks) {
  for (const auto& task : tasks) {
    const auto what = task->describe();
    const auto cases = std::uint64_t(20000 * task->weight()) + 100;
    for (const auto& result : {task->run(7, 0, cases), task->run_specials()}) {
      EXPECT_EQ(result.violation_count, 0u)
          << what.type << ' ' << what.operation << ": " << result.errors.max_error << " of "
          << what.bound_text << ", "
          << (result.violations.empty()
                  ? std::string()
                  : result.violations[0].replay + ' ' + result.violations[0].what);
    }
  }
}

TYPED_TEST(HalfExpansion, OperationsKeepTheirBounds) {
  mct::validation::TaskList tasks;
  mct::validation::add_expansion_tasks<LimbOf<TypeParam>, TypeParam::components>(tasks);
  expect_no_violation(tasks);
}

TEST(HalfTransforms, KeepTheirBounds) {
  mct::validation::TaskList tasks;
  mct::validation::add_tasks(tasks, mct::validation::eft_operations<mct::half>(), "f16");
  mct::validation::add_tasks(tasks, mct::validation::eft_operations<mct::bfloat16>(), "bf16");
  expect_no_violation(tasks);
}

TYPED_TEST(HalfExpansion, ConstructionAndMixedOperands) {
  using X = TypeParam;
  static_assert(std::is_trivially_copyable_v<X> && sizeof(X) == 2 * X::components);
  static_assert(std::is_same_v<decltype(X(1) + 1), X> && std::is_same_v<decltype(2.5 * X(1)), X>);
  static_assert(std::is_same_v<decltype(X(1) + LimbOf<X>(1)), X>);
  const X third = X(1) / 3;
  EXPECT_EQ(third * 0, 0);
  EXPECT_EQ(third - third, 0);
  EXPECT_EQ(third * 1, third);
  EXPECT_EQ(2 * third - third, third);
  EXPECT_TRUE(third < 0.34 && 0.33 < third);
  EXPECT_TRUE(mct::is_normalized(third));
  EXPECT_EQ(X(LimbOf<X>(3)), 3);
  EXPECT_EQ(double(X(-0.0)), 0);
  EXPECT_TRUE(std::signbit(double(X(-0.0))));
  for (int i = -256; i <= 256; ++i) EXPECT_EQ(double(X(i)), i);
  EXPECT_EQ(std::unordered_set<X>({X(6) / 3, X(2)}).size(), 1u);
  constexpr X constant = X(1) / X(3);
  EXPECT_EQ(constant, third);
}

TYPED_TEST(HalfExpansion, LimitsAreConsistent) {
  using X = TypeParam;
  using L = std::numeric_limits<X>;
  EXPECT_TRUE(mct::is_normalized(L::max()) && isfinite(L::max()));
  EXPECT_EQ(L::lowest(), -L::max());
  EXPECT_NE(X(1) + L::epsilon(), X(1));
  EXPECT_TRUE(isinf(L::max() + L::max()) && isinf(L::infinity()) && isnan(L::quiet_NaN()));
  EXPECT_GT(L::min(), 0);
}

TYPED_TEST(HalfExpansion, TextRoundTrips) {
  using X = TypeParam;
  const X x = X(2) / 7;
  EXPECT_EQ(mct::from_string<X>(to_string(x)), x);
  EXPECT_EQ(mct::from_string<X>(to_hex_string(x)), x);
  std::stringstream stream;
  stream << std::scientific << x << ' ' << X(std::numeric_limits<LimbOf<X>>::infinity());
  X read;
  stream >> read;
  EXPECT_LT(abs(read - x), X(1e-5));
}

TEST(HalfExpansions, EveryComponentAsShortestText) {
  for (std::uint32_t i = 0; i < 65536; i += 3) {
    const mct::f16x1 x(mct::half::from_bits(std::uint16_t(i)));
    if (isfinite(x)) {
      EXPECT_EQ(mct::from_string<mct::f16x1>(to_string(x)).limb[0].bits(), i);
    }
    const mct::bf16x1 y(mct::bfloat16::from_bits(std::uint16_t(i)));
    if (isfinite(y)) {
      EXPECT_EQ(mct::from_string<mct::bf16x1>(to_string(y)).limb[0].bits(), i);
    }
  }
  EXPECT_EQ(to_string(mct::f16x1(65504)), "65500");  // the neighbours are 32 away
  EXPECT_THROW(mct::from_string<mct::f16x2>("0x1.001p+0,0x0p+0"), mct::DomainError);
}

TEST(HalfExpansions, IntegersAndDoubles) {
  EXPECT_EQ(double(mct::f16x2(65519)), 65519);
  EXPECT_TRUE(isinf(mct::f16x3(65520)));
  EXPECT_EQ(mct::f16x3(65520).limb[1], 0);
  EXPECT_TRUE(isinf(mct::f16x2(std::numeric_limits<std::int64_t>::min())));
  EXPECT_EQ(double(mct::bf16x3(16777215)), 16777215);
  EXPECT_EQ(mct::f16x2(1.001).limb[1], mct::half(1.001 - double(mct::half(1.001))));
  EXPECT_EQ(mct::f64x1(mct::f16x3(0.1)).limb[0], double(mct::f16x3(0.1)));
  EXPECT_EQ(mct::f64x2(mct::half(0.5)), 0.5);
  EXPECT_EQ(mct::bf16x2(mct::half(65504)), mct::bf16x2(65504));
  EXPECT_EQ(mct::bf16x2(mct::f16x1(65504)), mct::bf16x2(65504));
  using namespace mct::literals;
  EXPECT_EQ(0.1_f16x2, mct::f16x2(0.1));
  EXPECT_EQ(0.1_bf16x3, mct::bf16x3(0.1));
}

// Beyond the plain limit, renormalize once looped for ever: a partial sum overflows where the sum
// in the order given does not.
TEST(Renormalize, EndsAtTheOverflowThreshold) {
  const mct::half largest = std::numeric_limits<mct::half>::max();
  const mct::half terms[3] = {largest, mct::half(15.99), mct::half(0.01)};
  EXPECT_TRUE(isinf(mct::renormalize<3>(terms)));
  const double top = std::numeric_limits<double>::max();
  const double half_ulp = mct::ulp(top) / 2;
  const double wide[3] = {top, half_ulp * (1 - 0x1p-53), half_ulp * 0x1p-53};
  EXPECT_TRUE(isinf(mct::renormalize<3>(wide)));
}

}  // namespace
