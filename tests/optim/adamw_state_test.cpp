// What AdamW keeps, without an optimizer around it: arrays, weights, counts, files.
#include "mctensor/optim/adamw_state.hpp"

#include <cstdint>

#include "mctensor/error.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

using namespace optim;
using mct::testing::message_of;

constexpr auto everything = [](const KeptArray&, std::size_t) { return true; };
const std::vector<Shape> shapes = {{3, 43}, {1}, {0}, {128}};

AdamWState state_of(Strategy strategy, Format format = Format::bfloat16) {
  AdamWState state("Owner", strategy, format, {}, shapes);
  state.allocate(everything);
  return state;
}

TEST(AdamWState, HoldsTheArraysOfTheTable) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    const Layout layout = layout_of(strategy);
    const AdamWState state = state_of(strategy);
    EXPECT_EQ(state.parameters(), 129 + 1 + 128);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const AdamWMemory& memory = state.memory(i);
      EXPECT_EQ(memory.count, numel(shapes[i]));
      EXPECT_EQ(memory.first, first);
      first += (memory.count + 127) / 128 * 128;
      for (const KeptArray& array : kept_arrays) {
        const auto* const bytes = static_cast<const unsigned char*>(memory.*array.data);
        ASSERT_EQ(bytes != nullptr, array.is_kept(layout)) << array.name;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 64, 0u);
        for (std::size_t b = 0; bytes != nullptr && b < array.bytes(memory.count, layout); ++b)
          ASSERT_EQ(bytes[b], 0) << array.name;
      }
    }
  }
}

TEST(AdamWState, AllocatesWhatIsWanted) {
  AdamWState state("Owner", Strategy::light, Format::float16, {}, shapes);
  state.allocate([](const KeptArray& array, std::size_t i) { return array.is_theta() && i == 1; });
  EXPECT_NE(state.memory(1).theta, nullptr);
  EXPECT_EQ(state.memory(0).theta, nullptr);
  EXPECT_EQ(state.memory(1).low, nullptr);
}

TEST(AdamWState, KeepsWeights) {
  const auto value = rand<float>({3, 43}, 5);
  AdamWState state = state_of(Strategy::split16_plus);
  state.set_weights(0, value);
  EXPECT_EQ(state.weights(0).values(), value.values());
  EXPECT_EQ(message_of<ShapeError>([&] { state.set_weights(1, value); }),
            "Owner: a value of shape (3, 43) for a parameter of shape (1,)");
  EXPECT_EQ(message_of<ShapeError>([&] { state.weights(4); }),
            "Owner: exact_value: parameter 4 is not below 4, the number of parameters");
}

/// Its file is that of McAdamW, whoever writes it.
TEST(AdamWState, HasTheFileOfMcAdamW) {
  const mct::testing::TemporaryDirectory directory;
  std::vector<Variable<float>> variables;
  for (const Shape& shape : shapes) variables.emplace_back(rand<float>(shape, 7), true);
  AdamWOptions options;
  options.seed = 12;
  McAdamW<half> adam(variables, Strategy::plus, options);
  for (const auto& variable : variables) variable.set_grad(variable.value() - 0.5F);
  adam.step();
  adam.save(directory / "adam");
  AdamWState state = state_of(Strategy::plus, Format::float16);
  StateReader reader(directory / "adam", state.description());
  state.load_from(reader);
  EXPECT_EQ(state.steps(), 1);
  EXPECT_EQ(state.options().seed, 12u);
  EXPECT_EQ(state.weights(0).values(), adam.exact_value(0).values());
  StateWriter writer;
  state.save_to(writer);
  writer.save(directory / "state");
  EXPECT_TRUE(mct::testing::bytes_of(directory / "state") ==
              mct::testing::bytes_of(directory / "adam"));
  EXPECT_EQ(message_of<DomainError>([&] {
              state.set_counts({1, 0, {1}});
            }),
            "Owner: counts of 1 parameters, expected 4");
}

/// States of kahan, a strategy of earlier versions, are those of light.
TEST(AdamWState, ReadsKahanAsLight) {
  const mct::testing::TemporaryDirectory directory;
  AdamWState light = state_of(Strategy::light);
  light.set_weights(3, rand<float>({128}, 9));
  StateWriter writer;
  light.save_to(writer);
  writer.describe({{"mctensor.strategy", "kahan"}});
  writer.save(directory / "kahan");
  AdamWState again = state_of(Strategy::light);
  StateReader reader(directory / "kahan", again.description());
  again.load_from(reader);
  EXPECT_EQ(again.weights(3).values(), light.weights(3).values());
  const auto refused = message_of<IoError>(
      [&] { StateReader(directory / "kahan", state_of(Strategy::plus).description()); });
  EXPECT_TRUE(mct::testing::contains(refused, "is 'kahan', expected 'plus'; light, which is"))
      << refused;
}

}  // namespace
}  // namespace mct::test
