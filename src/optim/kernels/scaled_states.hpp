// 8-bit moments with scales, as floats: a group at a time.
#pragma once

#include <cstring>

#include "mctensor/eft/fp8.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using optim_detail::group_length;

/// The codes of fp8_states' moments, for groups of 128. v is kept as its square root: that halves
/// the range of exponents.
struct ScaledCodes {
  static constexpr float top = 448;

  MCT_HD MCT_ALWAYS_INLINE static float v_of(e4m3 code, float scale_root) {
    const float root = float(code) * scale_root;
    return root * root;
  }
  MCT_HD MCT_ALWAYS_INLINE static e4m3 code_of_v(float v, float scale_root) {
    // a v that is not 0 must not become 0: a small m would be divided by eps
    const float root = detail::square_root(v) / scale_root;
    constexpr float smallest = 0x1p-9F;
    return e4m3(root > 0 && root < smallest ? smallest : root);
  }
  /// The scale of a group with this largest number. Numbers that are divided by a subnormal scale,
  /// or by 0, would be infinite or NaN; with 1 they are rounded to 0.
  MCT_HD MCT_ALWAYS_INLINE static float scale_of(float largest) {
    const float scale = largest / top;
    return scale >= 0x1p-126F ? scale : 1.0F;
  }
};

/// The moments of one group. Functions of their own: every kernel with 8-bit states calls the same
/// ones.
struct ScaledStates {
  alignas(64) float m[group_length];
  alignas(64) float v[group_length];

  [[gnu::noinline]] void open(const e4m3* m8, const e4m3* v8, const float* scales) {
    // copies that nothing else refers to, so that the loop is vectorized
    e4m3 m_codes[group_length];
    e4m3 v_codes[group_length];
    std::memcpy(m_codes, m8, sizeof(m_codes));
    std::memcpy(v_codes, v8, sizeof(v_codes));
    const float scale_m = scales[0];
    const float scale_root = scales[1];
    for (std::size_t i = 0; i < group_length; ++i) {
      m[i] = float(m_codes[i]) * scale_m;
      v[i] = ScaledCodes::v_of(v_codes[i], scale_root);
    }
  }

  [[gnu::noinline]] void close(e4m3* m8, e4m3* v8, float* scales) const {
    using V = widest_batch<float>;
    V largest(0.0F);
    V largest_square(0.0F);
    for (std::size_t i = 0; i < group_length; i += lanes<V>) {
      largest = greater(detail::magnitude(load_lanes<V>(m + i)), largest);
      largest_square = greater(load_lanes<V>(v + i), largest_square);
    }
    const float scale_m = ScaledCodes::scale_of(largest_lane(largest));
    const float scale_root = ScaledCodes::scale_of(__builtin_sqrtf(largest_lane(largest_square)));
    scales[0] = scale_m;
    scales[1] = scale_root;
    e4m3 m_codes[group_length];
    e4m3 v_codes[group_length];
    for (std::size_t i = 0; i < group_length; ++i) {
      m_codes[i] = e4m3(m[i] / scale_m);
      v_codes[i] = ScaledCodes::code_of_v(v[i], scale_root);
    }
    std::memcpy(m8, m_codes, sizeof(m_codes));
    std::memcpy(v8, v_codes, sizeof(v_codes));
  }
};

/// Takes no place where states have no scales.
struct NoScaledStates {};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
