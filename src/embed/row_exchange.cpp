#include "src/embed/row_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace mct::embed {
namespace {

using distributed::Parts;

/// Where each part begins.
std::vector<std::size_t> begins_of(const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), std::size_t(0));
  return begins;
}

std::vector<std::size_t> times(const std::vector<std::size_t>& counts, std::size_t factor) {
  std::vector<std::size_t> r(counts);
  for (std::size_t& n : r) n *= factor;
  return r;
}

}  // namespace

RowExchange::RowExchange(distributed::Communicator& ranks, std::int64_t rows, int tangents)
    : ranks_(ranks), tangents_(tangents), fetched_in_(std::size_t(rows), 0) {}

std::pair<std::int64_t, std::int64_t> RowExchange::part(std::int64_t examples) const {
  const std::int64_t rank = ranks_.rank();
  return {examples * rank / ranks_.size(), examples * (rank + 1) / ranks_.size()};
}

void RowExchange::fetch(const std::int32_t* rows, std::int64_t count, Tensor<double>& points) {
  if (++fetch_ == 0) {  // all numbers have been used
    std::fill(fetched_in_.begin(), fetched_in_.end(), 0u);
    fetch_ = 1;
  }
  std::vector<std::vector<std::int32_t>> wanted(std::size_t(ranks_.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t row = rows[i];
    if (row < 0 || owner(row) == ranks_.rank() || fetched_in_[std::size_t(row)] == fetch_) continue;
    fetched_in_[std::size_t(row)] = fetch_;
    wanted[std::size_t(owner(row))].push_back(row);
  }
  Parts<std::int32_t> asked;
  for (const auto& of_rank : wanted) {
    asked.counts.push_back(of_rank.size());
    asked.values.insert(asked.values.end(), of_rank.begin(), of_rank.end());
  }
  const Parts<std::int32_t> demanded = ranks_.all_to_all(asked);
  const std::int64_t numbers = points.size(1);
  Parts<double> answer{{}, times(demanded.counts, std::size_t(numbers))};
  answer.values.resize(demanded.values.size() * std::size_t(numbers));
  double* to = answer.values.data();
  for (const std::int32_t row : demanded.values) {
    std::copy_n(points.data() + row * numbers, numbers, to);
    to += numbers;
  }
  const Parts<double> received = ranks_.all_to_all(answer);
  const double* from = received.values.data();
  for (const std::int32_t row : asked.values) {
    std::copy_n(from, numbers, points.data() + row * numbers);
    from += numbers;
  }
}

template <class T>
RowVectors<T> RowExchange::deliver(const RowVectors<T>& vectors, std::vector<T>& memory) {
  const auto tangents = std::size_t(tangents_);
  Parts<std::int32_t> rows{{}, std::vector<std::size_t>(std::size_t(ranks_.size()), 0)};
  for (std::int64_t i = 0; i < vectors.count; ++i)
    if (vectors.rows[i] >= 0) ++rows.counts[std::size_t(owner(vectors.rows[i]))];
  std::vector<std::size_t> at = begins_of(rows.counts);
  rows.values.resize(at.back() + rows.counts.back());
  Parts<T> sent{{}, times(rows.counts, tangents)};
  sent.values.resize(rows.values.size() * tangents);
  for (std::int64_t i = 0; i < vectors.count; ++i) {
    const std::int32_t row = vectors.rows[i];
    if (row < 0) continue;
    const std::size_t k = at[std::size_t(owner(row))]++;
    rows.values[k] = row;
    for (std::size_t c = 0; c < tangents; ++c)
      sent.values[k * tangents + c] = vectors.vectors[std::int64_t(c) * vectors.plane + i];
  }
  rows_ = ranks_.all_to_all(rows).values;
  const std::vector<T> received = ranks_.all_to_all(sent).values;
  const std::int64_t plane = padded_plane(std::int64_t(rows_.size()));
  memory.resize(std::size_t(plane) * tangents);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (std::size_t c = 0; c < tangents; ++c)
      memory[c * std::size_t(plane) + k] = received[k * tangents + c];
  return {rows_.data(), std::int64_t(rows_.size()), memory.data(), plane};
}
template RowVectors<float> RowExchange::deliver(const RowVectors<float>&, std::vector<float>&);
template RowVectors<double> RowExchange::deliver(const RowVectors<double>&, std::vector<double>&);

void RowExchange::gather(std::int64_t begin, std::int64_t end, std::vector<double>& values) {
  const std::span<const double> own(values.data() + begin, std::size_t(end - begin));
  const auto all = ranks_.all_gather(own).values;
  std::copy(all.begin(), all.end(), values.begin());
}

std::int64_t RowExchange::sum(std::int64_t x) {
  const auto all = ranks_.all_gather(std::span<const std::int64_t>(&x, 1)).values;
  return std::accumulate(all.begin(), all.end(), std::int64_t(0));
}

void RowExchange::collect(Tensor<double>& of_rows) {
  constexpr std::int64_t rows_at_once = 1 << 18;  // bounds the memory
  const std::int64_t numbers = of_rows.size(1);
  const std::int64_t ranks = ranks_.size();
  for (std::int64_t first = 0; first < of_rows.size(0); first += rows_at_once * ranks) {
    const std::int64_t end = std::min(of_rows.size(0), first + rows_at_once * ranks);
    std::vector<double> own;
    for (std::int64_t row = first + ranks_.rank(); row < end; row += ranks)
      own.insert(own.end(), of_rows.data() + row * numbers, of_rows.data() + (row + 1) * numbers);
    const auto all = ranks_.all_gather(std::span<const double>(own)).values;
    const double* from = all.data();
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      for (std::int64_t row = first + rank; row < end; row += ranks, from += numbers)
        std::copy_n(from, numbers, of_rows.data() + row * numbers);
  }
}

}  // namespace mct::embed
