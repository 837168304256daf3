// Attention of device tensors on a simulated device, against what its programs do.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "cuda/attention/start_attention.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/tensor/convert.hpp"
#include "tests/cuda/attention.hpp"
#include "tests/cuda/simulator/device.hpp"

/// Says that a test has no programs of this kind: those of others take long to compile.
#define MCT_NO_ATTENTION_PROGRAMS(way, Launch, D, T, biased)              \
  template <>                                                             \
  void mct::cuda::way<D>(const Launch<T, biased>&, const Stream&) {       \
    throw std::logic_error(#way " of " #D ", " #T " is in another test"); \
  }
#define MCT_NO_ATTENTION(D, T, biased) \
  MCT_NO_ATTENTION_PROGRAMS(start_attention, AttentionLaunch, D, T, biased)
#define MCT_NO_ATTENTION_BACKWARD(D, T, biased) \
  MCT_NO_ATTENTION_PROGRAMS(start_attention_backward, AttentionBackwardLaunch, D, T, biased)

namespace mct::cuda::testing {

using attention::Mask;
using attention::Score;

/// Host operands on the simulated device.
template <class T>
AttentionOperands<T> operands_there(const Operands& of, const Stream& stream = default_stream()) {
  const auto vectors = [&](const Tensor<float>& x) { return to_device(convert<T, 1>(x), stream); };
  const auto numbers = [&](const Tensor<float>& x) {
    return x.dim() < 3 ? DeviceTensor<float>() : to_device(x, stream);
  };
  return {vectors(of.x), numbers(of.a), vectors(of.y), numbers(of.b), vectors(of.v)};
}

template <class T>
std::vector<T> values_there(const DeviceTensor<T>& x) {
  const auto host = to_host(x);
  return {host.data(), host.data() + host.numel()};
}

/// What device functions give is what their programs do, which the tests above are about.
template <int D, class T, bool Biased = false>
void expect_programs_results(Score score, const Operands& of, const Mask<float>& mask) {
  SCOPED_TRACE(mct::testing::name_of(score));
  const auto gradient =
      rounded(mct::randn<float, 1>({2, of.x.size(1), of.v.size(2)}, 9), parts_of<T>);
  const auto there = operands_there<T>(of);
  AttentionMask mask_there{mask.causal};
  if (Biased) mask_there.bias = to_device(mask.bias, Stream());
  mask_there.by_offset = mask.by_offset;
  simulated_how() = {3};
  const auto got = mct::cuda::attend(score, there, mask_there, parts_of<T> == 1);
  EXPECT_EQ(got.values.shape(), gradient.shape());
  mct::attention::with_score(score, [&]<class S>(S) {
    DeviceOperands<T> device(of, {1});
    const auto want = attend<S, D, T, Biased>(device, mask, {1});
    EXPECT_EQ(values_there(got.values), want.values);
    EXPECT_EQ(values_there(got.log_sum), want.log_sum);
    if constexpr (parts_of<T> == 1) {
      EXPECT_EQ(values_there(got.rest), want.rest);
    }
    {
      const auto to = mct::cuda::attend_backward(score, there, mask_there, got,
                                                 to_device(convert<T, 1>(gradient)));
      const auto back = attend_backward<S, D, T, Biased>(device, want, gradient, mask, {1});
      EXPECT_EQ(to.x.shape(), there.x.shape());
      EXPECT_EQ(values_there(to.x), back.x);
      EXPECT_EQ(values_there(to.y), back.y);
      EXPECT_EQ(values_there(to.v), back.v);
      EXPECT_EQ(to.a.shape(), there.a.shape());
      if constexpr (S::queries > 0) {
        EXPECT_EQ(values_there(to.a), back.a);
      }
      EXPECT_EQ(to.b.shape(), there.b.shape());
      if constexpr (S::keys > 0) {
        EXPECT_EQ(values_there(to.b), back.b);
      }
    }
  });
}

}  // namespace mct::cuda::testing
