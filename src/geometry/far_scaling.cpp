#include "mctensor/geometry/halfspace/far_scaling.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "mctensor/error.hpp"

namespace mct::geometry {

namespace {

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

template <class F>
ComponentsOfPoint scaled(const ComponentsOfPoint& point, double numerator, double denominator) {
  const F stored = sum_of<F>(point.height);
  const F h = point.logarithmic ? F(exp(stored)) : stored;
  std::vector<F> across;
  F square = 0;
  for (const auto& components : point.x) {
    across.push_back(sum_of<F>(components) / h);
    square += across.back() * across.back();
  }
  // |x|^2 / h is h times the square: X_0 and X_n are (1 / h + h + |x|^2 / h) / 2 with both signs
  const F up = (h + h * square - 1 / h) / 2;
  const F sinh_d = sqrt(F(square + up * up));
  if (sinh_d == 0) return point;
  const F d = log(F(sinh_d + sqrt(F(1 + sinh_d * sinh_d)))) * F(numerator) / F(denominator);
  const F e = exp(d);
  const F sinh_to = (e - 1 / e) / 2;
  const F factor = sinh_to / sinh_d;
  const F to = 1 / ((e + 1 / e) / 2 - factor * up);
  ComponentsOfPoint r = point;
  for (std::size_t i = 0; i < across.size(); ++i)
    r.x[i] = split(F(across[i] * factor * to), point.x[i].size(), point.single);
  r.height = split(point.logarithmic ? F(log(to)) : to, point.height.size(), point.single);
  return r;
}

/// The distance from the origin at radius 1, about.
double about_distance(const ComponentsOfPoint& point) {
  const double stored = point.height.empty() ? 0 : point.height.front();
  const double log_h = point.logarithmic ? stored : std::log(stored);
  double largest = 0;
  for (const auto& components : point.x)
    largest = std::max(largest, std::fabs(components.empty() ? 0 : components.front()));
  const double log_x = std::log(std::max(largest, std::numeric_limits<double>::min())) +
                       std::log(double(point.x.size()) + 1) / 2;
  // cosh d is a sum of h, 1 / h and |x|^2 / h, halved
  return std::max({std::fabs(log_h), 2 * log_x - log_h, 0.0}) + 2;
}

}  // namespace

ComponentsOfPoint scaled_from_origin(const ComponentsOfPoint& point, double numerator,
                                     double denominator) {
  if (!(numerator > 0) || !(denominator > 0) || !std::isfinite(numerator) ||
      !std::isfinite(denominator))
    throw DomainError("scaled_from_origin: the factor " + std::to_string(numerator) + " / " +
                      std::to_string(denominator) + " is not positive");
  std::size_t most = point.height.size();
  for (const auto& components : point.x) most = std::max(most, components.size());
  const double d = about_distance(point);
  const double bits =
      2.9 * std::max(d, d * numerator / denominator) + 64 + double(most) * (point.single ? 24 : 53);
  if (bits <= 4096) return scaled<Number<4096>>(point, numerator, denominator);
  if (bits <= 16384) return scaled<Number<16384>>(point, numerator, denominator);
  throw DomainError("scaled_from_origin: a point at distance " + std::to_string(d) +
                    " would need " + std::to_string(bits) + " bits to be moved to " +
                    std::to_string(numerator / denominator) + " times that");
}

}  // namespace mct::geometry
