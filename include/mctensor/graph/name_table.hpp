// Names and their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mct::embed {

/// Names, numbered 0, 1, 2 ... in the order in which they were entered. All characters lie in one
/// block of memory. Hashing with open addressing finds the numbers. A name takes 30 to 50 bytes
/// beside its characters.
class NameTable {
 public:
  /// The largest number of names, because numbers are std::int32_t.
  static constexpr std::size_t most_names = std::size_t(INT32_MAX);
  /// The length of the longest allowed name, in bytes.
  static constexpr std::size_t longest_name = (std::size_t(1) << 24) - 1;

  NameTable() : slots_(std::size_t(1) << least_bits) {}

  std::size_t size() const { return ends_.size(); }

  /// Returns the number of a name, and whether the name is new. A new name is entered. Throws
  /// DomainError for more than most_names, a name longer than longest_name, and more than 1 TiB of
  /// names.
  std::pair<std::int32_t, bool> enter(std::string_view name);
  /// The same as enter() for one name after the other: numbers[i] becomes the number of names[i].
  /// In large tables it is several times as fast, because it prefetches memory for several names at
  /// once. Throws ShapeError, and enters nothing, if `numbers` is shorter than `names`. Throws
  /// DomainError as enter() does.
  void enter_all(std::span<const std::string_view> names, std::span<std::int32_t> numbers);
  /// The number of a name; -1 if it was not entered.
  std::int32_t find(std::string_view name) const;
  /// The name of a number. The view is valid until a name is entered. Throws DomainError for a
  /// number that no name has.
  std::string_view name(std::int32_t number) const {
    const auto i = std::size_t(number);  // a negative number becomes larger than all
    if (i >= ends_.size()) fail_without_name(number);
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }

 private:
  static constexpr int least_bits = 4;

  /// An entry of the hash table. `hash` is a part of the name's hash; if it differs, the characters
  /// need not be compared.
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t number = -1;      // -1: the slot is empty
    std::uint64_t begin : 40 = 0;  // in characters_
    std::uint64_t length : 24 = 0;
  };

  [[noreturn]] void fail_without_name(std::int32_t number) const;
  std::size_t first_slot(std::uint32_t hash) const { return hash >> (32 - bits_); }
  std::size_t slot_of(std::string_view name, std::uint32_t hash) const;
  std::pair<std::int32_t, bool> enter(std::string_view name, std::uint32_t hash);
  void grow();

  std::string characters_;
  std::vector<std::size_t> ends_;  // where each name ends in characters_
  std::vector<Slot> slots_;        // 2^bits_ slots, of which at most three quarters are taken
  int bits_ = least_bits;
};

}  // namespace mct::embed
