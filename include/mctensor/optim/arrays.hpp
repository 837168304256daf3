// One table of the arrays that an AdamW strategy keeps: their names, formats and positions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mctensor/optim/strategy.hpp"

namespace mct::optim {

/// The number of parameters that share one mark and the words of their random bits.
inline constexpr std::int64_t scale_group = 128;
/// The number of parameters of split8 whose states share scales; `low` holds the scales.
inline constexpr std::int64_t scale_block = 16;

/// The bytes of an element of each array; 0 if the strategy has no such array.
struct Layout {
  std::size_t theta;  ///< T, or float for full
  std::size_t low;    ///< 2 for delta or lower bits, 4 for float master weights, 1 for split8
  std::size_t m;      ///< first moment
  std::size_t v;      ///< second moment
  std::size_t v_low;  ///< delta_v
  std::size_t v_max;  ///< the largest v, with AMSGrad only; not counted in bytes()
  std::size_t grad;   ///< T, or float for full
  std::size_t marks;  ///< the bytes of the mark of a group of 128 parameters; the array is
                      ///< optional and not counted in bytes()
  /// A shard (a part of a parameter on one rank) begins at a multiple of this number, because
  /// shards do not share scales.
  constexpr std::int64_t unit() const { return low == 1 ? scale_block : 1; }
  /// The bytes of all arrays per parameter, if the parameters fill whole units.
  constexpr double bytes() const { return double(theta + low + m + v + v_low + grad); }
};

/// The arrays of `count` parameters, in the formats of the strategy. Arrays whose size in
/// layout_of(strategy) is 0 are ignored. Arrays need not be aligned, but must not overlap. `low` of
/// split8 has whole blocks of 16: 32 bytes for 17 parameters.
struct AdamWMemory {
  void* theta = nullptr;
  void* low = nullptr;
  void* m = nullptr;
  void* v = nullptr;
  void* v_low = nullptr;
  /// AMSGrad if not null: the largest v so far, in the format of v (float for split8).
  void* v_max = nullptr;
  const void* grad = nullptr;
  std::int64_t count = 0;
  /// The position of the first element in the whole parameter. With it a shard gets the same bits
  /// as the whole parameter. A multiple of 16 for split8.
  std::int64_t first = 0;
  /// One mark (std::uint32_t) for every group of 128 parameters, or null. Only strategies whose
  /// `low` is a remainder of theta or lower bits of theta's float use marks. A mark is a checksum
  /// of theta as the last step wrote it. If the mark does not fit theta, the caller has written
  /// theta. The next step then drops `low` of all 128 parameters. A mark of zero, as at the
  /// beginning, means that there is no checksum yet. set_weights sets the marks of the groups that
  /// it writes. If there are marks, `first` must be a multiple of 128, or all elements must lie in
  /// one group.
  void* marks = nullptr;
};

enum class Content : std::uint8_t {
  none,        ///< there is no such array
  narrow,      ///< T
  float32,     ///< float
  lower_bits,  ///< 16 bits of a float
  lower_byte,  ///< 7 bits of a float and one of the scales of a block of 16
  roots,       ///< 8-bit codes of roots (Number::roots)
  marks,       ///< 32 bits for every group of 128 parameters
};

constexpr std::size_t bytes_of(Content content) {
  constexpr std::array<std::size_t, 7> bytes = {0, 2, 4, 2, 1, 1, 4};
  return bytes[std::size_t(content)];
}
constexpr Content content_of(Number number) {
  constexpr std::array contents = {Content::narrow, Content::float32, Content::roots};
  return contents[std::size_t(number)];
}

/// An array that is kept from step to step.
struct KeptArray {
  const char* name;  ///< the name in files and messages
  Content (*content)(const Composition&);
  std::size_t Layout::*size;
  void* AdamWMemory::*data;
  bool optional = false;  ///< a null pointer means that there is no such array
  bool never_negative = false;
  bool of_amsgrad = false;

  /// True if every step with this layout needs the array.
  constexpr bool is_needed(const Layout& layout) const { return layout.*size > 0 && !optional; }
  constexpr bool is_theta() const { return size == &Layout::theta; }
  /// True if the array is a part of the weights or describes them.
  constexpr bool is_of_weights() const {
    return is_theta() || size == &Layout::low || size == &Layout::marks;
  }
  /// True if the optimizer classes keep the array.
  constexpr bool is_kept(const Layout& layout) const { return layout.*size > 0 && !of_amsgrad; }
  /// The number of elements of the array for this number of parameters: one for each parameter, or
  /// one mark for each group. `low` of split8 has whole blocks.
  constexpr std::int64_t elements(std::int64_t parameters, const Layout& layout) const {
    if (size == &Layout::marks) return (parameters + scale_group - 1) / scale_group;
    const bool has_blocks = size == &Layout::low && layout.low == 1;
    return has_blocks ? (parameters + scale_block - 1) / scale_block * scale_block : parameters;
  }
  constexpr std::size_t bytes(std::int64_t parameters, const Layout& layout) const {
    return std::size_t(elements(parameters, layout)) * layout.*size;
  }
};

/// All arrays. Every loop over the arrays of a strategy uses this table.
inline constexpr std::array<KeptArray, 7> kept_arrays = {{
    {"theta", [](const Composition& c) { return content_of(c.theta); }, &Layout::theta,
     &AdamWMemory::theta},
    {"low",
     [](const Composition& c) {
       constexpr std::array contents = {Content::none, Content::narrow, Content::lower_bits,
                                        Content::lower_byte, Content::float32};
       return contents[std::size_t(c.low)];
     },
     &Layout::low, &AdamWMemory::low},
    {"m", [](const Composition& c) { return content_of(c.states); }, &Layout::m, &AdamWMemory::m},
    {"v", [](const Composition& c) { return content_of(c.states); }, &Layout::v, &AdamWMemory::v,
     false, true},
    {"v_low", [](const Composition& c) { return c.v_low ? Content::narrow : Content::none; },
     &Layout::v_low, &AdamWMemory::v_low},
    {"v_max",
     [](const Composition& c) {
       const bool is_number = c.states == Number::narrow || c.states == Number::float32;
       return is_number ? content_of(c.states) : Content::float32;
     },
     &Layout::v_max, &AdamWMemory::v_max, true, true, true},
    {"marks",
     [](const Composition& c) {
       return c.has_sum() || c.is_split() ? Content::marks : Content::none;
     },
     &Layout::marks, &AdamWMemory::marks, true},
}};

/// The index of an array in the table.
constexpr std::size_t place_of(std::string_view name) {
  std::size_t place = 0;
  while (kept_arrays[place].name != name) ++place;
  return place;
}
inline constexpr std::size_t theta_place = place_of("theta");

/// The sizes of all arrays; the gradient has the format of theta.
constexpr Layout layout_of(const Composition& parts) {
  Layout layout{};
  for (const KeptArray& array : kept_arrays) layout.*array.size = bytes_of(array.content(parts));
  layout.grad = layout.theta;
  return layout;
}
constexpr Layout layout_of(Strategy strategy) { return layout_of(composition_of(strategy)); }

}  // namespace mct::optim
