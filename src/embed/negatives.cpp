// Negatives: nodes that an edge's source has no edge to.
#include "src/embed/negatives.hpp"

#include <algorithm>
#include <cmath>

#include "mctensor/tensor/philox.hpp"

namespace mct::embed {
namespace {

/// Random words of one example, four at a time.
class Words {
 public:
  Words(std::uint64_t seed, std::uint64_t place, std::uint32_t epoch)
      : key_{std::uint32_t(seed), std::uint32_t(seed >> 32)},
        counter_{std::uint32_t(place), std::uint32_t(place >> 32), epoch, 0} {}

  std::uint32_t next() {
    if (left_ == 0) {
      words_ = philox4x32(counter_, key_);
      ++counter_[3];
      left_ = 4;
    }
    return words_[std::size_t(4 - left_--)];
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> words_{};
  int left_ = 0;
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

constexpr double whole = 4294967296.0;  // 2^32

}  // namespace

AliasTable::AliasTable(const std::vector<double>& weights)
    : keep_(weights.size(), std::uint64_t(whole)), other_(weights.size(), 0) {
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
    keep_[i] = std::uint64_t(share[i] * whole);
    other_[i] = std::int32_t(j);
    share[j] -= 1 - share[i];
    if (share[j] < 1) {
      large.pop_back();
      small.push_back(j);
    }
  }
}

Negatives::Negatives(const Graph& graph, std::uint64_t seed)
    : targets_(successors(graph)), by_count_(weights_of(graph)), seed_(seed) {}

void Negatives::draw(std::int32_t source, std::uint64_t place, std::uint32_t epoch, bool by_count,
                     int count, Marks& marks, std::int32_t* to) const {
  if (++marks.current_ == 0) {  // all numbers have been used
    std::fill(marks.mark_.begin(), marks.mark_.end(), 0);
    marks.current_ = 1;
  }
  std::uint16_t* const mark = marks.mark_.data();
  const std::uint16_t taken = marks.current_;
  mark[source] = taken;
  for (const std::int32_t target : targets_[source]) mark[target] = taken;
  const std::uint64_t nodes = targets_.size();
  Words words(seed_, place, epoch);
  int found = 0;
  for (int tries = 10 * count; tries > 0 && found < count; --tries) {
    const std::uint32_t word = words.next();
    const auto node =
        by_count ? by_count_.draw(word, words.next()) : std::int32_t(word * nodes >> 32);
    // written in any case, so that nothing has to be guessed
    to[found] = node;
    found += mark[node] != taken;
    mark[node] = taken;
  }
  for (int i = found; i < count; ++i) to[i] = found > 0 ? to[i - found] : -1;
}

}  // namespace mct::embed
