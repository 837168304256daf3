// Programs before and after a step for floats beside the arrays of AdamW with a 16-bit theta:
// parameters that show theta, and gradients.
#pragma once

#include "cuda/base/record.hpp"
#include "cuda/optim/step_control.hpp"
#include "cuda/optim/tensor_list.hpp"
#include "mctensor/eft/half.hpp"
#include "src/optim/group_mark.hpp"
#include "src/optim/split_weight.hpp"

namespace mct::cuda {

/// The chunks of a list and of the floats beside it.
struct FloatChunks {
  const optim::AdamWMemory* tensors;
  const optim::AdamWMemory* floats;
  const TensorChunk* chunks;
  int count;  // of chunks
  const StepControl* control;

  /// Unless the step is skipped, a block calls work(memory, memory of the floats, first element of
  /// the chunk) for one chunk after the other. The first element may be before the array.
  template <class Team, class Work>
  MCT_BLOCK void for_each(Team& team, const Work& work) const {
    if (load_record(team, control).skip != 0) return;
    MCT_ROLL for (int n = team.block_x(); n < count; n += team.blocks_x()) {
      const TensorChunk chunk = load_record(team, chunks + n);
      const optim::AdamWMemory memory = load_record(team, tensors + chunk.tensor);
      work(memory, load_record(team, floats + chunk.tensor),
           chunk.index * TensorChunk::length - memory.first % TensorChunk::length);
    }
  }
};

/// Works like optim_detail::take_edits: a float that differs from theta becomes the weight, which
/// is split again, and its group gets a new mark. A warp has a group of 128. T: the format of
/// theta. The floats are the theta of `of.floats`.
template <class T>
struct TakeFloatEdits {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static_assert(optim::scale_group == 4 * 32);  // a lane has four, which are a word of the mark

  FloatChunks of;
  optim::LowPart low;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    of.for_each(team, [&](const optim::AdamWMemory& memory, const optim::AdamWMemory& beside,
                          std::int64_t first) {
      const auto* shown = static_cast<const float*>(beside.theta);
      MCT_ROLL for (int group = team.rank() / 32; group < TensorChunk::length / 128;
                    group += threads / 32) take(team, memory, shown, first + group * 128);
    });
  }

 private:
  template <class Team>
  MCT_BLOCK void take(Team& team, const optim::AdamWMemory& memory, const float* shown,
                      std::int64_t first) const {
    const int lane = team.rank() % 32;
    std::uint64_t word = 0;
    int edited = 0;
    MCT_UNROLL
    for (int e = 0; e < 4; ++e) {
      const std::int64_t i = first + 4 * lane + e;
      if (i < 0 || i >= memory.count) continue;
      auto* const theta = static_cast<std::uint16_t*>(memory.theta) + i;
      std::uint16_t bits = team.template load<1>(theta)[0];
      const float weight = team.template load<1>(shown + i)[0];
      if (std::bit_cast<std::uint32_t>(weight) !=
          std::bit_cast<std::uint32_t>(float(T::from_bits(bits)))) {
        const auto split = mct::detail::split_weight<T>(low, weight);
        bits = split.theta;
        team.template store<1>(theta, Pack<std::uint16_t, 1>{{bits}});
        set_low(team, memory.low, i, split.low);
        edited = 1;
      }
      word |= std::uint64_t(bits) << (16 * e);
    }
    if (memory.marks == nullptr) return;
    std::uint64_t sum = mct::detail::mark_term(word, mct::detail::mark_key(std::size_t(lane)));
    MCT_UNROLL
    for (int mask = 1; mask < 32; mask *= 2) {
      sum += team.shuffle_xor(sum, mask);
      edited |= team.shuffle_xor(edited, mask);
    }
    const std::int64_t begin = first < 0 ? 0 : first;
    if (lane != 0 || edited == 0 || first + 128 <= 0 || begin >= memory.count) return;
    team.store(static_cast<std::uint32_t*>(memory.marks) + begin / 128,
               Pack<std::uint32_t, 1>{{mct::detail::mark_of_sum(sum)}});
  }
  template <class Team>
  MCT_BLOCK void set_low(Team& team, void* array, std::int64_t i, std::uint32_t bits) const {
    using optim::LowPart;
    if (low == LowPart::none) return;
    if (low == LowPart::master) {
      team.store(static_cast<std::uint32_t*>(array) + i, Pack<std::uint32_t, 1>{{bits}});
    } else if (low == LowPart::lower_byte) {
      auto* const byte = static_cast<std::uint8_t*>(array) + i;
      const unsigned scale_bit =
          team.template load<1>(byte)[0] & ~unsigned(mct::detail::lower_byte_mask);
      team.store(byte, Pack<std::uint8_t, 1>{{std::uint8_t(bits | scale_bit)}});
    } else {
      team.store(static_cast<std::uint16_t*>(array) + i,
                 Pack<std::uint16_t, 1>{{std::uint16_t(bits)}});
    }
  }
};

/// Converts between T and floats. Before the step it rounds gradients to T, into the memory of the
/// floats that show theta, which nobody reads until the step is done. After the step it writes the
/// new theta to these floats. The floats are the theta and grad of `of.floats`.
template <class T, bool After>
struct ConvertFloats {
  static constexpr int threads = 256, blocks_per_sm = 8;

  FloatChunks of;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    of.for_each(team, [&](const optim::AdamWMemory& memory, const optim::AdamWMemory& beside,
                          std::int64_t first) {
      MCT_UNROLL
      for (int k = 0; k < TensorChunk::length / threads; ++k) {
        const std::int64_t i = first + k * threads + team.rank();
        if (i < 0 || i >= memory.count) continue;
        if constexpr (After) {
          const auto bits = team.template load<1>(static_cast<std::uint16_t*>(memory.theta) + i)[0];
          team.store(static_cast<float*>(beside.theta) + i,
                     Pack<float, 1>{{float(T::from_bits(bits))}});
        } else {
          const T grad(team.template load<1>(static_cast<const float*>(beside.grad) + i)[0]);
          team.store(static_cast<std::uint16_t*>(beside.theta) + i,
                     Pack<std::uint16_t, 1>{{grad.bits()}});
        }
      }
    });
  }
};

/// The list of programs, for the source that compiles them.
#define MCT_FOR_EACH_FLOAT_PROGRAM(DO) \
  DO(TakeFloatEdits<half>)             \
  DO(TakeFloatEdits<bfloat16>)         \
  DO(ConvertFloats<half, false>)       \
  DO(ConvertFloats<bfloat16, false>)   \
  DO(ConvertFloats<half, true>)        \
  DO(ConvertFloats<bfloat16, true>)

}  // namespace mct::cuda
