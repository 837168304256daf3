// The C interface does what the C++ one does.
#include "mctensor/c_api.h"

#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

TEST(CApi, StepsLikeCpp) {
  std::mt19937_64 random(1);
  for (const optim::Strategy strategy : optim::all_strategies()) {
    const std::string name = to_string(strategy);
    SCOPED_TRACE(name);
    Parameters a(strategy, optim::Format::bfloat16, 300);
    a.randomize(random);
    Parameters b = a;
    optim::AdamWOptions o;
    o.metrics = true;
    o.lr = 0.01;
    const auto expected = adamw_step(strategy, optim::Format::bfloat16, a.all(), o, 3);
    mct_adamw_options options;
    mct_adamw_default_options(&options);
    options.lr = 0.01;
    options.metrics = 1;
    const auto p = b.all();
    const mct_adamw_memory memory = {p.theta, p.low,    p.m,    p.v,     p.v_low,
                                     nullptr, p.scales, p.grad, p.count, p.first};
    mct_adamw_report report;
    ASSERT_EQ(mct_adamw_step(name.c_str(), MCT_BFLOAT16, &memory, &options, 3, &report), MCT_OK);
    EXPECT_TRUE(a == b);
    EXPECT_EQ(report.updates, expected.updates);
    EXPECT_EQ(report.update_squared, expected.update_squared);
    mct_adamw_layout layout;
    ASSERT_EQ(mct_adamw_layout_of(name.c_str(), &layout), MCT_OK);
    EXPECT_EQ(layout.low, std::int64_t(a.layout.low));
    EXPECT_EQ(layout.grad, std::int64_t(a.layout.grad));
  }
}

TEST(CApi, ErrorsAreReturned) {
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  mct_adamw_memory memory = {};
  memory.count = 1;
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_NE(std::string(mct_last_error()).find("theta"), std::string::npos);
  EXPECT_EQ(mct_adamw_step("nonsense", MCT_BFLOAT16, &memory, &options, 1, nullptr),
            MCT_BAD_ARGUMENT);
  EXPECT_NE(std::string(mct_last_error()).find("nonsense"), std::string::npos);
  EXPECT_EQ(mct_adamw_step("light", 7, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, nullptr, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step(nullptr, MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_layout_of("light", nullptr), MCT_BAD_ARGUMENT);
  memory.count = 0;
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_OK);
}

}  // namespace
}  // namespace mct::test
