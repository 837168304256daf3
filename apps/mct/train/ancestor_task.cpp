#include "apps/mct/train/ancestor_task.hpp"

#include <algorithm>
#include <cmath>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/linear.hpp"
#include "mctensor/optim/adam.hpp"

namespace mct::cli::train {

namespace {

using Vectors = Variable<float>;

constexpr std::uint64_t draws_of_pairs = 200, draws_of_training = 201, draws_of_tests = 202;

/// Whether a pair is held out; the order does not matter.
bool is_held_out(const AncestorOptions& options, std::int64_t a, std::int64_t b) {
  const auto pair = std::uint64_t(std::min(a, b) * options.tree.leaves() + std::max(a, b));
  return uniform(options.seed, draws_of_pairs, pair) < options.held_out;
}

/// For every key, whether it is one of the nearest.
std::vector<bool> nearest(const LeafTree& tree, const Question& question) {
  int deepest = 0;
  for (const std::int64_t key : question.keys)
    deepest = std::max(deepest, tree.ancestor_depth(question.query, key));
  std::vector<bool> right;
  for (const std::int64_t key : question.keys)
    right.push_back(tree.ancestor_depth(question.query, key) == deepest);
  return right;
}

/// One layer of attention. The value of a key is a one-hot vector of the key's number, so the
/// output of the layer is its weights.
class Pointer {
 public:
  explicit Pointer(const AncestorOptions& options)
      : leaves_(options.tree.leaves(), options.width, nn::derive_seed(options.seed, 0)),
        query_(options.width, options.width, nn::derive_seed(options.seed, 1), false),
        key_(options.width, options.width, nn::derive_seed(options.seed, 2), false),
        rule_(options.comparison, 1, options.start) {}

  std::vector<Vectors> parameters() const {
    std::vector<Vectors> all;
    for (const auto& part :
         {leaves_.parameters(), query_.parameters(), key_.parameters(), rule_.parameters()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  /// The weights (questions, keys).
  Vectors weights(const std::vector<Question>& questions) {
    const auto count = std::int64_t(questions.size());
    const auto keys = std::int64_t(questions.front().keys.size());
    Tensor<std::int64_t> of_queries({count, 1, 1});
    Tensor<std::int64_t> of_keys({count, 1, keys});
    for (std::int64_t i = 0; i < count; ++i) {
      const Question& question = questions[std::size_t(i)];
      of_queries.data()[i] = question.query;
      std::copy(question.keys.begin(), question.keys.end(), of_keys.data() + i * keys);
    }
    const auto places = eye<float>(keys).expand({count, 1, keys, keys});
    return rule_
        .attend(query_(leaves_(of_queries)), key_(leaves_(of_keys)), Vectors(places.contiguous()),
                attention::Mask<float>())
        .reshape({count, keys});
  }

 private:
  nn::Embedding<float> leaves_;
  nn::Linear<float> query_, key_;
  attention::StreamingAttention<float> rule_;
};

/// -log of the sum of the weights of all right keys, as a mean over questions.
Vectors loss_of(const LeafTree& tree, const Vectors& weights,
                const std::vector<Question>& questions) {
  Tensor<float> right(weights.shape());
  float* to = right.data();
  for (const Question& question : questions)
    for (const bool each : nearest(tree, question)) *to++ = each ? 1.0F : 0.0F;
  return mean(-log(sum(weights * right, {-1}) + 1e-9F));
}

}  // namespace

std::int64_t LeafTree::leaves() const {
  std::int64_t count = 1;
  for (int i = 0; i < depth; ++i) count *= branching;
  return count;
}

int LeafTree::ancestor_depth(std::int64_t a, std::int64_t b) const {
  int common = depth;
  for (; a != b; --common) {
    a /= branching;
    b /= branching;
  }
  return common;
}

Question draw_question(const AncestorOptions& options, bool held_out, std::uint64_t index) {
  const std::uint64_t stream = held_out ? draws_of_tests : draws_of_training;
  const std::int64_t leaves = options.tree.leaves();
  std::uint64_t next = index << 32U;  // more draws than a question ever takes
  const auto draw = [&] { return below(leaves, options.seed, stream, next++); };
  for (;;) {
    Question question{draw(), {}};
    // if the leaf has too few pairs of this kind, another leaf is drawn
    for (std::int64_t tries = 0; tries < 20 * leaves; ++tries) {
      const std::int64_t key = draw();
      if (key == question.query || is_held_out(options, question.query, key) != held_out) continue;
      if (std::find(question.keys.begin(), question.keys.end(), key) != question.keys.end())
        continue;
      question.keys.push_back(key);
      if (int(question.keys.size()) == options.keys) return question;
    }
  }
}

double train_ancestors(const AncestorOptions& options) {
  Pointer model(options);
  optim::Adam<float> adam(model.parameters(), {.lr = options.lr});
  std::uint64_t next = 0;
  const auto draw = [&](int count, bool held_out) {
    auto questions = std::vector<Question>(std::size_t(count));
    for (Question& each : questions) each = draw_question(options, held_out, next++);
    return questions;
  };
  for (int step = 0; step < options.steps; ++step) {
    const auto questions = draw(options.batch, false);
    loss_of(options.tree, model.weights(questions), questions).backward();
    adam.step();
    adam.zero_grad();
  }
  const NoGradGuard guard;
  next = 0;
  const auto questions = draw(options.test_queries, true);
  const auto chosen = argmax(model.weights(questions).value(), 1);
  int right = 0;
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (nearest(options.tree, questions[i])[std::size_t(chosen.data()[i])]) ++right;
  return 100.0 * right / options.test_queries;
}

double chance(const AncestorOptions& options) {
  double right = 0;
  for (int i = 0; i < options.test_queries; ++i) {
    const auto marks = nearest(options.tree, draw_question(options, true, std::uint64_t(i)));
    right += double(std::count(marks.begin(), marks.end(), true)) / double(marks.size());
  }
  return 100 * right / options.test_queries;
}

}  // namespace mct::cli::train
