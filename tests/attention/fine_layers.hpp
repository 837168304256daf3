// Variables of two doubles, for gradients of layers that are compared with differences.
#pragma once

#include <cstdint>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/nn/init.hpp"

namespace mct::nn {

using Fine = Variable<double, 2, 2>;
using FineTensor = Tensor<double, 2>;

inline void scatter(const Fine& parameter, std::uint64_t seed) {
  init::normal_(parameter.value(), 0, 0.7, seed);
}

}  // namespace mct::nn
