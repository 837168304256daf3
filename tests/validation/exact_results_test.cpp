// The category "exact results": operands that are made for it, and what is said of a result missed.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "validation/core/typed_task.hpp"

namespace mct::validation {
namespace {

using Xs = std::array<f64x2, 3>;
constexpr std::size_t exact = std::size_t(Category::exact_results);

Operation<double, 2> operation_named(const std::string& name) {
  for (const auto& operation : arithmetic_operations<double, 2>())
    if (operation.name == name) return operation;
  ADD_FAILURE() << name;
  return {};
}

BlockResult run(const Operation<double, 2>& operation) {
  return TypedTask<double, 2>(operation, "f64x2").run(1, 0, 900);
}

TEST(ExactResults, QuotientsAndRootsAreNotMissed) {
  for (const char* name : {"div", "div_scalar", "sqrt", "rsqrt"}) {
    const BlockResult result = run(operation_named(name));
    EXPECT_EQ(result.by_category[exact].cases, 100u) << name;
    EXPECT_EQ(result.by_category[exact].max_error, 0) << name;
    EXPECT_EQ(result.violation_count, 0u) << name;
  }
}

TEST(ExactResults, AnErrorWithinTheBoundIsAMiss) {
  Operation<double, 2> division = operation_named("div");
  division.apply = [](const Xs& x) {
    f64x2 q = x[0] / x[1];
    q.limb[1] += ulp(q.limb[0]) * 0x1p-52;
    return renormalize(q);
  };
  division.promise.bound = 16;
  const BlockResult result = run(division);
  EXPECT_GT(result.violation_count, 90u);
  ASSERT_FALSE(result.violations.empty());
  EXPECT_EQ(result.violations[0].what, "an exact result is missed");
}

TEST(ExactResults, AreLeftOutWhereNothingIsSaidOfThem) {
  const BlockResult result = run(operation_named("mul"));
  EXPECT_EQ(result.by_category[exact].cases, 0u);
  EXPECT_EQ(result.errors.cases, 900u);
}

/// What MPFR has rounded, has too many bits, or bits below the smallest subnormal, may have an
/// error.
TEST(ExactResults, AreNumbersOfTheType) {
  OperationFacts facts;
  facts.exact_bits = 53;
  facts.arity = 2;
  facts.promise.bound = 1;
  facts.oracle = oracle::div;
  Workspace w;
  const auto must_be = [&](double x, double y, int lowest_exponent) {
    w.in[0].set_exact(f64x1(x));
    w.in[1].set_exact(f64x1(y));
    ask_oracle(facts, w, 64, 212);
    return must_be_exact(facts, w, lowest_exponent);
  };
  EXPECT_TRUE(must_be(105, 35, -10));
  EXPECT_FALSE(must_be(1, 3, -1000));
  EXPECT_TRUE(must_be(0x1.0000000000001p0, 4, -54));
  EXPECT_FALSE(must_be(0x1.0000000000001p0, 4, -53));
  EXPECT_FALSE(must_be(0, 4, -10));
  facts.exact_bits = 52;
  EXPECT_FALSE(must_be(0x1.0000000000001p0, 4, -54));
  facts.exact_bits = 0;
  EXPECT_FALSE(must_be(105, 35, -10));
}

}  // namespace
}  // namespace mct::validation
