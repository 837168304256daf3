// The filter: what users write works, what nobody should write is refused or matched at once.
#include "validation/core/name_filter.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::validation {
namespace {

using mct::testing::message_of;

bool passes(const char* filter, const char* name) { return NameFilter(filter).passes(name); }

TEST(NameFilter, DocumentedFilters) {
  EXPECT_TRUE(passes("", "f64x2 add"));
  EXPECT_TRUE(passes("f64x2 (add|mul)", "f64x2 mul"));
  EXPECT_FALSE(passes("f64x2 (add|mul)", "f64x2 div"));
  EXPECT_TRUE(passes("(dot|dot_plain|mv|mm|sum)$", "f32x3 dot_plain"));
  EXPECT_FALSE(passes("(dot|dot_plain|mv|mm|sum)$", "f32x3 sum_limbs"));
  EXPECT_TRUE(passes("^tensor", "tensor/mm"));
  EXPECT_FALSE(passes("^tensor", "a tensor"));
  EXPECT_TRUE(passes("math/.*/f64x2", "math/exp/f64x2"));
  EXPECT_TRUE(passes("exp|log", "f64x4 log1p"));
  EXPECT_TRUE(passes("F64X2 .*", "f64x2 sqrt"));
  EXPECT_TRUE(passes("^[bf]\\d+x2 \\w+$", "f64x2 sqrt"));
}

TEST(NameFilter, WhatIsNoExpressionIsSaid) {
  for (const std::string& text : {std::string("["), std::string("(a"), std::string("*"),
                                  std::string("a{1000}{1000}{1000}"), std::string(100000, '(')}) {
    const std::string message = message_of<DomainError>([&] { NameFilter filter(text); });
    EXPECT_NE(message.find("is not a regular expression"), std::string::npos) << message;
    EXPECT_LT(message.size(), 200u);
  }
}

/// std::regex called itself for each of them.
TEST(NameFilter, ParenthesesDoNotUseUpTheStack) {
  const std::string nested = std::string(100000, '(') + "add" + std::string(100000, ')');
  EXPECT_TRUE(passes(nested.c_str(), "f64x2 add"));
  EXPECT_FALSE(passes(nested.c_str(), "f64x2 mul"));
}

/// std::regex took exponential time in the length of the name.
TEST(NameFilter, TimeIsLinear) {
  const std::clock_t start = std::clock();
  const std::string name(100000, 'a');
  EXPECT_FALSE(NameFilter("(.*)*b").passes(name));
  EXPECT_FALSE(NameFilter("(a|a)*(a|a)*c").passes(name));
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 1);
}

}  // namespace
}  // namespace mct::validation
