// Records of tables in global memory.
#pragma once

#include <bit>
#include <cstdint>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// The words of a record, two at a time where their number is even.
template <class Record>
struct RecordWords {
  static constexpr int count = int(sizeof(Record) / 8);
  static constexpr int at_once = count % 2 == 0 ? 2 : 1;
  static_assert(sizeof(Record) == 8 * count && count % at_once == 0);

  std::uint64_t word[count];
};

/// Loads a record that lies at a multiple of 16 bytes, or of 8 if its words are read one at a time.
template <class Record, class Team>
MCT_BLOCK Record load_record(Team& team, const Record* record) {
  using Words = RecordWords<Record>;
  const auto* from = reinterpret_cast<const std::uint64_t*>(record);
  Words all;
  MCT_UNROLL
  for (int w = 0; w < Words::count; w += Words::at_once) {
    const auto part = team.template load<Words::at_once>(from + w);
    MCT_UNROLL
    for (int k = 0; k < Words::at_once; ++k) all.word[w + k] = part[k];
  }
  return std::bit_cast<Record>(all);
}
template <class Record, class Team>
MCT_BLOCK void store_record(Team& team, Record* record, const Record& x) {
  using Words = RecordWords<Record>;
  const auto all = std::bit_cast<Words>(x);
  auto* to = reinterpret_cast<std::uint64_t*>(record);
  MCT_UNROLL
  for (int w = 0; w < Words::count; w += Words::at_once) {
    Pack<std::uint64_t, Words::at_once> part;
    MCT_UNROLL
    for (int k = 0; k < Words::at_once; ++k) part[k] = all.word[w + k];
    team.template store<Words::at_once>(to + w, part);
  }
}

}  // namespace mct::cuda
