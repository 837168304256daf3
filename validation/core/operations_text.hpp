// The suite's entries for decimal text.
#pragma once

#include <vector>

#include "mctensor/expansion/io.hpp"
#include "validation/core/operations_arithmetic.hpp"

namespace mct::validation {

/// to_string, shortest: from_string must give the same number back. from_string: the decimal text
/// of x with about two thirds of its digits, against MPFR's reading of the same text.
template <class T, int N>
std::vector<Operation<T, N>> text_operations() {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  constexpr int digits = N * FloatTraits<T>::p / 5 + 1;
  std::vector<Operation<T, N>> list(2);

  Operation<T, N>& round_trip = list[0];
  round_trip.name = "to_string";
  round_trip.arity = 1;
  round_trip.bound_text = "exact round trip";
  round_trip.weight = 0.02;
  round_trip.apply = [](const Xs& x) { return from_string<X>(to_string(x[0])); };
  round_trip.unary_oracle = oracle::copy;

  Operation<T, N>& read = list[1];
  read.name = "from_string";
  read.arity = 1;
  read.promise = {1, 0.5};
  read.bound_text = bound_in_words(1, N, "x", 0.5);
  read.weight = 0.05;
  read.check = [](const Operation<T, N>& op, Workspace& w, const Xs& x) {
    const std::string text = to_string(x[0], digits);
    mpfr_set_prec(w.exact.get(), 4 * N * FloatTraits<T>::p + 64);
    mpfr_set_str(w.exact.get(), text.c_str(), 10, MPFR_RNDN);
    return measure(w, from_string<X>(text), w.exact.get(), op.promise);
  };
  return list;
}

}  // namespace mct::validation
