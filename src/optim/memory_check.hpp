// The conditions on the arrays of AdamW steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mctensor/optim/arrays.hpp"

namespace mct::optim_detail {

/// Bytes that a call reads or writes.
struct Extent {
  const void* data = nullptr;
  std::size_t bytes = 0;
  const char* name = "";
  std::size_t tensor = 0;  ///< of several
  bool written = true;
};

/// Sorts the extents. Throws DomainError with the names of two extents that overlap if one of them
/// is written.
void check_overlap(std::span<Extent> extents, bool several_tensors);

/// Throws DomainError unless 0 <= count <= 2^60: then no size in bytes overflows.
void check_count(std::int64_t count);

/// Throws DomainError naming the argument: a negative count or position, a position beyond 2^60, a
/// shard that does not begin with a group of scales, an array that is missing. Without `with_grad`
/// the gradient is not checked; without `with_states` only theta and low are checked.
void check_memory(optim::Strategy strategy, const optim::AdamWMemory& memory, bool with_grad,
                  bool with_states = true);

/// The arrays of a memory that check_memory has passed, from `at` on; returns how many: at most
/// kept_arrays.size() + 1.
std::size_t add_extents(optim::Strategy strategy, const optim::AdamWMemory& memory,
                        std::size_t tensor, Extent* at);

/// check_memory of every tensor, with the tensor's name in the message. Arrays of different tensors
/// must not overlap either; gradients may.
void check_tensors(optim::Strategy strategy, std::span<const optim::AdamWMemory> tensors);

}  // namespace mct::optim_detail
