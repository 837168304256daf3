// Names of an enumeration's values.
#include "mctensor/base/names.hpp"

#include <gtest/gtest.h>

#include "tests/files.hpp"

namespace mct {
namespace {

enum class Fruit { apple, pear = 7, plum };
constexpr Names<Fruit, 2> fruit_names{{{Fruit::pear, "pear"}, {Fruit::apple, "apple"}}};

TEST(Names, LeadBothWays) {
  EXPECT_EQ(fruit_names.of(Fruit::pear), "pear");
  EXPECT_EQ(fruit_names.of(Fruit::plum), "");
  EXPECT_EQ(fruit_names.find("apple"), Fruit::apple);
  EXPECT_EQ(fruit_names.find("Apple"), std::nullopt);
  EXPECT_EQ(fruit_names.value("no fruit", "pear"), Fruit::pear);
  EXPECT_EQ(fruit_names.list("|"), "pear|apple");
}

TEST(Names, AnUnknownNameIsToldWithTheOthers) {
  EXPECT_EQ(testing::message_of<DomainError>([] { fruit_names.value("no fruit", "fig"); }),
            "no fruit 'fig'; there are pear, apple");
}

}  // namespace
}  // namespace mct
