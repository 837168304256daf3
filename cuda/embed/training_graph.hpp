// The graph of a training in a device's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/device/stream_queue.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "mctensor/embed/graph.hpp"
#include "src/embed/negatives.hpp"

namespace mct::cuda {

class TrainingGraph {
 public:
  TrainingGraph(const StreamQueue& queue, const embed::Graph& graph,
                const embed::Negatives& negatives)
      : nodes_(std::int64_t(graph.node_count())),
        sources_(queue.upload(graph.sources())),
        targets_(queue.upload(graph.targets())),
        begin_(queue.upload(std::vector<std::uint64_t>(negatives.targets().begins().begin(),
                                                       negatives.targets().begins().end()))),
        entries_(queue.upload(negatives.targets().entries())),
        keep_(queue.upload(negatives.by_count().keep())),
        other_(queue.upload(negatives.by_count().other())) {
    if (graph.has_weights()) weights_ = queue.upload(graph.weights());
  }

  DeviceGraph view() const {
    return {sources_.data(), targets_.data(), weights_ ? weights_->data() : nullptr,
            begin_.data(),   entries_.data(), keep_.data(),
            other_.data(),   nodes_};
  }

 private:
  template <class T>
  using Buffer = StreamQueue::Buffer<T>;

  std::int64_t nodes_;
  Buffer<std::int32_t> sources_, targets_;
  Buffer<std::uint64_t> begin_;
  Buffer<std::int32_t> entries_;
  Buffer<std::uint64_t> keep_;
  Buffer<std::int32_t> other_;
  std::optional<Buffer<double>> weights_;
};

}  // namespace mct::cuda
