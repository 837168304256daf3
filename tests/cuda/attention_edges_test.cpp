// Attention along edges of device tensors, on a simulated device, against the CPU's in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/attention/start_edges.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/tensor/convert.hpp"
#include "tests/attention/score_operands.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

void start_edges(const EdgeLaunch& of, const Stream& stream) { start_edges_here(of, stream); }
void start_edges_backward(const EdgeBackwardLaunch& of, const Stream& stream) {
  start_edges_backward_here(of, stream);
}

}  // namespace mct::cuda

namespace {

using namespace mct;
using attention::Neighbourhood;
using attention::Score;
using cuda::DeviceTensor;
using mct::testing::Operands;

/// Rows of no, one, some and more edges than a warp has lanes; a key that is there twice, and keys
/// that nobody sees.
Neighbourhood neighbours(std::int64_t queries, std::int64_t keys) {
  std::vector<std::int64_t> starts{0}, columns;
  for (std::int64_t i = 0; i < queries; ++i) {
    const std::int64_t counts[] = {0, 1, 5, 39, 4, 2 * keys};
    for (std::int64_t e = 0; e < counts[i % 6]; ++e)
      columns.push_back((i * 7 + e * e + e / 3) % (keys - 1));
    starts.push_back(std::int64_t(columns.size()));
  }
  return {Tensor<std::int64_t>::from_values(starts, {std::int64_t(starts.size())}),
          Tensor<std::int64_t>::from_values(columns, {std::int64_t(columns.size())})};
}

DeviceTensor<float> there(const Tensor<float>& x) {
  return x.numel() == 0 ? DeviceTensor<float>() : cuda::to_device(x);
}
cuda::AttentionOperands<float> there(const Operands<float>& of) {
  return {there(of.x), there(of.a), there(of.y), there(of.b), there(of.v)};
}
cuda::Attended<float> results(const Operands<float>& of) {
  Shape rows = leading_shape(of.x.shape());
  cuda::Attended<float> to;
  to.log_sum = DeviceTensor<float>::uninitialized(rows);
  rows.push_back(of.v.size(-1));
  to.values = DeviceTensor<float>::uninitialized(rows);
  return to;
}
Tensor<double> wide(const Tensor<float>& x) { return convert<double, 1>(x); }
Operands<double> wide(const Operands<float>& of) {
  return {wide(of.x), wide(of.a), wide(of.y), wide(of.b), wide(of.v)};
}
double largest(const Tensor<double>& x) {
  double found = 0;
  for (std::int64_t i = 0; i < x.numel(); ++i) found = std::max(found, std::fabs(x.data()[i]));
  return found;
}
/// In units of 2^-13 of the largest number, or of 1, which the terms of sums are near that may
/// cancel.
double error_of(const DeviceTensor<float>& found, const Tensor<double>& expected) {
  const double error = largest(wide(cuda::to_host(found)) - expected);
  return error / (0x1p-13 * std::max(1.0, largest(expected)));
}

struct Found {
  cuda::Attended<float> result;
  cuda::AttentionOperands<float> by;
};
Found run(Score score, const Operands<float>& of, const Neighbourhood& seen,
          const Tensor<float>& gradient) {
  const auto operands = there(of);
  const auto edges = cuda::edges_there(seen, of.y.size(-2));
  Found found{results(of), there(of)};
  cuda::attend_edges(score, operands, edges, found.result);
  cuda::attend_edges_backward(score, operands, edges, found.result, there(gradient), found.by);
  return found;
}

void expect_near_the_cpu(Score score, const Operands<float>& of, const Neighbourhood& seen) {
  SCOPED_TRACE(mct::testing::name_of(score));
  Shape shape = of.x.shape();
  shape.back() = of.v.size(-1);
  const auto gradient = randn<float, 1>(shape, 9);
  cuda::simulated_how() = {3};
  const Found found = run(score, of, seen, gradient);
  const auto exact = wide(of);
  attention::Mask<double> mask;
  mask.seen = seen;
  const auto expected = attention::attend(score, exact, mask);
  auto of_size = exact;
  of_size.v = abs(exact.v);
  const auto mean = attention::attend(score, of_size, mask).values;
  const auto values = cuda::to_host(found.result.values);
  const auto sums = cuda::to_host(found.result.log_sum);
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    const double most = 2.0 * double(of.y.size(-2));
    EXPECT_LE(std::fabs(double(values.data()[i]) - expected.values.data()[i]),
              (0x1p-14 + most / 4 * 0x1p-24) * mean.data()[i])
        << i;
  }
  for (std::int64_t i = 0; i < sums.numel(); ++i) {
    const double sum = expected.log_sum.data()[i];
    if (sum == -std::numeric_limits<double>::infinity()) {
      EXPECT_EQ(sums.data()[i], -std::numeric_limits<float>::infinity());
    } else {
      EXPECT_NEAR(sums.data()[i], sum, 0x1p-14 * (1 + std::fabs(sum)));
    }
  }
  const auto by = attention::attend_backward(score, exact, mask, expected, wide(gradient));
  EXPECT_LE(error_of(found.by.x, by.x), 1);
  EXPECT_LE(error_of(found.by.y, by.y), 1);
  EXPECT_LE(error_of(found.by.v, by.v), 1);
  if (by.a.numel() > 0) {
    EXPECT_LE(error_of(found.by.a, by.a), 1);
  }
  if (by.b.numel() > 0) {
    EXPECT_LE(error_of(found.by.b, by.b), 1);
  }
  cuda::simulated_how() = {17};  // other threads first
  const Found again = run(score, of, seen, gradient);
  EXPECT_EQ(cuda::to_host(again.result.values).values(), values.values());
  EXPECT_EQ(cuda::to_host(again.by.y).values(), cuda::to_host(found.by.y).values());
}

TEST(CudaAttentionEdges, EveryScoreIsNearTheCpu) {
  for (const Score score : mct::testing::scores) {
    const auto of = mct::testing::operands<float>(score, {2}, 7, 23, 11, 5, 3);
    expect_near_the_cpu(score, of, neighbours(7, 23));
  }
}

/// Queries that are keys, or near them.
TEST(CudaAttentionEdges, PointsThatAreNext) {
  for (const Score score : {Score::gaussian, Score::umbral, Score::distance_squared})
    expect_near_the_cpu(score, mct::testing::operands<float>(score, {}, 6, 8, 16, 8, 4),
                        neighbours(6, 8));
}

TEST(CudaAttentionEdges, WhatIsNoNumberStaysInItsRow) {
  auto of = mct::testing::operands<float>(Score::dot_product, {}, 6, 8, 8, 8, 5);
  const auto seen = neighbours(6, 8);
  of.y.narrow(-1, 0, 1).fill_(1);
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    of.x.data()[2 * 8] = wrong;
    const auto to = results(of);
    cuda::attend_edges(Score::dot_product, there(of), cuda::edges_there(seen, 8), to);
    const auto values = cuda::to_host(to.values);
    const auto sums = cuda::to_host(to.log_sum);
    for (std::int64_t i = 0; i < 6; ++i) {
      EXPECT_EQ(std::isnan(sums.data()[i]), i == 2);
      for (std::int64_t c = 0; c < 8; ++c) EXPECT_EQ(std::isnan(values.data()[8 * i + c]), i == 2);
    }
    for (std::int64_t c = 0; c < 8; ++c) EXPECT_EQ(values.data()[c], 0) << "without edges";
  }
}

TEST(CudaAttentionEdges, ErrorsNameWhatIsWrong) {
  const auto of = mct::testing::operands<float>(Score::dot_product, {}, 3, 4, 3, 2, 1);
  const auto list = [](std::vector<std::int64_t> values) {
    return Tensor<std::int64_t>::from_values(values, {std::int64_t(values.size())});
  };
  using mct::testing::message_of;
  EXPECT_EQ(message_of<DomainError>([&] {
              cuda::edges_there({list({0, 1, 2, 3}), list({0, 4, 1})}, 4);
            }),
            "attention: columns[1] is 4, but there are 4 keys");
  EXPECT_EQ(message_of<ShapeError>([&] { cuda::edges_there({}, 4); }),
            "attention: starts of shape (0,), expected (1,)");
  const auto edges = cuda::edges_there({list({0, 1, 2}), list({0, 1})}, 4);
  EXPECT_EQ(message_of<ShapeError>(
                [&] { cuda::attend_edges(Score::dot_product, there(of), edges, results(of)); }),
            "attend: edges of 2 queries and 4 keys for queries of shape (3, 3) and keys of (4, 3)");
  const auto fitting = cuda::edges_there({list({0, 1, 2, 2}), list({0, 1})}, 4);
  const auto result = results(of);
  cuda::attend_edges(Score::dot_product, there(of), fitting, result);
  EXPECT_THROW(cuda::attend_edges_backward(Score::dot_product, there(of), fitting, result,
                                           there(of.x), there(of)),
               ShapeError);
}

}  // namespace
