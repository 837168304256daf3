// Arrays that make no sense: a step says which, and changes nothing.
#include <limits>

#include "tests/files.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::string message_of_step(Strategy strategy, const AdamWMemory& memory) {
  return testing::message_of<DomainError>(
      [&] { adamw_step(strategy, Format::bfloat16, memory, {}, 1); });
}

TEST(StepMemory, PositionsStayFarFromOverflow) {
  Parameters p(Strategy::light, Format::bfloat16, 5);
  const auto message = [&](std::int64_t first, std::int64_t count) {
    auto memory = p.all();
    memory.first = first;
    memory.count = count;
    return message_of_step(Strategy::light, memory);
  };
  EXPECT_TRUE(testing::contains(message(most, 5), "first " + std::to_string(most))) << "first";
  EXPECT_TRUE(testing::contains(message(0, most), "count " + std::to_string(most))) << "count";
  EXPECT_TRUE(testing::contains(message(-1, 5), "first -1 is negative"));
  EXPECT_TRUE(testing::contains(message(0, -5), "count -5 is negative"));
  EXPECT_EQ(message((std::int64_t(1) << 60) - 5, 5), "");
  EXPECT_NE(message((std::int64_t(1) << 60) - 4, 5), "");
}

TEST(StepMemory, StepsMayHaveAnyNumber) {
  Parameters p(Strategy::light, Format::bfloat16, 5);
  AdamWOptions o;
  o.metrics = true;
  o.metric_sample = 3;
  EXPECT_EQ(adamw_step(Strategy::light, Format::bfloat16, p.all(), o, most).elements, 5);
}

/// Each pair of arrays of each strategy, and the gradient with each.
TEST(StepMemory, ArraysMustNotOverlap) {
  constexpr std::int64_t count = 200;
  for (const Strategy strategy : all_strategies()) {
    Parameters p(strategy, Format::bfloat16, std::size_t(count));
    const Layout& layout = p.layout;
    std::vector<unsigned char> v_max(std::size_t(count) * 4);
    std::vector<std::uint32_t> marks((std::size_t(count) + 127) / 128);
    auto good = p.all();
    good.v_max = v_max.data();
    good.marks = marks.data();
    EXPECT_EQ(message_of_step(strategy, good), "");
    const auto bytes = [&](const KeptArray& array) {
      return array.elements(count, layout) * std::int64_t(layout.*array.size);
    };
    const auto expect = [&](const AdamWMemory& memory, const std::string& a, const std::string& b) {
      const std::string message = message_of_step(strategy, memory);
      EXPECT_TRUE(testing::contains(message, a + " and " + b + " overlap") ||
                  testing::contains(message, b + " and " + a + " overlap"))
          << to_string(strategy) << ": " << a << ", " << b << ": " << message;
    };
    for (const KeptArray& a : kept_arrays) {
      if (bytes(a) == 0) continue;
      for (const KeptArray& b : kept_arrays) {
        if (bytes(b) == 0 || a.name == b.name) continue;
        auto memory = good;
        // b begins in the last byte of a
        memory.*b.data = static_cast<unsigned char*>(memory.*a.data) + bytes(a) - 1;
        expect(memory, a.name, b.name);
      }
      auto memory = good;
      memory.grad = memory.*a.data;
      expect(memory, a.name, "grad");
    }
  }
}

TEST(StepMemory, MayFollowEachOtherAndLeaveOutWhatIsNotUsed) {
  std::vector<std::uint16_t> all(5 * 100);
  AdamWMemory memory;
  memory.theta = all.data() + 100;
  memory.m = all.data() + 300;
  memory.v = all.data() + 200;
  memory.grad = all.data();
  memory.low = memory.theta;  // plain has none
  memory.count = 100;
  EXPECT_EQ(message_of_step(Strategy::plain, memory), "");
  EXPECT_NE(message_of_step(Strategy::light, memory), "");
}

}  // namespace
}  // namespace mct::test
