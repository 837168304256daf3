#include "mctensor/base/functions.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace mct {
namespace {

int twice_by(FunctionRef<int(int)> f) { return 2 * f(3); }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int calls = 0;
  const auto count = [&](int x) { return ++calls + x; };
  EXPECT_EQ(twice_by(count), 8);
  struct Counter {
    int calls = 0;
    int operator()(int) { return ++calls; }
  } counter;
  EXPECT_EQ(twice_by(counter), 2);
  EXPECT_EQ(twice_by(counter), 4);  // the object itself, not a copy
  EXPECT_EQ(calls, 1);
}

TEST(FunctionRef, PassesReferencesAndWhatOnlyMoves) {
  std::string text = "a";
  const auto append = [](std::string& to, std::unique_ptr<int> what) {
    to += std::to_string(*what);
  };
  const FunctionRef<void(std::string&, std::unique_ptr<int>)> f = append;
  f(text, std::make_unique<int>(7));
  EXPECT_EQ(text, "a7");
}

TEST(OwnedFunction, HoldsACopyAndDestroysIt) {
  auto value = std::make_shared<int>(5);
  OwnedFunction<int(int)> f;
  EXPECT_FALSE(f);
  f = [value](int x) { return x + *value; };
  EXPECT_EQ(value.use_count(), 2);
  OwnedFunction<int(int)> moved = std::move(f);
  EXPECT_TRUE(moved);
  EXPECT_EQ(moved(2), 7);
  EXPECT_EQ(value.use_count(), 2);
  moved = {};
  EXPECT_FALSE(moved);
  EXPECT_EQ(value.use_count(), 1);
}

TEST(OwnedFunction, KeepsStateAndAnythingThatMoves) {
  OwnedFunction<int()> count = [n = std::make_unique<int>(0)]() mutable { return ++*n; };
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(count(), 2);
}

}  // namespace
}  // namespace mct
