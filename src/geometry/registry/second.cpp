// Second derivatives at one point: where the formula's digits are enough, where they are not, and
// where there are no derivatives.
#include "src/geometry/registry/second.hpp"

#include <algorithm>
#include <cmath>

#include "mctensor/error.hpp"

namespace mct::geometry_detail {
namespace {

using Numbers = std::vector<Wide>;
using FirstTrace = geometry::detail::Trace<Once>;
using SecondTrace = geometry::detail::Trace<Wide>;

/// The largest, without its sign; NaN if one is.
double largest_of(const Numbers& x, std::size_t begin, std::size_t end) {
  double largest = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double size = std::fabs(x[i].limb[0]);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}
bool is_finite(const Numbers& x) {
  return std::all_of(x.begin(), x.end(), [](const Wide& a) { return std::isfinite(a.limb[0]); });
}
bool is_zero(const Numbers& x, std::size_t begin, std::size_t end) {
  return std::all_of(x.begin() + std::ptrdiff_t(begin), x.begin() + std::ptrdiff_t(end),
                     [](const Wide& a) { return a.limb[0] == 0; });
}

}  // namespace

double step_of(std::size_t operand, std::size_t coordinate) {
  const double turns =
      0.61803398874989 * double(coordinate + 1) + 0.30277563773199 * double(operand);
  return 0.25 + (turns - std::floor(turns));
}

double SecondOperation::unit_at_origin(double radius) const {
  const std::vector<double> zero(std::size_t(n), 0.0);
  const double whole = unit(radius, zero.data(), n);
  return whole > 0 ? whole : radius;  // of a half-space, where zero is no point
}

std::vector<SecondOperation::Group> SecondOperation::groups_of(const SecondPoint& point) const {
  std::vector<Group> groups;
  std::size_t at = 0;
  const double radius = point.inputs[0].limb[0];
  const double size = std::fabs(radius) > 0 ? std::fabs(radius) : 1;
  const double whole = unit_at_origin(radius);
  const auto add = [&](int count, double unit_of_group) {
    groups.push_back({at, at + std::size_t(count), unit_of_group});
    at += std::size_t(count);
  };
  add(radii, size);
  double base = 0;
  for (const char kind : kinds) {
    if (kind == 'n') {
      const double number = std::fabs(point.inputs[at].limb[0]);
      add(1, number > 0 ? number : std::min(whole, 1.0));
      continue;
    }
    std::vector<double> x(static_cast<std::size_t>(n));
    for (std::size_t c = 0; c < x.size(); ++c) x[c] = point.inputs[at + c].limb[0];
    const double own = unit(radius, x.data(), n);
    if (base == 0) base = own > 0 ? own : whole;
    add(n, own > 0 ? std::min(own, base) : base);
  }
  add(int(point.inputs.size() - at), 1);  // the gradient
  return groups;
}

SecondOperation::Result SecondOperation::evaluated(const SecondPoint& point,
                                                   const std::vector<Group>& groups, double shift,
                                                   bool beside_size) const {
  FirstTrace& first = FirstTrace::current();
  SecondTrace& second = SecondTrace::current();
  first.clear();
  second.clear();
  Numbers inputs = point.inputs;
  for (std::size_t k = 1; k + 1 < groups.size(); ++k) {
    const auto [begin, end, whole] = groups[k];
    const double size = largest_of(inputs, begin, end);
    const double step = shift * (beside_size && size > 0 ? std::min(size, whole) : whole);
    for (std::size_t i = begin; i < end; ++i)
      inputs[i] = inputs[i] + Wide(step * step_of(k, i - begin));
  }
  std::vector<Once> once;
  for (const Wide& x : inputs) once.push_back(Once::input(x));
  std::vector<Twice> twice;
  const std::size_t grad = groups.back().begin;
  for (std::size_t i = 0; i < grad; ++i) twice.push_back(Twice::input(once[i]));
  const std::vector<Twice> result = formula(n, twice);
  first.begin_backward();
  for (std::size_t r = 0; r < result.size(); ++r) first.add(result[r].index, once[grad + r]);
  first.backward();
  second.begin_backward();
  for (std::size_t i = 0; i < grad; ++i)
    second.add(first.derivative(twice[i].index).index, point.cotangents[i]);
  second.backward();
  Numbers derivatives, values;
  for (const Once& x : once) derivatives.push_back(second.derivative(x.index));
  for (const Twice& z : result) values.push_back(z.value.value);
  return {derivatives, largest_of(values, 0, values.size())};
}

Numbers SecondOperation::at(const SecondPoint& point, std::int64_t number) const {
  const auto groups = groups_of(point);
  const std::size_t grad = groups.back().begin;
  Numbers nothing(point.inputs.size(), Wide(0.0));
  const auto refuse = [&] {
    throw DomainError(name + " has no second derivatives at point " + std::to_string(number) +
                      ", where its first ones have a corner");
  };
  if (point.at_corner) {
    if (!is_zero(point.inputs, grad, point.inputs.size()) &&
        !is_zero(point.cotangents, 0, point.cotangents.size()))
      refuse();
    return nothing;
  }
  const auto [here, value] = evaluated(point, groups, 0, true);
  if (!std::isfinite(value)) return Numbers(point.inputs.size(), Wide(NAN));
  // natural sizes of derivatives, where the unit of each operand is its unit
  const double gradient = largest_of(point.inputs, grad, point.inputs.size());
  double cotangent = 0;
  for (std::size_t k = 0; k + 1 < groups.size(); ++k)
    cotangent = std::max(
        cotangent, largest_of(point.cotangents, groups[k].begin, groups[k].end) / groups[k].unit);
  const double unit_of_result =
      std::max(value, gives_number ? unit_at_origin(point.inputs[0].limb[0]) : groups[1].unit);
  /// True if two results agree to a small part of their size or of their natural size.
  const auto agree = [&](const Numbers& a, const Numbers& b, double part, double natural) {
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const auto [begin, end, size] = groups[k];
      Numbers difference;
      for (std::size_t i = begin; i < end; ++i) difference.push_back(a[i] - b[i]);
      const double weight = k + 1 < groups.size() ? gradient / size : 1;
      const double allowed =
          std::max(part * std::max(largest_of(a, begin, end), largest_of(b, begin, end)),
                   natural * cotangent * unit_of_result * weight);
      if (!(largest_of(difference, 0, difference.size()) <= allowed)) return false;
    }
    return true;
  };
  // rounding shows where a step of no account changes the result
  const Numbers beside = evaluated(point, groups, 0x1p-150, true).derivatives;
  if (agree(here, beside, digits, digits * 0x1p-20)) return here;
  if (!is_finite(point.inputs) || !is_finite(point.cotangents)) return here;
  // a formula that divides by zero: derivatives on both sides nearby, and the value here that
  // follows from them
  const Numbers ahead = evaluated(point, groups, 0x1p-40, false).derivatives;
  const Numbers behind = evaluated(point, groups, -0x1p-41, false).derivatives;
  if (!agree(ahead, behind, 0x1p-10, 0x1p-15)) refuse();
  Numbers between;
  for (std::size_t i = 0; i < ahead.size(); ++i) between.push_back((ahead[i] + 2 * behind[i]) / 3);
  return between;
}

}  // namespace mct::geometry_detail
