// Operations of all ranks on arrays and tensors: exact sums and copies.
//
// Every function is collective: all ranks call it with arrays of the same size and type. If sizes
// or types differ, the function throws ShapeError on all ranks; the message names rank and
// difference.
//
// Source: exact_sums.hpp; copies are exact.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/distributed/communicator.hpp"
#include "mctensor/distributed/exact_sums.hpp"
#include "mctensor/distributed/shards.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::distributed_detail {

using distributed::Communicator;

/// The number of rows on each rank, for tensors whose shapes differ in the first size only. `own`
/// is the shape on this rank, which must have at least one dimension.
std::vector<std::int64_t> rows_of_ranks(Communicator& ranks, const Shape& own, int type);
template <class T>
void gather_plane(Communicator& ranks, std::span<const T> own, T* all,
                  std::span<const std::int64_t> counts);
/// A code for each type and number of components.
template <class T>
constexpr int type_number(int components) {
  return 8 * (64 * int(sizeof(T)) + FloatTraits<T>::p) + components;
}

}  // namespace mct::distributed_detail

namespace mct::distributed {

/// Replaces every element by its sum over all ranks, exact and rounded once. ExactSums describes
/// the rounding and special values. Every rank gets the same bits. The bits depend neither on the
/// order of the ranks nor on ranks that hold zeros of either sign.
///
/// Element i of the array is the expansion limbs[0][i] + limbs[1][i] + .... The result is the exact
/// sum as an expansion of as many limbs: each limb is the sum minus the limbs before it, rounded to
/// nearest.
///
/// Each rank sums one span: it receives the elements of the span from all ranks, and sends the sums
/// to all ranks. A rank sends (ranks - 1) / ranks of the array twice. This is as many bytes as in a
/// ring (Patarasuk, Yuan 2009), but in two exchanges only. T: float, double, bfloat16 or half; at
/// most 4 limbs.
template <class T>
void all_reduce(Communicator& ranks, std::span<T* const> limbs, std::int64_t count);
template <class T>
void all_reduce(Communicator& ranks, std::span<T> values) {
  T* const limb = values.data();
  all_reduce(ranks, std::span<T* const>(&limb, 1), std::int64_t(values.size()));
}
/// Sums the elements of a tensor over all ranks, in place.
template <class T, int N>
void all_reduce(Communicator& ranks, const Tensor<T, N>& x) {
  const Tensor<T, N> sums = x.contiguous();
  std::array<T*, std::size_t(N)> limbs;
  for (int k = 0; k < N; ++k) limbs[std::size_t(k)] = sums.data(k);
  all_reduce(ranks, std::span<T* const>(limbs), sums.numel());
  if (!x.is_contiguous()) x.copy_(sums);
}
/// Writes the sums of all terms of all ranks to `limbs`, rounded once to limbs.size() limbs of
/// sums.size() elements. `sums` must have the same number of components on all ranks.
template <class T>
void all_reduce(Communicator& ranks, const ExactSums<T>& sums, std::span<T* const> limbs);

/// Writes the part of the same sums that belongs to this rank, shard_of(count, rank, ranks, unit),
/// to result[k][0] .... A rank sends (ranks - 1) / ranks of the array once.
template <class T>
void reduce_scatter(Communicator& ranks, std::span<const T* const> limbs, std::int64_t count,
                    std::span<T* const> result, std::int64_t unit = shard_unit);
/// Throws ShapeError, on this rank only, unless `result` is as long as this rank's part.
template <class T>
void reduce_scatter(Communicator& ranks, const ExactSums<T>& sums, std::span<T> result,
                    std::int64_t unit = shard_unit);

/// Copies the elements of one rank, the root, to every rank.
template <class T>
void broadcast(Communicator& ranks, std::span<T* const> limbs, std::int64_t count, int root);
template <class T, int N>
void broadcast(Communicator& ranks, const Tensor<T, N>& x, int root = 0) {
  const Tensor<T, N> values = x.contiguous();
  std::array<T*, std::size_t(N)> limbs;
  for (int k = 0; k < N; ++k) limbs[std::size_t(k)] = values.data(k);
  broadcast(ranks, std::span<T* const>(limbs), values.numel(), root);
  if (!x.is_contiguous()) x.copy_(values);
}

/// The tensors of all ranks, one after the other along dimension 0. Their sizes in this dimension
/// may differ. Throws ShapeError as above, and for a tensor without dimensions.
template <class T, int N>
Tensor<T, N> all_gather(Communicator& ranks, const Tensor<T, N>& x) {
  const auto rows =
      distributed_detail::rows_of_ranks(ranks, x.shape(), distributed_detail::type_number<T>(N));
  Shape shape = x.shape();
  shape[0] = 1;
  const std::int64_t row = numel(shape);
  shape[0] = 0;
  std::vector<std::int64_t> counts;
  for (const std::int64_t n : rows) {
    shape[0] += n;
    counts.push_back(n * row);
  }
  const Tensor<T, N> own = x.contiguous();
  auto all = Tensor<T, N>::uninitialized(shape);
  for (int k = 0; k < N; ++k)
    distributed_detail::gather_plane<T>(ranks, {own.data(k), std::size_t(own.numel())}, all.data(k),
                                        counts);
  return all;
}

#define MCT_EXTERN_COLLECTIVES(T)                                                             \
  extern template void all_reduce(Communicator&, std::span<T* const>, std::int64_t);          \
  extern template void all_reduce(Communicator&, const ExactSums<T>&, std::span<T* const>);   \
  extern template void reduce_scatter(Communicator&, std::span<const T* const>, std::int64_t, \
                                      std::span<T* const>, std::int64_t);                     \
  extern template void reduce_scatter(Communicator&, const ExactSums<T>&, std::span<T>,       \
                                      std::int64_t);                                          \
  extern template void broadcast(Communicator&, std::span<T* const>, std::int64_t, int);
MCT_EXTERN_COLLECTIVES(float)
MCT_EXTERN_COLLECTIVES(double)
MCT_EXTERN_COLLECTIVES(bfloat16)
MCT_EXTERN_COLLECTIVES(half)
#undef MCT_EXTERN_COLLECTIVES

}  // namespace mct::distributed
