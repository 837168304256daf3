// Arb as its users write it: arb_addmul in place.
#include "bench/registry.hpp"

#if MCT_WITH_ARB
#include "bench/peers/arb_vector.hpp"

namespace mct::bench {
namespace {

void dot(ArbVector& x, ArbVector& y, arb_t sum, slong bits) {
  arb_zero(sum);
  for (std::size_t i = 0; i < length; ++i) arb_addmul(sum, x[i], y[i], bits);
}

template <int N>
void enter(std::vector<Case>& cases, const std::string& type, int bits) {
  const auto& operands = Operands<double, N>::get();
  Case dot_case;
  dot_case.work = "dot";
  dot_case.type = type;
  dot_case.implementation = "Arb " + std::to_string(bits);
  dot_case.run = [&operands, bits](benchmark::State& state) {
    ArbVector x(operands.x);
    ArbVector y(operands.y);
    arb_t sum;
    arb_init(sum);
    for (auto _ : state) {
      dot(x, y, sum, bits);
      benchmark::ClobberMemory();
    }
    arb_clear(sum);
  };
  dot_case.error_log2 = [&operands, bits] {
    ArbVector x(operands.x);
    ArbVector y(operands.y);
    arb_t sum;
    arb_init(sum);
    dot(x, y, sum, bits);
    validation::Real real(bits);
    arf_get_mpfr(real.get(), arb_midref(sum), MPFR_RNDN);
    arb_clear(sum);
    double value[8];
    for (double& limb : value) {
      limb = mpfr_get_d(real.get(), MPFR_RNDN);
      mpfr_sub_d(real.get(), real.get(), limb, MPFR_RNDN);
    }
    return operands.dot_error_log2(value, 8);
  };
  dot_case.error_allowed_log2 = 16 - bits;
  cases.push_back(dot_case);
  Case axpy_case = dot_case;
  axpy_case.work = "axpy";
  axpy_case.error_log2 = {};
  axpy_case.run = [&operands, bits](benchmark::State& state) {
    ArbVector x(operands.x);
    ArbVector start(operands.y);
    ArbVector y(operands.y);
    for (auto _ : state) {
      // from the same values each time: a ball's radius grows with every operation on it
      for (std::size_t i = 0; i < length; ++i) {
        arb_set(y[i], start[i]);
        arb_addmul(y[i], x[0], x[i], bits);
      }
      benchmark::ClobberMemory();
    }
  };
  cases.push_back(axpy_case);
}

}  // namespace

void add_arb(std::vector<Case>& cases) {
  enter<2>(cases, "f64x2", 106);
  enter<3>(cases, "f64x3", 159);
  enter<4>(cases, "f64x4", 212);
}

}  // namespace mct::bench
#else
namespace mct::bench {
void add_arb(std::vector<Case>&) {}
}  // namespace mct::bench
#endif
