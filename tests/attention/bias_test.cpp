// A bias of attention: the gradient that it receives, whatever it broadcasts over.
#include "mctensor/attention/bias.hpp"

#include <gtest/gtest.h>

#include <map>

#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/attention/by_the_book.hpp"
#include "tests/memory_limit.hpp"
#include "tests/message_of.hpp"

namespace mct::attention::bias_cases {
namespace {

using testing::attend_by_the_book;
using testing::message_of;

constexpr std::int64_t batches = 2, heads = 2;

/// A bias of some shape.
struct Case {
  Shape shape;
  bool by_offset = false;
};

std::string text_of(const Case& c) {
  return to_string(c.shape) + (c.by_offset ? " by offset" : "");
}

/// Of all kinds, for L queries and S keys.
std::vector<Case> cases(std::int64_t L, std::int64_t S) {
  return {{{batches, heads, L, S}},
          {{heads, L, S}},
          {{batches, 1, L, S}},
          {{L, S}},
          {{heads, 1, S}},
          {{S}},
          {{L, 1}},
          {{batches, 1, L, 1}},
          {{heads, 1, 1}},
          {{1}},
          {{L + S - 1}, true},
          {{heads, L + S - 1}, true},
          {{batches, 1, L + S - 1}, true},
          {{heads, 1}, true}};
}

template <class T>
Operands<T> operands(std::int64_t L, std::int64_t S, std::int64_t d) {
  return {randn<T>({batches, heads, L, d}, 1),
          {},
          randn<T>({batches, heads, S, d}, 2),
          {},
          randn<T>({batches, heads, S, d}, 3)};
}

/// The part of a batch and a head of something that broadcasts to (batches, heads, ..), of which
/// `last` dimensions belong to pairs.
template <class X>
X part_of(X x, std::int64_t last, std::int64_t batch, std::int64_t head) {
  if (x.dim() == last + 2) x = x.select(0, x.size(0) == 1 ? 0 : batch);
  if (x.dim() == last + 1) x = x.select(0, x.size(0) == 1 ? 0 : head);
  return x;
}

/// What a bias should receive: the gradients of the scores, added in two components.
template <class T>
std::vector<f64x2> expected_gradient(Score score, const Operands<T>& of, const Mask<T>& mask,
                                     const Tensor<T>& g) {
  const std::int64_t L = of.x.size(2), S = of.y.size(2), last = mask.by_offset ? 1 : 2;
  std::vector<f64x2> sums(std::size_t(mask.bias.numel()), f64x2(0));
  // where the elements of a part are: numbers instead of values
  Tensor<std::int64_t> places = arange(mask.bias.numel()).reshape(mask.bias.shape());
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t h = 0; h < heads; ++h) {
      const auto group = [&](const Tensor<T>& x) { return x[b][h]; };
      Mask<T> own = mask;
      own.bias = part_of(mask.bias, last, b, h);
      const auto truth = attend_by_the_book(
          score, Operands<T>{group(of.x), {}, group(of.y), {}, group(of.v)}, own, group(g));
      const auto at = part_of(places, last, b, h);
      for (std::int64_t i = 0; i < L; ++i)
        for (std::int64_t j = 0; j < S; ++j) {
          auto& sum = sums[std::size_t(std::int64_t(at.at(testing::bias_index(own, L, i, j))))];
          sum = sum + truth.bias[std::size_t(i * S + j)];
        }
    }
  return sums;
}

/// The largest error in units of u, against the largest gradient, or that of a score where they
/// cancel.
template <class T>
void compare(Score score, std::int64_t L, std::int64_t S, const Case& c, Mask<T> mask) {
  const auto of = operands<T>(L, S, 2);
  mask.bias = randn<T>(c.shape, 9);
  mask.by_offset = c.by_offset;
  const auto result = attend(score, of, mask);
  const auto g = randn<T>(result.values.shape(), 10);
  const auto gradients = attend_backward(score, of, mask, result, g, true);
  ASSERT_EQ(gradients.bias.shape(), c.shape) << text_of(c);
  const auto truth = expected_gradient(score, of, mask, g);
  const auto values = gradients.bias.values();
  double worst = 0, size = 1;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double error = std::abs(double(f64x2(double(values[k])) - truth[k]));
    if (!(error <= worst)) worst = error;
    size = std::max(size, std::abs(double(truth[k])));
  }
  EXPECT_LE(worst / size, 320 * std::numeric_limits<T>::epsilon() / 2) << text_of(c);
  // the others do not depend on whether it was asked for
  const auto without = attend_backward(score, of, mask, result, g);
  EXPECT_EQ(without.bias.numel(), 0);
  EXPECT_EQ(gradients.v.shape(), without.v.shape());
}

TEST(Bias, ReceivesTheSumOverWhatItBroadcastsOver) {
  // a little more than one tile of queries and one of keys
  Mask<float> plain;
  Mask<double> masked;
  masked.causal = true;
  masked.hidden = rand<double>({49, 66}, 4) < 0.4;
  masked.hidden.narrow(0, 30, 1).fill_(true);
  const auto wide = cases(49, 130), narrow = cases(49, 66);
  for (std::size_t k = 0; k < wide.size(); ++k)
    if (k % 2 == 0) {
      compare<float>(Score::dot_product, 49, 130, wide[k], plain);
    } else {
      compare<double>(Score::laplacian, 49, 66, narrow[k], masked);
    }
}

TEST(Bias, PassesGradcheckWithMaskedRowsAndDropout) {
  using Var = Variable<double>;
  const std::int64_t L = 4, S = 5;
  const auto variable = [](const Shape& shape, std::uint64_t seed) {
    return Var(randn<double>(shape, seed), true);
  };
  Mask<double> plain, masked, dropped;
  masked.causal = true;
  masked.hidden = rand<double>({heads, L, S}, 5) < 0.3;
  masked.hidden.narrow(1, 2, 1).fill_(true);  // a row that sees nothing
  dropped.dropout = 0.3;
  dropped.seed = 7;
  GradcheckOptions options;
  options.step = 0x1p-13;
  options.tolerance = 1e-8;
  options.floor = 2e-2;  // differences have errors of 1e-11
  for (const Case& c : cases(L, S))
    for (Mask<double> mask : {plain, masked, dropped}) {
      mask.by_offset = c.by_offset;
      const auto report = gradcheck(
          [&](const std::vector<Var>& x) {
            return laplacian_attention(x[0], x[1], x[2], Var(Tensor<double>::scalar(0.8)), mask,
                                       x[3]);
          },
          std::vector<Var>{variable({batches, heads, L, 2}, 1), variable({batches, heads, S, 2}, 2),
                           variable({batches, heads, S, 2}, 3), variable(c.shape, 4)},
          options);
      EXPECT_TRUE(report) << text_of(c) << ": " << report.message();
    }
}

TEST(Bias, GradientsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto of = operands<float>(200, 700, 12);
  const int before = num_threads();
  for (const Case& c : cases(200, 700)) {
    Mask<float> mask;
    mask.causal = true;
    mask.dropout = 0.25;
    mask.bias = randn<float>(c.shape, 5);
    mask.by_offset = c.by_offset;
    std::vector<std::vector<float>> all;
    for (const int threads : {1, 2, 3}) {
      set_num_threads(threads);
      const auto result = attend(Score::gaussian, of, mask);
      const auto gradients =
          attend_backward(Score::gaussian, of, mask, result, result.values, true);
      for (const auto& each : {gradients.bias, gradients.x, gradients.y, gradients.v})
        all.push_back(each.values());
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(all[k], all[k + 4]) << text_of(c);
      EXPECT_EQ(all[k], all[k + 8]) << text_of(c);
    }
  }
  set_num_threads(before);
}

TEST(Bias, SlopesOfAlibiAreLearned) {
  const auto of = operands<double>(7, 9, 4);
  const auto attended = [&](const Variable<double>& bias, bool by_offset) {
    const Variable<double> q(of.x), k(of.y), v(of.v);
    Mask<double> mask;
    mask.causal = true;
    mask.by_offset = by_offset;
    return sum(square(dot_product_attention(q, k, v, mask, bias)));
  };
  const auto slopes = [] {
    return Variable<double>(Tensor<double>::from_values({0.5, 0.25}, {heads, 1}), true);
  };
  const auto by_offset = slopes(), by_pair = slopes();
  const auto table = alibi(by_offset, 7, 9);
  EXPECT_EQ(table.shape(), (Shape{heads, 15}));
  Tensor<double> distances({7, 9});
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 9; ++j) distances.set({i, j}, -std::abs(double(j - i - 2)));
  const auto a = attended(table, true);
  const auto b = attended(by_pair.unsqueeze(-1) * distances, false);
  EXPECT_EQ(a.item(), b.item());
  a.backward();
  b.backward();
  for (std::int64_t h = 0; h < heads; ++h)
    EXPECT_NEAR(double(by_offset.grad().at({h, 0})), double(by_pair.grad().at({h, 0})), 1e-14);
  EXPECT_THROW(alibi(Variable<double>(Tensor<double>({3})), 7, 9), ShapeError);
}

TEST(Bias, OfOffsetsNeedsNoMatrixOfPairs) {
  const std::int64_t n = 8192;
  Operands<float> of;
  Mask<float> mask;
  mask.causal = true;
  mask.by_offset = true;
  const auto run = [&] {
    const auto result = attend(Score::dot_product, of, mask);
    return attend_backward(Score::dot_product, of, mask, result, result.values, true).bias;
  };
  if (!testing::can_limit_memory()) return;
  of = operands<float>(1, 1, 2);  // threads and their stacks are there before the limit is
  mask.bias = Tensor<float>({1});
  run();
  of = {randn<float>({1, n, 2}, 1), {}, randn<float>({1, n, 2}, 2), {}, randn<float>({1, n, 2}, 3)};
  mask.bias = randn<float>({2 * n - 1}, 4);
  const testing::MemoryLimit limit(std::size_t(n) * n / 4);  // a sixteenth of such a matrix
  EXPECT_EQ(run().shape(), (Shape{2 * n - 1}));
}

TEST(Bias, ShortTypesReceiveIt) {
  const auto in = [](const Shape& shape, std::uint64_t seed) {
    return Variable<bfloat16>(convert<bfloat16, 1>(randn<float>(shape, seed)), true);
  };
  const auto bias = in({4, 5}, 4);
  sum(square(dot_product_attention(in({2, 4, 3}, 1), in({2, 5, 3}, 2), in({2, 5, 3}, 3), {}, bias)))
      .backward();
  EXPECT_EQ(bias.grad().shape(), (Shape{4, 5}));
  EXPECT_GT(double(bfloat16(max(abs(bias.grad())).item())), 0.01);
}

TEST(Bias, RefusesWhatDoesNotFit) {
  const auto of = operands<float>(4, 5, 2);
  Mask<float> mask;
  mask.bias = Tensor<float>({4, 4});
  EXPECT_NE(message_of<ShapeError>([&] {
              attend(Score::dot_product, of, mask);
            }).find("a bias of shape (4, 4) does not broadcast to (2, 2, 4, 5)"),
            std::string::npos);
  mask.by_offset = true;
  mask.bias = Tensor<float>({9});
  EXPECT_NE(message_of<ShapeError>([&] {
              attend(Score::dot_product, of, mask);
            }).find("a bias of shape (9,) does not broadcast to (2, 2, 8)"),
            std::string::npos);
  mask.bias = Tensor<float>({8});
  const auto variable = [](const Tensor<float>& x) { return Variable<float>(x); };
  EXPECT_NE(message_of<DomainError>([&] {
              dot_product_attention(variable(of.x), variable(of.y), variable(of.v), mask,
                                    Variable<float>(Tensor<float>({8})));
            }).find("the mask already has a bias of shape (8,)"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::attention::bias_cases
