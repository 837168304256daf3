#include "mctensor/optim/weights.hpp"

#include <array>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/convert.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/memory_check.hpp"

namespace mct::optim {

namespace {

using optim_detail::Extent;

[[noreturn]] void fail(const std::string& what) { throw DomainError("AdamW: " + what); }

void require_array(const void* array, const char* name) {
  if (array == nullptr) fail(std::string("the array ") + name + " is null");
}

/// Weights that are read or written beside theta and low.
void check_weights(Strategy strategy, Format format, const AdamWMemory& memory,
                   const float* weights, bool written) {
  if (!composition_of(strategy).has_format(format))
    fail(to_string(strategy) + " does not exist for " + to_string(format));
  optim_detail::check_memory(strategy, memory, false, false);
  if (memory.count == 0) return;
  require_array(weights, "weights");
  AdamWMemory kept;
  kept.theta = memory.theta;
  kept.low = memory.low;
  kept.count = memory.count;
  std::array<Extent, kept_arrays.size() + 2> extents;
  std::size_t count = optim_detail::add_extents(strategy, kept, 0, extents.data());
  for (std::size_t i = 0; i < count; ++i) extents[i].written = !written;
  extents[count++] = {weights, std::size_t(memory.count) * sizeof(float), "weights", 0, written};
  optim_detail::check_overlap({extents.data(), count}, false);
}

void check_finite(Strategy strategy, Format format, const float* weights, std::int64_t count) {
  const auto bad = [&](std::int64_t begin, std::int64_t size) {
    AdamWMemory memory;
    memory.count = size;
    const optim_detail::FloatSide floats{weights + begin, nullptr};
    return optim_detail::count_nonfinite(strategy, format, {&memory, 1}, {&floats, 1}) > 0;
  };
  if (!bad(0, count)) return;
  std::int64_t i = 0;
  while (!bad(i, 1)) ++i;
  const bool is_float = composition_of(strategy).theta == Number::float32;
  fail("weight number " + std::to_string(i) + ", " + number_text(double(weights[i]), 9) +
       ", is not finite in " + (is_float ? "float" : to_string(format)));
}

void check_conversion(const void* from, std::size_t from_size, const void* to, std::size_t to_size,
                      std::int64_t count) {
  optim_detail::check_count(count);
  if (count == 0) return;
  require_array(from, "from");
  require_array(to, "to");
  std::array<Extent, 2> extents = {Extent{from, std::size_t(count) * from_size, "from", 0, false},
                                   Extent{to, std::size_t(count) * to_size, "to", 0, true}};
  optim_detail::check_overlap(extents, false);
}

}  // namespace

void set_weights(Strategy strategy, Format format, const float* weights,
                 const AdamWMemory& memory) {
  check_weights(strategy, format, memory, weights, false);
  check_finite(strategy, format, weights, memory.count);
  if (memory.count == 0) return;
  optim_detail::split_weights(strategy, format, weights, memory);
}

void get_weights(Strategy strategy, Format format, const AdamWMemory& memory, float* weights) {
  check_weights(strategy, format, memory, weights, true);
  if (memory.count == 0) return;
  optim_detail::join_weights(strategy, format, memory, weights);
}

void narrow_floats(Format format, const float* from, void* to, std::int64_t count) {
  check_conversion(from, sizeof(float), to, sizeof(half), count);
  if (format == Format::float16) {
    tensor_detail::convert_numbers(count, from, static_cast<half*>(to));
  } else {
    tensor_detail::convert_numbers(count, from, static_cast<bfloat16*>(to));
  }
}

void widen_to_floats(Format format, const void* from, float* to, std::int64_t count) {
  check_conversion(from, sizeof(half), to, sizeof(float), count);
  if (format == Format::float16) {
    tensor_detail::convert_numbers(count, static_cast<const half*>(from), to);
  } else {
    tensor_detail::convert_numbers(count, static_cast<const bfloat16*>(from), to);
  }
}

}  // namespace mct::optim
