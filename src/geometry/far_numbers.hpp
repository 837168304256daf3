// Binary numbers of thousands of bits for points that are moved along geodesics through the origin.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/error.hpp"

namespace mct::geometry::far_detail {

namespace mp = boost::multiprecision;

template <unsigned bits>
using Number = mp::number<mp::cpp_bin_float<bits, mp::digit_base_2>, mp::et_off>;

template <class F>
F sum_of(const std::vector<double>& components) {
  F sum = 0;
  for (const double c : components) sum += F(c);
  return sum;
}

/// The leading components of a number, each rounded to nearest.
template <class F>
std::vector<double> split(F x, std::size_t count, bool single) {
  std::vector<double> components(count, 0.0);
  for (double& c : components) {
    c = single ? double(x.template convert_to<float>()) : x.template convert_to<double>();
    if (!std::isfinite(c)) break;
    x -= F(c);
  }
  return components;
}

/// Moves the point of the hyperboloid with these coordinates beside X_0 = cosh d to the distance
/// numerator / denominator d from the origin; returns the new X_0.
template <class F>
F move_on(std::vector<F>& x, double numerator, double denominator) {
  F square = 0;
  for (const F& c : x) square += c * c;
  const F sinh_d = sqrt(square);
  if (sinh_d == 0) return 1;
  const F d = log(F(sinh_d + sqrt(F(1 + square)))) * F(numerator) / F(denominator);
  const F e = exp(d);
  const F factor = (e - 1 / e) / 2 / sinh_d;
  for (F& c : x) c *= factor;
  return (e + 1 / e) / 2;
}

/// Calls f with a number of enough bits to hold coordinates at distances d and numerator /
/// denominator d to `digits` bits: coordinates are as large as e^d and differences as small as
/// e^-d. Throws DomainError for more than 16384 bits, and for factors that are not positive.
template <class F>
auto with_bits(double d, double numerator, double denominator, double digits, const F& f) {
  if (!(numerator > 0) || !(denominator > 0) || !std::isfinite(numerator) ||
      !std::isfinite(denominator))
    throw DomainError("scaled_from_origin: the factor " + std::to_string(numerator) + " / " +
                      std::to_string(denominator) + " is not positive");
  const double bits = 2.9 * std::max(d, d * numerator / denominator) + 96 + digits;
  if (bits <= 4096) return f(Number<4096>());
  if (bits <= 16384) return f(Number<16384>());
  throw DomainError("scaled_from_origin: a point at distance " + std::to_string(d) +
                    " would need " + std::to_string(bits) + " bits to be moved to " +
                    std::to_string(numerator / denominator) + " times that");
}

}  // namespace mct::geometry::far_detail
