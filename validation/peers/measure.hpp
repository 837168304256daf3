// Runs one implementation of one function over the inputs and compares it with MPFR.
#pragma once

#include <cmath>
#include <string>

#include "validation/peers/inputs.hpp"
#include "validation/peers/peer_number.hpp"

namespace mct::validation {

/// What an implementation makes of one pair of operands: exact values all.
struct PeerCase {
  Real x, y;    // the operands as the implementation holds them, rounded to its format
  Real result;  // what it computed from them
};

/// The errors of `compute` in u^N |exact|: compute(a, b, PeerCase&) for expansions a, b. Only the
/// arithmetic is judged: the exact result is that of the operands as held; where that is no number,
/// nothing is said. A result that is no number counts as an infinite error, and so does a result
/// that should be zero and is not.
template <class T, int N, class Compute>
ErrorStatistics measure_errors(const PeerEffort& effort, const Function& function,
                               const InputPlan& plan, Compute compute) {
  PeerInputs<T, N> inputs(effort.seed, function.name, plan);
  constexpr mpfr_prec_t bits = N * FloatTraits<T>::p;
  PeerCase c;
  // enough for every bit of a sum or product of the inputs; quotients are rounded far below u^N
  Real exact(4 * bits), difference(64);
  ErrorStatistics errors;
  for (int i = 0; i < effort.cases; ++i) {
    const auto [a, b] = inputs.next();
    compute(a, b, c);
    function.exact(c.x, c.y, exact.get());
    if (!mpfr_number_p(exact.get())) continue;
    if (!mpfr_number_p(c.result.get())) {
      errors.add(INFINITY);
      continue;
    }
    mpfr_sub(difference.get(), c.result.get(), exact.get(), MPFR_RNDA);
    errors.add(scaled_ratio(magnitude_of(difference.get()), magnitude_of(exact.get()), bits));
  }
  return errors;
}

/// What measure_errors needs of an algorithm on expansions, (x, y) -> Expansion; a scalar operand
/// is the leading limb of y. The limbs of its result may overlap or stand in any order, as those
/// of the published algorithms do: their exact sum is the value.
template <class T, int N, class Algorithm>
auto on_expansions(const Function& function, Algorithm algorithm) {
  return [=](const Expansion<T, N>& a, const Expansion<T, N>& b, PeerCase& c) {
    c.x.set_exact(a);
    if (function.binary != nullptr) c.y.set_exact(b.limb, function.second_limbs(N));
    c.result.set_exact(algorithm(a, b).limb, N);
  };
}

/// What measure_errors needs of a peer's number type: the operands rounded to it, f(x, y) of them
/// given back exactly.
template <class T, int N, PeerNumber P, class F>
auto on_numbers(const Function& function, F f) {
  return
      [=, exact = Real()](const Expansion<T, N>& a, const Expansion<T, N>& b, PeerCase& c) mutable {
        exact.set_exact(a);
        const typename P::Value x = P::from(exact);
        P::to(x, c.x);
        if (function.binary == nullptr) return P::to(f(x, x), c.result);
        exact.set_exact(b.limb, function.second_limbs(N));
        const typename P::Value y = P::from(exact);
        P::to(y, c.y);
        P::to(f(x, y), c.result);
      };
}

/// log2 of an error in units of u^N |exact| as a relative error; -infinity for no error.
template <class T, int N>
double relative_log2(double error) {
  return std::log2(error) - double(N * FloatTraits<T>::p);
}

/// A row of the table of peers.
template <class T, int N>
PeerResult peer_row(const Function& function, const std::string& peer,
                    const ErrorStatistics& errors) {
  PeerResult row;
  row.operation = function.name;
  row.type = type_name<T, N>();
  row.components = N;
  row.precision = FloatTraits<T>::p;
  row.peer = peer;
  row.errors = errors;
  row.worst_relative_log2 = relative_log2<T, N>(errors.max_error);
  return row;
}

/// A job that measures `compute` and makes a row of the table of peers.
template <class T, int N, class Compute>
void add_row_job(const PeerEffort& effort, const Function& function, const std::string& peer,
                 Compute compute, PeerJobs& jobs) {
  jobs.push_back({type_name<T, N>() + ' ' + function.name, [=] {
                    return peer_row<T, N>(
                        function, peer,
                        measure_errors<T, N>(effort, function, function.plan, compute));
                  }});
}
/// The row of f(x, y) of our own numbers.
template <class T, int N, class F>
void add_our_job(const PeerEffort& effort, const Function& function, F f, PeerJobs& jobs) {
  add_row_job<T, N>(effort, function, "MCTensor C++", on_expansions<T, N>(function, f), jobs);
}
/// The row of f(x, y) of a peer's.
template <class T, int N, PeerNumber P, class F>
void add_peer_job(const PeerEffort& effort, const Function& function, const std::string& peer, F f,
                  PeerJobs& jobs) {
  add_row_job<T, N>(effort, function, peer, on_numbers<T, N, P>(function, f), jobs);
}

}  // namespace mct::validation
