#include "src/optim/memory_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "mctensor/error.hpp"

namespace mct::optim_detail {

namespace {

using optim::AdamWMemory;
using optim::kept_arrays;
using optim::KeptArray;
using optim::Layout;

/// Arithmetic with positions stays far from overflow, and so do sizes in bytes.
constexpr std::int64_t most_elements = std::int64_t(1) << 60;

[[noreturn]] void fail(const std::string& what) { throw DomainError("AdamW: " + what); }

std::uintptr_t begin_of(const Extent& extent) {
  return reinterpret_cast<std::uintptr_t>(extent.data);
}

/// True if a, which does not begin after b, reaches beyond the beginning of b.
bool reaches(const Extent* a, const Extent& b) {
  return a != nullptr && begin_of(b) - begin_of(*a) < a->bytes;
}

/// The extent that ends last of the two.
const Extent* longer(const Extent* a, const Extent& b) {
  return a != nullptr && begin_of(*a) + a->bytes >= begin_of(b) + b.bytes ? a : &b;
}

std::string describe(const Extent& extent, bool several_tensors) {
  std::string text = extent.name;
  if (several_tensors) text += " of tensor " + std::to_string(extent.tensor);
  return text;
}

}  // namespace

void check_overlap(std::span<Extent> extents, bool several_tensors) {
  const auto before = [](const Extent& a, const Extent& b) { return begin_of(a) < begin_of(b); };
  if (!std::is_sorted(extents.begin(), extents.end(), before))
    std::sort(extents.begin(), extents.end(), before);
  const Extent* any = nullptr;  // of those before, the one that ends last
  const Extent* written = nullptr;
  for (const Extent& extent : extents) {
    if (extent.bytes == 0) continue;
    const Extent* const other = extent.written ? any : written;
    if (reaches(other, extent))
      throw DomainError("AdamW: " + describe(*other, several_tensors) + " and " +
                        describe(extent, several_tensors) + " overlap");
    any = longer(any, extent);
    if (extent.written) written = longer(written, extent);
  }
}

void check_count(std::int64_t count) {
  if (count < 0) fail("count " + std::to_string(count) + " is negative");
  if (count > most_elements) fail("count " + std::to_string(count) + " is above 2^60");
}

void check_memory(optim::Strategy strategy, const AdamWMemory& memory, bool with_grad,
                  bool with_states) {
  check_count(memory.count);
  if (memory.first < 0) fail("first " + std::to_string(memory.first) + " is negative");
  if (memory.first > most_elements - memory.count)
    fail("first " + std::to_string(memory.first) + " and count " + std::to_string(memory.count) +
         " together are above 2^60");
  const Layout layout = layout_of(strategy);
  if (with_states && memory.first % layout.unit() != 0)
    fail(to_string(strategy) + ": a shard that begins at " + std::to_string(memory.first) +
         ", not a multiple of " + std::to_string(layout.unit()));
  const std::int64_t offset = memory.first % optim::scale_group;
  if (layout.marks > 0 && memory.marks != nullptr && offset > 0 &&
      memory.count > optim::scale_group - offset)
    fail(to_string(strategy) + ": marks of a shard that begins at " + std::to_string(memory.first) +
         ", not a multiple of " + std::to_string(optim::scale_group) +
         ", and continues after that group");
  if (memory.count == 0) return;
  const auto present = [&](const void* array, const char* name) {
    if (array == nullptr) fail(to_string(strategy) + " needs the array " + name);
  };
  for (const KeptArray& array : kept_arrays)
    if (array.is_needed(layout) && (with_states || array.is_of_weights()))
      present(memory.*array.data, array.name);
  if (with_grad) present(memory.grad, "grad");
}

std::size_t add_extents(optim::Strategy strategy, const AdamWMemory& memory, std::size_t tensor,
                        Extent* at) {
  const Layout layout = layout_of(strategy);
  std::size_t count = 0;
  const auto add = [&](const void* data, std::size_t bytes, const char* name, bool written) {
    if (data != nullptr && bytes > 0) at[count++] = {data, bytes, name, tensor, written};
  };
  for (const KeptArray& array : kept_arrays)
    add(memory.*array.data, array.bytes(memory.count, layout), array.name, true);
  add(memory.grad, std::size_t(memory.count) * layout.grad, "grad", false);
  return count;
}

namespace {

/// Bytes from begin to end: an array, or several that lie end to end.
struct Run {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool written;
};

/// Enters the arrays of one kind, of all tensors, into ordered runs: array_of(i) is {address,
/// bytes} of the array of tensor i.
template <class ArrayOf>
void add_runs(std::size_t tensors, bool written, const ArrayOf& array_of, std::vector<Run>& runs) {
  const auto old = std::ptrdiff_t(runs.size());
  for (std::size_t i = 0; i < tensors; ++i) {
    const auto [data, bytes] = array_of(i);
    if (data == nullptr || bytes == 0) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    if (std::ptrdiff_t(runs.size()) > old && runs.back().end == begin) {
      runs.back().end += bytes;
    } else {
      runs.push_back({begin, begin + bytes, written});
    }
  }
  const auto before = [](const Run& a, const Run& b) { return a.begin < b.begin; };
  const auto middle = runs.begin() + old;
  if (!std::is_sorted(middle, runs.end(), before)) std::sort(middle, runs.end(), before);
  std::inplace_merge(runs.begin(), middle, runs.end(), before);
}

/// The overlap that check_overlap finds, without names. Nothing is sorted if the arrays of each
/// kind lie in the order of the tensors, as is usual.
bool is_overlapping(optim::Strategy strategy, std::span<const AdamWMemory> tensors) {
  struct Array {
    const void* data;
    std::size_t bytes;
  };
  const Layout layout = layout_of(strategy);
  std::vector<Run> runs;
  for (const KeptArray& array : kept_arrays)
    if (layout.*array.size > 0)
      add_runs(
          tensors.size(), true,
          [&](std::size_t i) {
            return Array{tensors[i].*array.data, array.bytes(tensors[i].count, layout)};
          },
          runs);
  add_runs(
      tensors.size(), false,
      [&](std::size_t i) {
        return Array{tensors[i].grad, std::size_t(tensors[i].count) * layout.grad};
      },
      runs);
  std::uintptr_t any = 0;  // where those before end
  std::uintptr_t written = 0;
  for (const Run& run : runs) {
    if (run.begin < (run.written ? any : written)) return true;
    any = std::max(any, run.end);
    if (run.written) written = std::max(written, run.end);
  }
  return false;
}

}  // namespace

void check_tensors(optim::Strategy strategy, std::span<const AdamWMemory> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    try {
      check_memory(strategy, tensors[i], true);
    } catch (const DomainError& error) {
      throw DomainError("tensor " + std::to_string(i) + ": " + error.what());
    }
  }
  if (!is_overlapping(strategy, tensors)) return;
  std::vector<Extent> extents(tensors.size() * (kept_arrays.size() + 1));
  std::size_t count = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    count += add_extents(strategy, tensors[i], i, extents.data() + count);
  check_overlap({extents.data(), count}, true);
}

}  // namespace mct::optim_detail
