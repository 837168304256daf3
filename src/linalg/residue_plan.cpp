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

/// Of bytes up to 2^8: residues of 256 are -128 .. 127. Of pairs below 2^12: 512 products of two
/// residues of at most 2047 stay below 2^31.
int largest_modulus(ResidueSize size) { return size == ResidueSize::byte ? 256 : 4095; }

std::vector<int> find_moduli(ResidueSize size) {
  std::vector<int> moduli;
  for (int p = largest_modulus(size); p > 1 && int(moduli.size()) < most_moduli; --p) {
    bool coprime = true;
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

}  // namespace

int moduli_for(ResidueSize size, int bits) {
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
  for (int i = 0; i < plan.count; ++i) {
    const int p = moduli[std::size_t(i)];
    const Integer part = all / p;
    const int inverse = inverse_modulo(part, p);
    plan.modulus[i] = p;
    plan.inverse[i] = 1.0 / p;
    write_digits(part, plan.result_digits, plan.part + std::ptrdiff_t(i) * plan.result_digits);
    for (int t = 0; t < operand_digits; ++t) {
      const Integer power = Integer(1) << (digit_bits * t);
      const double scale = std::ldexp(1.0, -digit_bits * t);
      plan.left[i * operand_digits + t] = centred(power * inverse, p) * scale;
      plan.right[i * operand_digits + t] = centred(power, p) * scale;
    }
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
