// The list of everything that is timed.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/data.hpp"
#include "bench/kernels.hpp"

namespace mct::bench {

/// One implementation of one kernel.
struct Case {
  std::string work;            // "dot", "axpy"
  std::string type;            // "f64x2": the size of number it stands beside
  std::string implementation;  // "ours", "QD dd_real"
  std::function<void(benchmark::State&)> run;
  std::function<double()> error_log2;  // of the dot product; empty: not checked
  double error_allowed_log2 = 0;
  std::function<double()> error_units;  // worst error in units u^N; empty: not measured
  double items = length;                // operations in one run: what a time is divided by
  bool real_time = false;  // elapsed time, not this thread's: for work on several threads
};

/// Registers what does `items` operations in one run.
inline Case& enter_items(std::vector<Case>& cases, const std::string& work, const std::string& type,
                         const std::string& implementation, double items,
                         std::function<void(benchmark::State&)> run) {
  Case c;
  c.work = work;
  c.type = type;
  c.implementation = implementation;
  c.items = items;
  c.run = std::move(run);
  return cases.emplace_back(std::move(c));
}

/// Registers a value type whose numbers are made from expansions and give back doubles.
/// Type offers: Value, from(Expansion), to(Value, double*, count) and multiply_add(a, b, c).
template <class T, int N, class Type>
void enter_type(std::vector<Case>& cases, const std::string& type,
                const std::string& implementation, int bits) {
  using Value = typename Type::Value;
  const auto convert = [](const std::vector<Expansion<T, N>>& v) {
    std::vector<Value> r;
    for (const auto& x : v) r.push_back(Type::from(x));
    return r;
  };
  const auto multiply_add = [](const Value& a, const Value& b, const Value& c) {
    return Type::multiply_add(a, b, c);
  };
  const auto& operands = Operands<T, N>::get();
  Case dot_case;
  dot_case.work = "dot";
  dot_case.type = type;
  dot_case.implementation = implementation;
  dot_case.run = [=, &operands](benchmark::State& state) {
    const auto x = convert(operands.x);
    const auto y = convert(operands.y);
    for (auto _ : state) benchmark::DoNotOptimize(dot(x, y, multiply_add));
  };
  dot_case.error_log2 = [=, &operands] {
    double value[8] = {};
    Type::to(dot(convert(operands.x), convert(operands.y), multiply_add), value, 8);
    return operands.dot_error_log2(value, 8);
  };
  dot_case.error_allowed_log2 = 16 - bits;
  cases.push_back(dot_case);
  Case axpy_case = dot_case;
  axpy_case.work = "axpy";
  axpy_case.error_log2 = {};
  axpy_case.run = [=, &operands](benchmark::State& state) {
    const auto x = convert(operands.x);
    auto y = convert(operands.y);
    for (auto _ : state) {
      axpy(x[0], x, y, multiply_add);
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(axpy_case);
}

void add_ours(std::vector<Case>& cases);
void add_math(std::vector<Case>& cases);
void add_value_peers(std::vector<Case>& cases);
void add_mpfr(std::vector<Case>& cases);
void add_arb(std::vector<Case>& cases);
/// Single operations, chains of them and products of matrices: ours.
void add_arithmetic(std::vector<Case>& cases);
/// The same of today's peers, and which versions they are: in builds that have them (bench/today).
void add_today(std::vector<Case>& cases);
std::string today_versions();
/// Numbers that carry their error, beside Arb.
void add_certified(std::vector<Case>& cases);
/// Tensors; the peers of dot and math that are in the list already stand beside them, too.
void add_tensors(std::vector<Case>& cases);
/// Products of Eigen matrices.
void add_eigen(std::vector<Case>& cases);
/// Solutions and decompositions of matrices.
void add_linalg(std::vector<Case>& cases);
/// Functions of plain tensors.
void add_functions(std::vector<Case>& cases);
void add_optim(std::vector<Case>& cases);
void add_geometry(std::vector<Case>& cases);
void add_halfspace(std::vector<Case>& cases);
/// Steps of the Riemannian optimizers.
void add_riemannian(std::vector<Case>& cases);
/// Points of the hyperbolic plane in tilings and in MPFR.
void add_tilings(std::vector<Case>& cases);
/// Attention by tiles, and with all weights.
void add_attention(std::vector<Case>& cases);
/// Ranks of an embedding's nodes.
void add_embedding(std::vector<Case>& cases);
void add_embedding_training(std::vector<Case>& cases);
/// Work beside a process that keeps one processor busy.
void add_busy(std::vector<Case>& cases);

/// Times the matrix product of f64x2 from 128 to 2048 and writes the plot as SVG.
void plot_scaling(const std::string& path);

}  // namespace mct::bench
