#include "mctensor/geometry/halfspace/far_scaling.hpp"

#include <limits>

#include "src/geometry/far_numbers.hpp"

namespace mct::geometry {

namespace {

template <class F>
ComponentsOfPoint scaled(const ComponentsOfPoint& point, double numerator, double denominator) {
  const F stored = far_detail::sum_of<F>(point.height);
  const F h = point.logarithmic ? F(exp(stored)) : stored;
  std::vector<F> x;
  F square = 0;
  for (const auto& components : point.x) {
    x.push_back(far_detail::sum_of<F>(components) / h);
    square += x.back() * x.back();
  }
  // |x|^2 / h is h times the square
  x.push_back((h + h * square - 1 / h) / 2);
  const F cosh_d = far_detail::move_on(x, numerator, denominator);
  const F to = 1 / (cosh_d - x.back());
  ComponentsOfPoint r = point;
  for (std::size_t i = 0; i < point.x.size(); ++i)
    r.x[i] = far_detail::split(F(x[i] * to), point.x[i].size(), point.single);
  r.height =
      far_detail::split(point.logarithmic ? F(log(to)) : to, point.height.size(), point.single);
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
  std::size_t most = point.height.size();
  for (const auto& components : point.x) most = std::max(most, components.size());
  return far_detail::with_bits(
      about_distance(point), numerator, denominator, double(most) * (point.single ? 24 : 53),
      [&](auto number) { return scaled<decltype(number)>(point, numerator, denominator); });
}

}  // namespace mct::geometry
