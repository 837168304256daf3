// The random words of stochastic rounding: uniform, independent in pairs, of seed, step and
// position.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "src/optim/adamw_constants.hpp"
#include "src/optim/kernels/element_random.hpp"

namespace mct::test {
namespace {

using Words = kernels::ElementWords<std::uint32_t>;

std::vector<Words> words_of(std::uint64_t seed, std::int64_t step, std::uint64_t groups) {
  optim::AdamWOptions options;
  options.seed = seed;
  const auto constants = optim_detail::constants_of(optim::Strategy::split16_plus,
                                                    optim::Format::bfloat16, options, step);
  std::vector<Words> words;
  for (std::uint64_t group = 0; group < groups; ++group) {
    const auto key = kernels::GroupKey::of(constants, group);
    for (std::size_t i = 0; i < kernels::group_length; ++i)
      words.push_back(kernels::element_words(key.offset + kernels::element_place(i), key.key));
  }
  return words;
}

using Draw = std::function<std::uint32_t(const Words&)>;
const Draw draws[] = {[](const Words& x) { return x.theta >> 16; },
                      [](const Words& x) { return x.m; }, [](const Words& x) { return x.v; }};

/// Numbers from 0 to 255 are equally frequent: chi^2 of 255 degrees of freedom within six standard
/// deviations.
void expect_uniform(std::size_t count, const std::function<std::uint32_t(std::size_t)>& number) {
  std::vector<double> bins(256);
  for (std::size_t i = 0; i < count; ++i) ++bins.at(number(i));
  const double expected = double(count) / 256;
  double chi = 0;
  for (const double bin : bins) chi += (bin - expected) * (bin - expected) / expected;
  EXPECT_NEAR(chi, 255, 6 * std::sqrt(510.0));
}

TEST(RandomWords, AreUniformAndIndependentInPairs) {
  const auto words = words_of(1, 1, 512);
  const auto next_step = words_of(1, 2, 512);
  const auto next_seed = words_of(2, 1, 512);
  const std::size_t group = kernels::group_length;
  const std::size_t count = words.size() - group;
  for (const Draw& draw : draws) {
    expect_uniform(count, [&](std::size_t i) { return draw(words[i]) >> 8; });
    expect_uniform(count, [&](std::size_t i) { return draw(words[i]) & 0xffu; });
    const auto beside = [&](const Words& x, const Words& y, const Draw& other) {
      return (draw(x) >> 12) * 16 + (other(y) >> 12);
    };
    for (const std::size_t apart : {std::size_t(1), std::size_t(2), std::size_t(16), group})
      expect_uniform(count,
                     [&](std::size_t i) { return beside(words[i], words[i + apart], draw); });
    expect_uniform(count, [&](std::size_t i) { return beside(words[i], next_step[i], draw); });
    expect_uniform(count, [&](std::size_t i) { return beside(words[i], next_seed[i], draw); });
    for (const Draw& other : draws)
      if (&other != &draw)
        expect_uniform(count, [&](std::size_t i) { return beside(words[i], words[i], other); });
  }
}

TEST(RandomWords, HaveSixteenBits) {
  for (const Words& x : words_of(3, 5, 8)) {
    EXPECT_LT(x.m, 0x10000u);
    EXPECT_LT(x.v, 0x10000u);
    EXPECT_EQ((x.theta >> 16) ^ x.m, x.v);
  }
}

}  // namespace
}  // namespace mct::test
