// Points of a training that several processes share: each row belongs to one of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/distributed/communicator.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/embed/row_sums.hpp"

namespace mct::embed {

/// Row r belongs to rank r modulo their number, which alone moves it; on other ranks its point is
/// that of the last fetch. Examples of a batch are shared out in pieces, one rank's after the
/// other's, so that the results of the ranks, one after the other, are in the order of the batch.
/// All functions but `part` are collective.
class RowExchange {
 public:
  RowExchange(distributed::Communicator& ranks, std::int64_t rows, int tangents);

  /// The examples of this rank among so many: from, to.
  std::pair<std::int64_t, std::int64_t> part(std::int64_t examples) const;
  /// Brings the points of these rows up to date (-1: none).
  void fetch(const std::int32_t* rows, std::int64_t count, Tensor<double>& points);
  /// Sends each vector to the rank that the row belongs to: those that came here, in `memory`.
  template <class T>
  RowVectors<T> deliver(const RowVectors<T>& vectors, std::vector<T>& memory);
  /// Every rank's values, one after the other.
  void gather(std::int64_t begin, std::int64_t end, std::vector<double>& values);
  /// The sum over all ranks.
  std::int64_t sum(std::int64_t x);
  /// Brings the numbers of all rows up to date.
  void collect(Tensor<double>& of_rows);

 private:
  int owner(std::int32_t row) const { return row % ranks_.size(); }

  distributed::Communicator& ranks_;
  int tangents_;
  std::uint32_t fetch_ = 0;
  std::vector<std::uint32_t> fetched_in_;  // of the rows
  std::vector<std::int32_t> rows_;
};

}  // namespace mct::embed
