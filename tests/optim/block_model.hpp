// What Strategy::split8 keeps of a block of 16 parameters, number by number as its documentation
// says it, without the code of the library.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "mctensor/eft/half.hpp"

namespace mct::test {

/// The bytes of a block as numbers.
struct Block {
  static constexpr std::size_t size = 16;
  static constexpr int v_bias = 94;
  static constexpr int m_bias = 112;

  std::array<float, size> weight{}, m{}, v{};
  int v_scale = 0;
  int m_scale = 0;

  /// `low` has all 16 bytes; theta, m and v have `count` elements, those after them are zeros.
  Block(const std::uint16_t* theta, const std::uint8_t* low, const std::uint8_t* m_codes,
        const std::uint8_t* v_codes, std::size_t count = size) {
    for (std::size_t i = 0; i < 8; ++i) {
      v_scale |= (low[i] & 1) << i;
      m_scale |= (low[8 + i] & 1) << i;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const int rest = std::int8_t(low[i]) >> 1;  // 7 bits, signed
      weight[i] = std::bit_cast<float>((std::uint32_t(theta[i]) << 16) + std::uint32_t(rest * 512));
      m[i] = m_of(std::int8_t(m_codes[i]), m_scale);
      v[i] = v_of(v_codes[i], v_scale);
    }
  }

  static float m_of(int code, int scale) {
    return std::ldexp(float(code * std::abs(code)), scale - m_bias - 14);
  }
  static float v_of(int code, int scale) {
    const float square = float(code * code);
    return std::ldexp(square * square, scale - v_bias - 32);
  }
  /// The least scale that holds a number.
  static int scale_for(float largest, int bias) {
    const float x = largest * 1.015869140625F;  // 255^4 codes of 256^4, 127^2 of 128^2
    int scale = 0;
    while (scale < 128 + bias && double(x) >= std::ldexp(1.0, scale - bias)) ++scale;
    return scale;
  }

  /// u: uniform in (0, 1).
  static std::uint8_t code_of_m(float x, int scale, float u) {
    const float squares = std::ldexp(std::fabs(x), 14 + m_bias - scale);
    float k = std::floor(std::sqrt(squares));
    if (u * (2 * k + 1) < squares - k * k) k += 1;
    k = std::fmin(k, 127.0F);
    return std::uint8_t(std::int8_t(x < 0 ? -k : k));
  }
  static std::uint8_t code_of_v(float x, int scale, float u) {
    if (x == 0) return 0;
    const float fourth_powers = std::ldexp(x, 32 + v_bias - scale);
    const auto power = [](float y) { return (y * y) * (y * y); };
    int k = 0;
    while (k < 1000 && power(float(k) + u) <= fourth_powers) ++k;
    return std::uint8_t(std::max(k, 1));
  }

  /// Writes moments and scales; u_m and u_v: numbers in (0, 1) for each.
  void store(std::uint8_t* low, std::uint8_t* m_codes, std::uint8_t* v_codes,
             const std::array<float, size>& u_m, const std::array<float, size>& u_v,
             std::size_t count = size) {
    float largest_m = 0, largest_v = 0;
    for (std::size_t i = 0; i < count; ++i) {
      m[i] = std::copysign(std::fmin(std::fabs(m[i]), 0x1.f8p127F), m[i]);
      v[i] = std::fmin(v[i], 0x1.f8p127F);
      largest_m = std::fmax(largest_m, std::fabs(m[i]));
      largest_v = std::fmax(largest_v, v[i]);
    }
    v_scale = scale_for(largest_v, v_bias);
    m_scale = scale_for(largest_m, m_bias);
    for (std::size_t i = 0; i < 8; ++i) {
      low[i] = std::uint8_t((low[i] & 0xfe) | ((v_scale >> i) & 1));
      low[8 + i] = std::uint8_t((low[8 + i] & 0xfe) | ((m_scale >> i) & 1));
    }
    for (std::size_t i = 0; i < count; ++i) {
      m_codes[i] = code_of_m(m[i], m_scale, u_m[i]);
      v_codes[i] = code_of_v(v[i], v_scale, u_v[i]);
    }
  }
};

}  // namespace mct::test
