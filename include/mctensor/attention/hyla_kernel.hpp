// The kernels to which inner products of HyLa features converge as the features become more.
//
// hyla_gaussian_kernel has the error and the domain of hyla_kernel. Source: Yu 2024, A.2.1;
// Takahasi, Mori 1974 (integration).
#pragma once

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"

namespace mct::attention {

namespace detail {

/// The integral of f(s) ((cosh d - cosh s) / (d sinh d))^((n - 3) / 2) / d over s from 0 to d. It
/// is computed by the double exponential rule with steps of h. The rule suits n = 2, where the
/// integrand is singular at s = d. Source: Takahasi, Mori 1974.
template <class Function>
double mehler_integral(int n, double d, double h, const Function& f) {
  constexpr double reach = 3.9;  // beyond it a singularity of order 1/2 adds less than 2^-55
  const double power = (n - 3) / 2.0;
  const bool flat = d < 0x1p-30;  // sinh x is x
  double total = 0;
  for (int k = -int(reach / h); k <= int(reach / h); ++k) {
    // s / d = 1 / (1 + e^(2 v)), and 1 - s / d without cancellation
    const double v = M_PI / 2 * std::sinh(k * h);
    const double share = 1 + std::exp(2 * v);
    const double other = 1 + std::exp(-2 * v);
    const double s = d / share;
    const double rest = d / other;
    const double slope = M_PI / 4 * std::cosh(k * h) / (std::cosh(v) * std::cosh(v));
    const double height =
        flat ? (1 + 1 / share) / (2 * other)
             : 2 * (std::sinh(rest / 2) / d) * (std::sinh((d + s) / 2) / std::sinh(d));
    total += f(s) * std::pow(height, power) * slope;
  }
  return total * h;
}

}  // namespace detail

/// The kernel of frequencies with the characteristic function f(s) = E cos(lambda s), at the
/// distance d (in units of K) in n >= 2 dimensions:
///
///   Gamma(n/2) 2^((n - 1)/2) / (2 sqrt(pi) Gamma((n - 1)/2)) sinh(d)^(2 - n)
///     integral from 0 to d of f(s) (cosh d - cosh s)^((n - 3)/2) ds,
///
/// which is Mehler's integral of the spherical function. For f(s) = cos(lambda s) it is 2F1((n -
/// 1)/2 + i lambda, (n - 1)/2 - i lambda; n/2; (1 - cosh d)/2) / 2. `oscillation` is the largest
/// relevant frequency in f. Error: 1e-13 of the kernel at lambda = 0. A test (attention_hyla_test)
/// checks this for n up to 16 with d from 1e-6 to 4, for n = 2 and 3 up to d = 20, and for
/// oscillation d up to 100. At d = 0 the kernel is 1/2. The time is proportional to oscillation d.
/// Throws DomainError unless n >= 2, 0 <= d <= 300, and 0 <= oscillation d <= 1e6.
template <class Function>
double hyla_kernel(int n, double d, double oscillation, const Function& f) {
  if (n < 2 || !(d >= 0) || d > 300)
    throw DomainError("hyla_kernel: " + std::to_string(n) + " dimensions and the distance " +
                      number_text(d) +
                      ", expected at least 2 dimensions and a distance from 0 to 300");
  if (!(oscillation >= 0) || !(oscillation * d <= 1e6))
    throw DomainError(
        "hyla_kernel: the frequency " + number_text(oscillation) + " at the distance " +
        number_text(d) +
        "; the frequency must be at least 0, and its product with the distance at most 1e6");
  if (d == 0) return 0.5;
  const double h = 1 / (16 + oscillation * d / 2);
  const double factor =
      std::exp(std::lgamma(n / 2.0) - std::lgamma((n - 1) / 2.0) + (n - 1) / 2.0 * M_LN2) /
      (2 * std::sqrt(M_PI));
  return factor * std::pow(d / std::sinh(d), (n - 1) / 2.0) * detail::mehler_integral(n, d, h, f);
}

/// The kernel for one frequency lambda.
inline double hyla_kernel(int n, double d, double lambda) {
  return hyla_kernel(n, d, std::fabs(lambda), [=](double s) { return std::cos(lambda * s); });
}

/// The kernel for normal frequencies of the given deviation, whose characteristic function is
/// e^(-deviation^2 s^2 / 2).
inline double hyla_gaussian_kernel(int n, double d, double deviation) {
  return hyla_kernel(n, d, std::fabs(deviation),
                     [=](double s) { return std::exp(-deviation * deviation * s * s / 2); });
}

}  // namespace mct::attention
