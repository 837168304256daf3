// The names by which files identify the data that they belong to.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "mctensor/tensor/tensor.hpp"

namespace mct::embed {

/// Fowler, Noll, Vo, of words.
class FingerprintHash {
 public:
  void add(std::uint64_t x) { hash_ = (hash_ ^ x) * 0x100000001b3; }
  std::string text() const {
    std::array<char, 20> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), hash_, 16).ptr};
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Of the numbers of a tensor that lies in one piece.
inline std::string fingerprint(const Tensor<double>& numbers) {
  FingerprintHash hash;
  for (std::int64_t i = 0; i < numbers.numel(); ++i)
    hash.add(std::bit_cast<std::uint64_t>(numbers.data()[i]));
  return hash.text();
}

}  // namespace mct::embed
