// Weights go into the arrays of every strategy and come back.
#include "mctensor/optim/weights.hpp"

#include <limits>

#include "mctensor/optim/mc_adamw.hpp"
#include "tests/files.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> random_weights(std::size_t count) {
  std::mt19937_64 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> weights(count);
  for (float& w : weights) w = normal(random);
  weights[0] = 0;
  weights[1] = -0.0F;
  return weights;
}

/// What the strategy cannot keep of a weight is at most this part of it.
double relative_error(const Composition& parts, Format format) {
  if (parts.low == LowPart::lower_byte) return 0x1p-15;
  if (parts.has_float_weight()) return 0;
  const double u = format == Format::float16 ? 0x1p-11 : 0x1p-8;
  return parts.has_sum() ? u * u : u;
}

TEST(Weights, AreWhatTheTableSays) {
  const auto weights = random_weights(300);
  for (const Strategy strategy : all_strategies())
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy) + " " + to_string(format));
      const Composition parts = composition_of(strategy);
      Parameters p(strategy, format, weights.size());
      set_weights(strategy, format, weights.data(), p.all());
      std::vector<float> back(weights.size(), 1);
      get_weights(strategy, format, p.all(), back.data());
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double size = std::abs(double(weights[i]));
        const double error = relative_error(parts, format);
        // half: subnormal low parts
        EXPECT_LE(std::abs(p.value(i) - double(weights[i])),
                  error * size + (error > 0 && format == Format::float16 ? 0x1p-25 : 0));
        EXPECT_EQ(back[i], float(p.value(i)));
        // theta alone is the weight, rounded
        EXPECT_LE(std::abs(p.theta_at(i) - double(weights[i])),
                  relative_error({.theta = parts.theta}, format) * size +
                      (format == Format::float16 ? 0x1p-25 : 0));
      }
    }
}

/// The optimizer of models has the same numbers.
TEST(Weights, AreThoseOfMcAdamW) {
  const auto weights = random_weights(300);
  for (const Strategy strategy : all_strategies()) {
    const Variable<float> x(Tensor<float>::from_values(weights), true);
    const McAdamW<bfloat16> adam({x}, strategy);
    Parameters p(strategy, Format::bfloat16, weights.size());
    set_weights(strategy, Format::bfloat16, weights.data(), p.all());
    std::vector<float> back(weights.size());
    get_weights(strategy, Format::bfloat16, p.all(), back.data());
    const auto exact = adam.exact_value(0);
    for (std::size_t i = 0; i < back.size(); ++i) {
      EXPECT_EQ(back[i], exact.data()[i]);
      EXPECT_EQ(float(p.theta_at(i)), x.value().data()[i]);
    }
  }
}

TEST(Weights, ThatMakeNoSenseAreRefused) {
  Parameters p(Strategy::light, Format::float16, 3);
  const auto message = [&](std::vector<float> weights, Strategy strategy, Format format) {
    return testing::message_of<DomainError>(
        [&] { set_weights(strategy, format, weights.data(), p.all()); });
  };
  const auto before = p.theta;
  const std::string large = message({1, 2, 70000}, Strategy::light, Format::float16);
  EXPECT_TRUE(testing::contains(large, "weight number 2, 70000, is not finite in float16"))
      << large;
  EXPECT_NE(message({1, infinity, 1}, Strategy::light, Format::bfloat16), "");
  EXPECT_NE(message({1, std::nanf(""), 1}, Strategy::light, Format::bfloat16), "");
  EXPECT_TRUE(testing::contains(message({1, 2, 3}, Strategy::split16, Format::float16), "split16"));
  EXPECT_EQ(p.theta, before);
  EXPECT_EQ(message({1, 2, 70000}, Strategy::light, Format::bfloat16), "");

  auto memory = p.all();
  float* const theta = static_cast<float*>(memory.theta);
  EXPECT_TRUE(testing::contains(testing::message_of<DomainError>([&] {
                                  get_weights(Strategy::light, Format::float16, memory, theta);
                                }),
                                "weights overlap"));
  memory.low = nullptr;
  std::vector<float> weights(3);
  EXPECT_TRUE(testing::contains(testing::message_of<DomainError>([&] {
                                  set_weights(Strategy::light, Format::float16, weights.data(),
                                              memory);
                                }),
                                "light needs the array low"));
  // states are not looked at
  memory = p.all();
  memory.m = memory.v = nullptr;
  EXPECT_NO_THROW(set_weights(Strategy::light, Format::float16, weights.data(), memory));
  memory.count = 0;
  EXPECT_NO_THROW(set_weights(Strategy::light, Format::float16, nullptr, memory));
}

/// Every number of a format comes back as it was, NaN as NaN.
template <class T>
void expect_conversions(Format format) {
  std::vector<T> all;
  for (unsigned bits = 0; bits < 0x10000; ++bits) all.push_back(T::from_bits(std::uint16_t(bits)));
  std::vector<float> wide(all.size());
  widen_to_floats(format, all.data(), wide.data(), std::int64_t(all.size()));
  std::vector<T> back(all.size());
  narrow_floats(format, wide.data(), back.data(), std::int64_t(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(float(all[i]))) {
      EXPECT_TRUE(std::isnan(wide[i]) && std::isnan(float(back[i]))) << i;
    } else {
      EXPECT_EQ(wide[i], float(all[i]));
      EXPECT_EQ(back[i].bits(), all[i].bits());
    }
  }
}

TEST(Conversions, OfAllNumbersAreExact) {
  expect_conversions<bfloat16>(Format::bfloat16);
  expect_conversions<half>(Format::float16);
}

TEST(Conversions, RoundToNearestEven) {
  // NaN with a payload that is cut off, halfway cases, what overflows
  const std::vector<float> from = {std::bit_cast<float>(0x7f800001u), 1 + 0x1p-8F, 1 + 0x3p-8F,
                                   std::numeric_limits<float>::max(), -infinity};
  std::vector<bfloat16> to(from.size());
  narrow_floats(Format::bfloat16, from.data(), to.data(), std::int64_t(from.size()));
  EXPECT_TRUE(std::isnan(float(to[0])));
  EXPECT_EQ(float(to[1]), 1);
  EXPECT_EQ(float(to[2]), 1 + 0x1p-6F);
  EXPECT_EQ(float(to[3]), infinity);
  EXPECT_EQ(float(to[4]), -infinity);
}

TEST(Conversions, RefuseWhatMakesNoSense) {
  std::vector<float> floats(8);
  const auto message = [&](const float* from, void* to, std::int64_t count) {
    return testing::message_of<DomainError>(
        [&] { narrow_floats(Format::bfloat16, from, to, count); });
  };
  EXPECT_TRUE(testing::contains(message(floats.data(), floats.data(), 8), "from and to overlap"));
  EXPECT_EQ(message(floats.data(), floats.data() + 4, 4), "");
  EXPECT_TRUE(testing::contains(message(nullptr, floats.data(), 8), "from is null"));
  EXPECT_TRUE(testing::contains(message(floats.data(), nullptr, 8), "to is null"));
  EXPECT_TRUE(testing::contains(message(floats.data(), nullptr, -8), "count -8"));
  EXPECT_EQ(message(nullptr, nullptr, 0), "");
}

}  // namespace
}  // namespace mct::test
