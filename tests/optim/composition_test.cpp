// What strategies are made of, and the table of arrays that everything else reads.
#include <set>

#include "mctensor/c_api.h"
#include "mctensor/error.hpp"
#include "tests/message_of.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

TEST(Compositions, AreDifferentAndNamedInOrder) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < strategy_count; ++i) {
    EXPECT_EQ(std::size_t(strategy_table[i].strategy), i);
    EXPECT_EQ(to_string(strategy_table[i].strategy), strategy_table[i].name);
    names.insert(strategy_table[i].name);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(strategy_table[i].parts == strategy_table[j].parts) << i << ' ' << j;
  }
  EXPECT_EQ(names.size(), strategy_count);
}

/// A layout has the sizes of the table, in C too, and the sum of Table 3.12.
TEST(Arrays, OfEveryStrategyAreThoseOfTheTable) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    const Layout layout = layout_of(strategy);
    const Composition parts = composition_of(strategy);
    double bytes = double(layout.grad);
    for (const KeptArray& array : kept_arrays) {
      EXPECT_EQ(layout.*array.size, bytes_of(array.content(parts))) << array.name;
      if (!array.optional)
        bytes += double(array.elements(1280, layout)) * double(layout.*array.size) / 1280;
    }
    EXPECT_DOUBLE_EQ(layout.bytes(), bytes);
    mct_adamw_layout in_c;
    ASSERT_EQ(mct_adamw_layout_of(to_string(strategy).c_str(), &in_c), MCT_OK);
    EXPECT_EQ(in_c.theta, std::int64_t(layout.theta));
    EXPECT_EQ(in_c.low, std::int64_t(layout.low));
    EXPECT_EQ(in_c.m, std::int64_t(layout.m));
    EXPECT_EQ(in_c.v, std::int64_t(layout.v));
    EXPECT_EQ(in_c.v_low, std::int64_t(layout.v_low));
    EXPECT_EQ(in_c.v_max, std::int64_t(layout.v_max));
    EXPECT_EQ(in_c.marks, std::int64_t(layout.marks));
    EXPECT_EQ(in_c.grad, std::int64_t(layout.grad));
  }
}

/// Each array that a strategy needs is asked for by its name.
TEST(Arrays, ThatAreMissingAreNamed) {
  for (const Strategy strategy : all_strategies()) {
    Parameters p(strategy, Format::bfloat16, 200);
    for (const KeptArray& array : kept_arrays) {
      auto memory = p.all();
      memory.*array.data = nullptr;
      const auto message = testing::message_of<DomainError>(
          [&] { adamw_step(strategy, Format::bfloat16, memory, {}, 1); });
      const bool needed = array.is_needed(p.layout);
      EXPECT_EQ(message.find(std::string("array ") + array.name) != std::string::npos, needed)
          << to_string(strategy) << ": " << message;
    }
  }
}

}  // namespace
}  // namespace mct::test
