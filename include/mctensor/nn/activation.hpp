// Functions as layers without parameters.
//
// Error: the error of the function of variables with the same name. Domain: every x, NaN included.
// Source: autograd/functions.hpp, autograd/softmax.hpp.
#pragma once

#include "mctensor/nn/module.hpp"

namespace mct::nn {

#define MCT_NN_FUNCTION(name, function)                                      \
  template <class T, int N = 1, int A = 1, int M = 1>                        \
  class name : public Layer<T, N, A, M> {                                    \
   public:                                                                   \
    using typename Layer<T, N, A, M>::Activation;                            \
    Activation forward(const Activation& x) override { return function(x); } \
  };

/// max(x, 0).
MCT_NN_FUNCTION(ReLU, relu)
/// x Phi(x), where Phi is the distribution function of the normal distribution; not the
/// approximation by tanh.
MCT_NN_FUNCTION(GELU, gelu)
/// 1 / (1 + e^-x).
MCT_NN_FUNCTION(Sigmoid, sigmoid)
MCT_NN_FUNCTION(Tanh, tanh)
#undef MCT_NN_FUNCTION

#define MCT_NN_FUNCTION_ALONG(name, function)                                      \
  template <class T, int N = 1, int A = 1, int M = 1>                              \
  class name : public Layer<T, N, A, M> {                                          \
   public:                                                                         \
    using typename Layer<T, N, A, M>::Activation;                                  \
    explicit name(std::int64_t dim) : dim_(dim) {}                                 \
    Activation forward(const Activation& x) override { return function(x, dim_); } \
                                                                                   \
   private:                                                                        \
    std::int64_t dim_;                                                             \
  };

/// Softmax and its logarithm along a dimension.
MCT_NN_FUNCTION_ALONG(Softmax, softmax)
MCT_NN_FUNCTION_ALONG(LogSoftmax, log_softmax)
#undef MCT_NN_FUNCTION_ALONG

}  // namespace mct::nn
