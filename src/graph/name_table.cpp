// Names and their numbers, by hashing.
#include "mctensor/graph/name_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

/// A place in the characters has 40 bits.
constexpr std::size_t most_characters = (std::size_t(1) << 40) - 1 - NameTable::longest_name;

/// Eight bytes at a time: a multiplication, and its high half folded into the low one, as in the
/// last step of MurmurHash3. The high bits, which choose the slot, depend on every byte.
std::uint32_t hash_of(std::string_view name) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  std::uint64_t h = name.size() * odd;
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * odd;
    h ^= h >> 32;
  };
  while (name.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data(), sizeof(word));
    mix(word);
    name.remove_prefix(sizeof(word));
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, name.data(), name.size());
  mix(rest);
  return std::uint32_t((h * odd) >> 32);
}

}  // namespace

/// Where the name is, or the empty slot where it would be.
std::size_t NameTable::slot_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = first_slot(hash);; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number < 0) return at;
    if (slot.hash == hash && slot.length == name.size() &&
        std::memcmp(characters_.data() + slot.begin, name.data(), name.size()) == 0)
      return at;
  }
}

std::pair<std::int32_t, bool> NameTable::enter(std::string_view name, std::uint32_t hash) {
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.number >= 0) return {slot.number, false};
  if (size() == most_names) throw DomainError("more than " + std::to_string(most_names) + " names");
  if (name.size() > longest_name)
    throw DomainError("a name of " + std::to_string(name.size()) + " bytes, longer than " +
                      std::to_string(longest_name));
  if (characters_.size() > most_characters) throw DomainError("names of more than 1 TiB");
  const auto number = std::int32_t(size());
  slot.hash = hash;
  slot.number = number;
  slot.begin = characters_.size();
  slot.length = name.size();
  characters_ += name;
  ends_.push_back(characters_.size());
  if (4 * size() > 3 * slots_.size()) grow();
  return {number, true};
}

std::pair<std::int32_t, bool> NameTable::enter(std::string_view name) {
  return enter(name, hash_of(name));
}

void NameTable::enter_all(std::span<const std::string_view> names,
                          std::span<std::int32_t> numbers) {
  if (numbers.size() < names.size())
    throw ShapeError("enter_all: " + std::to_string(numbers.size()) + " numbers for " +
                     std::to_string(names.size()) + " names, expected at least " +
                     std::to_string(names.size()));
  constexpr std::size_t at_once = 64;
  std::array<std::uint32_t, at_once> hashes{};
  while (!names.empty()) {
    const std::size_t count = std::min(at_once, names.size());
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(names[i]);
      __builtin_prefetch(&slots_[first_slot(hashes[i])]);
    }
    for (std::size_t i = 0; i < count; ++i)
      __builtin_prefetch(characters_.data() + slots_[first_slot(hashes[i])].begin);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = enter(names[i], hashes[i]).first;
    names = names.subspan(count);
    numbers = numbers.subspan(count);
  }
}

std::int32_t NameTable::find(std::string_view name) const {
  return slots_[slot_of(name, hash_of(name))].number;
}

void NameTable::fail_without_name(std::int32_t number) const {
  throw DomainError("name: number " + std::to_string(number) + ", expected at least 0 and below " +
                    std::to_string(size()));
}

void NameTable::grow() {
  // the highest bits of the hash choose the slot: with 2^32 slots there are enough for all names
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  ++bits_;
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number < 0) continue;
    std::size_t at = first_slot(slot.hash);
    while (slots_[at].number >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace mct::embed
