// Dropout, whose masks depend only on a seed and the number of the call.
//
// Error: elements that are kept are multiplied by the double 1 / (1 - p), rounded to the type of x;
// the product is rounded once. Domain: finite values and 0 <= p <= 1; an infinity or NaN that is
// set to zero gives NaN. Source: Srivastava et al. 2014; Salmon et al. 2011 (Philox).
#pragma once

#include "mctensor/base/number_text.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// A tensor of this shape. Each element is the number `kept` with probability 1 - p, else 0. Philox
/// draws the numbers from the seed, the element's position and the number of the call, so the mask
/// does not depend on the number of threads.
template <class T>
Tensor<T> dropout_mask(const Shape& shape, double p, double kept, std::uint64_t seed,
                       std::uint64_t call);

/// Sets each element of x to zero with probability p, and multiplies all other elements by 1 / (1 -
/// p). The gradient has the same factors. Throws DomainError unless 0 <= p <= 1.
template <class T, int N, int M>
Variable<T, N, M> dropout(const Variable<T, N, M>& x, double p, std::uint64_t seed,
                          std::uint64_t call) {
  if (!(p >= 0 && p <= 1))
    throw DomainError("dropout: probability " + number_text(p) + " is not from 0 to 1");
  if (p == 0) return x;
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  if constexpr (N == 1) {
    return x * dropout_mask<T>(x.shape(), p, scale, seed, call);
  } else {
    return x * dropout_mask<T>(x.shape(), p, 1, seed, call) * scale;
  }
}

/// Dropout in training; returns x in evaluation. In training each call of forward() draws new
/// numbers, which depend on the seed and on the number of earlier calls.
template <class T, int N = 1, int A = 1, int M = 1>
class Dropout : public Layer<T, N, A, M> {
 public:
  using typename Layer<T, N, A, M>::Activation;

  /// Throws DomainError unless 0 <= p <= 1.
  Dropout(double p, std::uint64_t seed) : p_(p), seed_(seed) {
    if (!(p >= 0 && p <= 1))
      throw DomainError("Dropout: probability " + number_text(p) + " is not from 0 to 1");
  }

  Activation forward(const Activation& x) override {
    return this->is_training() ? dropout(x, p_, seed_, take_call()) : x;
  }
  /// The number of the next call. A checkpoint does not contain this number: save it separately.
  std::uint64_t calls() const { return calls_; }
  void set_calls(std::uint64_t calls) { calls_ = calls; }
  /// Counts a call and returns its number, for operations that draw the mask themselves.
  std::uint64_t take_call() { return calls_++; }
  double probability() const { return p_; }
  std::uint64_t seed() const { return seed_; }

 private:
  double p_;
  std::uint64_t seed_;
  std::uint64_t calls_ = 0;
};

}  // namespace mct::nn
