// Residues of numbers, and sums of residues, against integers.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <vector>

#include "mctensor/tensor/isa.hpp"
#include "src/linalg/residue_units.hpp"

namespace mct::test {
namespace {

using linalg_detail::ResidueSize;
using linalg_detail::ResidueWord;
using linalg_detail::WordOrder;

/// The residue of a 64-bit integer, times `times`.
int residue_of(std::int64_t x, std::int64_t times, int p) {
  const std::int64_t r = (x % p + p) % p * ((times % p + p) % p) % p;
  return int(r);
}

/// (M / p)^-1 modulo p, M the product of all moduli of a plan.
int inverse_of(const linalg_detail::ResiduePlan& plan, int i) {
  const auto p = int(plan.modulus[i]);
  std::int64_t part = 1;
  for (int j = 0; j < plan.count; ++j)
    if (j != i) part = part * int(plan.modulus[j]) % p;
  for (int inverse = 1; inverse < p; ++inverse)
    if (part * inverse % p == 1) return inverse;
  return p == 1 ? 0 : -1;
}

/// Where a panel of `lines` has word w of a line.
std::size_t word_place(WordOrder order, std::int64_t w, std::int64_t line, std::int64_t lines) {
  return std::size_t(order == WordOrder::by_depth ? w * lines + line
                                                  : w / 16 * 16 * lines + line * 16 + w % 16);
}

/// Words behind which the memory must not be read: another page begins there.
class GuardedWords {
 public:
  explicit GuardedWords(std::int64_t count) {
    const auto page = std::size_t(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = std::size_t(count) * sizeof(ResidueWord);
    const std::size_t readable = (bytes + page - 1) / page * page;
    size_ = readable + page;
    pages_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages_ == MAP_FAILED) throw std::bad_alloc();
    auto* const end = static_cast<char*>(pages_) + readable;
    EXPECT_EQ(::mprotect(end, page, PROT_NONE), 0);
    first_ = reinterpret_cast<ResidueWord*>(end - bytes);
  }
  ~GuardedWords() { ::munmap(pages_, size_); }
  GuardedWords(const GuardedWords&) = delete;
  GuardedWords& operator=(const GuardedWords&) = delete;
  ResidueWord* data() const { return first_; }

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
  ResidueWord* first_ = nullptr;
};

/// Words of one line of numbers by the compiled kernel, of every modulus: [modulus][word].
std::vector<std::vector<ResidueWord>> words_of(const linalg_detail::ResiduePlan& plan, bool left,
                                               bool without_sign, WordOrder order, int unit,
                                               const std::vector<double>& x) {
  const std::int64_t group = plan.size == ResidueSize::pair ? 2 : 4;
  const std::int64_t of_unit = group * unit;
  linalg_detail::ResiduePanel panel;
  panel.depth = std::int64_t(x.size());
  panel.words = (panel.depth + of_unit - 1) / of_unit * unit;
  panel.width = 16;
  panel.lines = 1;
  panel.x = {x.data(), 0, 1, panel.depth};
  panel.unit = unit;
  const std::vector<double> scale(std::size_t(panel.width), 1.0);
  for (auto& factor : panel.scale) factor = scale.data();
  panel.order = order;
  panel.without_sign = without_sign;
  panel.modulus_stride = panel.words * panel.width;
  const GuardedWords out(plan.count * panel.modulus_stride);
  panel.out = out.data();
  const auto& table = linalg_detail::active_residue_table();
  table.residues[0](plan, left ? plan.left_pieces : plan.right_pieces, panel);
  std::vector<std::vector<ResidueWord>> words(std::size_t(plan.count));
  for (int i = 0; i < plan.count; ++i)
    for (std::int64_t w = 0; w < panel.words; ++w)
      words[std::size_t(i)].push_back(
          out.data()[std::size_t(i * panel.modulus_stride) + word_place(order, w, 0, panel.width)]);
  return words;
}

/// The residue in place g of a word.
int residue_in(ResidueWord word, int g, ResidueSize size, bool without_sign) {
  const auto bits = std::uint32_t(word);
  if (size == ResidueSize::pair) return std::int16_t(bits >> (16 * g));
  const auto byte = std::uint8_t(bits >> (8 * g));
  return without_sign ? int(byte) : int(std::int8_t(byte));
}

/// Checks every residue of numbers: what it is modulo each modulus, and that it is small.
void check_residues(const linalg_detail::ResiduePlan& plan, bool left, bool without_sign,
                    WordOrder order, int unit, const std::vector<double>& x) {
  const auto words = words_of(plan, left, without_sign, order, unit, x);
  const int group = plan.size == ResidueSize::pair ? 2 : 4;
  for (int i = 0; i < plan.count; ++i) {
    const auto p = int(plan.modulus[i]);
    const int times = left ? inverse_of(plan, i) : 1;
    int wrong = 0;
    for (std::size_t w = 0; w < words[std::size_t(i)].size(); ++w)
      for (int g = 0; g < group; ++g) {
        const auto depth = std::size_t(linalg_detail::depth_of(std::int64_t(w), g, group, unit));
        const double number = depth < x.size() ? x[depth] : 0;
        const int r = residue_in(words[std::size_t(i)][w], g, plan.size, without_sign);
        const int most = plan.size == ResidueSize::pair ? p / 2 + 16 : p / 2 + 2;
        const bool is_small =
            without_sign ? r >= 0 && r < p : std::abs(r) <= (p == 256 ? 128 : most);
        const bool is_right = (r - residue_of(std::int64_t(number), times, p)) % p == 0;
        wrong += is_small && is_right ? 0 : 1;
      }
    EXPECT_EQ(wrong, 0) << "p = " << p;
  }
}

/// A line is normalized if its second limbs are at most 2^-50 of the first ones: in registers, and
/// in the numbers behind the last full one.
TEST(Residues, LinesOfOverlappingLimbsAreNotNormalized) {
  constexpr std::int64_t depth = 19;
  for (const double share : {0x1p-50, std::nextafter(0x1p-50, 1.0)})
    for (const std::int64_t place : {std::int64_t(0), depth - 1}) {
      std::vector<double> line(2 * depth, 0.0);
      line[std::size_t(place)] = -3;
      line[std::size_t(depth + place)] = 3 * share;
      linalg_detail::LineRange range;
      linalg_detail::active_residue_table().range[1]({line.data(), depth, 1, depth}, depth, 1,
                                                     &range);
      EXPECT_EQ(range.normalized != 0, share == 0x1p-50) << place;
    }
}

/// Every residue modulo the product of two moduli, and numbers up to the largest of 62 bits.
TEST(Residues, OfNumbersAreSmall) {
  std::vector<double> x;
  for (int r = -33000; r <= 33000; ++r) x.push_back(r);
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i)
    for (const double size : {0x1p40, 0x1p61}) {
      x.push_back(std::rint(size * (double(random() >> 11U) * 0x1p-52 - 1)));
      x.push_back(std::ldexp(i % 2 == 0 ? 1.0 : -1.0, i % 63) - double(i % 3 - 1));
    }
  const Isa before = active_isa();
  for (const Isa isa : available_isas()) {
    SCOPED_TRACE(to_string(isa));
    set_active_isa(isa);
    const auto& bytes = linalg_detail::residue_plan(ResidueSize::byte, 47, 2);
    const auto& odd = linalg_detail::residue_plan(ResidueSize::byte, 31, 4);
    const auto& even = linalg_detail::residue_plan(ResidueSize::byte, 20, 2);
    const auto& pairs = linalg_detail::residue_plan(ResidueSize::pair, 32, 3);
    check_residues(bytes, false, false, WordOrder::by_depth, 1, x);
    check_residues(bytes, true, true, WordOrder::by_depth, 1, x);
    check_residues(odd, true, false, WordOrder::by_line, 16, x);
    check_residues(odd, false, false, WordOrder::by_depth, 16, x);
    check_residues(even, false, false, WordOrder::by_depth, 1, x);
    check_residues(pairs, true, false, WordOrder::by_depth, 1, x);
  }
  set_active_isa(before);
}

/// Every residue of p of this kind.
template <class I>
std::vector<I> residues(int p) {
  std::vector<I> all;
  if constexpr (std::is_unsigned_v<I>) {
    for (int r = 0; r < p; ++r) all.push_back(I(r));
  } else if (sizeof(I) == 1) {
    const int most = p == 256 ? 127 : p / 2 + 2;
    for (int r = p == 256 ? -128 : -most; r <= most; ++r) all.push_back(I(r));
  } else {
    for (int r = -(p / 2); r <= (p - 1) / 2; r += std::max(p / 50, 1)) all.push_back(I(r));
    all.push_back(I((p - 1) / 2));
  }
  return all;
}

/// Sums and differences of every pair of residues.
template <class I>
void check_words(const linalg_detail::WordSums& kernels, int p) {
  const std::vector<I> all = residues<I>(p);
  constexpr std::size_t group = sizeof(ResidueWord) / sizeof(I);
  const std::size_t words = (all.size() * all.size() + group - 1) / group;
  std::vector<I> x(words * group);
  std::vector<I> y(words * group);
  for (std::size_t i = 0; i < all.size() * all.size(); ++i) {
    x[i] = all[i / all.size()];
    y[i] = all[i % all.size()];
  }
  constexpr bool is_pair = sizeof(I) == 2;
  const auto as_words = [words](const std::vector<I>& from) {
    std::vector<ResidueWord> to(words);
    std::memcpy(to.data(), from.data(), words * sizeof(ResidueWord));
    return to;
  };
  for (const bool minus : {false, true}) {
    std::vector<ResidueWord> out(words);
    kernels.select(is_pair ? ResidueSize::pair : ResidueSize::byte, std::is_unsigned_v<I>, minus)(
        std::int64_t(words), as_words(x).data(), as_words(y).data(), p, out.data());
    std::vector<I> sums(words * group);
    std::memcpy(sums.data(), out.data(), words * sizeof(ResidueWord));
    int wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const int exact = minus ? x[i] - y[i] : x[i] + y[i];
      const bool inside =
          std::is_unsigned_v<I> ? int(sums[i]) < p : sums[i] >= -(p / 2) && sums[i] <= (p - 1) / 2;
      wrong += inside && (exact - int(sums[i])) % p == 0 ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << "p = " << p << (minus ? ", differences" : ", sums");
  }
}

TEST(Residues, SumsAreResidues) {
  const Isa before = active_isa();
  for (const Isa isa : available_isas()) {
    set_active_isa(isa);
    const auto& table = linalg_detail::active_residue_table();
    for (const int p : {7, 127, 128, 249, 251, 256}) {
      check_words<std::int8_t>(table.add_words, p);
      check_words<std::uint8_t>(table.add_words, p);
    }
    for (const int p : {5, 4048, 4049}) check_words<std::int16_t>(table.add_words, p);
    for (const int p : {7, 256, 4049}) {
      const int most = p * 5 / 8;
      std::vector<std::int16_t> x(std::size_t(2 * most + 1));
      std::iota(x.begin(), x.end(), std::int16_t(-most));
      x.resize((x.size() + 31) / 32 * 32, 0);
      const auto words = x.size() / 2;
      std::vector<ResidueWord> from(words);
      std::memcpy(from.data(), x.data(), words * sizeof(ResidueWord));
      for (const int other : {-most, -1, 0, 1, most}) {
        std::vector<std::int16_t> y(x.size(), std::int16_t(other));
        std::vector<ResidueWord> to(words);
        std::memcpy(to.data(), y.data(), words * sizeof(ResidueWord));
        table.add_words.select(ResidueSize::pair, false, false)(std::int64_t(words), from.data(),
                                                                to.data(), p, to.data());
        std::memcpy(y.data(), to.data(), words * sizeof(ResidueWord));
        for (std::size_t i = 0; i < x.size(); ++i) {
          ASSERT_EQ((x[i] + other - y[i]) % p, 0);
          ASSERT_LE(std::abs(y[i]), p * 5 / 8);
        }
      }
    }
  }
  set_active_isa(before);
}

/// Words of random residues of p, or of its largest ones, so that sums are the largest there are.
std::vector<ResidueWord> random_words(std::int64_t count, ResidueSize size, int p,
                                      bool without_sign, bool largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const int low = without_sign ? 0 : -(p / 2);
  const auto number = [&] { return largest ? (p - 1) / 2 : low + int(random() % unsigned(p)); };
  std::vector<ResidueWord> words(std::size_t(count), 0);
  const int bits = size == ResidueSize::pair ? 16 : 8;
  for (ResidueWord& word : words) {
    std::uint32_t joined = 0;
    for (int at = 0; at < 32; at += bits)
      joined |= (std::uint32_t(number()) & ((1U << bits) - 1U)) << at;
    std::memcpy(&word, &joined, sizeof(word));
  }
  return words;
}

/// Two tiles, once written and once added to, against sums of 64-bit integers.
void check_tiles(const linalg_detail::ResidueTile& tile, int p, bool largest) {
  const std::int64_t words = tile.word_unit * 3;
  const std::int64_t of_left = tile.rows * words;
  const auto a = random_words(2 * of_left, tile.size, p, tile.unsigned_left, largest, 1);
  const auto b = random_words(tile.columns * words, tile.size, p, false, largest, 2);
  std::vector<ResidueWord> y(std::size_t(2 * tile.result_words()));
  linalg_detail::TileRun run{words, 2, a.data(), of_left, b.data(), p, y.data()};
  run.next = a.data();
  run.next_end = a.data() + a.size();
  tile.multiply[0](run);
  tile.multiply[1](run);
  int wrong = 0;
  for (std::int64_t i = 0; i < 2 * tile.rows; ++i)
    for (std::int64_t j = 0; j < tile.columns; ++j) {
      const std::int64_t t = i / tile.rows;
      const std::int64_t row = i % tile.rows;
      std::int64_t sum = 0;
      for (std::int64_t w = 0; w < words; ++w) {
        const auto at = std::size_t(t * of_left) + word_place(tile.left_order, w, row, tile.rows);
        for (int g = 0; g < tile.group(); ++g)
          sum += std::int64_t(residue_in(a[at], g, tile.size, tile.unsigned_left)) *
                 residue_in(b[std::size_t(w * tile.columns + j)], g, tile.size, false);
      }
      const std::int64_t word_rows = tile.rows / tile.group();
      const auto there = std::size_t(t * tile.result_words() + row % word_rows * tile.columns + j);
      const int r = residue_in(y[there], int(row / word_rows), tile.size, false);
      const int most = tile.size == ResidueSize::pair ? p * 5 / 8 : p / 2 + 2;
      wrong += (2 * sum - r) % p == 0 && std::abs(r) <= (p == 256 ? 128 : most) ? 0 : 1;
    }
  EXPECT_EQ(wrong, 0) << tile.unit << ", p = " << p;
}

TEST(Residues, TilesAreSums) {
  const Isa before = active_isa();
  for (const Isa isa : available_isas()) {
    set_active_isa(isa);
    for (const auto* tile : linalg_detail::residue_tiles())
      for (const bool largest : {false, true})
        for (const int p : {3, 127, 128, 251, 256}) {
          check_tiles(*tile, p, largest);
          if (tile->size == ResidueSize::pair) check_tiles(*tile, 4049 - (256 - p), largest);
        }
  }
  set_active_isa(before);
}

/// Integers of a tile from their residues, of which nothing follows the last ones.
void check_numbers(const linalg_detail::ResidueTile& tile) {
  const bool is_pair = tile.size == ResidueSize::pair;
  const auto& plan = linalg_detail::residue_plan(tile.size, is_pair ? 12 : 21, 2);
  const GuardedWords y(plan.count * tile.result_words());
  const auto number = [&tile](std::int64_t row, std::int64_t column) {
    return (row * tile.columns + column) * (column % 2 == 0 ? 1000003 : -999983);
  };
  const std::int64_t word_rows = tile.rows / tile.group();
  const int bits = 32 / int(tile.group());
  for (int i = 0; i < plan.count; ++i) {
    const auto p = int(plan.modulus[i]);
    const int inverse = inverse_of(plan, i);
    for (std::int64_t row = 0; row < tile.rows; ++row)
      for (std::int64_t column = 0; column < tile.columns; ++column) {
        const int r = residue_of(number(row, column), inverse, p);
        const auto centred = std::uint32_t(2 * r >= p ? r - p : r);
        ResidueWord& word =
            y.data()[i * tile.result_words() + row % word_rows * tile.columns + column];
        word = ResidueWord(std::uint32_t(word) | (centred & ((1U << unsigned(bits)) - 1U))
                                                     << unsigned(bits * int(row / word_rows)));
      }
  }
  const std::vector<double> ones(std::size_t(std::max(tile.rows, tile.columns)), 1.0);
  for (int limbs = 1; limbs <= 3; ++limbs) {
    std::vector<double> out(std::size_t(tile.rows * limbs * tile.columns), -1.0);
    const linalg_detail::ResidueResult result{y.data(),
                                              tile.result_words(),
                                              tile.rows,
                                              tile.rows,
                                              tile.columns,
                                              {ones.data(), ones.data()},
                                              {ones.data(), ones.data()},
                                              out.data()};
    tile.reconstruct[limbs - 1](plan, result);
    int wrong = 0;
    for (std::int64_t row = 0; row < tile.rows; ++row)
      for (int l = 0; l < limbs; ++l)
        for (std::int64_t column = 0; column < tile.columns; ++column)
          wrong += out[std::size_t((row * limbs + l) * tile.columns + column)] ==
                           (l == 0 ? double(number(row, column)) : 0)
                       ? 0
                       : 1;
    EXPECT_EQ(wrong, 0) << tile.unit << ", " << limbs << " limbs";
  }
}

TEST(Residues, NumbersTakeTheirOwnResiduesAndNothingBehindThem) {
  const Isa before = active_isa();
  for (const Isa isa : available_isas()) {
    set_active_isa(isa);
    for (const auto* tile : linalg_detail::residue_tiles()) check_numbers(*tile);
  }
  set_active_isa(before);
}

}  // namespace
}  // namespace mct::test
