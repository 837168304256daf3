// Bytes and bits of compressed embeddings, written and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::geometry::codec_detail {

/// Integers of more bits are neither written nor read: work with them grows faster than a file.
/// These are distances of 7e5.
constexpr std::int64_t most_integer_bits = std::int64_t(1) << 20;

class Writer {
 public:
  void byte(std::uint8_t value) {
    align();
    bytes_.push_back(value);
  }
  /// Little endian.
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) byte(std::uint8_t(value >> (8 * i)));
  }
  /// The lowest `count` bits of a value, the highest first.
  void bits(std::uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bit((value >> i & 1) != 0);
  }
  /// Elias' gamma code of a value >= 1: its bits after as many zeros as it has bits less one.
  void gamma(std::uint64_t value);
  /// The number of magnitude bytes, times two, plus one if negative, in 7 bits a byte; then the
  /// magnitude, little endian.
  void integer(const Integer& x);
  /// 2 |x|, less one if negative, in 7 bits a byte, lowest first; the highest bit says that more
  /// follow.
  void vlq(const Integer& x);
  /// The next bit starts a byte.
  void align() { free_ = 0; }
  const std::vector<std::uint8_t>& content() const { return bytes_; }

 private:
  void bit(bool value) {
    if (free_ == 0) {
      bytes_.push_back(0);
      free_ = 8;
    }
    --free_;
    if (value) bytes_.back() = std::uint8_t(bytes_.back() | 1U << free_);
  }
  void small_vlq(std::uint64_t value);

  std::vector<std::uint8_t> bytes_;
  int free_ = 0;  // bits of the last byte
};

/// Reads what Writer wrote; IoError at the end of the bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    align();
    if (place_ == bytes_.size()) throw IoError("the data end too early");
    return bytes_[place_++];
  }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t(byte()) << (8 * i);
    return value;
  }
  bool bit() {
    if (left_ == 0) {
      current_ = byte();
      left_ = 8;
    }
    --left_;
    return (current_ >> left_ & 1) != 0;
  }
  std::uint64_t bits(int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value = value << 1 | std::uint64_t(bit());
    return value;
  }
  std::uint64_t gamma();
  Integer integer();
  Integer vlq();
  void align() { left_ = 0; }
  /// The bits that fill the last byte are zero.
  bool rest_of_byte_is_zero() const { return (current_ & ((1U << left_) - 1)) == 0; }
  std::size_t remaining() const { return bytes_.size() - place_; }

 private:
  std::uint64_t small_vlq();

  std::span<const std::uint8_t> bytes_;
  std::size_t place_ = 0;
  std::uint8_t current_ = 0;
  int left_ = 0;  // bits of current_
};

}  // namespace mct::geometry::codec_detail
