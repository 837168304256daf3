// MPFR as its users write it: in place, mpfr_fma into the accumulator.
#include "bench/registry.hpp"

namespace mct::bench {
namespace {

/// A vector of MPFR numbers of one precision.
class Vector {
 public:
  template <int N>
  Vector(const std::vector<Expansion<double, N>>& v, int bits)
      : values_(v.size(), validation::Real(bits)) {
    validation::Real exact;
    for (std::size_t i = 0; i < v.size(); ++i) {
      exact.set_exact(v[i]);
      mpfr_set(values_[i].get(), exact.get(), MPFR_RNDN);
    }
  }
  mpfr_ptr operator[](std::size_t i) { return values_[i].get(); }

 private:
  std::vector<validation::Real> values_;
};

void dot(Vector& x, Vector& y, mpfr_ptr sum) {
  mpfr_set_zero(sum, 1);
  for (std::size_t i = 0; i < length; ++i) mpfr_fma(sum, x[i], y[i], sum, MPFR_RNDN);
}

template <int N>
void enter(std::vector<Case>& cases, const std::string& type, int bits) {
  const auto& operands = Operands<double, N>::get();
  Case dot_case;
  dot_case.work = "dot";
  dot_case.type = type;
  dot_case.implementation = "MPFR " + std::to_string(bits);
  dot_case.run = [&operands, bits](benchmark::State& state) {
    Vector x(operands.x, bits);
    Vector y(operands.y, bits);
    validation::Real sum(bits);
    for (auto _ : state) {
      dot(x, y, sum.get());
      benchmark::ClobberMemory();
    }
  };
  dot_case.error_log2 = [&operands, bits] {
    Vector x(operands.x, bits);
    Vector y(operands.y, bits);
    validation::Real sum(bits);
    dot(x, y, sum.get());
    double value[8];
    for (double& limb : value) {
      limb = mpfr_get_d(sum.get(), MPFR_RNDN);
      mpfr_sub_d(sum.get(), sum.get(), limb, MPFR_RNDN);
    }
    return operands.dot_error_log2(value, 8);
  };
  dot_case.error_allowed_log2 = 16 - bits;
  cases.push_back(dot_case);
  Case axpy_case = dot_case;
  axpy_case.work = "axpy";
  axpy_case.error_log2 = {};
  axpy_case.run = [&operands, bits](benchmark::State& state) {
    Vector x(operands.x, bits);
    Vector y(operands.y, bits);
    for (auto _ : state) {
      for (std::size_t i = 0; i < length; ++i) mpfr_fma(y[i], x[0], x[i], y[i], MPFR_RNDN);
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(axpy_case);
}

}  // namespace

void add_mpfr(std::vector<Case>& cases) {
  enter<2>(cases, "f64x2", 106);
  enter<3>(cases, "f64x3", 159);
  enter<4>(cases, "f64x4", 212);
}

}  // namespace mct::bench
