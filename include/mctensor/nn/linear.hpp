// Linear layers and embeddings.
//
// Error of Linear: product_bound of linalg/products.hpp plus the bound of add for the bias.
// Embedding copies rows exactly. If A < N, every result is also rounded once to A components.
// Domain: every finite value. Source: the formula x W^T + b.
#pragma once

#include <cmath>

#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// y = x W^T + b for x (.., in) and y (.., out). The parameters weight (out, in) and bias (out)
/// begin uniform between -1 / sqrt(in) and 1 / sqrt(in), as in PyTorch.
template <class T, int N = 1, int A = 1, int M = 1>
class Linear : public Layer<T, N, A, M> {
 public:
  using typename Layer<T, N, A, M>::Activation;
  using typename Layer<T, N, A, M>::Parameter;

  /// Throws DomainError unless `in` and `out` are positive.
  Linear(std::int64_t in, std::int64_t out, std::uint64_t seed, bool bias = true) {
    if (in < 1 || out < 1)
      throw DomainError("Linear: " + std::to_string(in) + " inputs and " + std::to_string(out) +
                        " outputs, expected at least one of each");
    const double bound = 1 / std::sqrt(double(in));
    weight_ = this->register_parameter("weight", Tensor<T, N>({out, in}));
    init::uniform_(weight_.value(), -bound, bound, derive_seed(seed, 0));
    if (!bias) return;
    bias_ = this->register_parameter("bias", Tensor<T, N>(Shape{out}));
    init::uniform_(bias_.value(), -bound, bound, derive_seed(seed, 1));
  }

  /// Throws ShapeError unless the last size of x is `in`.
  Activation forward(const Activation& x) override {
    return to_activation<A>(linear(x, weight_, bias_));
  }

  const Parameter& weight() const { return weight_; }
  /// A variable without elements if there is no bias.
  const Parameter& bias() const { return bias_; }

 private:
  Parameter weight_;
  Parameter bias_;
};

struct EmbeddingOptions {
  /// The number of a row that begins as zeros and gets no gradient; -1: no such row.
  std::int64_t padding_idx = -1;
  /// True: the gradient has only the rows that were read (Variable::sparse_grad).
  bool sparse = false;
};

/// Looks up rows of a table: indices of any shape (..) give (.., dim). The parameter weight (num,
/// dim) begins as standard normal numbers.
template <class T, int N = 1, int A = 1, int M = 1>
class Embedding : public Module<T, N, M> {
 public:
  using Activation = Variable<T, A, M>;
  using typename Module<T, N, M>::Parameter;

  /// Throws DomainError unless the table has elements and padding_idx is one of its rows or -1.
  Embedding(std::int64_t num, std::int64_t dim, std::uint64_t seed,
            const EmbeddingOptions& options = {})
      : options_(options) {
    if (num < 1 || dim < 1 || options.padding_idx < -1 || options.padding_idx >= num)
      throw DomainError("Embedding: " + std::to_string(num) + " rows of " + std::to_string(dim) +
                        " numbers with padding_idx " + std::to_string(options.padding_idx) +
                        "; expected at least one row and one number, and padding_idx -1 or a row");
    weight_ = this->register_parameter("weight", randn<T, N>({num, dim}, derive_seed(seed, 0)));
    if (options.padding_idx >= 0)
      init::constant_(weight_.value().select(0, options.padding_idx), 0);
  }

  /// Throws ShapeError for an index outside the table.
  Activation forward(const Tensor<std::int64_t>& indices) {
    return to_activation<A>(embedding(weight_, indices, options_.padding_idx, options_.sparse));
  }
  Activation operator()(const Tensor<std::int64_t>& indices) { return forward(indices); }

  const Parameter& weight() const { return weight_; }

 private:
  EmbeddingOptions options_;
  Parameter weight_;
};

}  // namespace mct::nn
