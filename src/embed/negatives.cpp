#include "src/embed/negatives.hpp"

#include <array>
#include <cmath>

#include "src/embed/kernels/words_table.hpp"

namespace mct::embed {
namespace {

/// Random words of one example, as many at a time as `words` has.
class Words {
 public:
  Words(const embed_detail::WordsTable& kernels, std::uint64_t seed, std::uint64_t place,
        std::uint32_t epoch, std::vector<std::uint32_t>& words)
      : kernels_(kernels),
        key_(embed_detail::negative_key(seed)),
        counter_(embed_detail::negative_counter(place, epoch)),
        words_(words),
        at_(words.size()) {}

  std::uint32_t next() {
    if (at_ == words_.size()) {
      const std::size_t counters = words_.size() / 4;
      kernels_.fill(counter_, first_, key_, std::int64_t(counters), words_.data());
      first_ += std::uint32_t(counters);
      at_ = 0;
    }
    return words_[at_++];
  }

  /// At least `wanted` words in whole registers of counters.
  static std::size_t rounded_up(std::size_t wanted) {
    constexpr std::size_t block = 4 * embed_detail::words_counters;
    return (wanted + block - 1) / block * block;
  }

 private:
  const embed_detail::WordsTable& kernels_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 3> counter_;
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t>& words_;
  std::size_t at_;
};

/// How often each node stands in an edge, to the power 3/4.
std::vector<double> weights_of(const Graph& graph) {
  std::vector<double> counts(graph.node_count(), 0);
  for (std::size_t e = 0; e < graph.edge_count(); ++e)
    for (const std::int32_t node : {graph.sources()[e], graph.targets()[e]})
      counts[std::size_t(node)] += 1;
  // a product with roots, which are rounded the same everywhere
  for (double& c : counts) c = std::sqrt(c) * std::sqrt(std::sqrt(c));
  return counts;
}

constexpr double two_to_32 = 4294967296.0;  // 2^32

}  // namespace

AliasTable::AliasTable(const std::vector<double>& weights)
    : keep_(weights.size(), std::uint64_t(two_to_32)), other_(weights.size(), 0) {
  double sum = 0;
  for (const double w : weights) sum += w;
  std::vector<double> share(weights);
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < share.size(); ++i) {
    share[i] *= double(share.size()) / sum;
    (share[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t i = small.back();
    const std::size_t j = large.back();
    small.pop_back();
    keep_[i] = std::uint64_t(share[i] * two_to_32);
    other_[i] = std::int32_t(j);
    share[j] -= 1 - share[i];
    if (share[j] < 1) {
      large.pop_back();
      small.push_back(j);
    }
  }
}

Negatives::Negatives(const Graph& graph, std::uint64_t seed)
    : targets_(successors(graph)),
      by_count_(weights_of(graph)),
      seed_(seed),
      kernels_(embed_detail::find_words_table()) {}

void Negatives::draw(std::int32_t source, std::uint64_t place, std::uint32_t epoch, bool by_count,
                     int count, Scratch& scratch, std::int32_t* to) const {
  NodeSet& taken = scratch.taken;
  const auto targets = targets_[source];
  taken.clear(1 + targets.size() + std::size_t(count));
  taken.insert(source);
  for (const std::int32_t target : targets) taken.insert(target);
  // as many as are wanted if no node is drawn twice
  scratch.words.resize(Words::rounded_up(std::size_t(count) * (by_count ? 2 : 1)));
  Words words(kernels_, seed_, place, epoch, scratch.words);
  const std::uint64_t nodes = targets_.size();
  int found = 0;
  for (int tries = embed_detail::tries_of_negative * count; tries > 0 && found < count; --tries) {
    const std::uint32_t word = words.next();
    const std::int32_t node =
        by_count ? by_count_.draw(word, words.next()) : embed_detail::node_of(word, nodes);
    // written in any case, so that nothing has to be guessed
    to[found] = node;
    found += taken.insert(node);
  }
  for (int i = found; i < count; ++i) to[i] = found > 0 ? to[i - found] : -1;
}

}  // namespace mct::embed
