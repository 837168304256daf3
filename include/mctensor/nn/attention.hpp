// Scaled dot-product attention with several heads.
//
// Error: no bound is stated. The error consists of the errors of two products and a softmax with N
// components. Domain: every finite value. Source: Vaswani et al. 2017.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "mctensor/nn/dropout.hpp"
#include "mctensor/nn/linear.hpp"

namespace mct::nn {

/// The causal mask (rows, columns) for queries in rows and keys in columns: true where j > i +
/// columns - rows. So the last query sees all keys.
inline Tensor<bool> causal_mask(std::int64_t rows, std::int64_t columns) {
  auto mask = Tensor<bool>::uninitialized({rows, columns});
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      mask.data()[i * columns + j] = j > i + columns - rows;
  return mask;
}

/// softmax(q k^T / sqrt(d)) v (.., L, e) for q (.., L, d), k (.., S, d) and v (.., S, e). `hidden`
/// broadcasts to (.., L, S) and is true where the weight is 0. If `hidden` has no elements, nothing
/// is hidden. The result of a query whose keys are all hidden is NaN, as in PyTorch; without keys
/// (S = 0) all results are 0. `weigh` is a function that is applied to the weights, such as
/// dropout. Throws ShapeError if shapes do not fit.
template <class T, int N, int M, class Weigh>
Variable<T, N, M> scaled_dot_product_attention(const Variable<T, N, M>& q,
                                               const Variable<T, N, M>& k,
                                               const Variable<T, N, M>& v,
                                               const Tensor<bool>& hidden, const Weigh& weigh) {
  using Tensors = Tensor<T, N>;
  const auto scale = rsqrt(Tensors::scalar(typename Tensors::Value(T(double(q.size(-1))))));
  auto scores = matmul(q * scale, k.t());
  if (hidden.numel() > 0)
    scores = where(hidden, T(-std::numeric_limits<float>::infinity()), scores);
  return matmul(weigh(softmax(scores, -1)), v);
}
template <class T, int N, int M>
Variable<T, N, M> scaled_dot_product_attention(const Variable<T, N, M>& q,
                                               const Variable<T, N, M>& k,
                                               const Variable<T, N, M>& v,
                                               const Tensor<bool>& hidden = {}) {
  return scaled_dot_product_attention(q, k, v, hidden, [](const auto& weights) { return weights; });
}

/// Which keys are hidden from queries.
struct AttentionMask {
  AttentionMask() = default;
  AttentionMask(const Tensor<bool>& unseen) : hidden(unseen) {}  // NOLINT: a mask as it is
  /// Broadcasts to (B, heads, L, S), and is true where a query must not use a key. Without elements
  /// nothing is hidden.
  Tensor<bool> hidden;
  /// Whether query i uses only keys up to i + S - L.
  bool causal = false;
};

/// Both parts of a mask for L queries and S keys as one tensor. Without elements nothing is hidden.
inline Tensor<bool> hidden_by(const AttentionMask& mask, std::int64_t queries, std::int64_t keys) {
  if (!mask.causal) return mask.hidden;
  const auto later = causal_mask(queries, keys);
  return mask.hidden.numel() > 0 ? logical_or(mask.hidden, later) : later;
}

/// A rule by which MultiheadAttention weighs values, instead of the scaled dot product. A rule may
/// have its own parameters, and it need not store all weights (attention/streaming_attention.hpp).
template <class T, int N = 1, int A = 1, int M = 1>
class AttentionRule : public Module<T, N, M> {
 public:
  using Activation = Variable<T, A, M>;

  /// The result (B, heads, L, e) for queries (B, heads, L, d), keys (B, heads, S, d) and values (B,
  /// heads, S, e). The layer's dropout applies to the weights in training.
  virtual Activation attend(const Activation& q, const Activation& k, const Activation& v,
                            const AttentionMask& mask, Dropout<T, N, A, M>& dropout) = 0;
};

struct AttentionOptions {
  bool bias = true;
  /// The probability with which training sets a weight to 0.
  double dropout = 0;
  /// Whether inputs are (batch, length, embed_dim) instead of PyTorch's default (length, batch,
  /// embed_dim).
  bool batch_first = false;
};

/// Attention of `num_heads` heads between sequences. Queries are (L, B, E), keys and values (S, B,
/// E), and the result is (L, B, E). With AttentionOptions::batch_first B comes first; a single
/// sequence has no B. The parameters have PyTorch's names and initial values: in_proj_weight (3 E,
/// E) by Xavier uniform, in_proj_bias (3 E) zero, out_proj.weight (E, E), out_proj.bias (E) zero.
template <class T, int N = 1, int A = 1, int M = 1>
class MultiheadAttention : public Layer<T, N, A, M> {
 public:
  using typename Layer<T, N, A, M>::Activation;
  using typename Layer<T, N, A, M>::Parameter;

  /// Throws DomainError unless num_heads divides embed_dim, and as Dropout does.
  MultiheadAttention(std::int64_t embed_dim, std::int64_t num_heads, std::uint64_t seed,
                     const AttentionOptions& options = {})
      : embed_dim_(embed_dim), heads_(num_heads), options_(options) {
    if (embed_dim < 1 || num_heads < 1 || embed_dim % num_heads != 0)
      throw DomainError("MultiheadAttention: " + std::to_string(num_heads) +
                        " heads do not divide embed_dim " + std::to_string(embed_dim));
    in_weight_ =
        this->register_parameter("in_proj_weight", Tensor<T, N>({3 * embed_dim, embed_dim}));
    init::xavier_uniform_(in_weight_.value(), derive_seed(seed, 0));
    if (options.bias)
      in_bias_ = this->register_parameter("in_proj_bias", Tensor<T, N>(Shape{3 * embed_dim}));
    out_ = this->register_module(
        "out_proj", std::make_shared<Linear<T, N, A, M>>(embed_dim, embed_dim, derive_seed(seed, 1),
                                                         options.bias));
    if (options.bias) init::constant_(out_->bias().value(), 0);
    dropout_ = this->register_module(
        "dropout", std::make_shared<Dropout<T, N, A, M>>(options.dropout, derive_seed(seed, 2)));
  }

  /// The dropout of the weights. Save its calls() with a checkpoint, which does not
  /// contain them.
  Dropout<T, N, A, M>& weight_dropout() { return *dropout_; }

  /// Weighs values by this rule instead of the scaled dot product. The names of its parameters
  /// begin with "rule.". Throws DomainError if there is a rule already, and for a null pointer.
  void set_rule(std::shared_ptr<AttentionRule<T, N, A, M>> rule) {
    rule_ = this->register_module("rule", std::move(rule));
  }

  /// Attention of a sequence to itself.
  Activation forward(const Activation& x) override { return attend(x, x, x, AttentionMask()); }
  /// Attention of a sequence to itself in which position i uses only positions up to i.
  Activation causal(const Activation& x) {
    AttentionMask mask;
    mask.causal = true;
    return attend(x, x, x, mask);
  }
  /// Attention between sequences. Throws ShapeError if shapes do not fit.
  Activation attend(const Activation& query, const Activation& key, const Activation& value,
                    const AttentionMask& mask) {
    check(query);
    check(key);
    check(value);
    check_together(query, key);
    check_together(key, value);
    const auto from = batched(query);
    const auto to = key.node() == query.node() ? from : batched(key);
    const auto q = project(from, 0);
    const auto k = project(to, 1);
    const auto v = project(value.node() == key.node() ? to : batched(value), 2);
    const auto heads = rule_ ? rule_->attend(q, k, v, mask, *dropout_) : weigh(q, k, v, mask);
    // (B, heads, L, d) to (B, L, E)
    const auto joined = heads.transpose(1, 2).reshape({heads.size(0), heads.size(2), embed_dim_});
    const auto result = out_->forward(joined);
    if (query.dim() == 2) return result.squeeze(0);
    return options_.batch_first ? result : result.transpose(0, 1);
  }

 private:
  /// Weighs by the scaled dot product.
  Activation weigh(const Activation& q, const Activation& k, const Activation& v,
                   const AttentionMask& mask) {
    return scaled_dot_product_attention(
        q, k, v, hidden_by(mask, q.size(-2), k.size(-2)),
        [&](const Activation& weights) { return dropout_->forward(weights); });
  }

  void check(const Activation& x) const {
    if ((x.dim() != 2 && x.dim() != 3) || x.size(-1) != embed_dim_)
      throw ShapeError("MultiheadAttention: shape " + to_string(x.shape()) +
                       " must have 2 or 3 dimensions, the last of size " +
                       std::to_string(embed_dim_));
  }
  /// Throws ShapeError unless both have the same batch size; a batch of one is not repeated.
  void check_together(const Activation& x, const Activation& y) const {
    const std::int64_t batch = options_.batch_first ? 0 : 1;
    if (x.dim() != y.dim() || (x.dim() == 3 && x.size(batch) != y.size(batch)))
      throw ShapeError("MultiheadAttention: shapes " + to_string(x.shape()) + " and " +
                       to_string(y.shape()) + " differ in batch size or number of dimensions");
  }
  /// x as (B, L, E). It is copied once here, and not by every product.
  Activation batched(const Activation& x) const {
    if (x.dim() == 2) return x.unsqueeze(0);
    return options_.batch_first ? x : x.transpose(0, 1).contiguous();
  }
  /// Part 0, 1, 2 (queries, keys, values) of the projection, by heads: (B, heads, L, d).
  Activation project(const Activation& x, std::int64_t part) const {
    const auto weight = in_weight_.narrow(0, part * embed_dim_, embed_dim_);
    const auto bias =
        options_.bias ? in_bias_.narrow(0, part * embed_dim_, embed_dim_) : Parameter();
    return to_activation<A>(linear(x, weight, bias))
        .reshape({x.size(0), x.size(1), heads_, embed_dim_ / heads_})
        .transpose(1, 2);
  }

  std::int64_t embed_dim_;
  std::int64_t heads_;
  AttentionOptions options_;
  Parameter in_weight_;
  Parameter in_bias_;
  std::shared_ptr<Linear<T, N, A, M>> out_;
  std::shared_ptr<Dropout<T, N, A, M>> dropout_;
  std::shared_ptr<AttentionRule<T, N, A, M>> rule_;  // null: the scaled dot product
};

}  // namespace mct::nn
