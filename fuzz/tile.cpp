// Tiles of the L-tiling from what names them: letters of a word, two whole numbers, nine.
#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/word.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::geometry;  // NOLINT(google-build-using-namespace)

void check(const LTile& tile) {
  const auto word = tile_word(tile);
  require(tile_of(std::span<const Generator>(word)) == tile, "a tile is the product of its word");
  const auto syllables = syllables_of(word);
  require(tile_of(std::span<const Syllable>(syllables)) == tile, "and of its syllables");
  require(tile_from_entries(tile.entry(1, 0), tile.entry(2, 0)) == tile, "and of two entries");
  require(tile * tile.inverse() == LTile(), "a tile has an inverse");
  std::array<Integer, 9> entries;
  for (int i = 0; i < 9; ++i) entries[std::size_t(i)] = tile.entry(i / 3, i % 3);
  require(LTile::from_entries(entries) == tile, "nine entries name a tile");
}

void read_word(std::string_view text) {
  constexpr std::string_view letters = "aAbB";
  std::vector<Generator> word;
  for (const char c : text)
    if (const auto g = letters.find(c); g != std::string_view::npos) word.push_back(Generator(g));
  check(tile_of(std::span<const Generator>(word)));
}

void read_entries(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::vector<Integer> numbers;
  try {
    for (std::string word; words >> word && numbers.size() < 9;) {
      numbers.push_back(Integer::from_string(word));
      require(Integer::from_string(numbers.back().to_string()) == numbers.back(),
              "a whole number survives being written and read");
    }
    if (numbers.size() >= 2) check(tile_from_entries(numbers[0], numbers[1]));
    if (numbers.size() == 9) {
      std::array<Integer, 9> entries;
      std::copy(numbers.begin(), numbers.end(), entries.begin());
      check(LTile::from_entries(entries));
    }
  } catch (const DomainError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  const auto entries_of = [](const LTile& tile, bool all) {
    std::string text;
    for (int i = 0; i < 9; ++i)
      if (all || (i % 3 == 0 && i > 0)) text += tile.entry(i / 3, i % 3).to_string() + ' ';
    return text;
  };
  const std::string far = "aabAbbaBABaabAbbaBABaabAbbaBABaabAbbaBABaabAbbaBABaabAbbaBABaabAbbaBAB";
  write("word", "aabAB");
  write("far_word", far);
  std::vector<Generator> word;
  for (const char c : far) word.push_back(Generator(std::string_view("aAbB").find(c)));
  write("entries", entries_of(tile_of(std::span<const Generator>(word)), false));
  write("matrix", entries_of(tile_of(std::span<const Generator>(word)), true));
  write("origin", entries_of(LTile(), true));
  write("no_tile", "1 2");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = mct::fuzz::as_text(data, size);
  mct::fuzz::read_word(text);
  mct::fuzz::read_entries(text);
  return 0;
}
