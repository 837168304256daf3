// Initial values of parameters, with the formulas and defaults of PyTorch.
//
// Each function but constant_ fills a tensor of any component type with random numbers and returns
// the tensor. All components of a number are random. Element i depends only on the seed and i.
//
// Error: numbers are drawn with all components and scaled once; gains and fans are exact up to a
// rounding of double. Domain: any shape; where a formula has the number of inputs or outputs, at
// least two dimensions, else ShapeError. A weight without elements stays as it is. Source: the
// definitions of torch.nn.init; Salmon et al. 2011 (Philox).
#pragma once

#include <cmath>
#include <cstdint>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::nn {

/// The seed of part number `part` of a model whose seed is `seed`. Random numbers of different
/// parts are independent.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t part);

namespace init {

/// The numbers of inputs and outputs of a weight (out, in, ...): its size 1 and its size 0, each
/// times the product of all further sizes. Throws ShapeError for fewer than two dimensions.
struct Fans {
  double in;
  double out;
};
Fans fans(const Shape& shape);

/// The function that follows the layer.
enum class Nonlinearity { linear, sigmoid, tanh, relu, leaky_relu };
/// The factor by which the function that follows requires larger weights. In the order of
/// Nonlinearity it is 1, 1, 5/3, sqrt(2) and sqrt(2 / (1 + negative_slope^2)).
double gain(Nonlinearity nonlinearity, double negative_slope = 0.01);

/// Uniform in [low, high]: low + (high - low) r with r in [0, 1). Rounding to T may give high, most
/// often for short types. Throws DomainError unless low <= high, and if one of them or their
/// difference is infinite or NaN.
template <class T, int N>
const Tensor<T, N>& uniform_(const Tensor<T, N>& x, double low, double high, std::uint64_t seed) {
  if (!(low <= high) || !std::isfinite(high - low))
    throw DomainError("uniform_: low " + number_text(low) + " and high " + number_text(high) +
                      ": both and their difference must be finite, and low not above high");
  x.copy_(rand<T, N>(x.shape(), seed) * (high - low) + low);
  return x;
}

/// Normal with this mean and standard deviation. Throws DomainError if the deviation is negative,
/// and if one of the two is infinite or NaN.
template <class T, int N>
const Tensor<T, N>& normal_(const Tensor<T, N>& x, double mean, double deviation,
                            std::uint64_t seed) {
  if (!std::isfinite(mean))
    throw DomainError("normal_: mean " + number_text(mean) + " is not finite");
  if (!(deviation >= 0) || !std::isfinite(deviation))
    throw DomainError("normal_: standard deviation " + number_text(deviation) +
                      " is not a finite number of at least 0");
  x.copy_(randn<T, N>(x.shape(), seed) * deviation + mean);
  return x;
}

template <class T, int N>
const Tensor<T, N>& constant_(const Tensor<T, N>& x, double value) {
  const Expansion<T, N> all(value);
  if constexpr (N == 1) {
    x.fill_(all.limb[0]);
  } else {
    x.fill_(all);
  }
  return x;
}

/// Uniform between +- scale sqrt(6 / (in + out)).
template <class T, int N>
const Tensor<T, N>& xavier_uniform_(const Tensor<T, N>& x, std::uint64_t seed, double scale = 1) {
  const Fans f = fans(x.shape());
  if (x.numel() == 0) return x;
  const double bound = scale * std::sqrt(6 / (f.in + f.out));
  return uniform_(x, -bound, bound, seed);
}

/// Normal with deviation scale sqrt(2 / (in + out)).
template <class T, int N>
const Tensor<T, N>& xavier_normal_(const Tensor<T, N>& x, std::uint64_t seed, double scale = 1) {
  const Fans f = fans(x.shape());
  if (x.numel() == 0) return x;
  return normal_(x, 0, scale * std::sqrt(2 / (f.in + f.out)), seed);
}

/// Uniform between +- gain sqrt(3 / in).
template <class T, int N>
const Tensor<T, N>& kaiming_uniform_(const Tensor<T, N>& x, std::uint64_t seed,
                                     double negative_slope = 0,
                                     Nonlinearity nonlinearity = Nonlinearity::leaky_relu) {
  const Fans f = fans(x.shape());
  if (x.numel() == 0) return x;
  const double bound = gain(nonlinearity, negative_slope) * std::sqrt(3 / f.in);
  return uniform_(x, -bound, bound, seed);
}

/// Normal with deviation gain / sqrt(in).
template <class T, int N>
const Tensor<T, N>& kaiming_normal_(const Tensor<T, N>& x, std::uint64_t seed,
                                    double negative_slope = 0,
                                    Nonlinearity nonlinearity = Nonlinearity::leaky_relu) {
  const Fans f = fans(x.shape());
  if (x.numel() == 0) return x;
  return normal_(x, 0, gain(nonlinearity, negative_slope) / std::sqrt(f.in), seed);
}

}  // namespace init

}  // namespace mct::nn
