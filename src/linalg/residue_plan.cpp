#include "src/linalg/residue_plan.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace mct::linalg_detail {

namespace {

using Integer = boost::multiprecision::cpp_int;

/// Of pairs so that 512 products of two residues of at most p / 2 + 16 stay below 2^31. Of bytes
/// 256, whose residues are all bytes, and up to 251: what is p / 2 + 2 off the middle is a byte.
constexpr int largest_pair = 4049;
bool has_room(ResidueSize size, int p) {
  return size == ResidueSize::pair ? p <= largest_pair : p <= 251 || p == 256;
}

std::vector<int> find_moduli(ResidueSize size) {
  std::vector<int> moduli;
  for (int p = largest_pair; p > 1 && int(moduli.size()) < most_moduli; --p) {
    bool coprime = has_room(size, p);
    for (const int q : moduli) coprime = coprime && std::gcd(p, q) == 1;
    if (coprime) moduli.push_back(p);
  }
  return moduli;
}

/// Moduli of this size, the largest first, each coprime to all before it.
const std::vector<int>& moduli_of(ResidueSize size) {
  static const std::vector<int> bytes = find_moduli(ResidueSize::byte);
  static const std::vector<int> pairs = find_moduli(ResidueSize::pair);
  return size == ResidueSize::byte ? bytes : pairs;
}

/// x modulo p, between -p / 2 and p / 2.
int centred(const Integer& x, int p) {
  const int r = (int(Integer(x % p)) + p) % p;  // % has the sign of x
  return r > p / 2 ? r - p : r;
}

/// By Euclid's algorithm: in every step r is x times `inverse`, modulo p.
int inverse_modulo(const Integer& x, int p) {
  int r = int(Integer(x % p));
  int next = p;
  int inverse = 1;
  int next_inverse = 0;
  while (next != 0) {
    const int quotient = r / next;
    r = std::exchange(next, r - quotient * next);
    inverse = std::exchange(next_inverse, inverse - quotient * next_inverse);
  }
  return inverse;
}

/// Weights of 16 bits, the first one in the lower half.
std::int32_t word_of(int low, int high) {
  return std::int32_t((std::uint32_t(high) << 16U) | (std::uint32_t(low) & 0xffffU));
}

/// weight(e): what 2^e counts as, modulo P.
template <class F>
PieceWeights piece_weights(int modulus, int digits, const F& weight) {
  PieceWeights w;
  w.modulus = modulus;
  w.inverse = 1.0F / float(modulus);
  const auto piece = [&](int digit, int place) {
    if (digit >= digits) return 0;
    const int of_piece = weight(digit_bits * digit + piece_bits * place);
    w.start -= std::uint32_t(piece_offset) * std::uint32_t(of_piece);
    return of_piece;
  };
  for (int t = 0; t < digits; ++t) w.word[t] = word_of(piece(t, 0), piece(t, 1));
  for (int t = 0; t < digits; t += 2)
    w.word[digits + t / 2] = word_of(piece(t, 2), piece(t + 1, 2));
  return w;
}

ByteWeights byte_weights(int p) {
  ByteWeights w;
  w.modulus = std::int16_t(p);
  while ((1 << (w.shift + 1)) < p) ++w.shift;  // the inverse is below 2^15
  const double exact = double(1 << (15 + w.shift)) / p;
  w.inverse = std::int16_t(std::lround(exact));
  w.half = std::int16_t(1 << (w.shift - 1));
  // how far residues are from p / 2, at most: what rounding the quotient and the inverse add
  const double off = p * (0.5 + std::fabs(w.inverse - exact)) / double(1 << w.shift);
  // residues without sign begin with 0: their middle is the next multiple of p / 2^shift
  w.half_unsigned = std::int16_t(w.half - std::ceil((0.5 * p + off) * double(1 << w.shift) / p));
  return w;
}

/// Digits of x >= 0, |d_t| <= 2^35; the last one takes what is left.
void write_digits(Integer x, int digits, double* out) {
  const Integer base = Integer(1) << digit_bits;
  for (int t = 0; t < digits; ++t) {
    Integer digit = t + 1 == digits ? x : Integer(x % base);
    if (t + 1 < digits && digit > base / 2) digit -= base;
    out[t] = double(digit);
    x = (x - digit) / base;
  }
}

/// The pieces of a digit of one modulus.
void write_pieces(double digit, int modulus, std::int8_t (*pieces)[64]) {
  auto left = std::int64_t(digit);
  for (int i = 0; i < pieces_of_digit; ++i) {
    const bool last = i + 1 == pieces_of_digit;
    const std::int64_t base = std::int64_t(1) << (i == 0 ? 8 : 7);
    const std::int64_t piece = last ? left : ((left + base / 2) & (base - 1)) - base / 2;
    pieces[i][modulus] = std::int8_t(piece);
    left = (left - piece) / base;
  }
}

}  // namespace

int moduli_for(ResidueSize size, double bits) {
  double have = 0;
  int count = 0;
  for (const int p : moduli_of(size)) {
    if (have >= bits) break;
    have += std::log2(double(p)) - 1e-9;
    ++count;
  }
  return have >= bits ? count : 0;
}

namespace {

ResiduePlan make_plan(ResidueSize size, int count, int operand_digits) {
  ResiduePlan plan;
  plan.size = size;
  plan.count = count;
  plan.operand_digits = operand_digits;
  const std::vector<int>& moduli = moduli_of(size);
  Integer all = 1;
  for (int i = 0; i < count; ++i) all *= moduli[std::size_t(i)];
  plan.result_digits = int(msb(all)) / digit_bits + 1;
  write_digits(all, plan.result_digits, plan.whole);
  const int shift = int(msb(all)) - 62;
  plan.whole_inverse = std::ldexp(1 / Integer(all >> shift).convert_to<double>(),
                                  digit_bits * (plan.result_digits - 1) - shift);
  const auto inverse_of = [&](int p) { return inverse_modulo(all / p, p); };
  for (int i = 0; i < plan.count; ++i) {
    const int p = moduli[std::size_t(i)];
    const Integer part = all / p;
    const int inverse = inverse_of(p);
    if (size == ResidueSize::byte) plan.byte[i] = byte_weights(p);
    plan.modulus[i] = p;
    plan.inverse[i] = 1.0 / p;
    write_digits(part, plan.result_digits, plan.part + std::ptrdiff_t(i) * plan.result_digits);
    for (int t = 0; t < plan.result_digits && size == ResidueSize::byte; ++t)
      write_pieces(plan.part[i * plan.result_digits + t], i,
                   plan.pieces + std::ptrdiff_t(pieces_of_digit) * t);
    for (int t = 0; t < operand_digits; ++t) {
      Integer power = 1;
      power <<= digit_bits * t;
      const double scale = std::ldexp(1.0, -digit_bits * t);
      plan.left[i * operand_digits + t] = centred(power * inverse, p) * scale;
      plan.right[i * operand_digits + t] = centred(power, p) * scale;
    }
  }
  const int together = size == ResidueSize::byte ? 2 : 1;
  for (int i = 0; i < plan.count; i += together) {
    const int p = moduli[std::size_t(i)];
    const bool alone = together == 1 || i + 1 == plan.count;
    const int q = alone ? 1 : moduli[std::size_t(i) + 1];
    // the number modulo p q that is x modulo p and y modulo q
    const auto joined = [&](int x, int y) {
      return centred(x + Integer(p) * centred(Integer(y - x) * inverse_modulo(p, q), q), p * q);
    };
    const int left = joined(inverse_of(p), alone ? 0 : inverse_of(q));
    const auto weight = [&](int times) {
      return [=](int e) { return centred((Integer(1) << e) * times, p * q); };
    };
    plan.left_pieces[i / together] = piece_weights(p * q, operand_digits, weight(left));
    plan.right_pieces[i / together] = piece_weights(p * q, operand_digits, weight(1));
  }
  return plan;
}

}  // namespace

const ResiduePlan& residue_plan(ResidueSize size, int count, int operand_digits) {
  static std::mutex mutex;
  static std::map<std::tuple<ResidueSize, int, int>, ResiduePlan> plans;
  const std::lock_guard lock(mutex);
  const auto key = std::tuple(size, count, operand_digits);
  auto place = plans.find(key);
  if (place == plans.end())
    place = plans.emplace(key, make_plan(size, count, operand_digits)).first;
  return place->second;
}

}  // namespace mct::linalg_detail
