#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/attention/edge_operands.hpp"
#include "cuda/attention/sizes.hpp"
#include "cuda/device/stream_queue.hpp"
#include "src/attention/by_keys.hpp"

namespace mct::cuda {
namespace {

using attention::Score;

EdgeOperands operands_of(const AttentionSizes& sizes, const AttentionOperands<float>& of,
                         const EdgesThere& seen) {
  if (seen.queries != sizes.queries || seen.keys != sizes.keys)
    refuse_shapes("edges of " + std::to_string(seen.queries) + " queries and " +
                  std::to_string(seen.keys) + " keys for queries of shape " +
                  to_string(of.x.shape()) + " and keys of " + to_string(of.y.shape()));
  return {of.x.data(), of.a.data(), of.y.data(),        of.b.data(),
          of.v.data(), seen.starts, seen.columns,       sizes.queries,
          sizes.keys,  seen.edges,  int(of.x.size(-1)), int(of.v.size(-1))};
}

}  // namespace

EdgesThere edges_there(const attention::Neighbourhood& seen, std::int64_t keys,
                       const Stream& stream) {
  // copies, so that the programs read the numbers that were checked, even if other code writes to
  // the memory in the meantime
  const attention::Neighbourhood own = {seen.starts.clone(), seen.columns.clone()};
  const std::int64_t queries = std::max<std::int64_t>(own.starts.numel() - 1, 0);
  attention::require_neighbourhood(own, queries, keys);
  const attention_detail::ByKeys by_keys(own, keys);
  std::vector<std::int64_t> all;
  const auto add = [&](const auto& begin, std::size_t count) {
    all.insert(all.end(), begin, begin + std::ptrdiff_t(count));
  };
  const std::size_t edges = by_keys.edges.size();
  add(own.starts.data(), std::size_t(queries) + 1);
  add(own.columns.data(), edges);
  add(by_keys.starts.begin(), by_keys.starts.size());
  add(by_keys.queries.begin(), edges);
  add(by_keys.edges.begin(), edges);
  const std::size_t bytes = all.size() * sizeof(all[0]);
  const auto memory = DeviceMemory::allocate(bytes, stream);
  copy(memory.data(), all.data(), bytes, stream);
  const auto* at = static_cast<const std::int64_t*>(memory.data());
  const auto next = [&](std::size_t count) { return std::exchange(at, at + count); };
  EdgesThere there{queries, keys, std::int64_t(edges)};
  there.starts = next(std::size_t(queries) + 1);
  there.columns = next(edges);
  there.key_starts = next(by_keys.starts.size());
  there.key_queries = next(edges);
  there.key_places = next(edges);
  there.memory = memory;
  there.stream = stream;
  return there;
}

void attend_edges(Score score, const AttentionOperands<float>& of, const EdgesThere& seen,
                  const Attended<float>& to) {
  const NumberCounts counts(score);
  const AttentionSizes sizes(counts, of, false);
  const Stream& stream = of.x.stream();
  Ordered ordered(stream);
  wait_for_operands(ordered, counts, of);
  if (seen.stream) ordered.add(*seen.stream);
  const StreamQueue queue(stream);
  const EdgeOperands operands = operands_of(sizes, of, seen);
  const auto weights = queue.allocate<float>(sizes.groups * operands.edges);
  start_edges(
      {score, int(sizes.groups), operands, weights.data(), to.values.data(), to.log_sum.data()},
      stream);
}

void attend_edges_backward(Score score, const AttentionOperands<float>& of, const EdgesThere& seen,
                           const Attended<float>& result, const DeviceTensor<float>& gradient,
                           const AttentionOperands<float>& to) {
  const NumberCounts counts(score);
  const AttentionSizes sizes(counts, of, false);
  require_gradient(of, result, gradient);
  const Stream& stream = of.x.stream();
  Ordered ordered(stream, result.values, result.log_sum, gradient);
  wait_for_operands(ordered, counts, of);
  if (seen.stream) ordered.add(*seen.stream);
  const StreamQueue queue(stream);
  const EdgeOperands operands = operands_of(sizes, of, seen);
  const std::int64_t edges = sizes.groups * operands.edges;
  const auto numbers = queue.allocate<float>(edges * (2 + counts.keys));
  start_edges_backward({score,
                        int(sizes.groups),
                        operands,
                        {seen.key_starts, seen.key_queries, seen.key_places},
                        {numbers.data(), numbers.data() + edges, numbers.data() + 2 * edges},
                        result.values.data(),
                        result.log_sum.data(),
                        gradient.data(),
                        to.x.data(),
                        to.a.data(),
                        to.y.data(),
                        to.b.data(),
                        to.v.data()},
                       stream);
}

}  // namespace mct::cuda
