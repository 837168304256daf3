#include "src/embed/neighbour_loss.hpp"

namespace mct::embed {

void NeighbourLoss::draw(const EdgeBatch& batch, std::int64_t begin, std::int64_t end, int thread,
                         std::int32_t* rows, double* shares) {
  const Graph& graph = batch.graph;
  // edges and the data of their sources lie anywhere in memory, so they are prefetched
  const auto source = [&](std::int64_t e) { return graph.sources()[batch.edges[e]]; };
  const auto fetch = [&](std::int64_t e) {
    if (e + 12 < end) {
      __builtin_prefetch(graph.sources().data() + batch.edges[e + 12]);
      __builtin_prefetch(graph.targets().data() + batch.edges[e + 12]);
    }
    if (e + 8 < end) negatives_.fetch_begin(source(e + 8));
    if (e + 4 < end) negatives_.fetch_targets(source(e + 4));
  };
  for (std::int64_t e = begin; e < end; ++e) {
    fetch(e);
    const std::size_t edge = batch.edges[e];
    std::int32_t* const to = rows + e * width();
    to[0] = graph.sources()[edge];
    to[1] = graph.targets()[edge];
    shares[e] = graph.weight(edge) / double(batch.count);
    negatives_.draw(to[0], std::uint64_t(batch.first + e), batch.epoch, batch.burning,
                    options_.negatives, scratch_[std::size_t(thread)], to + 2);
  }
}

void NeighbourLoss::find_gradients(const EdgeBatch& batch,
                                   const embed_detail::PointTable<const double>& points,
                                   std::int64_t begin, std::int64_t end, int /*thread*/,
                                   std::int32_t* rows, const double* shares,
                                   const embed_detail::AnyResults& results) {
  const embed_detail::Examples examples{width() - 1, rows, options_.sharpness * batch.radius,
                                        shares};
  std::visit(
      [&]<class T>(const embed_detail::ExampleResults<T>& of_type) {
        std::get<embed_detail::TrainKernels<T>>(kernels_).gradients(points, examples, begin, end,
                                                                    of_type);
      },
      results);
}

}  // namespace mct::embed
