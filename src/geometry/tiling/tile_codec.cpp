// The tiles of a compressed embedding, in every encoding.
#include "src/geometry/tiling/tile_codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/word.hpp"

namespace mct::geometry::codec_detail {
namespace {

using Word = std::vector<Syllable>;

// far beyond any embedding: a distance of 10^5 at least
constexpr std::size_t longest_word = std::size_t(1) << 20;

/// The work for tiles of different words that `front` may ask for: words share their beginnings, so
/// a small file can stand for any number of long ones. WordNet's 74374 nodes ask for 340 a byte.
std::uint64_t most_work(std::uint64_t tile_bytes) {
  return (std::uint64_t(1) << 27) + 4096 * tile_bytes;
}

/// The work of one word: numbers grow with it, and products of n digits take about n^1.5. About a
/// nanosecond each.
std::uint64_t work_of(const Word& word) {
  return word.size() * std::uint64_t(std::sqrt(double(word.size())));
}

[[noreturn]] void too_much_work(std::uint64_t most) {
  throw DomainError(
      "the words share so many letters that computing their tiles takes more than the " +
      std::to_string(most) + " units of work that a file of this size may ask for");
}

Word word_of(const LTile& tile) {
  Word word = syllables_of(tile_word(tile));
  if (word.size() > longest_word) throw DomainError("its tile is a word of more than 2^20 powers");
  return word;
}

// ------------------------------------------------------------------------- variable bit width

/// Powers 1 and 5 of a generator in two bits, others in three; 000 ends the word. Which generator
/// is meant alternates.
void write_powers(Writer& writer, std::span<const Syllable> word) {
  for (const Syllable& s : word) {
    switch (s.power) {
      case 1:
        writer.bits(0b10, 2);
        break;
      case 5:
        writer.bits(0b11, 2);
        break;
      default:  // 2, 3, 4: 001, 010, 011
        writer.bits(s.power - 1U, 3);
    }
  }
  writer.bits(0, 3);
}

/// Appends powers to a word up to the 000. The first one is of b, or of whatever the word's last
/// syllable is not.
void read_powers(Reader& reader, Word& word, bool is_b) {
  while (true) {
    int power;
    if (reader.bit()) {
      power = reader.bit() ? 5 : 1;
    } else {
      power = int(reader.bits(2)) + 1;
      if (power == 1) return;
    }
    if (word.size() == longest_word) throw IoError("a word of more than 2^20 powers");
    word.push_back({is_b, std::uint8_t(power)});
    is_b = !is_b;
  }
}

void write_vbw(Writer& writer, const Word& word) {
  writer.bits(!word.empty() && word[0].is_b ? 1 : 0, 1);
  write_powers(writer, word);
}

Word read_vbw(Reader& reader) {
  Word word;
  const bool is_b = reader.bit();
  read_powers(reader, word, is_b);
  return word;
}

// ------------------------------------------------------------------------- sorted words

bool comes_before(const Word& x, const Word& y) {
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(),
                                      [](const Syllable& a, const Syllable& b) {
                                        return a.is_b != b.is_b ? b.is_b : a.power < b.power;
                                      });
}

int bits_of_index(std::size_t count) { return std::bit_width(count - 1); }

/// For each word in sorted order: its point, how many powers of the word before it are dropped
/// (plus one, in gamma code), which generator goes on where nothing is left of that, the powers
/// that follow.
void write_front(Writer& writer, const std::vector<Word>& words, const CodecProgress& progress) {
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    if (words[i] == words[j]) return i < j;
    return comes_before(words[i], words[j]);
  });
  const Word empty;
  const Word* before = &empty;
  std::size_t done = 0;
  std::uint64_t work = 0;
  for (const std::size_t i : order) {
    const Word& word = words[i];
    if (word != *before) work += work_of(word);
    const auto common =
        std::size_t(std::mismatch(word.begin(), word.end(), before->begin(), before->end()).first -
                    word.begin());
    writer.bits(i, bits_of_index(words.size()));
    writer.gamma(before->size() - common + 1);
    if (common == 0) writer.bits(!word.empty() && word[0].is_b ? 1 : 0, 1);
    write_powers(writer, std::span(word).subspan(common));
    before = &word;
    if (progress) progress(++done);
  }
  if (const auto most = most_work(writer.content().size()); work > most) too_much_work(most);
}

/// Turns the word of the point before into the next one; false if that is the same.
bool read_front_word(Reader& reader, Word& word) {
  const std::uint64_t dropped = reader.gamma() - 1;
  if (dropped > word.size())
    throw IoError("a word is shorter than the part that is dropped from it");
  const std::size_t kept = word.size() - std::size_t(dropped);
  word.resize(kept);
  const bool is_b = word.empty() ? reader.bit() : !word.back().is_b;
  read_powers(reader, word, is_b);
  return dropped > 0 || word.size() > kept;
}

/// Calls use(i, word, whether it is another one than before) for each point i, as they are stored.
template <class Use>
void for_front_words(Reader& reader, std::size_t count, const Use& use) {
  std::vector<bool> seen(count, false);
  Word word;
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t i = reader.bits(bits_of_index(count));
    if (i >= count || seen[std::size_t(i)])
      throw IoError("the point " + std::to_string(i) + " occurs twice or beyond the last");
    seen[std::size_t(i)] = true;
    try {
      const bool other = read_front_word(reader, word);
      use(std::size_t(i), word, other);
    } catch (const Error& error) {
      throw IoError("point " + std::to_string(i) + ": " + error.what());
    }
  }
}

void read_front(Reader& reader, std::span<LTilingPoint<double>> points,
                const CodecProgress& progress) {
  // words first, which are quickly read: how much work their tiles would be
  const std::uint64_t most = most_work(reader.remaining());
  std::uint64_t work = 0;
  Reader probe = reader;
  for_front_words(probe, points.size(), [&](std::size_t, const Word& word, bool other) {
    if (other) work += work_of(word);
    if (work > most) too_much_work(most);
  });
  LTile tile;
  std::size_t done = 0;
  for_front_words(reader, points.size(), [&](std::size_t i, const Word& word, bool other) {
    // equal tiles share their numbers
    if (other) tile = tile_of(std::span<const Syllable>(word));
    points[i].tile = tile;
    if (progress) progress(++done);
  });
}

// ------------------------------------------------------------------------- letters

constexpr char letters[] = "aAbB";  // of a, a^-1, b, b^-1

void write_order(Writer& writer, const LTile& tile) {
  const auto word = tile_word(tile);
  if (word.size() > longest_word) throw DomainError("its tile is a word of more than 2^20 letters");
  for (const Generator g : word) writer.byte(std::uint8_t(letters[std::size_t(g)]));
  writer.byte(0);
}

LTile read_order(Reader& reader) {
  std::vector<Generator> word;
  while (const std::uint8_t letter = reader.byte()) {
    const auto g = std::string_view(letters).find(char(letter));
    if (g == std::string_view::npos)
      throw IoError("the byte " + std::to_string(letter) + " is not a letter of a word");
    if (word.size() == longest_word) throw IoError("a word of more than 2^20 letters");
    word.push_back(Generator(g));
  }
  return tile_of(std::span<const Generator>(word));
}

// ------------------------------------------------------------------------- integers

void write_integer(Writer& writer, const Integer& x, bool vlq) {
  if (x.bit_length() >= most_integer_bits)
    throw DomainError("its tile has an integer of " + std::to_string(x.bit_length()) +
                      " bits, files have less than " + std::to_string(most_integer_bits));
  vlq ? writer.vlq(x) : writer.integer(x);
}

LTile read_matrix(Reader& reader, bool vlq) {
  std::array<Integer, 9> entries;
  for (Integer& x : entries) x = vlq ? reader.vlq() : reader.integer();
  return LTile::from_entries(entries);
}

LTile read_entries(Reader& reader, bool vlq) {
  const Integer t10 = vlq ? reader.vlq() : reader.integer();
  const Integer t20 = vlq ? reader.vlq() : reader.integer();
  return tile_from_entries(t10, t20);
}

void write_tile(Writer& writer, const LTile& tile, TileEncoding encoding) {
  const bool vlq = encoding == TileEncoding::matrix_vlq || encoding == TileEncoding::entries_vlq;
  switch (encoding) {
    case TileEncoding::matrix:
    case TileEncoding::matrix_vlq:
      for (int i = 0; i < 9; ++i) write_integer(writer, tile.entry(i / 3, i % 3), vlq);
      return;
    case TileEncoding::entries:
    case TileEncoding::entries_vlq:
      write_integer(writer, tile.entry(1, 0), vlq);
      return write_integer(writer, tile.entry(2, 0), vlq);
    case TileEncoding::order:
      return write_order(writer, tile);
    case TileEncoding::vbw:
    case TileEncoding::front:
    default:
      return write_vbw(writer, word_of(tile));
  }
}

LTile read_tile(Reader& reader, TileEncoding encoding) {
  switch (encoding) {
    case TileEncoding::matrix:
      return read_matrix(reader, false);
    case TileEncoding::matrix_vlq:
      return read_matrix(reader, true);
    case TileEncoding::entries:
      return read_entries(reader, false);
    case TileEncoding::entries_vlq:
      return read_entries(reader, true);
    case TileEncoding::order:
      return read_order(reader);
    case TileEncoding::vbw:
    case TileEncoding::front:
    default:
      return tile_of(std::span<const Syllable>(read_vbw(reader)));
  }
}

/// Calls call() for point i; a DomainError then names the point.
template <class Call>
void for_point(std::size_t i, const Call& call) {
  try {
    call();
  } catch (const DomainError& error) {
    throw DomainError("point " + std::to_string(i) + ": " + error.what());
  }
}

}  // namespace

void write_tiles(Writer& writer, std::span<const LTilingPoint<double>> points,
                 TileEncoding encoding, const CodecProgress& progress) {
  if (encoding == TileEncoding::front) {
    std::vector<Word> words;
    words.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      for_point(i, [&] { words.push_back(word_of(points[i].tile)); });
    return write_front(writer, words, progress);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for_point(i, [&] { write_tile(writer, points[i].tile, encoding); });
    if (progress) progress(i + 1);
  }
}

void read_tiles(Reader& reader, std::span<LTilingPoint<double>> points, TileEncoding encoding,
                const CodecProgress& progress) {
  if (encoding == TileEncoding::front) {
    if (!points.empty()) read_front(reader, points, progress);
  } else {
    for (std::size_t i = 0; i < points.size(); ++i) {
      try {
        points[i].tile = read_tile(reader, encoding);
      } catch (const Error& error) {
        throw IoError("point " + std::to_string(i) + ": " + error.what());
      }
      if (progress) progress(i + 1);
    }
  }
  if (!reader.rest_of_byte_is_zero()) throw IoError("bits are left over after the last tile");
  if (reader.remaining() > 0)
    throw IoError(std::to_string(reader.remaining()) + " bytes are left over after the last tile");
}

}  // namespace mct::geometry::codec_detail
