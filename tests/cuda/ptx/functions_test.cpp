// Functions of libdevice, translated.
#include "tests/cuda/ptx/run_instructions.hpp"

#include <cmath>

namespace mct::cuda {
namespace {

/// libdevice's functions are a few units from the value; here to see that its branches, tables and
/// bit operations are translated.
TEST(CudaPtx, FunctionsOfLibdevice) {
  std::vector<double> in = {0.5, -0.5, 1,   -1, 2, 10,   -10, 1e-3,
                            20,  -20,  0.1, 3,  7, 1e-8, 5.5, -7.25};
  while (in.size() < 32) in.push_back(in[in.size() - 16] * 1.0625);
  const auto out = run<OfFunctions>(in, std::vector<double>());
  for (std::size_t thread = 0; thread < 32; ++thread) {
    const double x = in[thread];
    const auto f = double(float(x));
    const double want[] = {std::exp(x),
                           std::log(std::fabs(x)),
                           std::cbrt(x),
                           std::tanh(x),
                           1 / std::sqrt(std::fabs(x)),
                           std::atan(x),
                           std::erf(x),
                           std::expm1(x),
                           std::log1p(std::fabs(x)),
                           std::exp2(x),
                           std::hypot(x, 3.0),
                           std::exp(f),
                           std::log(std::fabs(f)),
                           std::tanh(f),
                           std::erf(f),
                           std::exp2(f),
                           std::cbrt(f),
                           1 / std::sqrt(std::fabs(f)),
                           std::exp(f),
                           std::log(std::fabs(f)),
                           f / 3};
    for (std::size_t i = 0; i < std::size(want); ++i) {
      const double got = out[OfFunctions::results * thread + i];
      const double tolerance = i < 11 ? 4e-16 * 2 : i < 18 ? 1.2e-7 * 2 : 4e-6;
      EXPECT_NEAR(got, want[i], tolerance * std::fabs(want[i]) + (i >= 18 ? 4e-7 : 0))
          << "function " << i << " of " << x;
    }
  }
}

}  // namespace
}  // namespace mct::cuda
