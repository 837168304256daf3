// Runs one implementation of one operation over random inputs and compares it with MPFR.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "validation/core/cases.hpp"
#include "validation/core/operations_convert.hpp"
#include "validation/core/real.hpp"
#include "validation/peers/jobs.hpp"

namespace mct::validation {

/// What is computed: operands and, by MPFR, the exact result.
struct Function {
  std::string name;
  int arity;
  void (*exact)(mpfr_ptr result, const Real& x, const Real& y);
};

inline const std::array<Function, 5> basic_functions = {{
    {"add", 2,
     [](mpfr_ptr r, const Real& x, const Real& y) { mpfr_add(r, x.get(), y.get(), MPFR_RNDN); }},
    {"sub", 2,
     [](mpfr_ptr r, const Real& x, const Real& y) { mpfr_sub(r, x.get(), y.get(), MPFR_RNDN); }},
    {"mul", 2,
     [](mpfr_ptr r, const Real& x, const Real& y) { mpfr_mul(r, x.get(), y.get(), MPFR_RNDN); }},
    {"div", 2,
     [](mpfr_ptr r, const Real& x, const Real& y) { mpfr_div(r, x.get(), y.get(), MPFR_RNDN); }},
    {"sqrt", 1, [](mpfr_ptr r, const Real& x, const Real&) { mpfr_sqrt(r, x.get(), MPFR_RNDN); }},
}};

/// How far apart operands lie, in binary digits.
struct Spread {
  int low = -3;
  int high = 3;
  bool cancelling = false;  // every other case: the second operand nearly the first
};

/// Contiguous operands of one type, the first positive: the same for every peer.
template <class T, int N>
class PeerInputs {
 public:
  PeerInputs(const PeerEffort& effort, Spread spread)
      : random_(effort.seed, stream), maker_(random_), spread_(spread) {}

  std::pair<Expansion<T, N>, Expansion<T, N>> next() {
    const int e = random_.between(-8, 8);
    const auto x = abs(maker_.dense(e));
    auto y = maker_.dense(e + random_.between(spread_.low, spread_.high));
    if (spread_.cancelling && ++count_ % 2 == 0) {
      const T relative = pow2<T>(-8) / T(1 + random_.below(1000));
      y = x + x * (random_.one_in(2) ? relative : -relative);
      if (random_.one_in(2)) y = -y;
    }
    return {x, y};
  }

 private:
  static constexpr std::uint64_t stream = 0x70656572;
  Random random_;
  CaseMaker<T, N> maker_;
  Spread spread_;
  std::uint64_t count_ = 0;
};

/// Statistics of `peer` over `effort.cases` inputs. Peer(x, y, held_x, held_y, result): computes
/// with the operands as it holds them, tells what it holds, and gives its result, exactly.
template <class T, int N, class Peer>
ErrorStatistics measure_peer(const PeerEffort& effort, Spread spread, const Function& function,
                             Peer& peer) {
  PeerInputs<T, N> inputs(effort, spread);
  Real x, y, exact(8 * N * FloatTraits<T>::p), result, difference(64);
  ErrorStatistics statistics;
  for (int i = 0; i < effort.cases; ++i) {
    const auto [a, b] = inputs.next();
    peer(a, b, x, y, result);
    function.exact(exact.get(), x, y);
    if (!mpfr_number_p(result.get())) {
      statistics.add(INFINITY);
      continue;
    }
    mpfr_sub(difference.get(), result.get(), exact.get(), MPFR_RNDA);
    statistics.add(scaled_ratio(magnitude_of(difference.get()), magnitude_of(exact.get()),
                                long(N) * FloatTraits<T>::p));
  }
  return statistics;
}

/// A row of the table.
template <class T, int N>
PeerResult peer_row(const std::string& operation, const std::string& peer,
                    const ErrorStatistics& errors) {
  PeerResult row;
  row.operation = operation;
  row.type = type_name<T, N>();
  row.components = N;
  row.precision = FloatTraits<T>::p;
  row.peer = peer;
  row.errors = errors;
  row.worst_relative_log2 = std::log2(errors.max_error) - N * FloatTraits<T>::p;
  return row;
}

}  // namespace mct::validation
